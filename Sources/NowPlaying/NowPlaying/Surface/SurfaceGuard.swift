/// Checks what one surface shows against what it was given (P12), as a value.
///
/// A difference is seen, counted, and repaired once: the surface is given the same state again. If
/// it shows the difference still, it is counted and left alone until the next state. Nothing is
/// fought every two seconds. What a source publishes by itself is never repaired (P11).
public struct SurfaceGuard: Equatable, Sendable {
  /// What to do about what a surface shows.
  public enum Verdict: Equatable, Sendable {
    /// Nothing was given to it yet.
    case nothingExpected
    /// As expected.
    case same
    /// It was given the state a moment ago; too early to say.
    case settling
    /// Give it the state again.
    case repair([DisplayDifference])
    /// That was done already.
    case leave([DisplayDifference])
    /// The content is not ours to repeat (P11).
    case notOurs([DisplayDifference])

    /// What differs.
    public var differences: [DisplayDifference] {
      switch self {
      case .nothingExpected, .same, .settling: []
      case .repair(let found), .leave(let found), .notOurs(let found): found
      }
    }
  }

  /// How long a surface may take to show what it was given.
  public static let settlingTime = Duration.milliseconds(500)

  /// What it was given last.
  public private(set) var expected: NowPlayingState?
  /// What it showed last, and when.
  public private(set) var shown: DisplayedState?
  /// The last verdict.
  public private(set) var verdict = Verdict.nothingExpected
  /// Readings that differed.
  public private(set) var differencesSeen = 0
  /// States given again.
  public private(set) var repairs = 0
  private var givenAt: MonotonicInstant?
  private var isRepaired = false

  /// Nothing was given yet.
  public init() {}

  /// The surface is given a state.
  public mutating func gave(_ state: NowPlayingState, at now: MonotonicInstant) {
    expected = state
    givenAt = now
    isRepaired = false
    shown = nil
    verdict = .nothingExpected
  }

  /// The surface shows this.
  public mutating func observed(_ facts: DisplayedState, at now: MonotonicInstant) -> Verdict {
    shown = facts
    verdict = judge(facts, at: now)
    if !verdict.differences.isEmpty { differencesSeen += 1 }
    if case .repair = verdict {
      isRepaired = true
      repairs += 1
      givenAt = now
    }
    return verdict
  }

  private func judge(_ facts: DisplayedState, at now: MonotonicInstant) -> Verdict {
    guard let expected, let givenAt else { return .nothingExpected }
    let found = DisplayedState(of: expected, at: now).differences(from: facts)
    if found.isEmpty { return .same }
    if expected.isSelfPublished { return .notOurs(found) }
    if now.wholeTime(since: givenAt) < Self.settlingTime { return .settling }
    return isRepaired ? .leave(found) : .repair(found)
  }
}
