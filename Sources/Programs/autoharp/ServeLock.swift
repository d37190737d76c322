import EventLoop
import Glibc

/// The lock of the control socket of `serve`. It ensures that only one daemon runs for each socket.
enum ServeLock {
  /// The maximum wait for the lock if a user starts the daemon. If an earlier daemon was killed while it started a
  /// program, the process of this program keeps the lock for some more milliseconds.
  private static let patience = Duration.seconds(1)
  private static let retry = Duration.milliseconds(50)
  /// The interval at which a service that waits for the lock tries again, and tells the service manager that it still
  /// waits.
  private static let serviceRetry = Duration.milliseconds(500)

  /// Acquires the lock. A service waits until the lock is free. The service manager can end the service during this
  /// wait.
  /// - Returns: nil if the lock cannot be taken although no other daemon holds it. In this case the caller runs without
  ///   the lock.
  /// - Throws: if another daemon holds the lock.
  static func acquire(_ path: String) throws(SocketFileError) -> SocketLock? {
    let isService = ServiceManager.isParent
    // `ContinuousClock` is not used, because it would link the concurrency runtime and Dispatch into the program.
    let end = Duration.nanoseconds(EventClock.monotonic.now) + patience
    while true {
      switch Result(catching: { () throws(SocketFileError) in try SocketLock(socket: path) }) {
      case .success(let lock): return lock
      case .failure(.locked(_, let holder)) where isService:
        ServiceManager.status("waits until \(holder ?? "another process") ends")
        ServiceManager.extendStart(by: serviceRetry * 20)
      case .failure(.locked(let path, let holder)):
        if .nanoseconds(EventClock.monotonic.now) >= end {
          throw .locked(path: path, holder: holder)
        }
      case .failure: return nil
      }
      usleep(UInt32((isService ? serviceRetry : retry) / .microseconds(1)))
    }
  }
}
