internal import NowPlaying

/// The stages of the screen while the daemon does not answer. A restart of the daemon usually ends before the screen
/// shows a message.
public enum DaemonAbsence: Hashable, Sendable, CaseIterable {
  /// The picture does not change, but no control reacts.
  case unnoticed
  case starting
  /// The service manager restarts the daemon.
  case restarting
  /// The restarts have not helped, so the user must act.
  case lasting

  /// The time without an answer after which this stage begins.
  private var begin: Duration {
    switch self {
    case .unnoticed: .zero
    case .starting: .seconds(2)
    case .restarting: .seconds(10)
    case .lasting: .seconds(60)
    }
  }

  /// The current stage. Nil while the daemon answers.
  public init?(_ context: ScreenContext) {
    guard let since = context.awaySince else { return nil }
    let time = context.now.wholeTime(since: since)
    self = Self.allCases.last { time >= $0.begin } ?? .unnoticed
  }

  /// The time at which the next stage begins. Nil if there is no further stage.
  static func nextChange(_ context: ScreenContext) -> MonotonicInstant? {
    guard let since = context.awaySince else { return nil }
    return allCases.map { since.advanced(by: $0.begin) }.first { $0 > context.now }
  }
}
