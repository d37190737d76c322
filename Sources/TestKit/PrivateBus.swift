internal import Foundation

/// A D-Bus for one test: a `dbus-daemon` on a socket in a temporary folder. It permits everything, or only what the
/// rules of the system bus permit. It ends when this object is deallocated.
public final class PrivateBus {
  /// The address for clients: `unix:path=…`.
  public let address: String
  private let folder: TemporaryFolder
  private let daemon = ChildProcess()

  /// Starts the daemon. Blocks until clients can connect.
  ///
  /// - Parameters:
  ///   - path: the path of the socket; nil for a path in the temporary folder.
  ///   - policy: the contents of files such as those in `/usr/share/dbus-1/system.d`. These rules are added to the
  ///     rules of the system bus. If `policy` is nil, everything is permitted.
  /// - Throws: if the daemon does not start.
  public init(at path: String? = nil, policy: [String]? = nil) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let socket = path ?? folder.path("bus")
    for (number, text) in (policy ?? []).enumerated() {
      try folder.write("\(number).conf", Array(text.utf8))
    }
    let includes = (policy ?? []).indices.map { "<include>\(folder.path("\($0).conf"))</include>" }
    let rules = policy == nil ? Self.everything : Self.systemRules + includes.joined()
    try folder.write("bus.conf", Array(Self.configuration(socket, rules).utf8))
    // Other users connect to the bus too, so they must have access to this folder.
    _ = chmod(folder.path(""), 0o755)
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    daemon.arguments = [
      "dbus-daemon", "--config-file=\(folder.path("bus.conf"))", "--nofork", "--nopidfile",
      "--nosyslog", "--print-address=1",
    ]
    let output = Pipe()
    daemon.standardOutput = output
    daemon.standardInput = FileHandle.nullDevice
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    Self.running.add(daemon.processIdentifier)
    // The daemon prints its address when it listens. If the daemon has failed, the pipe ends.
    let line = output.fileHandleForReading.availableData
    guard let text = String(bytes: line, encoding: .utf8), text.hasPrefix("unix:path=") else {
      daemon.waitUntilExit()
      throw Tools.Failure(description: "dbus-daemon: exit \(daemon.terminationStatus)")
    }
    address = "unix:path=\(socket)"
  }

  deinit { stop() }

  /// Kills the daemon, as in a crash. Does nothing if the daemon does not run.
  public func stop() {
    guard daemon.isRunning else { return }
    Self.running.remove(daemon.processIdentifier)
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  /// The daemons that still run. They must end together with the test process, even if their objects still exist,
  /// because `swift test` waits for all child processes.
  private static let running = Running()

  private final class Running: @unchecked Sendable {
    private let lock = NSLock()
    private var processes: Set<pid_t> = []

    init() { atexit { PrivateBus.running.end() } }

    func add(_ process: pid_t) { _ = lock.withLock { processes.insert(process) } }
    func remove(_ process: pid_t) { _ = lock.withLock { processes.remove(process) } }
    func end() {
      lock.withLock { for process in processes { kill(process, SIGKILL) } }
    }
  }

  private static func configuration(_ socket: String, _ rules: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
    "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>system</type><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth>
    \(rules)</busconfig>
    """
  }

  private static let replies = """
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    """

  private static var receiving: String {
    ["method_call", "method_return", "error", "signal"]
      .map { "<allow receive_type=\"\($0)\"/>" }.joined()
  }

  private static var everything: String {
    let sending = ["method_call", "method_return", "error", "signal"]
      .map { "<allow send_type=\"\($0)\"/>" }.joined()
    return """
      <policy context="default"><allow user="*"/><allow own="*"/>\(sending)\(receiving)
      \(replies)</policy>
      """
  }

  /// The rules of system.conf, which is part of dbus: clients must not own a name, and can call only the bus itself.
  private static var systemRules: String {
    """
    <policy context="default"><allow user="*"/><deny own="*"/><deny send_type="method_call"/>
    <allow send_type="signal"/>\(replies)\(receiving)
    <allow send_destination="org.freedesktop.DBus"/></policy>
    """
  }
}
