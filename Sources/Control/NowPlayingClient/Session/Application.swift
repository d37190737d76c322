package import Control
package import EventLoop
internal import Glibc
internal import Reports

/// This program as an app: a program that is a source of the unit. It has the connection to the daemon, the event loop
/// and the sessions of the program.
///
/// Use an application, and all objects that belong to it, on one thread. Only ``run()`` waits; nothing else blocks. All
/// handlers are called by ``run()`` or ``process()``. If the daemon restarts, the application connects again, opens its
/// sessions and streams again, and publishes again.
public final class Application {
  /// The application of this process. The objects with a property `shared` belong to it.
  nonisolated(unsafe) public static let shared = Application()

  /// The identity of the app: 1 to 32 small letters, digits and `-`, beginning with a letter. On a unit, it is the name
  /// of the file `ID.app`. The default is the environment variable `AUTOHARP_APP`, or else the name of the program. Set
  /// it before the first session is created.
  public var id: String
  /// The name for people. Nil for the name in `ID.app`, or else the identity.
  public var name: String?
  /// True if the app continues where it was left, so that the unit can tell it to play after a restart.
  public var resumes = false
  /// The audio session, which defines how the sound combines with the sound of others.
  public let audioSession: SharedAudioSession
  /// The template of all sessions.
  public let template: SharedTemplate
  /// Configures the template when a screen connects. Without a delegate, the template is used as it is.
  public weak var templateSceneDelegate: (any TemplateSceneDelegate)?
  /// Called when the connection is made (nil), and when it cannot be made or ends (the reason). By default, the reason
  /// is a problem.
  public var onConnection: ((Refusal?) -> Void)?
  /// Called with each refusal of the unit that no other handler gets. By default, the refusal is written to standard
  /// error.
  public var onProblem: (Refusal) -> Void = { problem in
    let line = Array("autoharp: \(problem)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// The event loop, for other sources of events of this program.
  package let loop: EventLoop
  package let client: ControlClient
  private var sessions: [WeakSession] = []
  // The unit permits 20 calls a second, and 40 at once, or 80 of streams.
  private var pace = CallPace(perSecond: 16, burst: 32)
  private var soundPace = CallPace(perSecond: 16, burst: 64)
  private var timer: TimerSource?
  private var signals: [SignalSource] = []
  private var isStarted = false
  /// Number of calls that the unit has not answered.
  private var unanswered = 0
  /// Set by ``stop(_:)``: the status, and the end of the time that it waits for the unit.
  private var ending: (status: Int32, limit: TimerSource)?

  private struct WeakSession {
    weak var session: SourceSession?
  }

  /// Creates an application. A usual program uses ``shared``.
  /// - Parameters:
  ///   - id: see ``id``.
  ///   - socket: the path of the control socket. The default is the environment variable `AUTOHARP_SOCKET`, or else
  ///     `/run/autoharp/control`.
  public convenience init(id: String? = nil, name: String? = nil, socket: String? = nil) {
    self.init(EventLoop(), id: id, name: name, socket: socket)
  }

  package init(_ loop: EventLoop, id: String?, name: String?, socket: String?) {
    self.loop = loop
    self.id = id ?? Self.variable("AUTOHARP_APP") ?? Self.programName
    self.name = name
    var policy = ClientPolicy()
    policy.serviceName = nil
    policy.pingInterval = nil
    client = ControlClient(
      loop, path: socket ?? Self.variable("AUTOHARP_SOCKET") ?? "/run/autoharp/control",
      policy: policy)
    audioSession = SharedAudioSession()
    template = SharedTemplate()
    audioSession.application = self
    template.application = self
    timer = TimerSource(loop, accuracy: .milliseconds(10)) { [weak self] in self?.sendChanges() }
    client.onState = { [weak self] in self?.stateChanged($0) }
    client.onProblem = { [weak self] in self?.onProblem(Refusal(.unreadableAnswer, $0)) }
    listen()
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static var programName: String {
    let name = CommandLine.arguments.first?.split(separator: "/").last ?? "app"
    return String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }

  // MARK: Running

  /// Connects, and handles events until ``stop(_:)``, SIGTERM or SIGINT. Then all sessions are ended.
  /// - Returns: the status that was passed to ``stop(_:)``, or 0.
  /// - Throws: if the event loop itself fails.
  @discardableResult
  public func run() throws -> Int32 {
    signals = try [SIGTERM, SIGINT].map { signal in
      try SignalSource(loop, signal: signal) { [weak self] in self?.stop() }
    }
    start()
    return try loop.run()
  }

  /// The longest time that ``stop(_:)`` waits for the unit.
  private static let endingTime = Duration.seconds(1)

  /// Ends all sessions, and then ``run()``. Waits at most 1 s for the answers of the unit: if the program ended at
  /// once, the unit could notice the end of the connection before it has read the ends of the sessions. A session that
  /// ends with its connection counts as lost.
  public func stop(_ status: Int32 = 0) {
    guard ending == nil else { return }
    let limit = TimerSource(loop, accuracy: .milliseconds(10)) { [loop] in loop.exit(status) }
    ending = (status, limit)
    for session in openSessions { session.end() }
    limit.set(after: Self.endingTime)
    endIfAnswered()
  }

  /// True after ``stop(_:)``.
  package var isStopping: Bool { ending != nil }

  private func endIfAnswered() {
    if let ending, unanswered == 0 { loop.exit(ending.status) }
  }

  /// For a program with its own loop: a descriptor that is readable when ``process()`` has something to do.
  public var descriptor: Int32 { loop.descriptor }

  /// For a program with its own loop: connects at the first call, and handles all events that are due. Call it before
  /// each wait.
  /// - Throws: if the event loop itself fails.
  public func process() throws {
    start()
    while try loop.step() {}
  }

  private func start() {
    guard !isStarted else { return }
    isStarted = true
    client.start()
  }

  // MARK: The connection

  /// Why the unit cannot be reached. Nil while the connection exists.
  public var obstacle: Refusal? { client.state.refusal }

  private func stateChanged(_ state: DaemonState) {
    let obstacle = state.refusal
    for session in openSessions { obstacle == nil ? session.connected() : session.disconnected() }
    if let onConnection { onConnection(obstacle) } else if let obstacle { onProblem(obstacle) }
  }

  var isConnected: Bool { client.state == .connected }

  var openSessions: [SourceSession] { sessions.compactMap(\.session) }

  func add(_ session: SourceSession) {
    sessions.removeAll { $0.session == nil }
    sessions.append(WeakSession(session: session))
    // The program configures the session before it is opened.
    loop.defer { [weak self, weak session] in
      if self?.isConnected == true { session?.connected() }
    }
  }

  // MARK: Calls

  /// Has each session send what has changed, after the present handler.
  func setNeedsSending() { timer?.set(after: .zero) }

  private func sendChanges() {
    for session in openSessions { session.sendChanges() }
  }

  /// Returns true if a further call is within the limits of the unit. Otherwise the changes are sent later.
  func takeCall() -> Bool {
    if pace.permits(at: MonotonicInstant.now().sinceOrigin) { return true }
    retryLater()
    return false
  }

  /// As ``takeCall()``, for a call of a stream.
  func takeSoundCall() -> Bool {
    if soundPace.permits(at: MonotonicInstant.now().sinceOrigin) { return true }
    retryLater()
    return false
  }

  func retryLater() { timer?.set(after: .milliseconds(100)) }

  /// Calls a method whose effect this program can request again.
  /// - Parameters:
  ///   - again: called if the unit has refused the call because of too many calls. The changes are sent again later.
  ///   - done: called with the results.
  func call<Arguments, Results>(
    _ method: ControlMethod<Arguments, Results>, _ arguments: Arguments,
    again: @escaping () -> Void = {}, failed: @escaping (Refusal) -> Void = { _ in },
    done: @escaping (Results) -> Void = { _ in }
  ) {
    unanswered += 1
    client.call(method, arguments) { [weak self] result in
      defer { self?.answered() }
      switch result {
      case .success(let results): done(results)
      case .failure(.unreachable): break
      case .failure(let error) where error.refusal.code == .tooManyCalls:
        again()
        self?.retryLater()
      case .failure(let error):
        failed(error.refusal)
        self?.onProblem(error.refusal)
      }
    }
  }

  private func answered() {
    unanswered -= 1
    endIfAnswered()
  }

  // MARK: Signals

  private func listen() {
    client.onSignal(Session1.command) { [weak self] in
      self?.session($0.number)?.perform($0.value)
    }
    client.onSignal(Session1.instruction) { [weak self] in
      if let instruction = $0.value { self?.session($0.number)?.follow(instruction) }
    }
    client.onSignal(Session1.screenConnected) { [weak self] in
      self?.session($0.number)?.screenConnected($0.value)
    }
    client.onSignal(Session1.artworkWanted) { [weak self] in
      self?.session($0.number)?.artworkWanted($0.value)
    }
    client.onSignal(Session1.status) { [weak self] in
      self?.session($0.number)?.statusChanged($0.value)
    }
    client.onSignal(Sound1.heard) { [weak self] in
      self?.player($0.stream)?.heard($0.frame, at: $0.at)
    }
    client.onSignal(Sound1.ran) { [weak self] in
      if let event = $0.value { self?.player($0.number)?.onEvent?(event) }
    }
  }

  private func session(_ number: Int) -> SourceSession? {
    openSessions.first { $0.number == number }
  }

  private func player(_ number: Int) -> StreamPlayer? {
    openSessions.lazy.flatMap(\.players).first { $0.number == number }
  }
}
