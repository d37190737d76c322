package import Console
package import Control
package import EventLoop
internal import NowPlaying
package import Reports

/// The console's way to the daemon: a ``ConsoleBackend`` over the control socket.
///
/// Its event loop stands inside the console's own wait: the loop's descriptor is readable when there
/// is something to do, so the console goes on waiting in one place.
package final class ControlBackend: ConsoleBackend {
  /// The surface that its commands come from; all consoles share it.
  static let surface = "console"
  /// The last lines of this start of the machine, with the time since then in front.
  package static let usualJournal = [
    "journalctl", "--no-pager", "--quiet", "--boot", "--unit=autoharp.service", "--lines=200",
    "--output=short-monotonic",
  ]
  /// Turns in one go, so that a daemon that never stops talking does not keep the console.
  private static let portion = 256

  enum LogFollow {
    case waiting, telling
  }

  let client: ControlClient
  let version: String
  let journal: [String]
  let loop: EventLoop
  /// Where a reboot is asked for without the daemon; nil where nobody looks.
  let powerRequest: PowerRequest?
  /// Where the image says how the storage is.
  let storageFiles: StorageFiles
  /// While a new file system is being made.
  var format: FormatRequest?
  /// While the daemon is asked for one.
  var powerTimer: TimerSource?
  /// The journal, while it is read.
  var journalOutput: ProgramOutput?
  /// Commands that were given before the first attempt to connect has ended either way.
  private var early: [() -> Void] = []
  private var told = DaemonState.connected
  /// Tells an answer that nobody waits for any more from the one that is waited for.
  private var generation = 0
  /// `log -f` is on; its lines are told once those before them are.
  var logFollow: LogFollow?
  var isTracing = false
  /// See ``ConsoleBackend/onEvent``.
  package var onEvent: ((ConsoleEvent) -> Void)?

  /// Begins to connect.
  /// - Parameters:
  ///   - path: of the socket.
  ///   - version: of this program, for where the daemon cannot be asked.
  ///   - journal: the program that tells the log there, and its arguments.
  ///   - powerRequest: where a reboot is asked for there.
  ///   - storageFiles: where the image says how the storage is.
  package init(
    socket path: String, version: String, policy: ClientPolicy = ClientPolicy(),
    systemBus: Bus.Address = .system, journal: [String] = usualJournal,
    powerRequest: PowerRequest? = .ofThisProcess, storageFiles: StorageFiles = StorageFiles()
  ) {
    let loop = EventLoop()
    self.loop = loop
    self.version = version
    self.journal = journal
    self.powerRequest = powerRequest
    self.storageFiles = storageFiles
    client = ControlClient(loop, path: path, policy: policy, systemBus: systemBus)
    client.onState = { [weak self] in self?.changed($0) }
    client.onLog = { [weak self] line in
      if self?.logFollow == .telling { self?.onEvent?(.log(LogText.line(line))) }
    }
    client.onTrace = { [weak self] entry in
      if self?.isTracing == true { self?.onEvent?(.trace(entry)) }
    }
    client.onTrouble = { [weak self] in self?.onEvent?(.notice($0)) }
    client.start()
  }

  /// See ``ConsoleBackend/descriptor``.
  package var descriptor: Int32 { loop.descriptor }

  /// See ``ConsoleBackend/state``. While the first attempt is under way, nothing is wrong yet.
  package var state: DaemonState { client.isConnecting ? .connected : client.state }

  /// See ``ConsoleBackend/prepare()``.
  package func prepare() -> Int32 { run() ? -1 : 0 }

  /// See ``ConsoleBackend/turn()``.
  package func turn() { _ = run() }

  /// Does what there is to do; false where more is left.
  private func run() -> Bool {
    for _ in 0..<Self.portion {
      // The loop itself fails for want of memory alone; the next turn tries again.
      guard let didSomething = try? loop.step(), didSomething else { return true }
    }
    return false
  }

  /// See ``ConsoleBackend/send(_:completion:)``.
  package func send(_ command: ConsoleCommand, completion: @escaping (ConsoleReply) -> Void) {
    generation += 1
    let number = generation
    let answer: (ConsoleReply) -> Void = { [weak self] reply in
      if self?.generation == number { completion(reply) }
    }
    if client.isConnecting {
      early.append { [weak self] in
        if let self, generation == number { perform(command, answer) }
      }
    } else {
      perform(command, answer)
    }
  }

  /// See ``ConsoleBackend/cancel()``.
  package func cancel() {
    generation += 1
    early = []
    journalOutput = nil
    format = nil
    powerTimer = nil
    guard logFollow != nil else { return }
    logFollow = nil
    client.follow(log: false)
  }

  private func changed(_ state: DaemonState) {
    let waiting = early
    early = []
    for body in waiting { body() }
    // The daemon is stopped while the storage is made empty: that is no news.
    guard state != told, format == nil else { return }
    told = state
    onEvent?(.daemon(state))
  }
}
