/// Compares the state that one surface shows with the state that it was given (P12). This is a value that performs no
/// input or output.
///
/// On the first difference the surface gets the same state again. If the difference remains, it is only counted. The
/// next repair is possible after the next new state. This avoids an endless series of repairs. Content that a source
/// publishes itself is never repaired (P11).
public struct SurfaceGuard: Equatable, Sendable {
  /// The result of one comparison.
  public enum Verdict: Equatable, Sendable {
    /// The surface has not been given a state yet.
    case nothingExpected
    /// The surface shows the state that it was given.
    case same
    /// There is a difference, but the surface got the state less than ``settlingTime`` ago. So it is possible that the
    /// surface has not changed its display yet.
    case settling
    /// The surface must get the state again.
    case repair([DisplayDifference])
    /// A difference remains after the state was sent again.
    case leave([DisplayDifference])
    /// The source publishes this content itself, so the difference is not repaired (P11).
    case selfPublished([DisplayDifference])

    /// The fields that differ.
    public var differences: [DisplayDifference] {
      switch self {
      case .nothingExpected, .same, .settling: []
      case .repair(let found), .leave(let found), .selfPublished(let found): found
      }
    }
  }

  /// Maximum time until a surface shows a state.
  public static let settlingTime = Duration.milliseconds(500)

  /// Maximum time until a surface reports that it shows a new state. This limit applies only to surfaces that report
  /// what they show.
  public static let reportLimit = Duration.seconds(2)

  /// The last state that the surface was given.
  public private(set) var expected: NowPlayingState?
  /// The last reading of the surface after it was given ``expected``; nil if there is none.
  public private(set) var shown: DisplayedState?
  /// The last verdict.
  public private(set) var verdict = Verdict.nothingExpected
  /// Number of readings with a difference.
  public private(set) var differencesSeen = 0
  /// Number of times that a state was sent again.
  public private(set) var repairs = 0
  private var hasReported = false
  private var sentAt: MonotonicInstant?
  private var isRepaired = false

  /// Creates the guard of a surface that has not been given a state yet.
  public init() {}

  /// Called when the surface is given a state.
  public mutating func sent(_ state: NowPlayingState, at now: MonotonicInstant) {
    expected = state
    sentAt = now
    isRepaired = false
    shown = nil
    verdict = .nothingExpected
  }

  /// Compares a reading of the surface with the given state.
  public mutating func observed(_ facts: DisplayedState, at now: MonotonicInstant) -> Verdict {
    shown = facts
    hasReported = true
    verdict = compare(facts, at: now)
    if !verdict.differences.isEmpty { differencesSeen += 1 }
    if case .repair = verdict {
      isRepaired = true
      repairs += 1
      sentAt = now
    }
    return verdict
  }

  /// True if the surface has reported earlier states, but has not reported the last state yet.
  var isAwaited: Bool { hasReported && shown == nil && sentAt != nil }

  /// True if the surface has reported earlier states, but has not reported the last state within ``reportLimit``.
  public func isOverdue(at now: MonotonicInstant) -> Bool {
    isAwaited && sentAt.map { now.wholeTime(since: $0) >= Self.reportLimit } ?? false
  }

  private func compare(_ facts: DisplayedState, at now: MonotonicInstant) -> Verdict {
    guard let expected, let sentAt else { return .nothingExpected }
    let found = DisplayedState(of: expected, at: now).differences(from: facts)
    if found.isEmpty { return .same }
    if expected.isSelfPublished { return .selfPublished(found) }
    if now.wholeTime(since: sentAt) < Self.settlingTime { return .settling }
    return isRepaired ? .leave(found) : .repair(found)
  }
}
