internal import Glibc
internal import Threads

/// Tells that something was mounted or unmounted: a stick came or went.
///
/// The kernel tells it with an exceptional condition on `/proc/self/mountinfo`, which an epoll set
/// does not distinguish from an error; `poll` does. So a thread waits for it.
final class MountMonitor {
  /// Signalled when mounts have changed; to be cleared.
  let wakeUp = WakeUp()
  private let stop = WakeUp()
  private var worker: NamedThread?
  private let descriptor: Int32

  /// Where the file cannot be read nothing is ever told.
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
