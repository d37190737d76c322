internal import CSystemd
internal import Glibc

/// Calls a handler when the process receives a signal.
///
/// If a signal arrives several times in quick succession, the handler is possibly called only once, because the kernel
/// keeps only one of these signals.
public final class SignalSource: EventSource {
  /// Blocks signals permanently for the calling thread and for all threads that it starts later. Call this function in
  /// `main` before other threads are started. The kernel delivers a signal to any thread that does not block it. On
  /// such a thread, SIGTERM would end the process.
  public static func block(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Blocks `signal` for the calling thread, and calls `handler` each time the signal arrives.
  /// - Throws: `EBUSY` if the loop already has a source for this signal.
  public init(
    _ loop: EventLoop, signal: Int32, priority: EventPriority = .important,
    _ handler: @escaping () -> Void
  ) throws(SystemError) {
    super.init(loop)
    Self.block([signal])
    let event = self.loop
    try tryAttach("sd_event_add_signal") { userdata, source in
      sd_event_add_signal(event, &source, signal, signalFired, userdata)
    }
    self.priority = priority
    self.handler = handler
  }
}

private let signalFired:
  @convention(c) (
    OpaquePointer?, UnsafePointer<signalfd_siginfo>?, UnsafeMutableRawPointer?
  ) -> Int32 = { source, _, userdata in eventSourceFired(source, userdata) }

/// Calls a handler once when a child process has ended.
///
/// This source uses a pidfd, so it needs no SIGCHLD. It calls `waitpid` for the process, so no other code must do this.
public final class ChildSource: EventSource {
  /// The way in which the process ended.
  public enum Ending: Equatable, Sendable {
    /// The process exited by itself, with this exit status.
    case exited(Int32)
    /// The process was ended by this signal.
    case killed(Int32)

    /// - Parameter status: the status that `waitpid` returns for a process that has ended.
    init(waitStatus status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
    }
  }

  private var onEnd: ((Ending) -> Void)?
  private let pid: pid_t
  private let descriptor: Int32

  /// - Parameter pid: a child of this process for which `waitpid` has not returned a status yet.
  /// - Throws: `ECHILD`, `ESRCH` if there is no such child.
  public init(
    _ loop: EventLoop, pid: Int32, priority: EventPriority = .normal,
    _ handler: @escaping (Ending) -> Void
  ) throws(SystemError) {
    self.pid = pid
    descriptor = pidfd_open(pid, 0)
    let code = errno
    super.init(loop)
    if descriptor < 0 { throw SystemError("pidfd_open", code) }
    onEnd = handler
    let (event, descriptor) = (self.loop, descriptor)
    try tryAttach("sd_event_add_io") { userdata, source in
      sd_event_add_io(
        event, &source, descriptor, DescriptorSource.Events.readable.rawValue, childFired, userdata)
    }
    self.priority = priority
  }

  deinit {
    // The source must end before the number of its descriptor can be reused.
    cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// See ``EventSource/cancel()``. The process continues. This object no longer calls `waitpid` for it.
  public override func cancel() {
    super.cancel()
    onEnd = nil
  }

  fileprivate func fire() {
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return }
    let callback = onEnd
    cancel()
    callback?(Ending(waitStatus: status))
  }
}

private let childFired:
  @convention(c) (OpaquePointer?, Int32, UInt32, UnsafeMutableRawPointer?) -> Int32 = {
    _, _, _, userdata in
    if let userdata {
      Unmanaged<ChildSource>.fromOpaque(userdata).takeUnretainedValue().fire()
    }
    return 0
  }
