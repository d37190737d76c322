internal import CRealtime
internal import Glibc

/// A thread with a name and a small stack. It receives no signals from other processes.
package final class NamedThread {
  /// The size of the stack. libvorbis stores whole Vorbis blocks on the stack (`alloca`). libsoxr uses little stack. 1
  /// MiB is more than both need, and the kernel allocates only the pages that are used.
  private static let stackBytes = 1 << 20

  private var handle = pthread_t()

  package init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    let status = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
      let attributes = memory.baseAddress!
      pthread_attr_init(attributes)
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setstacksize(attributes, Self.stackBytes)
      // A thread inherits the signal mask of its creator. So the signals are blocked here, before the thread is
      // created. This protects the thread from its first instruction on.
      var blocked = Self.blockedSignals
      var before = sigset_t()
      pthread_sigmask(SIG_SETMASK, &blocked, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      return pthread_create(
        &handle, attributes,
        { context in
          Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
          return nil
        }, box.toOpaque())
    }
    precondition(status == 0, "pthread_create: \(systemWords(status))")
    rt_set_thread_name(handle, name)
  }

  /// All signals except those that report an error of the thread itself, such as SIGSEGV. Crash reporting needs SIGSEGV
  /// and the similar signals. Signals that are sent to the process must go to the main thread. If another thread
  /// received such a signal, the signal handler could run in the middle of a period, and the wait of the main thread
  /// would not be interrupted.
  private static var blockedSignals: sigset_t {
    var signals = sigset_t()
    sigfillset(&signals)
    for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT] {
      sigdelset(&signals, own)
    }
    return signals
  }

  /// Blocks until the body has returned. Call this method only once.
  package func join() { pthread_join(handle, nil) }

  /// Makes the thread free its resources itself when its body returns. Do not call ``join()`` after this call.
  package func detach() { pthread_detach(handle) }

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
