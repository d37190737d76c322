internal import CSystemd
internal import Glibc
internal import Threads

/// The event loop of the control thread. It waits for descriptors, timers, signals and ended programs, and calls their
/// handlers.
///
/// The class wraps sd-event. The loop, its sources and all objects that use them belong to the thread that created the
/// loop. These objects use no locks. No handler must block. Another thread wakes the loop through a `WakeUp`, whose
/// descriptor the loop watches.
///
/// A source ends when its object is deallocated. The handlers of ready sources are called in the order of their
/// priority. Among sources of equal priority, each source gets its turn. The loop never notifies the watchdog of the
/// service manager automatically (see ``ServiceManager``).
public final class EventLoop {
  /// The handle for calls of libsystemd.
  let handle: OpaquePointer
  private var deferred: [() -> Void] = []
  private var deferral: EventSource?

  /// Creates a loop for the calling thread. If the process has no descriptors left, the program stops, because it
  /// cannot work without a loop.
  public init() {
    var event: OpaquePointer?
    let status = sd_event_new(&event)
    guard status >= 0, let event else {
      preconditionFailure("sd_event_new: \(systemWords(status))")
    }
    handle = event
    // sd-event opens the timerfd of a clock when the first timer of this clock is added. Here the timerfds of all
    // clocks are opened at the start. So a lack of descriptors cannot prevent a later timer.
    for clock in EventClock.allCases {
      var timer: OpaquePointer?
      let status = sd_event_add_time(event, &timer, clock.id, 0, 1, { _, _, _ in 0 }, nil)
      precondition(status >= 0, "sd_event_add_time: \(systemWords(status))")
      sd_event_source_disable_unref(timer)
    }
    let deferral = EventSource(self)
    deferral.attach("sd_event_add_defer") { userdata, source in
      sd_event_add_defer(event, &source, eventSourceFired, userdata)
    }
    deferral.isEnabled = false
    deferral.priority = .deferred
    // The loop has a strong reference to this source, so the closure must not have a strong reference to the loop.
    deferral.handler = { [unowned self] in runDeferred() }
    self.deferral = deferral
  }

  deinit {
    deferral?.cancel()
    sd_event_unref(handle)
  }

  /// Runs the loop until ``exit(_:)`` is called, and returns the code that was passed to ``exit(_:)``. Call this method
  /// only once.
  /// - Throws: if the loop itself fails. A handler cannot cause such an error.
  public func run() throws(SystemError) -> Int32 {
    let status = sd_event_loop(handle)
    if status < 0 { throw SystemError("sd_event_loop", status) }
    return status
  }

  /// True after ``run()`` has returned. After that, no source can be added.
  public var hasEnded: Bool { sd_event_get_state(handle) == SD_EVENT_FINISHED }

  /// Ends ``run()`` after the current handler.
  public func exit(_ code: Int32 = 0) { sd_event_exit(handle, code) }

  /// Waits for at most `timeout` and calls one handler. If `timeout` is nil, the wait has no limit.
  /// - Returns: false if nothing happened within `timeout`.
  @discardableResult
  public func step(timeout: Duration? = .zero) throws(SystemError) -> Bool {
    let limit = timeout.map { UInt64(max(0, $0.microsecondsRoundedUp)) } ?? .max
    let status = sd_event_run(handle, limit)
    if status < 0 { throw SystemError("sd_event_run", status) }
    return status > 0
  }

  /// A descriptor that is readable when ``step(timeout:)`` has a handler to call. A program with its own wait loop can
  /// poll this descriptor, on the thread that owns this event loop. Before each wait, the program must call
  /// ``step(timeout:)`` until the result is false. Otherwise a handler can be due although the descriptor is not
  /// readable.
  public var descriptor: Int32 { sd_event_get_fd(handle) }

  /// Calls `body` after the current handler has returned, and before the handler of any other source. Several bodies
  /// run in the order in which they were passed. If a deferred body calls this function, the new body runs in the next
  /// turn of the loop.
  public func `defer`(_ body: @escaping () -> Void) {
    if deferred.isEmpty { deferral?.fireOnce() }
    deferred.append(body)
  }

  private func runDeferred() {
    let bodies = deferred
    deferred = []
    for body in bodies { body() }
  }
}

/// The order of sources that are ready at the same time. The source with the smaller value comes first.
public struct EventPriority: Equatable, Sendable {
  /// The number that sd-event uses.
  public let rawValue: Int64

  /// - Parameter rawValue: any number. Sources with a smaller number come first.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The priority of deferred work. It comes first, because deferred work belongs to the handler that has just run.
  static let deferred = EventPriority(rawValue: -1000)
  /// Sources of this priority come before sources of normal priority.
  public static let important = EventPriority(rawValue: -100)
  /// The default.
  public static let normal = EventPriority(rawValue: 0)
}

/// A clock that cannot be set.
public enum EventClock: CaseIterable, Sendable {
  /// The clock stops while the machine is suspended.
  case monotonic
  /// The clock continues while the machine is suspended.
  case boottime

  var id: clockid_t {
    switch self {
    case .monotonic: csd_monotonic
    case .boottime: csd_boottime
    }
  }

  /// Nanoseconds since a fixed moment in the past, which is the same for all processes. This property can be read on
  /// any thread.
  public var now: Int64 {
    var time = timespec()
    clock_gettime(id, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds, truncated. A duration of more than about 292 years does not fit. It becomes the
  /// largest or the smallest `Int64`.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, over) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || over ? seconds < 0 ? .min : .max : sum
  }

  /// The duration in microseconds, the unit of sd-event. It is rounded up, so that no timer fires too early. A duration
  /// that does not fit becomes the largest or smallest `Int64`.
  var microsecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let part = (attoseconds + 999_999_999_999) / 1_000_000_000_000
    let (sum, over) = whole.addingReportingOverflow(part)
    return over ? .max : sum
  }
}
