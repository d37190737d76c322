internal import Console
internal import Control
internal import EventLoop
internal import NowPlaying
internal import Reports
internal import Threads

/// Collects the parts of a report, one after the other: the replies to other commands, and the kept logs.
final class ReportCollection {
  /// After this time, the remaining parts are left out.
  private static let timeLimit = Duration.seconds(60)
  private static let keptLogs = 10
  private static let linesOfKeptLog = 100

  private static let steps: [(title: String, command: ConsoleCommand)] = [
    ("version", .version), ("diagnosis", .diagnose(.details)), ("status", .status),
    ("boot", .boot), ("services", .service(.list)), ("configuration", .config(.show)),
    ("storage", .storage), ("check of the storage", .data(.check)), ("audio", .audio),
    ("screen", .screen), ("devices", .devices), ("top", .top),
    ("bluetooth", .bluetooth(.show)), ("keys", .keys), ("library", .library(.show)),
    ("latency", .latency), ("log", .log(.last(400, nil))), ("kernel", .log(.last(400, .kernel))),
  ]

  /// Carries out a command. The state is that of a daemon that did not answer an earlier command; nil if it did. The
  /// completion is possibly called before the call returns.
  typealias Performer = (ConsoleCommand, DaemonState?, @escaping (ConsoleReply) -> Void) -> Void

  private let perform: Performer
  private let logs: KeptLogs
  private var redaction: PhoneRedaction
  private var parts: [UnitReport.Part] = []
  private var next = 0
  /// The state of the daemon since it did not answer.
  private var away: DaemonState?
  private let end = MonotonicClock.nanoseconds + timeLimit.components.seconds * 1_000_000_000
  private let completion: (UnitReport) -> Void

  /// - Parameters:
  ///   - phones: the devices whose names are replaced; nil if they are not known.
  ///   - completion: called once.
  init(
    phones: PhonesState?, logs: KeptLogs, perform: @escaping Performer,
    _ completion: @escaping (UnitReport) -> Void
  ) {
    redaction = PhoneRedaction(phones)
    self.logs = logs
    self.perform = perform
    self.completion = completion
  }

  /// Begins the next part, or ends the report.
  func proceed() {
    guard next < Self.steps.count else {
      addKeptLogs()
      return completion(UnitReport(parts))
    }
    let (title, command) = Self.steps[next]
    next += 1
    guard MonotonicClock.nanoseconds < end else {
      add(title, ["(left out, because the report takes too long)"])
      return proceed()
    }
    perform(command, away) { [weak self] reply in
      if case .unreachable(let state) = reply { self?.away = state }
      self?.add(title, reply.lines(UnitReport.style))
      self?.proceed()
    }
  }

  private func add(_ title: String, _ lines: [String]) {
    parts.append(.init(title, lines.map { redaction.redacted($0) }))
  }

  private func addKeptLogs() {
    let list = logs.list ?? []
    add("kept logs", list.map { "\($0.name) \($0.bytes) bytes, changed at \($0.seconds)" })
    for log in list.prefix(Self.keptLogs) {
      let lines = logs.report(of: log.name)?.lines ?? []
      add("kept log \(log.name)", lines.suffix(Self.linesOfKeptLog).map(\.text))
    }
  }
}
