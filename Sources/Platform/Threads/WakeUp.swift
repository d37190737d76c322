internal import CRealtime
internal import Glibc

/// Wakes a waiting thread. Any thread may call it, also below the real-time line.
///
/// It uses an eventfd and not a condition variable. Signalling an eventfd takes no lock, and an
/// event loop can poll its descriptor together with other descriptors.
public final class WakeUp: Sendable {
  /// For `poll`: readable after a signal. Call ``clear()`` then.
  public let descriptor: Int32

  /// Initially not signalled.
  public init() {
    descriptor = rt_eventfd()
    precondition(descriptor >= 0, "eventfd: out of descriptors")
  }

  deinit { close(descriptor) }

  /// Wakes the waiting thread. If no thread waits, the next wait returns at once.
  @_noLocks public func signal() { rt_signal(descriptor) }

  /// Discards the signals received so far.
  public func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }

  /// Blocks until ``signal()`` is called, or for at most `milliseconds`. −1 means no limit. Then
  /// calls ``clear()``.
  package func wait(milliseconds: Int32 = -1) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
    clear()
  }
}
