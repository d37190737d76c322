internal import BusMethods
package import EventLoop
internal import Glibc
package import LibraryModel

/// The daemon's side of the connection to the process of the library.
///
/// The process can be missing, crash or hang at any time. Then requests fail, and the daemon continues without the
/// library. After each new connection, the daemon sends the volumes to the process again.
///
/// The daemon does not trust the process: ``AnswerReader`` checks each answer and each signal. A request with a wrong
/// answer fails. After several wrong answers, the daemon closes the connection, and uses the next connection only after
/// a pause (``LibraryTrust``).
///
/// Used on the control thread. No function blocks.
package final class LibraryLink {
  /// A request fails if no answer arrives within this time.
  private static let timeout = Duration.seconds(2)
  /// Maximum number of requests that wait for an answer.
  private static let maximumWaiting = 8

  private let loop: EventLoop
  private var listener: PeerListener?
  private var peer: Bus?
  /// A new connection that waits for the end of the pause, because the connection before it gave wrong answers.
  private var waiting: Bus?
  private var pauseTimer: TimerSource?
  private var trust = LibraryTrust()
  private var changes: BusMatch?
  /// The requests that wait for an answer. Each function reports a failure to the caller of ``ask(_:_:_:)``.
  private var questions: [Int: () -> Void] = [:]
  private var lastQuestion = 0
  /// True after a request timed out, until the process answers a ping. Meanwhile, no questions are sent.
  private var isSilent = false
  private var volumes: [LibraryVolume] = []
  private var preferredFolder: [UInt8] = []
  private var isHeld = false
  /// The last state of the library. Nil while the process is unavailable.
  package private(set) var report: LibraryReport?
  /// Called when ``report`` has changed.
  package var onReport: (() -> Void)?
  /// Called if an answer or a signal is wrong, with the name of the method or signal and the reason. The name is empty
  /// if the daemon closes the connection.
  package var onFault: ((_ member: String, _ reason: String) -> Void)?
  /// Called when a connection of the process has ended.
  package var onEnd: (() -> Void)?

  /// Creates a link that is not connected. Until ``listen(at:)`` is called, each request fails.
  package init(_ loop: EventLoop) {
    self.loop = loop
    pauseTimer = TimerSource(loop) { [weak self] in self?.endPause() }
  }

  /// Listens at a path for the process of the library. Only root and the user of the daemon can connect.
  package func listen(at path: String) throws(SocketFileError) {
    var limits = PeerListener.Limits()
    // More than one connection is permitted, because the process can connect again before the daemon knows that the
    // last connection has ended.
    limits.peers = 4
    limits.peersOfUser = 4
    // systemd connects the socket, and then starts the process with the lowest priority. On a slow board, the process
    // needs more than the usual five seconds until it authenticates.
    limits.authentication = .seconds(60)
    let listener = try PeerListener(loop, path: path, mode: 0o600, limits: limits)
    listener.onPeer = { [weak self] in self?.accept($0) }
    self.listener = listener
  }

  /// Removes the path of the socket. The process of the library stays connected.
  package func stopListening() { listener?.stopListening() }

  /// True while a process of the library is connected.
  package var isConnected: Bool { peer != nil }

  private func accept(_ new: Bus) {
    new.objects = ObjectTree()
    new.onConnected = { [weak self, weak new] in
      guard let self, let new else { return }
      connected(new)
    }
    new.onDisconnected = { [weak self, weak new] _ in
      guard let self, let new else { return }
      if waiting === new { waiting = nil }
      if peer === new { disconnected() }
    }
  }

  private func connected(_ new: Bus) {
    guard Self.now < trust.pauseEnd else { return use(new) }
    waiting?.close()
    waiting = new
  }

  private func use(_ new: Bus) {
    if let peer {
      // The process has connected again before the daemon knew that the last connection had ended.
      peer.close()
      onEnd?()
    }
    peer = new
    isSilent = false
    // All signals are received, not only `Changed`, because ``LibraryTrust`` must count each of them.
    changes = try? new.match(MatchRule()) { [weak self, weak new] message in
      guard let self, peer === new else { return }
      handle(message)
    }
    post(LibraryProcess1.setPreferredFolder, preferredFolder)
    post(LibraryProcess1.hold, isHeld)
    post(LibraryProcess1.setVolumes, volumes)
    failQuestions()
  }

  private func disconnected() {
    peer = nil
    changes = nil
    onEnd?()
    setReport(nil)
    failQuestions()
  }

  /// Fails all waiting requests, because the closed connection does not answer them any more.
  private func failQuestions() {
    let all = questions
    questions = [:]
    for fail in all.values { fail() }
  }

  private static var now: Duration { .nanoseconds(EventClock.monotonic.now) }

  private func handle(_ message: BusMessage) {
    // libsystemd itself creates signals about the connection. The process has not sent these signals.
    if message.interface == "org.freedesktop.DBus.Local" { return }
    guard trust.acceptSignal(at: Self.now) else {
      changes?.cancel()
      onFault?("Changed", "too many signals")
      return end()
    }
    do throws(AnswerFault) {
      let changed = LibraryProcess1.changed
      guard message.path == LibraryInterface.path, message.member == changed.name,
        message.interface == changed.interface
      else { throw AnswerFault("an unknown signal") }
      guard let body = try? message.body() else { throw AnswerFault("the values are damaged") }
      let report = try changed.carries.readStrictly(body.values)
      if !isSilent { setReport(report) } else { silentReport = report }
    } catch {
      failed("Changed", error)
    }
  }

  // MARK: Wrong answers

  private func failed(_ member: String, _ fault: AnswerFault) {
    onFault?(member, fault.reason)
    if trust.noteFault(at: Self.now) { end() }
  }

  /// Closes the connection. Then the service manager or the daemon starts the process again.
  private func end() {
    guard let peer, Self.now >= trust.pauseEnd else { return }
    let pause = trust.end(at: Self.now)
    pauseTimer?.set(after: pause)
    onFault?("", "disconnected; the next connection waits \(pause)")
    // The connection is closed later, because this function runs in a handler of the connection.
    loop.defer { [weak self, weak peer] in
      guard let self, let peer, self.peer === peer else { return }
      peer.close()
      disconnected()
    }
  }

  private func endPause() {
    guard let new = waiting else { return }
    waiting = nil
    use(new)
  }

  /// The last state that arrived while ``isSilent`` was true.
  private var silentReport: LibraryReport?

  private func setReport(_ new: LibraryReport?) {
    guard new != report else { return }
    report = new
    onReport?()
  }

  // MARK: Commands

  /// Tells the library which volumes are present.
  package func setVolumes(_ new: [LibraryVolume]) {
    guard new != volumes else { return }
    volumes = new
    post(LibraryProcess1.setVolumes, volumes)
  }

  /// Tells the library which folder to read first.
  package func setPreferredFolder(_ path: [UInt8]) {
    guard path != preferredFolder else { return }
    preferredFolder = path
    post(LibraryProcess1.setPreferredFolder, path)
  }

  /// Pauses the library, or continues. While the library is paused, it does not read files.
  package func setHeld(_ new: Bool) {
    guard new != isHeld else { return }
    isHeld = new
    post(LibraryProcess1.hold, new)
  }

  /// Scans a volume for new and changed files. An empty text means all volumes.
  package func rescan(_ identity: String) { post(LibraryProcess1.rescan, identity) }

  /// Reads all files of a volume again.
  package func readAnew(_ identity: String) { post(LibraryProcess1.readAnew, identity) }

  /// Removes a volume from the library.
  package func forget(_ identity: String) { post(LibraryProcess1.forget, identity) }

  private func post<Arguments>(_ method: BusMethod<Arguments, Void>, _ arguments: Arguments) {
    try? peer?.post(method, at: LibraryInterface.path, arguments)
  }

  // MARK: Questions

  /// Sends a question to the library. `completion` is called once, within two seconds.
  package func ask<Arguments, Results>(
    _ question: CheckedMethod<Arguments, Results>, _ arguments: Arguments,
    _ completion: @escaping (Result<Results, LibraryFailure>) -> Void
  ) {
    guard let peer, !isSilent else { return completion(.failure(.unavailable)) }
    guard questions.count < Self.maximumWaiting else { return completion(.failure(.busy)) }
    lastQuestion += 1
    let number = lastQuestion
    questions[number] = { completion(.failure(.unavailable)) }
    let method = question.method
    peer.call(
      nil, LibraryInterface.path, method.row.interface, method.row.name,
      method.takes.write(arguments), timeout: Self.timeout
    ) { [weak self, weak peer] result in
      guard let self else { return completion(.failure(.unavailable)) }
      guard questions.removeValue(forKey: number) != nil else { return }
      if self.peer === peer, case .failure(.timedOut) = result { becameSilent() }
      do throws(AnswerFault) {
        switch result {
        case .success(let body):
          completion(.success(try question.read(body.values, to: arguments)))
        case .failure(let error): completion(.failure(try Self.failure(error)))
        }
      } catch {
        failed(method.row.name, error)
        completion(.failure(.failed("its answer is wrong")))
      }
    }
  }

  private static func failure(_ error: BusError) throws(AnswerFault) -> LibraryFailure {
    switch error {
    case .remote(LibraryInterface.ErrorName.unknownNode, _): return .unknownNode
    case .remote(LibraryInterface.ErrorName.noQuery, _): return .noQuery
    case .remote(LibraryInterface.ErrorName.unavailable, _): return .unavailable
    case .remote(_, let text):
      return .failed(BusText.harmless(text, limit: LibraryInterface.textBytes))
    case .system, .wrongType: throw AnswerFault("the values are damaged")
    default: return .unavailable
    }
  }

  /// Handles a request that timed out. The library counts as unavailable until the process answers a ping.
  private func becameSilent() {
    guard !isSilent, let peer else { return }
    isSilent = true
    silentReport = report
    setReport(nil)
    peer.call(
      nil, LibraryInterface.path, "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(86_400)
    ) { [weak self, weak peer] result in
      // The end of the connection is handled by `disconnected()`.
      guard let self, let peer, self.peer === peer, case .success = result else { return }
      isSilent = false
      setReport(silentReport)
    }
  }
}
