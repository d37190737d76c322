package import EventLoop
package import NowPlaying
package import Reports

/// A client's end of the control socket: keeps a connection to the daemon, comes back when the daemon
/// does, and knows at any time how the daemon is. One thread, that of its loop; nothing in it waits.
package final class ControlClient {
  /// Where the daemon listens.
  package let path: String
  let loop: EventLoop
  /// How patient it is.
  package let policy: ClientPolicy
  private(set) var bus: Bus?
  var matches: [BusMatch] = []
  private var timer: TimerSource?
  private var retry: Duration
  private var ping: PendingCall?
  /// When something was heard of the daemon, or the connection was begun.
  private var heard: Int64 = 0
  /// When connections ended that had stood.
  private var ends: [Int64] = []
  private var lastEnd: String?
  /// The connection was one: its end is an end of the daemon, however it is found out.
  private var hasStood = false
  private var service: ServiceProbe?
  private var reported: DaemonState?
  private var unreachable: DaemonState
  private var isHanging = false
  private var isStarted = false

  /// A surface that it is to be, also after the daemon was restarted.
  var registration: Registration?
  var wantsState = false
  var wantsPhones = false
  var follows: Set<String> = []

  /// The last state that came; kept while the daemon is away, so that a screen may fade it.
  package internal(set) var nowPlaying: NowPlayingState?
  /// Called with each state; also with one that came before, to give it again (P12).
  package var onNowPlaying: ((NowPlayingState) -> Void)?
  /// The last state of phones that came.
  package internal(set) var phones: PhonesState?
  /// Called with each state of phones, after ``subscribeToPhones()``.
  package var onPhones: ((PhonesState) -> Void)?
  /// Called when the daemon comes, goes, or falls silent.
  package var onState: ((DaemonState) -> Void)?
  /// Called with each line of the log, while it is followed.
  package var onLog: ((LogLine) -> Void)?
  /// Called with each entry of the trace, while it is followed.
  package var onTrace: ((TraceEntry) -> Void)?
  /// Called with what people in the car should know, while it is followed.
  package var onNotice: ((UnitNotice) -> Void)?
  /// Called with what a knob or key asks of the screen's focus, while it is followed.
  package var onFocus: ((FocusMove) -> Void)?
  /// Called where the daemon says something that cannot be read, or does not take this client as
  /// the surface that it wants to be; in words.
  package var onTrouble: ((String) -> Void)?

  /// What ``register(as:showsTemplate:onToken:)`` was given.
  struct Registration {
    let name: String
    let showsTemplate: Bool
    let onToken: (Int) -> Void
  }

  /// A client that does nothing yet.
  /// - Parameter systemBus: where the service manager is asked why the daemon ended.
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
      service = ServiceProbe(loop, systemBus, unit: name) { [weak self] in self?.learned() }
    }
  }

  deinit {
    timer?.cancel()
    bus?.close()
  }

  /// Begins to connect, and goes on until this object goes.
  package func start() {
    guard !isStarted else { return }
    isStarted = true
    timer = TimerSource(loop, accuracy: .milliseconds(10)) { [weak self] in self?.look() }
    connect()
  }

  /// How the daemon is now.
  package var state: DaemonState {
    if bus?.isReady == true, !isHanging { return .connected }
    if bus != nil, isHanging {
      return .hangs(since: .nanoseconds(max(0, EventClock.monotonic.now - heard)))
    }
    if let loop = restartLoop { return loop }
    return unreachable
  }

  /// Nothing was found out yet: the first attempt is under way.
  package var isConnecting: Bool {
    reported == nil && !isHanging && (bus != nil || service?.isAsking == true)
  }

  // MARK: Connecting

  private func connect() {
    do throws(SystemError) {
      let bus = try Bus(loop, to: .peer(Self.address(path)))
      self.bus = bus
      heard = EventClock.monotonic.now
      bus.onConnected = { [weak self] in self?.connected() }
      bus.onDisconnected = { [weak self] _ in self?.lost() }
      // A daemon that hangs takes the connection and says nothing.
      timer?.set(after: policy.patience)
    } catch {
      failed(error)
    }
  }

  private func failed(_ error: SystemError) {
    switch error.code {
    case SystemError.noSuchFile: unreachable = .socketMissing(socket: path)
    case SystemError.notPermitted: unreachable = .noPermission(socket: path)
    // Its backlog is full: nobody takes connections.
    case SystemError.wouldBlock:
      unreachable = .hangs(since: .nanoseconds(max(0, EventClock.monotonic.now - heard)))
    case SystemError.refused: unreachable = .dead(reason: lastEnd)
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

  private func connected() {
    isHanging = false
    hasStood = true
    heard = EventClock.monotonic.now
    retry = policy.firstRetry
    listen()
    renew()
    timer?.set(after: policy.pingInterval)
    if !ends.isEmpty { learnLastEnd() }
    report()
  }

  private func lost() {
    let stood = hasStood
    hasStood = false
    bus = nil
    matches = []
    ping = nil
    isHanging = false
    let now = EventClock.monotonic.now
    if stood {
      ends.append(now)
      ends = ends.suffix(1000)
    }
    unreachable = .dead(reason: lastEnd)
    service?.ask()
    waitAndRetry()
    report()
  }

  /// Time to look after the daemon.
  private func look() {
    guard let bus else { return connect() }
    guard bus.isReady else {
      // It has not even said who it is.
      isHanging = true
      timer?.set(after: policy.patience)
      return report()
    }
    if ping != nil {
      isHanging = true
      timer?.set(after: policy.patience)
      return report()
    }
    ping = bus.call(
      nil, ControlInterface.path, "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(86400)
    ) { [weak self] result in
      // An error is an answer too; an end of the connection is told elsewhere.
      guard let self, case .success = result else { return }
      ping = nil
      heard = EventClock.monotonic.now
      isHanging = false
      timer?.set(after: policy.pingInterval)
      report()
    }
    timer?.set(after: policy.patience)
  }

  private func report() {
    let state = state
    // That it hangs is told once, not with each second that it does.
    if case .hangs = state, case .hangs? = reported { return }
    // Who asks once is told once: that it is down, or that it is started again and again.
    if reported == nil, case .dead = state, service?.isAsking == true { return }
    if reported == nil, case .socketMissing = state, service?.isAsking == true { return }
    guard state != reported else { return }
    reported = state
    onState?(state)
  }

  // MARK: Why it ended

  private var restartLoop: DaemonState? {
    if bus?.isReady == true { return nil }
    let since = EventClock.monotonic.now - policy.loopTime.nanoseconds
    let recent = ends.count { $0 > since }
    if let service, service.isRestarting, service.restarts >= policy.loopCount {
      return .restarting(count: service.restarts, reason: service.reason ?? lastEnd)
    }
    guard recent >= policy.loopCount else { return nil }
    return .restarting(count: recent, reason: service?.reason ?? lastEnd)
  }

  /// The service manager has answered.
  private func learned() {
    if case .dead = unreachable { unreachable = .dead(reason: service?.reason ?? lastEnd) }
    if bus == nil { report() }
  }

  /// The daemon itself knows how it ended before.
  private func learnLastEnd() {
    facts(.boot) { [weak self] result in
      guard case .success(let report) = result else { return }
      let facts = report.sections.flatMap(\.facts)
      self?.lastEnd = facts.first { $0.label == FactsReport.lastEndLabel }?.value ?? self?.lastEnd
    }
  }
}

extension SystemError {
  // Glibc's names for what a connection is refused with.
  fileprivate static let noSuchFile: Int32 = 2
  fileprivate static let wouldBlock: Int32 = 11
  fileprivate static let notPermitted: Int32 = 13
  fileprivate static let refused: Int32 = 111
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return whole.overflow ? .max / 2 : whole.partialValue + attoseconds / 1_000_000_000
  }
}
