internal import NowPlaying
package import Reports
package import Text

// Formats an entry of the trace as text and as JSON.
extension TraceEntry {
  /// One line for a person. It begins with the time on the machine's monotonic clock.
  package func line(_ style: ReplyStyle) -> String {
    switch self {
    case .command(let command):
      let origin = command.origin.map { " (\($0))" } ?? ""
      let inputPath = "\(command.surface)/\(command.inputPath)\(origin)"
      var parts = ["#\(command.number) \(inputPath) \(command.request)"]
      if let verdict = command.verdict { parts.append(verdict) }
      if let answer = command.answer {
        parts.append(answer + (command.answeredAfter.map { " after \(Self.text($0))" } ?? ""))
      }
      if let heard = command.heardAfter { parts.append("heard after \(Self.text(heard))") }
      return "\(Self.clock(command.at)) \(style.sanitized(parts.joined(separator: ", ")))"
    case .publication(let revision, let reasons, let at):
      let names = style.sanitized(reasons.joined(separator: ", "))
      return "\(Self.clock(at)) state \(revision): \(names)"
    case .key(let text, let at):
      return "\(Self.clock(at)) key: \(style.sanitized(text))"
    case .sink(let text, let at):
      return "\(Self.clock(at)) sound: \(style.sanitized(text))"
    }
  }

  /// Writes one object. Times are in seconds.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    switch self {
    case .command(let command):
      json.member("kind", "command")
      json.member("at", command.at.roundedSeconds)
      json.member("number", command.number)
      json.member("surface", command.surface)
      json.member("origin", command.origin)
      json.member("inputPath", command.inputPath)
      // Programs for version 0.1 read the field `inputPath` by the name `road`.
      json.member("road", command.inputPath)
      json.member("request", command.request)
      json.member("verdict", command.verdict)
      json.member("answer", command.answer)
      json.member("code", command.code?.rawValue)
      json.member("answeredAfter", command.answeredAfter.map(\.roundedSeconds))
      json.member("heardAfter", command.heardAfter.map(\.roundedSeconds))
    case .publication(let revision, let reasons, let at):
      json.member("kind", "publication")
      json.member("at", at.roundedSeconds)
      json.member("revision", revision)
      // Programs for version 0.1 read the field `reasons` by the name `moments`.
      for name in ["reasons", "moments"] {
        json.key(name)
        json.beginArray()
        for reason in reasons { json.value(reason) }
        json.endArray()
      }
    case .key(let text, let at):
      json.member("kind", "key")
      json.member("at", at.roundedSeconds)
      json.member("text", text)
    case .sink(let text, let at):
      json.member("kind", "sink")
      json.member("at", at.roundedSeconds)
      json.member("text", text)
    }
    json.endObject()
  }

  /// Seconds with three decimals, as in the kernel's log.
  private static func clock(_ time: Duration) -> String {
    let milliseconds = Int64((time.roundedSeconds * 1000).rounded())
    let fraction = String(abs(milliseconds) % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "[\(milliseconds / 1000).\(zeros)\(fraction)]"
  }

  private static func text(_ time: Duration) -> String {
    "\(Int64((time.roundedSeconds * 1000).rounded())) ms"
  }
}
