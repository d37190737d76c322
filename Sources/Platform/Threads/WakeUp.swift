internal import CRealtime
internal import Glibc

/// Wakes a thread that waits, from any thread, also from below the real-time line.
///
/// An eventfd and not a condition variable: signalling takes no lock, and a control loop can
/// poll it among its other descriptors.
public final class WakeUp: Sendable {
  /// For `poll`: readable when signalled. Call ``clear()`` after.
  public let descriptor: Int32

  /// Not signalled yet.
  public init() {
    descriptor = rt_eventfd()
    precondition(descriptor >= 0, "eventfd: out of descriptors")
  }

  deinit { close(descriptor) }

  /// Wakes the waiting thread, or lets its next wait return at once.
  @_noLocks public func signal() { rt_signal(descriptor) }

  /// Forgets signals so far.
  public func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }

  /// Blocks until signalled, or for `milliseconds` (−1: forever), and clears.
  package func wait(milliseconds: Int32 = -1) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
    clear()
  }
}
