/// Compares the state that one surface shows with the state that it was given (P12). A value
/// without I/O.
///
/// On the first difference the surface gets the same state again. If the difference remains, it is
/// counted and no further repair follows until the next state. This avoids an endless repair loop.
/// Content that a source publishes itself is never repaired (P11).
public struct SurfaceGuard: Equatable, Sendable {
  /// The result of one comparison.
  public enum Verdict: Equatable, Sendable {
    /// The surface has not been given a state yet.
    case nothingExpected
    /// The surface shows the state that it was given.
    case same
    /// The surface got the state a moment ago, so a difference proves nothing yet.
    case settling
    /// The surface must get the state again.
    case repair([DisplayDifference])
    /// The state was already sent again.
    case leave([DisplayDifference])
    /// The source publishes this content itself, so it is not repaired (P11).
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

  /// The last state that the surface was given.
  public private(set) var expected: NowPlayingState?
  /// The last reading of the surface since that state.
  public private(set) var shown: DisplayedState?
  /// The last verdict.
  public private(set) var verdict = Verdict.nothingExpected
  /// Number of readings with a difference.
  public private(set) var differencesSeen = 0
  /// Number of states that were sent again.
  public private(set) var repairs = 0
  private var sentAt: MonotonicInstant?
  private var isRepaired = false

  /// No state has been given yet.
  public init() {}

  /// The surface gets a state.
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
    verdict = compare(facts, at: now)
    if !verdict.differences.isEmpty { differencesSeen += 1 }
    if case .repair = verdict {
      isRepaired = true
      repairs += 1
      sentAt = now
    }
    return verdict
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
