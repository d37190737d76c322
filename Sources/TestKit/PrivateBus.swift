internal import Foundation

/// A D-Bus of a test's own: `dbus-daemon` on a socket in a temporary folder, on which everyone may
/// do everything. It ends with this object.
public final class PrivateBus {
  /// For a client: `unix:path=…`.
  public let address: String
  private let folder: TemporaryFolder
  private let daemon = Process()

  /// Starts it; when this returns, it can be connected to.
  /// - Throws: what kept it from starting.
  public init() throws {
    folder = try TemporaryFolder()
    let socket = folder.path("bus")
    try folder.write("bus.conf", Array(Self.configuration(socket).utf8))
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    daemon.arguments = [
      "dbus-daemon", "--config-file=\(folder.path("bus.conf"))", "--nofork", "--nopidfile",
      "--nosyslog", "--print-address=1",
    ]
    let output = Pipe()
    daemon.standardOutput = output
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    // It prints when it listens; the end of the file when it has failed.
    let line = output.fileHandleForReading.availableData
    guard let text = String(bytes: line, encoding: .utf8), text.hasPrefix("unix:path=") else {
      daemon.waitUntilExit()
      throw Tools.Failure(description: "dbus-daemon: exit \(daemon.terminationStatus)")
    }
    address = "unix:path=\(socket)"
  }

  deinit { stop() }

  /// Ends it, as a crash would: without a word to anybody. Again does nothing.
  public func stop() {
    guard daemon.isRunning else { return }
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  private static func configuration(_ socket: String) -> String {
    let types = ["method_call", "method_return", "error", "signal"]
    return """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>system</type><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow user="*"/><allow own="*"/>
      \(types.map { "<allow send_type=\"\($0)\"/><allow receive_type=\"\($0)\"/>" }.joined())
      <allow send_requested_reply="true" send_type="method_return"/>
      <allow send_requested_reply="true" send_type="error"/></policy></busconfig>
      """
  }
}
