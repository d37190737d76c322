internal import CSystemd
internal import Glibc

/// Talks to the service manager that started this process (systemd, over `NOTIFY_SOCKET`).
///
/// Without one, everything here does nothing and says so. Each message is one datagram to a socket
/// that the manager empties; control thread.
///
/// The watchdog is fed by ``feed()`` alone. A loop that fed it by itself would keep a process alive
/// whose control thread turns and whose sound stands still.
public enum ServiceManager {
  /// How long the manager waits for the next ``feed()`` before it ends the process; nil where it
  /// does not watch this one (`WATCHDOG_USEC`, `WATCHDOG_PID`). Feed at half of it.
  public static var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  /// Everything that was promised is there. With words for `systemctl status`.
  /// - Returns: false where nobody listens.
  @discardableResult
  public static func ready(status: String? = nil) -> Bool {
    notify(["READY=1"] + words(status))
  }

  /// Reading the configuration again; ``ready(status:)`` ends that. It carries the time, as
  /// `Type=notify-reload` wants it.
  @discardableResult
  public static func reloading() -> Bool {
    notify(["RELOADING=1", "MONOTONIC_USEC=\(EventClock.monotonic.now / 1000)"])
  }

  /// About to end.
  @discardableResult
  public static func stopping(status: String? = nil) -> Bool {
    notify(["STOPPING=1"] + words(status))
  }

  /// One line for `systemctl status`.
  @discardableResult
  public static func status(_ text: String) -> Bool { notify(words(text)) }

  /// All is well for another interval.
  @discardableResult
  public static func feed() -> Bool { notify(["WATCHDOG=1"]) }

  /// All is lost: the manager acts as if the interval had passed.
  @discardableResult
  public static func trigger() -> Bool { notify(["WATCHDOG=trigger"]) }

  /// Sockets that the manager opened for this process (`LISTEN_FDS`), with their names; they are
  /// the caller's from then on. Once: a second call would give them away twice.
  public static func takeSockets() -> [(name: String, descriptor: Int32)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0, let names else { return [] }
    defer { free(names) }
    return (0..<Int(count)).map { index in
      defer { free(names[index]) }
      // SD_LISTEN_FDS_START is 3.
      return (names[index].map { String(cString: $0) } ?? "", Int32(index) + 3)
    }
  }

  private static func words(_ text: String?) -> [String] {
    // A line break would begin another variable.
    text.map { ["STATUS=" + String($0.map { $0.isNewline || $0 == "\0" ? " " : $0 })] } ?? []
  }

  private static func notify(_ lines: [String]) -> Bool {
    csd_notify(lines.joined(separator: "\n")) > 0
  }
}
