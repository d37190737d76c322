import Foundation
import TestKit
import Testing

/// The service manager's side of the notification socket. It implements the parts of `Type=notify` and `WatchdogSec=`
/// that the tests need.
final class FakeServiceManager {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = try #require(UnixSocket.bound(to: path, datagrams: true))
  }

  deinit { close(descriptor) }

  /// The environment of a supervised process.
  func environment(watchdog: Duration? = nil) -> [String: String] {
    var environment = ["NOTIFY_SOCKET": path]
    if let watchdog { environment["WATCHDOG_USEC"] = "\(Int(watchdog / .microseconds(1)))" }
    return environment
  }

  /// The next message; nil if no message arrives in time.
  func message(within milliseconds: Int32 = Int32(Hang.milliseconds)) -> String? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  func waits(for words: String) -> Bool {
    while let message = message() {
      if message.contains(words) { return true }
    }
    return false
  }

  /// Waits until no watchdog message has arrived for `interval`. Returns false if messages still arrive after
  /// ``Hang/limit``.
  func hasNoWatchdogMessage(for interval: Duration) -> Bool {
    let end = ContinuousClock.now + Hang.limit
    var lastMessage = ContinuousClock.now
    while ContinuousClock.now < end {
      let left = interval - (ContinuousClock.now - lastMessage)
      if left <= .zero { return true }
      guard let message = message(within: Int32(left / .milliseconds(1)) + 1) else { continue }
      if message.contains("WATCHDOG=1") { lastMessage = .now }
    }
    return false
  }

  /// Ends the process as systemd does: SIGABRT, and then SIGKILL if the process is still running.
  func end(_ daemon: ServeProcess) {
    daemon.send(SIGABRT)
    daemon.send(SIGCONT)
    let end = ContinuousClock.now + .milliseconds(500)
    while daemon.isRunning, ContinuousClock.now < end { usleep(5000) }
    daemon.send(SIGKILL)
    while daemon.isRunning { usleep(5000) }
  }
}
