/// Limits calls to a number per second. A burst of calls may come at once. A value without a clock.
///
/// A listener slows down peers, the server refuses calls of apps, and a client keeps within the limits of the server.
public struct CallPace {
  private let interval: Duration
  private let burst: Int
  /// The time at which all calls so far fit into the pace.
  private var end = Duration.zero

  /// Creates a pace without calls.
  public init(perSecond: Int, burst: Int) {
    interval = .seconds(1) / perSecond
    self.burst = burst
  }

  /// Counts a call at `now`. Returns false, and does not count it, if the call is too early.
  public mutating func permits(at now: Duration) -> Bool {
    let next = max(end, now) + interval
    guard next - now <= interval * burst else { return false }
    end = next
    return true
  }

  /// Counts calls that have come at `now`. Returns the time until they fit into the pace. Zero if they fit now.
  public mutating func wait(after calls: Int, at now: Duration) -> Duration {
    end = max(end, now) + interval * calls
    return max(.zero, end - now - interval * burst)
  }

  /// True if fewer calls than a burst are permitted at `now`.
  public func isUsed(at now: Duration) -> Bool { end > now }
}
