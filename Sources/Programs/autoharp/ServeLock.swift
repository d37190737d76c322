import EventLoop
import Glibc

/// The lock of the control socket of `serve`. Only one daemon plays for a socket.
enum ServeLock {
  /// A daemon that was killed has left a copy of its lock in a program that it was about to start. Such a copy ends
  /// within milliseconds, so a person waits for this time before the second daemon is refused.
  private static let patience = Duration.seconds(1)
  private static let retry = Duration.milliseconds(50)
  /// The service manager hears from a waiting service at this interval.
  private static let serviceRetry = Duration.milliseconds(500)

  /// Acquires the lock. A service waits until the lock is free; the service manager can end it meanwhile.
  /// - Returns: nil if the lock cannot be taken for another reason than another daemon. No other daemon is known then,
  ///   so the caller plays without it.
  /// - Throws: if another daemon keeps the lock.
  static func acquire(_ path: String) throws(SocketFileError) -> SocketLock? {
    let isService = ServiceManager.isParent
    // ContinuousClock would link the runtime of Swift's concurrency, and Dispatch with it.
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
