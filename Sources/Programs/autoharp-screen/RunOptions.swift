import Control
import EventLoop
import Glibc
import KMSDisplay
import Reports
import Screen
import ScreenDisplay
import Settings
import Text

extension RunOptions {
  /// The settings of the configuration. This program does not report invalid lines, because the daemon reports them in
  /// the log.
  var settings: Settings {
    let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })
    return configurationFiles.isEmpty
      ? Configuration(checks: checks).settings
      : Configuration(files: configurationFiles, hasDriver: true, checks: checks).settings
  }
}

/// Shows what plays, until the program is stopped.
func run(_ options: RunOptions) -> Int32 {
  // The signals must be blocked before other threads are started. A thread that does not block a signal could receive
  // it, and the process would end.
  SignalSource.block([SIGTERM, SIGINT, SIGHUP])
  let settings = options.settings
  let loop = EventLoop()
  var policy = ClientPolicy()
  // The service manager ends a daemon that hangs, so this program does not ping the daemon. Without pings, an idle
  // screen wakes up only once a minute, to update its clock.
  if ServiceManager.isPresent { policy.pingInterval = nil }
  let client = ControlClient(
    loop, path: options.socket ?? settings.controlSocket, policy: policy)
  do {
    let display: any Display
    var panel: KMSDisplay?
    var terminal: TerminalDisplay?
    var scripted: ScriptedDisplay?
    switch options.display {
    case .panel:
      let made = makePanel(loop, settings)
      panel = made
      display = made
    case .window(let size): display = makeWindow(loop, size)
    case .terminal:
      guard TerminalEnvironment.canDraw(on: STDOUT_FILENO) else {
        reportError(
          "--terminal needs a terminal that can move its cursor; TERM says that this one cannot")
        return 1
      }
      let made = try TerminalDisplay(loop)
      made.onClose = { loop.exit(0) }
      terminal = made
      display = made
    case .scripted(let size):
      let made = try ScriptedDisplay(loop, size: size)
      scripted = made
      display = made.display
    }
    let unit = ScreenController(loop, client, display, ScreenPreferences(settings))
    terminal?.scene = { [unowned unit] in unit.scene }
    unit.onLog = { reportError("\($0.rawValue): \($1)") }
    let signals = try [SIGTERM, SIGINT].map { signal throws(SystemError) in
      try SignalSource(loop, signal: signal) { loop.exit(0) }
    }
    // Applies the newest values of the driver, which the daemon has sent. All other values are from the configuration
    // files.
    func use() {
      let values = client.settings?.settings.map { (key: $0.key, value: $0.value) } ?? []
      unit.setPreferences(ScreenPreferences(options.settings.using(values)))
    }
    client.onSettings = { settings in
      // The daemon sends its settings again after it has read changed files, and after its restart.
      use()
      unit.receive(settings)
    }
    client.subscribeToSettings()
    let reload = try SignalSource(loop, signal: SIGHUP) {
      // On a terminal, SIGHUP means that the terminal was closed. Otherwise it is a request to read the configuration
      // again.
      if options.display == .terminal { return loop.exit(0) }
      use()
    }
    try unit.start()
    ServiceManager.ready()
    let status = try loop.run()
    unit.shutDown()
    panel?.stop()
    terminal?.stop()
    withExtendedLifetime((scripted, signals, reload)) {}
    return status
  } catch {
    reportError("\(error)")
    return 1
  }
}
