internal import CSystemd
internal import Glibc

/// Sends messages to the service manager that started this process (systemd, over `NOTIFY_SOCKET`).
///
/// Without a service manager, all functions do nothing and return false, nil or an empty list. Each message is one
/// datagram. A send blocks only while the socket of the manager is full, and the manager reads this socket all the
/// time. Used on the control thread.
///
/// Only ``notifyWatchdog()`` notifies the watchdog. If the event loop notified it automatically, the manager would not
/// restart a process whose control thread runs but whose sound has stopped.
public enum ServiceManager {
  /// The time that the manager waits for the next ``notifyWatchdog()`` before it ends the process. Nil if the manager
  /// does not watch this process (`WATCHDOG_USEC`, `WATCHDOG_PID`). Call ``notifyWatchdog()`` at half this interval.
  public static var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  /// True if a service manager has started this process or one of its parent processes.
  public static var isPresent: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// True if the service manager has started this process directly, and not through a parent process
  /// (`SYSTEMD_EXEC_PID`).
  public static var isParent: Bool {
    isPresent && getenv("SYSTEMD_EXEC_PID").map { String(cString: $0) } == "\(getpid())"
  }

  /// Extends the time for the start. Otherwise the manager ends a service that is not ready in time
  /// (`TimeoutStartSec=`).
  /// - Parameter duration: the time from now within which this process sends its next message.
  @discardableResult
  public static func extendStart(by duration: Duration) -> Bool {
    notify(["EXTEND_TIMEOUT_USEC=\(Int64(duration / .microseconds(1)))"])
  }

  /// Reports that the service is ready, with a text for `systemctl status`.
  /// - Returns: false if there is no service manager.
  @discardableResult
  public static func ready(status: String? = nil) -> Bool {
    notify(["READY=1"] + statusLines(status))
  }

  /// Reports that the configuration is being read again. ``ready(status:)`` ends this state. The message contains the
  /// time, as `Type=notify-reload` requires.
  @discardableResult
  public static func reloading() -> Bool {
    notify(["RELOADING=1", "MONOTONIC_USEC=\(EventClock.monotonic.now / 1000)"])
  }

  /// Reports that the service is about to end.
  @discardableResult
  public static func stopping(status: String? = nil) -> Bool {
    notify(["STOPPING=1"] + statusLines(status))
  }

  /// Sets the line for `systemctl status`.
  @discardableResult
  public static func status(_ text: String) -> Bool { notify(statusLines(text)) }

  /// Notifies the watchdog that the service works. This begins a new interval.
  @discardableResult
  public static func notifyWatchdog() -> Bool { notify(["WATCHDOG=1"]) }

  /// Reports a fatal failure. The manager acts as if the watchdog interval had passed.
  @discardableResult
  public static func trigger() -> Bool { notify(["WATCHDOG=trigger"]) }

  /// Returns the sockets that the manager opened for this process (`LISTEN_FDS`) and the descriptors that the manager
  /// has kept for this service (``keep(_:name:)``), with their names. The caller owns the descriptors. The function
  /// must be called only once, because a second call would return the same descriptors again.
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

  /// Asks the manager to keep a copy of a descriptor. The next run of this service gets the copy from
  /// ``takeSockets()``. The systemd unit of the service limits the number of copies (`FileDescriptorStoreMax=`).
  @discardableResult
  public static func keep(_ descriptor: Int32, name: String) -> Bool {
    var descriptor = descriptor
    return sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", &descriptor, 1) > 0
  }

  /// Asks the manager to close the descriptors that it keeps under this name.
  @discardableResult
  public static func drop(name: String) -> Bool { notify(["FDSTOREREMOVE=1", "FDNAME=\(name)"]) }

  private static func statusLines(_ text: String?) -> [String] {
    // A line break would begin another variable, so a space replaces each line break.
    text.map { ["STATUS=" + String($0.map { $0.isNewline || $0 == "\0" ? " " : $0 })] } ?? []
  }

  private static func notify(_ lines: [String]) -> Bool {
    csd_notify(lines.joined(separator: "\n")) > 0
  }
}
