internal import CRealtime
internal import Glibc

/// A thread with a name and a small stack, to which no signals go.
package final class NamedThread {
  /// libvorbis keeps whole blocks on the stack (`alloca`), libsoxr little; this is ample, and only
  /// what is touched is real.
  private static let stackBytes = 1 << 20

  private var handle = pthread_t()

  package init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    let status = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
      let attributes = memory.baseAddress!
      pthread_attr_init(attributes)
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setstacksize(attributes, Self.stackBytes)
      // A thread inherits its creator's mask: with this one it never meets a signal, not even
      // before its first line.
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

  /// All that somebody sends to the process, so that it is the main thread that handles it: a
  /// handler would run in the middle of a period, and what the main thread waits in would not be
  /// interrupted. What a thread does to itself (SIGSEGV and the like) still reaches those who
  /// report crashes.
  private static var blockedSignals: sigset_t {
    var signals = sigset_t()
    sigfillset(&signals)
    for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT] {
      sigdelset(&signals, own)
    }
    return signals
  }

  /// Blocks until the body has returned. Once.
  package func join() { pthread_join(handle, nil) }

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
