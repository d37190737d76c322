package import Reports
internal import Text

/// A service of the image, as the service manager reports it.
package struct ServiceReport: Equatable, Sendable {
  /// The full name, such as `autoharp-screen.service`.
  package var name: String
  /// The state in words.
  package var state: String
  /// Bad if the service failed, or waits for its restart after a failure. A note if it was restarted before.
  package var grade: Grade
  /// How long the service has been in this state. Nil if it never changed its state.
  package var age: Duration?
  package var restarts: Int

  package init(
    name: String, state: String, grade: Grade, age: Duration? = nil, restarts: Int = 0
  ) {
    self.name = name
    self.state = state
    self.grade = grade
    self.age = age
    self.restarts = restarts
  }

  /// The name without `.service`, and without the prefix of systemd and of the unit: `screen`, `stick@sda1`.
  package var shortName: String { Self.shortName(of: name) }

  /// The name of a slice has all instances of a template: `console@` for `system-autoharp\x2dconsole.slice`.
  static func shortName(of name: String) -> String {
    let slice = ".slice"
    if name.hasPrefix("system-"), name.hasSuffix(slice) {
      let escaped = name.dropFirst("system-".count).dropLast(slice.count)
      let parts = escaped.split(separator: "\\", omittingEmptySubsequences: false)
      let template = parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
        text + (part.hasPrefix("x2d") ? "-\(part.dropFirst(3))" : "\\\(part)")
      }
      return SystemUnits.Unit.withoutPrefix(template[...]) + "@"
    }
    return SystemUnits.Unit.label(of: name)
  }

  /// The state, for how long, and the number of restarts.
  package var words: String {
    var parts = [state]
    if let age { parts.append("for \(Self.words(age))") }
    if restarts > 0 { parts.append("\(restarts) \(restarts == 1 ? "restart" : "restarts")") }
    return parts.joined(separator: ", ")
  }

  private static func words(_ age: Duration) -> String {
    let seconds = max(0, age.components.seconds)
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3600) h"
    default: return "\(seconds / 86_400) days"
    }
  }
}

extension [ServiceReport] {
  func lines(_ style: ReplyStyle) -> [String] {
    guard !isEmpty else { return ["There are no services."] }
    let widest = map { TextWidth.columns(of: style.sanitized($0.shortName)) }.max() ?? 0
    let width = Swift.min(widest + 2, 32)
    return flatMap { service in
      var rows = style.row(
        style.sanitized(service.shortName), style.sanitized(service.words), indent: 3, width: width)
      rows[0] = style.mark(service.grade) + rows[0].dropFirst(3)
      return rows
    }
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("services")
    json.beginArray()
    for service in self {
      json.beginObject()
      service.writeMembers(to: &json)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}

extension ServiceReport {
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("state", state)
    json.member("grade", grade.rawValue)
    json.member("seconds", age.map { Int($0.components.seconds) })
    json.member("restarts", restarts)
  }

  /// Writes an object with the members of the service, and its log as the member `log`.
  func write(with log: LogReport, to json: inout JSONWriter) {
    json.beginObject()
    writeMembers(to: &json)
    json.key("log")
    log.write(to: &json)
    json.endObject()
  }
}
