internal import CSystemd
internal import Glibc

/// Calls when the process gets a signal.
///
/// Several of one kind that come close together can be one call, as the kernel keeps one.
public final class SignalSource: EventSource {
  /// Blocks signals for the calling thread and for all threads that it starts from now on; they
  /// stay blocked. Call it in `main` before any other thread is there: a signal goes to whichever
  /// thread does not block it, and SIGTERM would end the process there.
  public static func block(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Blocks `signal` for the calling thread, and calls `handler` whenever it comes.
  /// - Throws: `EBUSY` where the loop has a source for it.
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

/// Calls once when a program that this process has started has ended.
///
/// It stands on a pidfd, so it needs no SIGCHLD, and it collects the program: nobody else may wait
/// for it.
public final class ChildSource: EventSource {
  /// How it ended.
  public enum Ending: Equatable, Sendable {
    /// By itself, with its exit status.
    case exited(Int32)
    /// By a signal.
    case killed(Int32)
  }

  private var onEnd: ((Ending) -> Void)?
  private let pid: pid_t
  private let descriptor: Int32

  /// - Parameter pid: a child of this process that nobody has collected.
  /// - Throws: `ECHILD`, `ESRCH` where it is none.
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
    // Before the number can be another's.
    cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// See ``EventSource/cancel()``. The program goes on, and is collected by nobody.
  public override func cancel() {
    super.cancel()
    onEnd = nil
  }

  fileprivate func fire() {
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return }
    let tell = onEnd
    cancel()
    let signal = status & 0x7F
    tell?(signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal))
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
