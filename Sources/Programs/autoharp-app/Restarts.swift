/// Decides what follows when PROGRAM has ended. A value without I/O.
struct Restarts {
  enum Policy: String, CaseIterable {
    /// autoharp-app ends too.
    case no
    /// PROGRAM is started again if its status is not 0.
    case failure
    case always
  }

  enum Decision: Equatable {
    /// The content has ended. PROGRAM is started again at the next *play*.
    case contentEnded
    /// autoharp-app ends with the status of PROGRAM.
    case exit
    /// PROGRAM is started again after this time.
    case again(after: Duration)
  }

  let policy: Policy
  private var delay = Self.shortest

  private static let shortest = Duration.seconds(1)
  private static let longest = Duration.seconds(30)
  /// If PROGRAM ran for this time, the next delay is the shortest.
  private static let success = Duration.seconds(10)

  init(_ policy: Policy) { self.policy = policy }

  /// PROGRAM has ended after it has run for `time`.
  mutating func ended(_ status: Int32, after time: Duration) -> Decision {
    if policy == .no { return .exit }
    if policy == .failure, status == 0 { return .contentEnded }
    if time >= Self.success { delay = Self.shortest }
    defer { delay = min(delay * 2, Self.longest) }
    return .again(after: delay)
  }
}
