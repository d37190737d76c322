package import Reports

/// Decides what a console says about a daemon that does not answer. A restart is usually over before anything is said,
/// and a loop of restarts is said once.
package struct DaemonPresence {
  /// What is said, one after the other. The screen has the same times.
  package enum Step: String, Hashable, Sendable, Comparable, CaseIterable {
    case starting
    /// The service manager restarts the daemon.
    case restarting
    /// The restarts have not helped, so a person has to do something.
    case lasting

    /// The time from which this is said, after the last answer of the daemon.
    package var begin: Duration {
      switch self {
      case .starting: .seconds(2)
      case .restarting: .seconds(10)
      case .lasting: .seconds(60)
      }
    }

    /// Compares the times.
    package static func < (one: Step, other: Step) -> Bool { one.begin < other.begin }
  }

  private enum Phase {
    case present
    /// `said` is the last step that was said.
    case away(DaemonState, since: Duration, said: Step?)
    /// The daemon answers again. It counts as present if it still does so at `end`.
    case returning(since: Duration, said: Step, end: Duration)
  }

  private var phase = Phase.present

  package init() {}

  /// Handles a state, and returns what has to be said.
  /// - Parameter now: a time that grows.
  package mutating func update(_ state: DaemonState, at now: Duration) -> [ConsoleEvent] {
    switch (state, phase) {
    case (.connected, .away(_, _, nil)):
      phase = .present
    case (.connected, .away(let last, let since, let said?)):
      var wait = Step.starting.begin
      if case .restarting = last { wait = Step.lasting.begin }
      phase = .returning(since: since, said: said, end: now + wait)
    case (.connected, _): break
    case (.noPermission, .away(state, _, _)): break
    case (.noPermission, _):
      // Time does not help.
      phase = .away(state, since: now, said: .lasting)
      return [.daemon(state)]
    case (_, .away(_, let since, let said)): phase = .away(state, since: since, said: said)
    case (_, .returning(let since, let said, _)):
      phase = .away(state, since: since, said: said)
    case (.hangs(let time), .present): phase = .away(state, since: now - time, said: nil)
    case (_, .present): phase = .away(state, since: now, said: nil)
    }
    return advance(to: now)
  }

  /// Returns what has to be said at a time.
  package mutating func advance(to now: Duration) -> [ConsoleEvent] {
    switch phase {
    case .present: return []
    case .returning(_, _, let end):
      guard now >= end else { return [] }
      phase = .present
      return [.daemon(.connected)]
    case .away(let state, let since, let said):
      let reached = Step.allCases.last { now - since >= $0.begin }
      guard let step = [reached, Self.first(state)].compactMap({ $0 }).max(),
        said.map({ $0 < step }) ?? true
      else { return [] }
      phase = .away(state, since: since, said: step)
      return [.away(step, state)]
    }
  }

  /// The time of the next ``advance(to:)``. Nil if only a new state can change anything.
  package var deadline: Duration? {
    switch phase {
    case .present: nil
    case .returning(_, _, let end): end
    case .away(_, let since, let said):
      Step.allCases.first { step in said.map { $0 < step } ?? true }.map { since + $0.begin }
    }
  }

  /// The first step of a daemon that is known to have failed.
  private static func first(_ state: DaemonState) -> Step? {
    switch state {
    case .hangs, .restarting: .restarting
    default: nil
    }
  }
}
