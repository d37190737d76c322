/// Limits how often an action is repeated.
struct RateLimiter {
  /// The minimum time between two actions, in seconds. Ten updates per second are enough to show a movement.
  static let interval = 0.1
  private var due: Double

  /// - Parameter start: the time of the first action, in seconds. ``isDue(at:)`` must get times of the same clock.
  init(from start: Double) { due = start }

  /// Returns true if the action is due. After that, the next action is due one interval later.
  mutating func isDue(at now: Double) -> Bool {
    guard now >= due else { return false }
    due = now + Self.interval
    return true
  }
}
