internal import EventLoop
package import NowPlaying

/// The machine's clock, which both ends of the socket share: what a state says of time holds on
/// either side.
package enum ControlClock {
  /// The moment that it is. Any thread; never blocks.
  package static func now() -> MonotonicInstant {
    // In this order: what is slept between the two counts as slept, and never as less than none.
    let awake = EventClock.monotonic.now
    let whole = EventClock.boottime.now
    // The clocks are read one after the other, so they differ by a little on a machine that never
    // slept. Nobody suspends a machine for less than a millisecond.
    let slept = max(0, whole - awake) / 1_000_000
    return MonotonicInstant(awake: .nanoseconds(awake), suspended: .milliseconds(slept))
  }
}
