internal import CRealtime
internal import Glibc

/// Wakes a waiting thread. Any thread can call ``signal()``, even real-time code, because the call never blocks.
///
/// This class uses an eventfd and not a condition variable. To signal an eventfd needs no lock, and an event loop can
/// poll its descriptor together with other descriptors.
public final class WakeUp: Sendable {
  /// The descriptor for `poll`. It is readable from a call of ``signal()`` until ``clear()`` is called.
  public let descriptor: Int32

  /// Creates a wake-up that is not signalled.
  public init() {
    descriptor = rt_eventfd()
    precondition(descriptor >= 0, "eventfd: out of descriptors")
  }

  deinit { close(descriptor) }

  /// Wakes the waiting thread. If no thread waits, the next wait returns at once.
  @_noLocks public func signal() { rt_signal(descriptor) }

  /// Discards all earlier calls of ``signal()``.
  public func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }

  /// Blocks until ``signal()`` is called, but for at most `milliseconds`. −1 means no limit. Then calls ``clear()``.
  package func wait(milliseconds: Int32 = -1) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
    clear()
  }

  /// Blocks until ``signal()`` is called or one of the descriptors `others` can be read. Then calls ``clear()``.
  /// Returns true if ``signal()`` was called.
  @discardableResult
  package func wait(or others: [Int32]) -> Bool {
    var entries = ([descriptor] + others).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(&entries, nfds_t(entries.count), -1)
    clear()
    return entries[0].revents != 0
  }
}
