package import Console
package import Control
package import EventLoop
internal import Glibc
internal import LibraryModel
internal import NowPlaying
package import Reports
internal import SystemClock
internal import Threads

/// Connects the console to the daemon: a ``ConsoleBackend`` over the control socket.
///
/// This backend has an event loop. The console has another loop, which also polls the descriptor of this event loop.
/// The descriptor is readable when the event loop has something to do.
package final class ControlBackend: ConsoleBackend {
  /// The name of the surface that sends the commands. All consoles share this surface.
  static let surface = "console"
  /// The default program for the log. The console adds the arguments of a query.
  package static let defaultJournal = ["journalctl"]
  /// The maximum number of loop turns per call, so that a daemon that sends without pause does not block the console.
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
  /// The time limit for the daemon's answer to a request for a reboot or power-off. Nil if there was no such request.
  private var powerTimer: TimerSource?
  /// The files and sockets of the image.
  let machine: MachineFiles
  /// The settings.
  let guide: SettingsGuide
  /// What the console does for the last command without the daemon, such as reading the journal. Its release ends it.
  var work: AnyObject?
  /// The report that is being collected.
  var collection: ReportCollection?
  /// Commands that were given before the first connection attempt has succeeded or failed.
  private var pendingCommands: [() -> Void] = []
  private var presence = DaemonPresence()
  /// Fires at the deadline of ``presence``.
  private var presenceTimer: TimerSource?
  /// Increased by each command and by each cancellation. An answer with an earlier number is too late and is ignored.
  private var generation = 0
  /// The time limit for the lookup of names that complete a word. It is short, because the user waits for the names.
  package var nameTimeLimit = Duration.milliseconds(400)
  /// The running lookup of names that complete a word. Nil if no lookup is running.
  var lookup: NameLookup?
  /// The state of `log -f`. Nil if the log is not followed. `waiting` until the earlier lines have arrived; new lines
  /// are shown only after these.
  var logFollow: LogFollow?
  var isTracing = false
  /// The present time, in seconds since 1970.
  var clock: () -> Int = { time(nil) }
  package var onEvent: ((ConsoleEvent) -> Void)?

  /// Starts to connect.
  /// - Parameters:
  ///   - path: the path of the control socket.
  ///   - version: the version of this program, shown if the daemon cannot be reached.
  ///   - journal: the program that prints the journal, and its first arguments.
  ///   - powerRequest: the way to request a reboot if the daemon cannot be reached.
  ///   - storageFiles: the image's files about the state of the storage.
  ///   - machine: further files and sockets of the image.
  ///   - guide: the settings.
  package init(
    socket path: String, version: String, policy: ClientPolicy = ClientPolicy(),
    systemBus: Bus.Address = .system, journal: [String] = defaultJournal,
    powerRequest: PowerRequest? = .ofThisProcess, storageFiles: StorageFiles = StorageFiles(),
    machine: MachineFiles = MachineFiles(), guide: SettingsGuide = SettingsGuide()
  ) {
    self.guide = guide
    let loop = EventLoop()
    self.loop = loop
    self.version = version
    self.journal = journal
    self.powerRequest = powerRequest
    self.storageFiles = storageFiles
    self.machine = machine
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

  /// The console reads the files itself, so that the password also applies while the daemon does not answer.
  package var password: String? { guide.password() }

  /// See ``ConsoleBackend/state``. During the first connection attempt, the state is `connected`, so that no failure is
  /// shown yet.
  package var state: DaemonState { client.isConnecting ? .connected : client.state }

  package func prepare() -> Int32 { run() ? -1 : 0 }

  package func turn() { _ = run() }

  /// Handles pending events. Returns false if further events are possibly pending.
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
    work = nil
    collection = nil
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
    // Formatting the storage stops the daemon. This change of state is expected, so it is not reported.
    guard format == nil else { return }
    report { $0.update(state, at: $1) }
  }

  /// Updates ``presence`` with `step`, passes the resulting events to the console, and sets the timer for the next
  /// update.
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

// Names that complete a word.
extension ControlBackend {
  package func lookUp(_ request: NameRequest, completion: @escaping (NameAnswer) -> Void) {
    guard client.state == .connected || request.kind.needsNoDaemon else {
      return completion(NameAnswer())
    }
    let lookup = NameLookup(self, request) { [weak self] answer in
      self?.lookup = nil
      completion(answer)
    }
    self.lookup = lookup
    lookup.start()
  }
}

// Commands for the unit's storage. Only `data erase` needs the daemon.
extension ControlBackend {
  func storage(
    _ what: ConsoleCommand.Storage, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    switch what {
    case .check:
      guard let report = storageFiles.report else { return answer(.refused(Self.noImage)) }
      answer(.facts(report))
    case .format(let isForced): format(isForced: isForced, answer)
    case .erase:
      client.call(Unit1.erasePersonalData) {
        answer(
          Self.reply($0) {
            .done(
              ConsoleMessage("data-erase", "The machine restarts and erases the personal data."))
          })
      }
    }
  }

  static let noImage = Refusal(
    .noImage, "This system does not run from an image, so it has no storage to check.")

  private func format(isForced: Bool, _ answer: @escaping (ConsoleReply) -> Void) {
    format = FormatRequest(
      loop, socket: storageFiles.socket, isForced: isForced,
      onProgress: { [weak self] in
        self?.onEvent?(.notice(ConsoleMessage("storage-progress", $0)))
      },
      onEnd: { [weak self] ending in
        switch ending {
        case .success(let text): answer(.done(ConsoleMessage("storage-formatted", text)))
        case .failure(let refusal): answer(.refused(refusal))
        }
        self?.format = nil
      })
    let number = errno
    guard format == nil else { return }
    answer(
      .refused(
        number == ENOENT
          ? Self.noImage
          : Refusal(.helperUnreachable, "\(storageFiles.socket): \(systemWords(number))")))
  }
}

// Commands for phones.
extension ControlBackend {
  func perform(
    _ command: ConsoleCommand.Bluetooth, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    let done: (Result<Void, ControlError>) -> Void = { result in
      answer(Self.reply(result) { .done() })
    }
    switch command {
    case .show: facts(.bluetooth, answer)
    case .phones:
      client.call(Bluetooth1.phones.get) { result in
        answer(Self.reply(result) { .phones($0, at: MonotonicInstant.now()) })
      }
    case .pair(let seconds): client.call(Bluetooth1.openPairing, seconds.map { .seconds($0) }, done)
    case .find(let seconds): client.call(Bluetooth1.find, seconds.map { .seconds($0) }, done)
    case .add(let device):
      client.call(Bluetooth1.add, device) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("device-paired", $0)) })
      }
    case .endPairing: client.call(Bluetooth1.closePairing, done)
    case .answer(let accepts): self.answer(accepts, answer)
    case .connect(let phone):
      client.call(Bluetooth1.connect, phone) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("phone-connected", $0)) })
      }
    case .disconnect(let phone): client.call(Bluetooth1.disconnect, phone, done)
    case .rename(let phone, let name):
      client.call(Bluetooth1.rename, Renaming(phone, to: name), done)
    case .first(let phone): client.call(Bluetooth1.setFirstChoice, phone ?? "", done)
    case .forget(let phone): client.call(Bluetooth1.forget, phone, done)
    }
  }

  /// Reads the number of the pending pairing request and then answers this request. A request that arrives between the
  /// two calls has another number, so it is not answered.
  private func answer(_ accepts: Bool, _ answer: @escaping (ConsoleReply) -> Void) {
    client.call(Bluetooth1.phones.get) { [client] result in
      guard case .success(let state) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      guard let request = state.request else {
        return answer(.refused(Refusal(.noPairingRequest, "No phone requests pairing.")))
      }
      client.call(accepts ? Bluetooth1.acceptPairing : Bluetooth1.rejectPairing, request.number) {
        result in
        answer(
          Self.reply(result) {
            .done(
              accepts
                ? ConsoleMessage("pairing-accepted", "\(request.name) is accepted.")
                : ConsoleMessage("pairing-rejected", "\(request.name) is rejected."))
          })
      }
    }
  }
}

// Reboot and power-off, through the daemon or without it.
extension ControlBackend {
  /// Requests the action from the daemon. If the daemon cannot be reached, or does not answer within `answerTimeout` of
  /// the policy, the action is requested from the service manager instead.
  func power(_ action: PowerAction, _ answer: @escaping (ConsoleReply) -> Void) {
    var isAnswered = false
    func finish(_ reply: ConsoleReply) {
      if !isAnswered { answer(reply) }
      isAnswered = true
    }
    powerTimer = TimerSource(loop, accuracy: .milliseconds(50)) { [weak self] in
      guard let self, !isAnswered else { return }
      isAnswered = true
      let state = client.state
      powerWithoutDaemon(
        action, state == .connected ? .hangs(since: client.policy.answerTimeout) : state, answer)
    }
    powerTimer?.set(after: client.policy.answerTimeout)
    client.call(action == .reboot ? Unit1.reboot : Unit1.powerOff) { [weak self] result in
      self?.powerTimer?.stop()
      switch result {
      case .success: finish(.done(Self.message(action)))
      case .failure(.unreachable(let state)):
        guard !isAnswered else { return }
        isAnswered = true
        self?.powerWithoutDaemon(action, state, answer)
      case .failure(let error): finish(.refused(error.refusal))
      }
    }
  }

  /// Requests the action from the service manager, because the daemon cannot be reached or does not answer.
  func powerWithoutDaemon(
    _ action: PowerAction, _ state: DaemonState, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    let finding = state.finding ?? "The daemon does not answer."
    guard let request = powerRequest else {
      return answer(
        .refused(
          Refusal(
            .noService, "\(finding) This console has no permission to do it itself.",
            remedy: "run 'systemctl \(action.rawValue)' as root")))
    }
    if let refusal = request.submit(action) {
      return answer(
        .refused(
          Refusal(refusal.code, "\(finding) \(refusal.sentence)", remedy: refusal.remedy)))
    }
    let message = Self.message(action)
    answer(
      .done(
        ConsoleMessage(
          "\(message.code)-without-daemon",
          "\(finding) The console sent the request to the service manager instead. \(message.text)")
      ))
  }

  private static func message(_ action: PowerAction) -> ConsoleMessage {
    switch action {
    case .reboot: ConsoleMessage("reboot", "The machine restarts.")
    case .poweroff: ConsoleMessage("poweroff", "The machine switches off.")
    }
  }
}
