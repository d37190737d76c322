import Control
import EventLoop
import Glibc
import KMSDisplay
import Screen
import ScreenDisplay
import ScreenLayout
import Settings

/// The options for showing what plays.
struct RunOptions: Equatable {
  /// Nil for the configured socket.
  var socket: String?
  /// Empty for the standard files.
  var configurationFiles: [String] = []
  /// The size of a scripted display in memory. Nil for the machine's panel.
  var scripted: PixelSize?
  /// The size of a window on the desktop. Nil for the machine's panel.
  var window: PixelSize?
}

extension RunOptions {
  /// The configuration. Its wrong lines are reported in the daemon's log.
  var settings: Settings {
    let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })
    return configurationFiles.isEmpty
      ? Configuration(checks: checks).settings
      : Configuration(files: configurationFiles, checks: checks).settings
  }
}

/// Shows what plays until the program is stopped.
func run(_ options: RunOptions) -> Int32 {
  // Before other threads are started: a signal on a thread that does not block it would end the
  // process.
  SignalSource.block([SIGTERM, SIGINT, SIGHUP])
  let settings = options.settings
  let loop = EventLoop()
  let client = ControlClient(loop, path: options.socket ?? settings.controlSocket)
  do {
    var scripted: ScriptedDisplay?
    let display: any Display
    var panel: KMSDisplay?
    if let size = options.window {
      display = makeWindow(loop, size)
    } else if let size = options.scripted {
      let made = try ScriptedDisplay(loop, size: size)
      scripted = made
      display = made.display
    } else {
      let made = makeDisplay(loop, settings)
      panel = made
      display = made
    }
    // Set by the service manager.
    let folder = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }
    let unit = ScreenController(
      loop, client, display, ScreenPreferences(settings), runtimeFolder: folder)
    unit.onLog = { reportError("\($0.rawValue): \($1)") }
    let signals = try [SIGTERM, SIGINT].map { signal throws(SystemError) in
      try SignalSource(loop, signal: signal) { loop.exit(0) }
    }
    let reload = try SignalSource(loop, signal: SIGHUP) {
      unit.setPreferences(ScreenPreferences(options.settings))
    }
    try unit.start()
    ServiceManager.ready()
    let status = try loop.run()
    unit.shutDown()
    panel?.stop()
    withExtendedLifetime((scripted, signals, reload)) {}
    return status
  } catch {
    reportError("\(error)")
    return 1
  }
}
