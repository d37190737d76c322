internal import Console
internal import NowPlaying
internal import Reports
internal import Text

/// The services of the image, in words.
struct ServiceList {
  private static let maximumServices = 200

  /// The services: failed ones first, then in the order of their names.
  let services: [ServiceReport]

  /// - Parameter now: the time of the monotonic clock in microseconds.
  init(_ units: SystemUnits, now: Int64) {
    services = units.units.lazy.filter { $0.load != "not-found" }
      .map { Self.report($0, now) }
      .filter { $0.grade == .bad || !Self.isTransient($0.name) }.prefix(Self.maximumServices)
      .sorted { ($0.grade.rank, $0.name) < ($1.grade.rank, $1.name) }
  }

  /// True for units that the list leaves out: slices, and the helper that runs for one request, such as
  /// `service-control@11-151-801.service`. systemd makes this name from the number of the connection, the process and
  /// the user.
  private static func isTransient(_ name: String) -> Bool {
    let instance = name.drop { $0 != "@" }.dropFirst()
    let rest = instance.drop { ("0"..."9").contains($0) }
    return name.hasSuffix(".slice") || rest.startIndex > instance.startIndex && rest.first == "-"
  }

  private static func report(_ unit: SystemUnits.Unit, _ now: Int64) -> ServiceReport {
    var (state, grade) = words(unit)
    if grade == .plain || grade == .good, unit.restarts > 0 { grade = .note }
    return ServiceReport(
      name: unit.name, state: state, grade: grade,
      age: unit.changedMicroseconds.flatMap { $0 <= now ? .microseconds(now - $0) : nil },
      restarts: unit.restarts)
  }

  private static func words(_ unit: SystemUnits.Unit) -> (String, Grade) {
    if unit.load == "masked" { return ("switched off (masked)", .bad) }
    return switch (unit.active, unit.sub) {
    case ("failed", _): ("failed: \(unit.end.text)", .bad)
    case (_, "auto-restart"), (_, "auto-restart-queued"):
      ("waits for its restart: \(unit.end.text)", .bad)
    case ("activating", _): ("starts", .note)
    case ("deactivating", _): ("stops", .note)
    case ("active", "exited"): ("done", .good)
    case ("active", "listening"), ("active", "waiting"): ("waits for requests", .good)
    case ("active", "mounted"): ("mounted", .good)
    case ("active", _), ("reloading", _): ("runs", .good)
    case ("inactive", _): ("does not run", .plain)
    default: ("unknown state", .note)
    }
  }

  // MARK: Names

  /// The service with this name: a full name, a short name such as `screen`, or the beginning of a short name.
  func service(_ word: String) throws(Refusal) -> ServiceReport {
    let name = word.lowercased() == "daemon" ? "autoharp" : word.lowercased()
    let found = services.first { [$0.name, $0.shortName].contains { $0.lowercased() == name } }
    if let found { return found }
    let begun = services.filter { $0.shortName.lowercased().hasPrefix(name) }
    if begun.count == 1 { return begun[0] }
    guard begun.isEmpty else {
      throw Refusal(
        .noSuchService, "several services begin with '\(word)'", remedy: "'service' lists them")
    }
    let near = nearestWord(to: name, among: services.map(\.shortName))
    throw Refusal(
      .noSuchService, "no service has the name '\(word)'",
      remedy: near.map { "did you mean '\($0)'?" } ?? "'service' lists them")
  }
}

extension Grade {
  /// The order in a list: the worst first.
  fileprivate var rank: Int {
    switch self {
    case .bad: 0
    case .note: 1
    case .good: 2
    case .plain: 3
    }
  }
}
