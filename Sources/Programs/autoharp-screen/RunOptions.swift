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
  /// The configuration. This program does not report wrong lines, because the daemon reports them in the log.
  var settings: Settings {
    let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })
    return configurationFiles.isEmpty
      ? Configuration(checks: checks).settings
      : Configuration(files: configurationFiles, hasDriver: true, checks: checks).settings
  }
}

/// Shows what plays until the program is stopped.
func run(_ options: RunOptions) -> Int32 {
  // The signals must be blocked before other threads are started. A thread that does not block these signals could
  // receive one of them, and the process would end.
  SignalSource.block([SIGTERM, SIGINT, SIGHUP])
  let settings = options.settings
  let loop = EventLoop()
  var policy = ClientPolicy()
  // The service manager ends a daemon that hangs. So an idle screen wakes up once a minute, for the clock.
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
    // The daemon has the newest values of the driver. The files decide until it answers, and about all other keys.
    func use() {
      let values = client.settings?.settings.map { (key: $0.key, value: $0.value) } ?? []
      unit.setPreferences(ScreenPreferences(options.settings.using(values)))
    }
    client.onSettings = { settings in
      // The daemon tells its settings again after it has read changed files, and after its restart.
      use()
      unit.receive(settings)
    }
    client.subscribeToSettings()
    let reload = try SignalSource(loop, signal: SIGHUP) {
      // The terminal was closed.
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
