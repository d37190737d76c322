/// The loop-back test of a surface's channel, with its result (C7). When the channel is connected, the head unit sends
/// a token to the surface. The surface must show the token and send it back.
public struct ChannelCheck: Hashable, Sendable, CustomStringConvertible {
  /// The result for one direction.
  public enum Direction: Hashable, Sendable, CustomStringConvertible {
    case untested
    case waiting
    /// The token arrived. The value is the time since the test began.
    case passed(Duration)
    case failed

    /// The result in words.
    public var description: String {
      switch self {
      case .untested: "not tested"
      case .waiting: "waiting"
      case .passed(let time): "passed in \(time.millisecondText)"
      case .failed: "failed"
      }
    }
  }

  /// Maximum time for each direction.
  public static let limit = Duration.seconds(2)

  /// The direction from the head unit to the surface. The test passes if the surface shows the token.
  public private(set) var toSurface = Direction.untested
  /// The direction from the surface to the head unit. The test passes if the token arrives on the path of the commands.
  public private(set) var fromSurface = Direction.untested
  private var token = 0
  private var began: MonotonicInstant?

  /// Creates a check with both directions untested.
  public init() {}

  /// Begins a test and returns its token, which the caller sends to the surface.
  public mutating func begin(at now: MonotonicInstant) -> Int {
    token += 1
    began = now
    toSurface = .waiting
    fromSurface = .waiting
    return token
  }

  /// Called when the surface has shown the token. The token of an older test is ignored.
  public mutating func confirmedShown(_ token: Int, at now: MonotonicInstant) {
    if let passed = passed(token, toSurface, at: now) { toSurface = passed }
  }

  /// Called when the token has returned on the path of the commands.
  public mutating func arrived(_ token: Int, at now: MonotonicInstant) {
    if let passed = passed(token, fromSurface, at: now) { fromSurface = passed }
  }

  /// If the deadline has passed, the result of each direction that waits for the token becomes *failed*. Returns true
  /// if something changed.
  public mutating func expire(at now: MonotonicInstant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    if toSurface == .waiting { toSurface = .failed }
    if fromSurface == .waiting { fromSurface = .failed }
    return true
  }

  /// The time at which ``expire(at:)`` must be called; nil if no test is running.
  public var deadline: MonotonicInstant? {
    guard toSurface == .waiting || fromSurface == .waiting else { return nil }
    return began?.advanced(by: Self.limit)
  }

  /// True if both directions have passed.
  public var hasPassed: Bool {
    if case .passed = toSurface, case .passed = fromSurface { return true }
    return false
  }

  /// Both results in words.
  public var description: String { "to surface \(toSurface), from surface \(fromSurface)" }

  private func passed(_ token: Int, _ direction: Direction, at now: MonotonicInstant) -> Direction?
  {
    guard token == self.token, direction == .waiting, let began else { return nil }
    return .passed(now.wholeTime(since: began))
  }
}
