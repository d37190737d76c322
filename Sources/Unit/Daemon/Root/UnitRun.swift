internal import EventLoop
internal import NowPlaying
internal import Settings
internal import SystemClock

/// This run of the daemon: what it was started with, and whether it has to end.
final class UnitRun {
  let version: String
  /// The versions of the program's parts.
  let parts: [(name: String, version: String)]
  /// The files that a person has named in place of the standard files. Empty for the standard files.
  let configurationFiles: [String]
  /// The path of the control socket.
  let socket: String
  /// True after three failed starts in a row. Then nothing plays automatically, and what strangers may have written is
  /// not read: the library, the playlists and the saved queue do not start.
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

  /// Notes that the unit is ready.
  func noteReady() { readyAt = .now() }

  /// Ends the daemon in the next turn, so after the answer to a call that requests it.
  func requestEnd() {
    isEndRequested = true
    turns.request()
  }

  /// True, once, if the daemon has to end.
  func takeEndRequest() -> Bool {
    defer { isEndRequested = false }
    return isEndRequested
  }
}

extension UnitDaemon.Start {
  /// The path of the control socket.
  var socketPath: String { socket ?? configuration.settings.controlSocket }
}
