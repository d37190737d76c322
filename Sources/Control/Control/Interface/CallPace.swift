/// Limits calls to a number per second. A burst of calls may come at once. A value without a clock.
/// The server counts the calls of apps, and a client keeps within the limits of the server.
package struct CallPace {
  private let interval: Duration
  private let burst: Int
  /// The time at which all calls so far fit into the pace.
  private var end = Duration.zero

  package init(perSecond: Int, burst: Int) {
    interval = .seconds(1) / perSecond
    self.burst = burst
  }

  /// Counts a call at `now`. Returns false, and does not count it, if the call is too early.
  package mutating func permits(at now: Duration) -> Bool {
    let next = max(end, now) + interval
    guard next - now <= interval * burst else { return false }
    end = next
    return true
  }

  /// True if fewer calls than a burst are permitted at `now`.
  func isUsed(at now: Duration) -> Bool { end > now }
}
