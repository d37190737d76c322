internal import CSystemd

/// Calls a handler once at a given time. Afterwards the timer can be set again, even in its own handler.
public final class TimerSource: EventSource {
  private let clock: EventClock

  /// Creates a timer that is not set.
  /// - Parameter accuracy: the maximum delay of the timer. A delay allows the kernel to combine wake-ups. The minimum
  ///   and the default are one microsecond, which is the resolution of sd-event.
  public init(
    _ loop: EventLoop, clock: EventClock = .monotonic, accuracy: Duration = .microseconds(1),
    priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) {
    self.clock = clock
    super.init(loop)
    let event = self.loop
    attach("sd_event_add_time") { userdata, source in
      // For sd-event, an accuracy of 0 means the default accuracy, 250 ms.
      sd_event_add_time(
        event, &source, clock.id, 0, UInt64(max(1, accuracy.microsecondsRoundedUp)), timerFired,
        userdata)
    }
    isEnabled = false
    self.priority = priority
    self.handler = handler
  }

  /// Sets the timer to the time `nanoseconds` of its clock. The timer never fires earlier. If this time has passed, the
  /// timer fires immediately. This call replaces an earlier setting.
  public func set(at nanoseconds: Int64) {
    guard let source else { return }
    let microseconds = max(0, nanoseconds) / 1000 + (nanoseconds % 1000 > 0 ? 1 : 0)
    sd_event_source_set_time(source, UInt64(microseconds))
    fireOnce()
  }

  /// Sets the timer to a moment of its clock. Nil stops the timer.
  public func set(at moment: Duration?) {
    if let moment { set(at: moment.wholeNanoseconds) } else { stop() }
  }

  /// Sets the timer to fire after `duration`. This call replaces an earlier setting.
  public func set(after duration: Duration) {
    let wait = duration.microsecondsRoundedUp.multipliedReportingOverflow(by: 1000)
    let sum = clock.now.addingReportingOverflow(wait.overflow ? .max : wait.partialValue)
    set(at: sum.overflow ? .max : sum.partialValue)
  }

  /// Stops the timer. It does not fire until it is set again.
  public func stop() { isEnabled = false }
}
