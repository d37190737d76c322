internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import SystemClock

/// The reason why the process of a systemd unit ended, in the words of systemd.
struct ProcessEnd: Equatable {
  /// systemd's `Result`, for example `exit-code`, `signal`, `core-dump`, `watchdog`, `timeout`, `oom-kill`.
  let result: String
  /// The exit status, or the number or the name of the signal.
  let status: String

  /// Reads the line that the service manager keeps when the daemon ends: the result, the kind of the end and the
  /// status, with spaces between them. Nil if it has another form.
  init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3, words.allSatisfy({ $0.utf8.count <= 32 }) else { return nil }
    self.init(result: words[0], status: words[2])
  }

  init(result: String, status: String) {
    self.result = result
    self.status = status
  }

  /// Returns the end of the last process of the daemon, and removes the file in which the service manager keeps it.
  ///
  /// - Parameter folder: the folder of the control socket.
  static func take(in folder: String) -> ProcessEnd? {
    let path = "\(folder)/end"
    defer { unlink(path) }
    return MachineReadings.firstLine(path).flatMap(ProcessEnd.init(line:))
  }

  /// The reason for a person, as the end of a sentence about the process.
  var text: String {
    switch result {
    case "success": "ended"
    case "exit-code":
      switch status {
      case "200": "was not started: its folder is missing"
      case "203": "was not started: its program is missing or cannot run"
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
struct SystemUnits: Equatable {
  struct Unit: Equatable {
    /// The name with its type: `bluetooth.service`.
    var name = ""
    /// `loaded`, `masked`, `not-found`, …
    var load = ""
    /// `active`, `inactive`, `failed`, `activating`, …
    var active = ""
    /// A state that depends on the type of the unit: `running`, `dead`, `auto-restart`, …
    var sub = ""
    /// The number of automatic restarts.
    var restarts = 0
    /// The end of the last process.
    var end = ProcessEnd(result: "success", status: "0")
    /// The time of the last change of the state. Nil if the state never changed.
    var changed: MonotonicInstant?
  }

  /// Maximum number of bytes of systemd's answer that are read.
  static let maximumBytes = 128 << 10

  let units: [Unit]

  /// Parses blocks of lines `KEY=VALUE` with an empty line between two blocks. Unknown keys are ignored.
  init(_ text: String) {
    units = text.split(separator: "\n", omittingEmptySubsequences: false)
      .split(whereSeparator: \.isEmpty).map(Unit.init).filter { !$0.name.isEmpty }
  }

  subscript(name: String) -> Unit? { units.first { $0.name == name } }
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
      case "NRestarts": restarts = Int(value) ?? 0
      case "Result": result = value
      case "ExecMainStatus": status = value
      case "StateChangeTimestampMonotonic":
        // Microseconds of the monotonic clock; 0 if the state never changed.
        let microseconds = Int64(value) ?? 0
        if microseconds > 0, microseconds < 1 << 52 {
          changed = .near(nanoseconds: microseconds * 1000)
        }
      default: break
      }
    }
    end = ProcessEnd(result: result, status: status)
  }

  /// The name without the type, and without the prefix of systemd and of the unit: `bluetooth`, `udevd`, `library`.
  /// The name of a template has no instance: `stick` for `stick@sda1.service`.
  var shortName: String {
    let base = name.prefix { $0 != "." && $0 != "@" }
    return ["systemd-", "autoharp-"].first { base.hasPrefix($0) }
      .map { String(base.dropFirst($0.count)) } ?? String(base)
  }
}

/// The answer of the service manager.
enum ServiceReadings: Equatable {
  /// This machine does not run the image, so there is no helper that asks the service manager.
  case noImage
  /// The helper or the service manager has not answered in time.
  case silent
  case units(SystemUnits)
}

/// Asks the service manager for its units. The daemon has no right to do this, so it sends a request to a helper of the
/// image (`board/helpers/service.c`).
///
/// - Thread: the control thread. No method blocks.
final class ServiceReader {
  /// The socket of the helper.
  static var standardSocket: String { "\(KernelReadings.standardRoot)/run/service" }
  private static let timeLimit = Duration.milliseconds(700)

  private let loop: EventLoop
  private let socket: String
  private var request: HelperRequest?
  private var completions: [(ServiceReadings) -> Void] = []

  init(_ loop: EventLoop, socket: String = standardSocket) {
    self.loop = loop
    self.socket = socket
  }

  /// Reads the units. `completion` is called once, within the time limit.
  func read(completion: @escaping (ServiceReadings) -> Void) {
    guard access(socket, F_OK) == 0 else { return completion(.noImage) }
    completions.append(completion)
    guard request == nil else { return }
    request = HelperRequest(
      loop, socket: socket, request: "list\n", maximumBytes: SystemUnits.maximumBytes,
      timeLimit: Self.timeLimit
    ) { [weak self] answer, isComplete in
      self?.finish(
        isComplete ? .units(SystemUnits(String(decoding: answer, as: UTF8.self))) : .silent)
    }
    if request == nil { finish(.silent) }
  }

  private func finish(_ readings: ServiceReadings) {
    request = nil
    let waiting = completions
    completions = []
    for completion in waiting { completion(readings) }
  }
}
