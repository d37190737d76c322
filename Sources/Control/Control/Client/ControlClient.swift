package import EventLoop
package import LibraryModel
package import NowPlaying
package import Reports

/// A client's end of the control socket. It connects to the daemon, reconnects after a restart of the daemon, and
/// always keeps the last received state of Now Playing. Use a client only on the thread of its loop; nothing here
/// blocks.
package final class ControlClient {
  /// The path of the daemon's socket.
  package let path: String
  let loop: EventLoop
  /// The intervals and timeouts.
  package let policy: ClientPolicy
  private(set) var bus: Bus?
  var matches: [BusMatch] = []
  private var timer: TimerSource?
  private var retry: Duration
  private var ping: PendingCall?
  /// The time at which the daemon last answered, or at which the connection was started. Monotonic, in nanoseconds.
  private var lastAnswer: Int64 = 0
  /// The times at which established connections ended. Monotonic, in nanoseconds.
  private var endTimes: [Int64] = []
  private var lastEndReason: String?
  /// True if the present connection was established. Only the end of an established connection counts as an end of the
  /// daemon.
  private var wasConnected = false
  private var service: ServiceProbe?
  private var reported: DaemonState?
  private var unreachable: DaemonState
  private var isHanging = false
  private var isStarted = false

  /// The surface to register. It is registered again after a restart of the daemon.
  var registration: Registration?
  var subscribesToState = false
  var subscribesToPhones = false
  var subscribesToLibrary = false
  /// The volumes, as they were last received.
  var volumes: [VolumeState] = []
  var subscribesToSettings = false
  var follows: Set<UnitSubject> = []
  /// Each adds a match to the present connection. See ``onSignal(_:_:)``.
  var signalObservers: [(ControlClient) -> Void] = []

  /// The last received state of Now Playing. It stays available while the daemon is unavailable, so that a screen can
  /// show it faded.
  package internal(set) var nowPlaying: NowPlayingState?
  /// Called with each state of Now Playing, even if the same state is sent again (P12).
  package var onNowPlaying: ((NowPlayingState) -> Void)?
  /// The last received state of the phones.
  package internal(set) var phones: PhonesState?
  /// Called with each state of the phones, after ``subscribeToPhones()``.
  package var onPhones: ((PhonesState) -> Void)?
  /// The last received state of the library.
  package internal(set) var library: LibraryState?
  /// Called with each state of the library, after ``subscribeToLibrary()``.
  package var onLibrary: ((LibraryState) -> Void)?
  /// The last received settings that the driver of the car can change.
  package internal(set) var settings: SettingsState?
  /// Called with each state of the settings, after ``subscribeToSettings()``.
  package var onSettings: ((SettingsState) -> Void)?
  /// Called when the daemon becomes available or unavailable, or stops answering.
  package var onState: ((DaemonState) -> Void)?
  /// Called with each line of the log while the log is followed.
  package var onLog: ((LogLine) -> Void)?
  /// Called with each entry of the trace while the trace is followed.
  package var onTrace: ((TraceEntry) -> Void)?
  /// Called with each notice for the people in the car while notices are followed.
  package var onNotice: ((UnitNotice) -> Void)?
  /// Called with each move of the screen's focus by a knob or key while the focus is followed.
  package var onFocus: ((FocusMove) -> Void)?
  /// Called with each state of the car while the vehicle is followed.
  package var onVehicle: ((VehicleState) -> Void)?
  /// Called with a text if a message of the daemon cannot be read, or if the daemon refuses this client's registration
  /// as a surface.
  package var onProblem: ((String) -> Void)?

  /// The arguments of ``register(as:showsTemplate:onToken:)``.
  struct Registration {
    let name: String
    let showsTemplate: Bool
    let onToken: (Int) -> Void
  }

  /// Creates a client that is not connected. Call ``start()`` to connect.
  /// - Parameter systemBus: the bus of the service manager. The client asks the service manager why the daemon ended.
  package init(
    _ loop: EventLoop, path: String, policy: ClientPolicy = ClientPolicy(),
    systemBus: Bus.Address = .system
  ) {
    self.loop = loop
    self.path = path
    self.policy = policy
    retry = policy.firstRetry
    unreachable = .socketMissing(socket: path)
    if let name = policy.serviceName {
      service = ServiceProbe(loop, systemBus, unit: name) { [weak self] in
        self?.serviceStateReceived()
      }
    }
  }

  deinit {
    timer?.cancel()
    bus?.close()
  }

  /// Connects, and reconnects until this object is deallocated.
  package func start() {
    guard !isStarted else { return }
    isStarted = true
    timer = TimerSource(loop, accuracy: .milliseconds(10)) { [weak self] in self?.checkDaemon() }
    connect()
  }

  /// The present availability of the daemon.
  package var state: DaemonState {
    if bus?.isReady == true, !isHanging { return .connected }
    if bus != nil, isHanging {
      return .hangs(since: .nanoseconds(max(0, EventClock.monotonic.now - lastAnswer)))
    }
    if let loop = restartLoop { return loop }
    return unreachable
  }

  /// True while the first connection attempt has no result yet.
  package var isConnecting: Bool {
    reported == nil && !isHanging && (bus != nil || service?.isAsking == true)
  }

  // MARK: Connecting

  private func connect() {
    do throws(SystemError) {
      var limits = Bus.Limits()
      limits.messageBytes = PeerListener.Limits().peer.receivedBytes
      let bus = try Bus(loop, to: .socket(path), limits: limits)
      self.bus = bus
      lastAnswer = EventClock.monotonic.now
      bus.onConnected = { [weak self] in self?.connected() }
      bus.onDisconnected = { [weak self] _ in self?.disconnected() }
      // The timer detects a daemon that hangs: the connection is accepted, but no answer follows.
      timer?.set(after: policy.answerTimeout)
    } catch {
      failed(error)
    }
  }

  private func failed(_ error: SystemError) {
    switch error.code {
    case SystemError.noSuchFile: unreachable = .socketMissing(socket: path)
    case SystemError.notPermitted: unreachable = .noPermission(socket: path)
    // EAGAIN: the socket's backlog is full, because the daemon accepts no connections.
    case SystemError.wouldBlock:
      unreachable = .hangs(since: .nanoseconds(max(0, EventClock.monotonic.now - lastAnswer)))
    case SystemError.refused: unreachable = ended
    default: unreachable = .dead(reason: error.description)
    }
    service?.ask()
    waitAndRetry()
    report()
  }

  private func waitAndRetry() {
    timer?.set(after: retry)
    retry = min(retry * 2, policy.longestRetry)
  }

  private func waitAndCheck() {
    if let interval = policy.pingInterval { timer?.set(after: interval) } else { timer?.stop() }
  }

  private func connected() {
    isHanging = false
    wasConnected = true
    lastAnswer = EventClock.monotonic.now
    retry = policy.firstRetry
    service?.forget()
    listen()
    renew()
    waitAndCheck()
    if !endTimes.isEmpty { readLastEnd() }
    report()
  }

  private func disconnected() {
    let wasEstablished = wasConnected
    wasConnected = false
    bus = nil
    matches = []
    ping = nil
    isHanging = false
    let now = EventClock.monotonic.now
    if wasEstablished {
      endTimes.append(now)
      endTimes = endTimes.suffix(1000)
    }
    unreachable = ended
    service?.ask()
    waitAndRetry()
    report()
  }

  /// Checks the daemon: connects, or sends a ping.
  private func checkDaemon() {
    guard let bus else { return connect() }
    guard bus.isReady else {
      // The daemon has not completed the authentication.
      isHanging = true
      timer?.set(after: policy.answerTimeout)
      return report()
    }
    if ping != nil {
      isHanging = true
      timer?.set(after: policy.answerTimeout)
      return report()
    }
    ping = bus.call(
      nil, ControlInterface.path, "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(86400)
    ) { [weak self] result in
      // Only a successful answer counts. The end of the connection is handled by `disconnected()`.
      guard let self, case .success = result else { return }
      ping = nil
      lastAnswer = EventClock.monotonic.now
      isHanging = false
      waitAndCheck()
      report()
    }
    timer?.set(after: policy.answerTimeout)
  }

  private func report() {
    let state = state
    // A hanging daemon is reported once. The report is not repeated when the time without an answer grows.
    if case .hangs = state, case .hangs? = reported { return }
    // The first report waits for the answer of the service manager. This answer tells whether the daemon is down or
    // restarts repeatedly, so one report is enough.
    if reported == nil, case .dead = state, service?.isAsking == true { return }
    if reported == nil, case .socketMissing = state, service?.isAsking == true { return }
    guard state != reported else { return }
    reported = state
    onState?(state)
  }

  // MARK: Why the daemon ended

  private var restartLoop: DaemonState? {
    if bus?.isReady == true { return nil }
    let since = EventClock.monotonic.now - policy.loopTime.wholeNanoseconds
    let recent = endTimes.count { $0 > since }
    if let service, service.isRestarting, service.restarts >= policy.loopCount {
      return .restarting(count: service.restarts, reason: service.reason ?? lastEndReason)
    }
    guard recent >= policy.loopCount else { return nil }
    return .restarting(count: recent, reason: service?.reason ?? lastEndReason)
  }

  /// Called when the service manager has answered.
  private func serviceStateReceived() {
    switch unreachable {
    case .dead, .stopped: unreachable = ended
    default: break
    }
    if bus == nil { report() }
  }

  /// The state of a daemon that does not listen.
  private var ended: DaemonState {
    service?.wasStopped == true ? .stopped : .dead(reason: service?.reason ?? lastEndReason)
  }

  /// Reads from the daemon why its previous run ended.
  private func readLastEnd() {
    call(Unit1.getFacts, .boot) { [weak self] result in
      guard case .success(let report) = result else { return }
      let facts = report.sections.flatMap(\.facts)
      self?.lastEndReason =
        facts.first { $0.label == FactsReport.lastEndLabel }?.value ?? self?.lastEndReason
    }
  }
}

extension SystemError {
  // The values of glibc's errno constants for a failed connection.
  fileprivate static let noSuchFile: Int32 = 2
  fileprivate static let wouldBlock: Int32 = 11
  fileprivate static let notPermitted: Int32 = 13
  fileprivate static let refused: Int32 = 111
}
