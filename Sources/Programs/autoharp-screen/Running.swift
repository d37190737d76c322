import Control
import EventLoop
import Glibc
import KMSDisplay
import Screen
import ScreenDisplay
import ScreenLayout
import Settings

/// How the screen is run.
struct RunOptions: Equatable {
  /// Nil: as configured.
  var socket: String?
  /// Empty: the usual ones.
  var configurationFiles: [String] = []
  /// Nil: what the machine has.
  var scripted: PixelSize?
  /// Nil: what the machine has; otherwise a window of this size on its desktop.
  var window: PixelSize?
}

extension RunOptions {
  /// The screen's part of the configuration. What is wrong in it the daemon's log says.
  var settings: Settings {
    let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })
    return configurationFiles.isEmpty
      ? Configuration(checks: checks).settings
      : Configuration(files: configurationFiles, checks: checks).settings
  }
}

/// Shows what plays until it is asked to stop.
func run(_ options: RunOptions) -> Int32 {
  // Before any thread is there, or a signal would go to one that ends the process.
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
    // As the service manager gives it.
    let folder = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }
    let unit = ScreenController(
      loop, client, display, ScreenPreferences(settings), runtimeFolder: folder)
    unit.onNotice = { complain($0) }
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
    complain("\(error)")
    return 1
  }
}
