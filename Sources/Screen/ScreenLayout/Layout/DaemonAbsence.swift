internal import NowPlaying

/// What the screen says while the daemon does not answer. A restart of the daemon is usually over before anything is
/// said.
public enum DaemonAbsence: Hashable, Sendable, CaseIterable {
  /// The picture stays as it was, without any control.
  case unnoticed
  case starting
  /// The service manager restarts the daemon.
  case restarting
  /// The restarts have not helped, so a person has to do something.
  case lasting

  /// The time from which this is shown, after the last answer of the daemon.
  private var begin: Duration {
    switch self {
    case .unnoticed: .zero
    case .starting: .seconds(2)
    case .restarting: .seconds(10)
    case .lasting: .seconds(60)
    }
  }

  /// What is shown now; nil while the daemon answers.
  public init?(_ context: ScreenContext) {
    guard let since = context.awaySince else { return nil }
    let time = context.now.wholeTime(since: since)
    self = Self.allCases.last { time >= $0.begin } ?? .unnoticed
  }

  /// The time at which something else is shown; nil if nothing follows.
  static func nextChange(_ context: ScreenContext) -> MonotonicInstant? {
    guard let since = context.awaySince else { return nil }
    return allCases.map { since.advanced(by: $0.begin) }.first { $0 > context.now }
  }
}
