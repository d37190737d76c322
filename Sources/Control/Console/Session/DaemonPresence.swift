package import Reports

/// Decides which messages a console shows while the daemon does not answer. A normal restart ends before the first
/// message is due. Repeated restarts lead to only one series of messages.
package struct DaemonPresence {
  /// The messages, in their order. The screen shows its messages after the same times.
  package enum Step: String, Hashable, Sendable, Comparable, CaseIterable {
    case starting
    /// The service manager restarts the daemon.
    case restarting
    /// The restarts have not helped, so the user has to do something.
    case lasting

    /// The message is shown when the daemon has not answered for this time.
    package var begin: Duration {
      switch self {
      case .starting: .seconds(2)
      case .restarting: .seconds(10)
      case .lasting: .seconds(60)
      }
    }

    /// Compares the times after which the messages are shown.
    package static func < (one: Step, other: Step) -> Bool { one.begin < other.begin }
  }

  private enum Phase {
    case present
    /// The daemon does not answer. `said` is the last message that was shown.
    case away(DaemonState, since: Duration, said: Step?)
    /// The daemon answers again. It counts as present if it still answers at the time `end`.
    case returning(since: Duration, said: Step, end: Duration)
  }

  private var phase = Phase.present

  package init() {}

  /// Handles a new state of the daemon. Returns the messages that are due now.
  /// - Parameter now: the time of a monotonic clock.
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
      // Waiting does not help, so the last message is shown immediately.
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

  /// Returns the messages that are due at this time.
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

  /// The time at which ``advance(to:)`` must be called. Nil if no message becomes due without a new state.
  package var deadline: Duration? {
    switch phase {
    case .present: nil
    case .returning(_, _, let end): end
    case .away(_, let since, let said):
      Step.allCases.first { step in said.map { $0 < step } ?? true }.map { since + $0.begin }
    }
  }

  /// The first message if the state shows that the daemon has failed. Nil to begin with ``Step/starting``.
  private static func first(_ state: DaemonState) -> Step? {
    switch state {
    case .hangs, .restarting: .restarting
    default: nil
    }
  }
}
