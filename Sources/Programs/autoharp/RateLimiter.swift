/// Limits how often an action is repeated.
struct RateLimiter {
  /// The time between two actions, in seconds. Ten updates per second are enough to see a movement.
  static let interval = 0.1
  private var due: Double

  /// - Parameter start: the time of the first action, on the clock of `isDue(at:)`.
  init(from start: Double) { due = start }

  /// True if the action is due. The next action is due one interval later.
  mutating func isDue(at now: Double) -> Bool {
    guard now >= due else { return false }
    due = now + Self.interval
    return true
  }
}
