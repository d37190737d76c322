internal import CSystemd

/// Calls a handler once at a given time. The timer can then be set again, also from its own
/// handler.
public final class TimerSource: EventSource {
  private let clock: EventClock

  /// Creates a timer that is not set.
  /// - Parameter accuracy: the maximum delay of the timer. A delay allows the kernel to combine
  ///   wake-ups. The minimum is one microsecond. The default is as exact as the kernel's timers.
  public init(
    _ loop: EventLoop, clock: EventClock = .monotonic, accuracy: Duration = .microseconds(1),
    priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) {
    self.clock = clock
    super.init(loop)
    let event = self.loop
    attach("sd_event_add_time") { userdata, source in
      // sd-event takes an accuracy of 0 as its default of 250 ms.
      sd_event_add_time(
        event, &source, clock.id, 0, UInt64(max(1, accuracy.microsecondsRoundedUp)), timerFired,
        userdata)
    }
    isEnabled = false
    self.priority = priority
    self.handler = handler
  }

  /// Fires at `nanoseconds` of its clock, never earlier. If that time has passed, the timer fires
  /// immediately. Replaces an earlier setting.
  public func set(at nanoseconds: Int64) {
    guard let source else { return }
    let microseconds = max(0, nanoseconds) / 1000 + (nanoseconds % 1000 > 0 ? 1 : 0)
    sd_event_source_set_time(source, UInt64(microseconds))
    fireOnce()
  }

  /// Fires after `duration`. Replaces an earlier setting.
  public func set(after duration: Duration) {
    let wait = duration.microsecondsRoundedUp.multipliedReportingOverflow(by: 1000)
    let sum = clock.now.addingReportingOverflow(wait.overflow ? .max : wait.partialValue)
    set(at: sum.overflow ? .max : sum.partialValue)
  }

  /// Does not fire until it is set again.
  public func stop() { isEnabled = false }
}
