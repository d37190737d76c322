package import Console
package import Control
package import EventLoop
internal import NowPlaying
package import Reports

/// Connects the console to the daemon: a ``ConsoleBackend`` over the control socket.
///
/// This backend has an event loop. The console has another loop, which also polls the descriptor of
/// this event loop. The descriptor is readable when the event loop has something to do.
package final class ControlBackend: ConsoleBackend {
  /// The name of the surface that sends the commands. All consoles share this surface.
  static let surface = "console"
  /// A program and its arguments. The program prints the last lines of the log since the machine
  /// started, with the time since the start.
  package static let defaultJournal = [
    "journalctl", "--no-pager", "--quiet", "--boot", "--unit=autoharp.service", "--lines=200",
    "--output=short-monotonic",
  ]
  /// The maximum number of loop turns per call, so that a daemon that sends without pause does not
  /// block the console.
  private static let maximumTurns = 256

  enum LogFollow {
    case waiting, showing
  }

  let client: ControlClient
  let version: String
  let journal: [String]
  let loop: EventLoop
  /// The way to request a reboot without the daemon. Nil if this process cannot request a reboot.
  let powerRequest: PowerRequest?
  /// The image's files about the state of the storage.
  let storageFiles: StorageFiles
  /// The request for a new file system. Nil if no file system is being made.
  var format: FormatRequest?
  /// The time limit for the daemon's answer to a request for a reboot or power-off. Nil if there
  /// was no such request.
  var powerTimer: TimerSource?
  /// The output of the journal. Nil if the journal is not being read.
  var journalOutput: ProgramOutput?
  /// Commands that were given before the first connection attempt has succeeded or failed.
  private var pendingCommands: [() -> Void] = []
  private var presence = DaemonPresence()
  /// Runs while ``presence`` waits.
  private var presenceTimer: TimerSource?
  /// Increased by each command and by each cancellation. An answer with an earlier number is too
  /// late and is ignored.
  private var generation = 0
  /// The time limit for names that complete a word. A person waits for them.
  package var nameTimeLimit = Duration.milliseconds(400)
  /// The names that are being looked up.
  var lookup: NameLookup?
  /// The state of `log -f`. Nil if the log is not followed. `waiting` until the earlier lines have
  /// arrived; new lines are shown only after these.
  var logFollow: LogFollow?
  var isTracing = false
  package var onEvent: ((ConsoleEvent) -> Void)?

  /// Starts to connect.
  /// - Parameters:
  ///   - path: the path of the control socket.
  ///   - version: the version of this program, shown if the daemon cannot be reached.
  ///   - journal: the program that prints the log, with its arguments. It is used if the daemon
  ///     cannot be reached.
  ///   - powerRequest: the way to request a reboot if the daemon cannot be reached.
  ///   - storageFiles: the image's files about the state of the storage.
  package init(
    socket path: String, version: String, policy: ClientPolicy = ClientPolicy(),
    systemBus: Bus.Address = .system, journal: [String] = defaultJournal,
    powerRequest: PowerRequest? = .ofThisProcess, storageFiles: StorageFiles = StorageFiles()
  ) {
    let loop = EventLoop()
    self.loop = loop
    self.version = version
    self.journal = journal
    self.powerRequest = powerRequest
    self.storageFiles = storageFiles
    client = ControlClient(loop, path: path, policy: policy, systemBus: systemBus)
    client.onState = { [weak self] in self?.stateChanged($0) }
    client.onLog = { [weak self] line in
      if self?.logFollow == .showing { self?.onEvent?(.log(LogText.line(line))) }
    }
    client.onTrace = { [weak self] entry in
      if self?.isTracing == true { self?.onEvent?(.trace(entry)) }
    }
    client.onProblem = { [weak self] in
      self?.onEvent?(.notice(ConsoleMessage("daemon-unreadable", $0)))
    }
    client.start()
  }

  package var descriptor: Int32 { loop.descriptor }

  /// See ``ConsoleBackend/state``. During the first connection attempt, the state is `connected`,
  /// so that no failure is shown yet.
  package var state: DaemonState { client.isConnecting ? .connected : client.state }

  package func prepare() -> Int32 { run() ? -1 : 0 }

  package func turn() { _ = run() }

  /// Handles pending events. Returns false if further events may be pending.
  private func run() -> Bool {
    for _ in 0..<Self.maximumTurns {
      // `step` fails only if no memory is left. The next call of `run` tries again.
      guard let didSomething = try? loop.step(), didSomething else { return true }
    }
    return false
  }

  package func send(_ command: ConsoleCommand, completion: @escaping (ConsoleReply) -> Void) {
    generation += 1
    let number = generation
    let answer: (ConsoleReply) -> Void = { [weak self] reply in
      if self?.generation == number { completion(reply) }
    }
    if client.isConnecting {
      pendingCommands.append { [weak self] in
        if let self, generation == number { perform(command, answer) }
      }
    } else {
      perform(command, answer)
    }
  }

  package func cancel() {
    generation += 1
    pendingCommands = []
    journalOutput = nil
    format = nil
    powerTimer = nil
    guard logFollow != nil else { return }
    logFollow = nil
    client.follow(log: false)
  }

  private func stateChanged(_ state: DaemonState) {
    let waiting = pendingCommands
    pendingCommands = []
    for body in waiting { body() }
    // Formatting the storage stops the daemon. This change of state is expected, so it is not
    // reported.
    guard format == nil else { return }
    report { $0.update(state, at: $1) }
  }

  /// Reports what has to be said, and sets the time for the next report.
  private func report(_ step: (inout DaemonPresence, Duration) -> [ConsoleEvent]) {
    let events = step(&presence, .nanoseconds(EventClock.monotonic.now))
    if let deadline = presence.deadline {
      if presenceTimer == nil {
        presenceTimer = TimerSource(loop, clock: .monotonic) { [weak self] in
          self?.report { $0.advance(to: $1) }
        }
      }
      presenceTimer?.set(at: deadline)
    } else {
      presenceTimer?.stop()
    }
    for event in events { onEvent?(event) }
  }
}
