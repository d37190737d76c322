internal import CSystemd

/// Calls once at a time; then it can be set again, also from its own handler.
public final class TimerSource: EventSource {
  private let clock: EventClock

  /// A timer that is not set.
  /// - Parameter accuracy: how much later than asked it may be, so that wake-ups can be shared. A
  ///   microsecond at least, which is the default: as exact as the kernel is.
  public init(
    _ loop: EventLoop, clock: EventClock = .monotonic, accuracy: Duration = .microseconds(1),
    priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) {
    self.clock = clock
    super.init(loop)
    let event = self.loop
    attach("sd_event_add_time") { userdata, source in
      // 0 would mean a quarter of a second.
      sd_event_add_time(
        event, &source, clock.id, 0, UInt64(max(1, accuracy.microsecondsRoundedUp)), timerFired,
        userdata)
    }
    isEnabled = false
    self.priority = priority
    self.handler = handler
  }

  /// Fires at `nanoseconds` of its clock, never before; at once where that has passed. Replaces
  /// what was set.
  public func set(at nanoseconds: Int64) {
    guard let source else { return }
    let microseconds = max(0, nanoseconds) / 1000 + (nanoseconds % 1000 > 0 ? 1 : 0)
    sd_event_source_set_time(source, UInt64(microseconds))
    fireOnce()
  }

  /// Fires when so much time has passed from now on. Replaces what was set.
  public func set(after duration: Duration) {
    let wait = duration.microsecondsRoundedUp.multipliedReportingOverflow(by: 1000)
    let sum = clock.now.addingReportingOverflow(wait.overflow ? .max : wait.partialValue)
    set(at: sum.overflow ? .max : sum.partialValue)
  }

  /// Fires no more, until it is set again.
  public func stop() { isEnabled = false }
}
