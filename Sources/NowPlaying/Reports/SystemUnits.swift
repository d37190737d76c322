/// The reason why the process of a systemd unit ended, in the words of systemd.
package struct ProcessEnd: Hashable, Sendable {
  /// systemd's `Result`, for example `exit-code`, `signal`, `core-dump`, `watchdog`, `timeout`, `oom-kill`.
  package let result: String
  /// The exit status, or the number or the name of the signal.
  package let status: String

  /// Reads the line that the service manager keeps when the daemon ends: the result, the kind of the end and the
  /// status, with spaces between them. Nil if it has another form.
  package init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3, words.allSatisfy({ $0.utf8.count <= 32 }) else { return nil }
    self.init(result: words[0], status: words[2])
  }

  package init(result: String, status: String) {
    self.result = result
    self.status = status
  }

  /// True if the program of the unit cannot be executed.
  package var lacksProgram: Bool { result == "exit-code" && status == "203" }

  /// The reason for a person, as the end of a sentence about the process.
  package var text: String {
    switch result {
    case "success": "ended"
    case "exit-code":
      switch status {
      case "200": "was not started: its folder is missing"
      case _ where lacksProgram: "was not started: its program is missing or cannot run"
      case "226": "was not started: its file systems cannot be prepared"
      default: "ended with the exit status \(status)"
      }
    case "signal" where !Self.crashes.contains(Self.signal(status)):
      "was ended by the signal \(Self.signal(status))"
    case "signal", "core-dump": "crashed: \(Self.signal(status))"
    case "watchdog": "did not answer, so the watchdog ended it"
    case "timeout": "did not start or stop in time"
    case "oom-kill": "was ended because memory was short"
    case "start-limit-hit": "was started too often"
    case "resources": "was not started: the system had no resources for it"
    default: "failed: \(result)"
    }
  }

  private static let signals = [
    "4": "ILL", "5": "TRAP", "6": "ABRT", "7": "BUS", "8": "FPE", "9": "KILL", "11": "SEGV",
    "15": "TERM", "31": "SYS",
  ]

  /// The signals that the kernel sends to a program with an error.
  private static let crashes = Set(
    ["ILL", "TRAP", "ABRT", "BUS", "FPE", "SEGV", "SYS"].map { "SIG\($0)" })

  private static func signal(_ status: String) -> String {
    let name = signals[status] ?? status
    return name.first.map { $0.isLetter ? "SIG\(name)" : name } ?? "unknown"
  }
}

/// The systemd units of the image with their states, as `systemctl show` reports them.
package struct SystemUnits: Hashable, Sendable {
  package struct Unit: Hashable, Sendable {
    /// The name with its type: `bluetooth.service`.
    package var name = ""
    /// `loaded`, `masked`, `not-found`, …
    package var load = ""
    /// `active`, `inactive`, `failed`, `activating`, …
    package var active = ""
    /// A state that depends on the type of the unit: `running`, `dead`, `auto-restart`, …
    package var sub = ""
    /// The number of automatic restarts.
    package var restarts = 0
    /// The end of the last process.
    package var end = ProcessEnd(result: "success", status: "0")
    /// True if a signal has stopped the main process, so that it does not answer.
    package var isHalted = false
    /// The time of the last change of the state, in microseconds of the monotonic clock. Nil if the state never
    /// changed.
    package var changedMicroseconds: Int64?

    package init() {}
  }

  /// Maximum number of bytes of systemd's answer that are read.
  package static let maximumBytes = 128 << 10

  package let units: [Unit]

  /// Parses blocks of lines `KEY=VALUE` with an empty line between two blocks. Unknown keys are ignored.
  package init(_ text: String) {
    units = text.split(separator: "\n", omittingEmptySubsequences: false)
      .split(whereSeparator: \.isEmpty).map(Unit.init).filter { !$0.name.isEmpty }
  }

  package subscript(name: String) -> Unit? { units.first { $0.name == name } }
}

extension SystemUnits.Unit {
  fileprivate init(_ lines: ArraySlice<Substring>) {
    var result = "success"
    var status = "0"
    for line in lines {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let value = String(line[line.index(after: sign)...])
      switch line[..<sign] {
      case "Id": name = value
      case "LoadState": load = value
      case "ActiveState": active = value
      case "SubState": sub = value
      case "NRestarts": restarts = min(max(Int(value) ?? 0, 0), 1_000_000)
      case "Result": result = value
      case "ExecMainStatus": status = value
      case "ProcessState": isHalted = value == "T"
      case "StateChangeTimestampMonotonic":
        // 0 if the state never changed.
        changedMicroseconds = Int64(value).flatMap { (1..<(1 << 52)).contains($0) ? $0 : nil }
      default: break
      }
    }
    end = ProcessEnd(result: result, status: status)
  }

  /// The units that `service restart` accepts, as in `board/helpers/service.c`. A name that ends with `@` stands for
  /// all instances of a template.
  package static let restartable = [
    "autoharp.service", "autoharp-screen.service", "autoharp-library.service", "bluetooth.service",
    "dbus.service", "systemd-udevd.service", "systemd-udev-trigger.service",
    "late-modules.service", "display-modules.service", "radio-address.service",
    "grow-data.service", "btattach@", "stick@",
  ]

  package var isRestartable: Bool {
    Self.restartable.contains { $0.hasSuffix("@") ? name.hasPrefix($0) : name == $0 }
  }

  /// The name without the type, and without the prefix of systemd and of the unit: `bluetooth`, `udevd`, `library`.
  /// The name of a template has no instance: `stick` for `stick@sda1.service`.
  package var shortName: String {
    Self.withoutPrefix(name.prefix { $0 != "." && $0 != "@" })
  }

  /// The name as `service` shows and accepts it: `library`, `stick@sda1`, `dbus.socket`.
  package static func label(of name: String) -> String {
    let type = ".service"
    return withoutPrefix(name.hasSuffix(type) ? name.dropLast(type.count) : name[...])
  }

  /// A name without the prefix of systemd and of the unit.
  package static func withoutPrefix(_ name: Substring) -> String {
    let prefix = ["systemd-", "autoharp-"].first { name.hasPrefix($0) } ?? ""
    return String(name.dropFirst(prefix.count))
  }
}
