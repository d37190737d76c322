internal import CSystemd
internal import Glibc
internal import Threads

/// The loop of the control thread: waits for descriptors, times, signals and ended programs, and
/// calls whoever asked.
///
/// It bridges sd-event and Swift. All of it, its sources and all that hangs on it belongs to one
/// thread, the one that made it: nothing here takes a lock, and no handler may block. Another
/// thread wakes it through a `WakeUp`, whose descriptor it watches.
///
/// A source lives as long as its object. Whatever is ready is called in the order of its priority;
/// where that is the same, nobody is passed over for ever. The loop never feeds the service
/// manager's watchdog by itself (see ``ServiceManager``).
public final class EventLoop {
  /// For libsystemd.
  let handle: OpaquePointer
  private var deferred: [() -> Void] = []
  private var deferral: EventSource?

  /// Makes a loop for the calling thread. Out of descriptors is the end: a process that cannot
  /// begin to wait has nothing to do.
  public init() {
    var event: OpaquePointer?
    let status = sd_event_new(&event)
    guard status >= 0, let event else {
      preconditionFailure("sd_event_new: \(systemWords(status))")
    }
    handle = event
    // Each clock's timerfd is opened with its first timer. Opened here, no later timer can fail
    // for want of a descriptor.
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
    // The loop owns this source, so the closure must not own the loop.
    deferral.handler = { [unowned self] in runDeferred() }
    self.deferral = deferral
  }

  deinit {
    deferral?.cancel()
    sd_event_unref(handle)
  }

  /// Runs until ``exit(_:)``, and returns its code. Once.
  /// - Throws: where the loop itself fails, which no handler can make it do.
  public func run() throws(SystemError) -> Int32 {
    let status = sd_event_loop(handle)
    if status < 0 { throw SystemError("sd_event_loop", status) }
    return status
  }

  /// Ends ``run()`` after the current handler.
  public func exit(_ code: Int32 = 0) { sd_event_exit(handle, code) }

  /// One turn: waits for at most `timeout` (nil: for ever) and calls one handler.
  /// - Returns: false where nothing happened in time.
  @discardableResult
  public func step(timeout: Duration? = .zero) throws(SystemError) -> Bool {
    let limit = timeout.map { UInt64(max(0, $0.microsecondsRoundedUp)) } ?? .max
    let status = sd_event_run(handle, limit)
    if status < 0 { throw SystemError("sd_event_run", status) }
    return status > 0
  }

  /// Readable when there is something for ``step(timeout:)``, once that has returned false. For a
  /// program whose own loop waits elsewhere, and whose thread this loop belongs to as well.
  public var descriptor: Int32 { sd_event_get_fd(handle) }

  /// Calls `body` once the current handler has returned, before any other source; in the order of
  /// the calls. What is deferred meanwhile waits for the next turn.
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

/// What comes first when several sources are ready. Smaller first; any number will do.
public struct EventPriority: Equatable, Sendable {
  /// As sd-event counts.
  public let rawValue: Int64

  /// - Parameter rawValue: smaller comes first.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// What was deferred is part of what has just happened.
  static let deferred = EventPriority(rawValue: -1000)
  /// Before all that is ordinary.
  public static let important = EventPriority(rawValue: -100)
  /// Where nothing is said.
  public static let normal = EventPriority(rawValue: 0)
}

/// A clock that nobody sets.
public enum EventClock: CaseIterable, Sendable {
  /// Stands still while the machine sleeps.
  case monotonic
  /// Goes on then.
  case boottime

  var id: clockid_t {
    switch self {
    case .monotonic: csd_monotonic
    case .boottime: csd_boottime
    }
  }

  /// Nanoseconds since some moment of the past, the same for all processes. Any thread.
  public var now: Int64 {
    var time = timespec()
    clock_gettime(id, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// sd-event counts in microseconds; rounded up, nothing is ever early. Saturates.
  var microsecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let part = (attoseconds + 999_999_999_999) / 1_000_000_000_000
    let (sum, over) = whole.addingReportingOverflow(part)
    return over ? .max : sum
  }
}
