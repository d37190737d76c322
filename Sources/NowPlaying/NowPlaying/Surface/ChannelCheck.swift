/// The loop-back of a surface's channel when it comes up, both ways, as a state that is shown (C7).
public struct ChannelCheck: Hashable, Sendable, CustomStringConvertible {
  /// One way.
  public enum Direction: Hashable, Sendable, CustomStringConvertible {
    case untested
    case waiting
    /// After so long.
    case passed(Duration)
    case failed

    /// In a word.
    public var description: String {
      switch self {
      case .untested: "not tested"
      case .waiting: "waiting"
      case .passed(let time): "passed in \(time.millisecondText)"
      case .failed: "failed"
      }
    }
  }

  /// How long each way may take.
  public static let limit = Duration.seconds(2)

  /// From the head unit to the surface: it shows what it is given.
  public private(set) var toSurface = Direction.untested
  /// From the surface to the head unit: its commands arrive.
  public private(set) var fromSurface = Direction.untested
  private var token = 0
  private var began: MonotonicInstant?

  /// Not tested.
  public init() {}

  /// Begins a test; the surface is given the token and must return it on both ways.
  public mutating func begin(at now: MonotonicInstant) -> Int {
    token += 1
    began = now
    toSurface = .waiting
    fromSurface = .waiting
    return token
  }

  /// The surface has shown the token. One of an older test says nothing.
  public mutating func confirmedShown(_ token: Int, at now: MonotonicInstant) {
    if let passed = passed(token, toSurface, at: now) { toSurface = passed }
  }

  /// The token came back on the way that commands take.
  public mutating func arrived(_ token: Int, at now: MonotonicInstant) {
    if let passed = passed(token, fromSurface, at: now) { fromSurface = passed }
  }

  /// What has not come back in time has failed. True where something changed.
  public mutating func expire(at now: MonotonicInstant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    if toSurface == .waiting { toSurface = .failed }
    if fromSurface == .waiting { fromSurface = .failed }
    return true
  }

  /// When ``expire(at:)`` has something to do.
  public var deadline: MonotonicInstant? {
    guard toSurface == .waiting || fromSurface == .waiting else { return nil }
    return began?.advanced(by: Self.limit)
  }

  /// Whether both ways work.
  public var hasPassed: Bool {
    if case .passed = toSurface, case .passed = fromSurface { return true }
    return false
  }

  /// Both ways, in words.
  public var description: String { "to surface \(toSurface), from surface \(fromSurface)" }

  private func passed(_ token: Int, _ direction: Direction, at now: MonotonicInstant) -> Direction?
  {
    guard token == self.token, direction == .waiting, let began else { return nil }
    return .passed(now.wholeTime(since: began))
  }
}
