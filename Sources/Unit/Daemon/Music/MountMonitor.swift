internal import Glibc
internal import Threads

/// Signals that something was mounted or unmounted, because a stick was inserted or removed.
///
/// The kernel reports a change as an exceptional condition on `/proc/self/mountinfo`. An epoll set does not distinguish
/// this condition from an error, but `poll` does. So a thread waits in `poll`.
final class MountMonitor {
  /// Signalled when mounts have changed. The receiver of the signal clears the wake-up.
  let wakeUp = WakeUp()
  private let stop = WakeUp()
  private var worker: NamedThread?
  private let descriptor: Int32

  /// Starts to wait for changes. If `/proc/self/mountinfo` cannot be opened, no change is reported.
  init() {
    descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let (mounts, stop, wakeUp) = (descriptor, stop, wakeUp)
    worker = NamedThread("mounts") {
      while true {
        var entries = [
          pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0),
          pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, -1) >= 0 || errno == EINTR else { return }
        if entries[1].revents != 0 { return }
        if entries[0].revents != 0 { wakeUp.signal() }
      }
    }
  }

  /// Ends the thread.
  func shutDown() {
    stop.signal()
    worker?.join()
    worker = nil
  }

  deinit {
    shutDown()
    if descriptor >= 0 { close(descriptor) }
  }
}
