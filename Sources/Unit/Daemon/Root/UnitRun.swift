internal import EventLoop
internal import NowPlaying
internal import Settings
internal import SystemClock

/// This run of the daemon: its parameters, and whether it must end.
final class UnitRun {
  let version: String
  /// The versions of the program's parts.
  let parts: [(name: String, version: String)]
  /// The configuration files that were named on the command line. Empty if the standard files are used.
  let configurationFiles: [String]
  /// The path of the control socket.
  let socket: String
  /// True after three failed starts in a row. Then nothing plays automatically. The library, the playlists and the
  /// saved queue are not read, because they contain data from outside the unit, which can be the cause of the failures.
  let isSafeMode: Bool
  /// The time at which this run began.
  let began = MonotonicInstant.now()
  /// The time at which this run was ready; nil until then.
  private(set) var readyAt: MonotonicInstant?
  private var isEndRequested = false
  private let turns: Turns

  init(_ start: UnitDaemon.Start, isSafeMode: Bool, _ turns: Turns) {
    version = start.version
    parts = start.parts
    configurationFiles = start.configurationFiles
    socket = start.socketPath
    self.isSafeMode = isSafeMode
    self.turns = turns
  }

  /// Returns the folder of the control socket `socket`, without a slash at its end.
  static func folder(ofSocket socket: String) -> String {
    socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
  }

  /// Records that the unit is ready.
  func noteReady() { readyAt = .now() }

  /// Ends the daemon in the next turn. So a client that requests the end still gets its answer.
  func requestEnd() {
    isEndRequested = true
    turns.request()
  }

  /// Returns true once after ``requestEnd()``.
  func takeEndRequest() -> Bool {
    defer { isEndRequested = false }
    return isEndRequested
  }
}

extension UnitDaemon.Start {
  /// The path of the control socket.
  var socketPath: String { socket ?? configuration.settings.controlSocket }
}
