import EventLoop
import Glibc
import LibraryExchange
import LibraryService
import NameKeys
import Settings
import Threads

/// Scans, and answers requests of the daemon, until the daemon ends or a signal arrives.
func serve(_ options: Invocation.ServeOptions, in folder: String) throws -> Int32 {
  Heap.keepSmall()
  // The signals must be blocked before other threads are started. A thread that does not block a signal could receive
  // it, and the process would end.
  SignalSource.block([SIGTERM, SIGINT])
  if options.isInBackground { lowerPriority() }
  try makeFolder(folder)
  let loop = EventLoop()
  let bus = try connection(options, loop)
  let folders = LibraryFolders(database: folder, runtime: options.runtime ?? folder)
  let service = try LibraryService(
    loop, folders, articles: Articles(languages: languages(options.configurationFiles)))
  service.onMessage = { reportError($0) }
  let provider = LibraryProvider(bus, service)
  provider.onDisconnected = { loop.exit(0) }
  service.onReport = { provider.report($0) }
  let signals = try [SIGTERM, SIGINT].map { signal throws(SystemError) in
    try SignalSource(loop, signal: signal) { loop.exit(0) }
  }
  let watchdog = Watchdog(loop)
  ServiceManager.ready()
  let status = try loop.run()
  withExtendedLifetime((signals, watchdog)) {}
  // If a medium hangs, `shutDown` can block. In this case the alarm ends the process after 2 s.
  alarm(2)
  service.shutDown()
  return status
}

private func connection(_ options: Invocation.ServeOptions, _ loop: EventLoop) throws -> Bus {
  if let path = options.socket { return try Bus(loop, to: .socket(path)) }
  guard let socket = ServiceManager.takeSockets().first else {
    throw FolderError(message: "serve needs --socket, or a socket of the service manager")
  }
  return try Bus(loop, connected: socket.descriptor)
}

/// The languages whose articles are ignored in sorting, according to the configuration. If `files` is empty, the
/// standard files of the configuration are read.
func languages(_ files: [String]) -> [String] {
  let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })
  let settings =
    files.isEmpty
    ? Configuration(checks: checks).settings
    : Configuration(files: files, hasDriver: true, checks: checks).settings
  return settings.articleLanguages
}

/// Lowers the priority of this process, so that the scan does not disturb the music. The kernel derives the I/O
/// priority from the nice value.
private func lowerPriority() {
  setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
  var parameters = sched_param(sched_priority: 0)
  sched_setscheduler(0, schedulerBatch, &parameters)
}

/// The value of `SCHED_BATCH`, which glibc declares only with `_GNU_SOURCE`.
private let schedulerBatch: Int32 = 3

/// Feeds the watchdog of the service manager as long as the loop runs.
private final class Watchdog {
  private var timer: TimerSource?

  init(_ loop: EventLoop) {
    guard let interval = ServiceManager.watchdogInterval else { return }
    timer = TimerSource(loop) { [weak self] in
      ServiceManager.notifyWatchdog()
      self?.timer?.set(after: interval / 3)
    }
    timer?.set(after: .zero)
  }
}
