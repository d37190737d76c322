package import EventLoop
internal import LibraryModel
package import NowPlaying
internal import Reports
internal import SystemClock

/// The daemon's end of the control socket. Answers calls. In each turn (``update()``), sends what has changed to the
/// clients that have subscribed. Control thread; nothing here blocks.
///
/// A client that registers becomes a surface. Commands of other clients come from a shared surface:
/// ``sharedSurface``, or a surface that the client names. A shared surface exists while a client
/// uses it. A client that does not read its messages does not delay other clients. Such a client is
/// disconnected when its connection reaches the limits (``Bus/Limits``).
package final class ControlServer {
  /// The surface of clients that are not surfaces themselves.
  package static let sharedSurface: SurfaceID = "control"

  let loop: EventLoop
  let unit: any ControlledUnit
  let clock: () -> MonotonicInstant
  /// A turn is requested after each call that may have changed the state or the deadlines.
  let turns: Turns
  private let access: AccessRule
  private let listener: PeerListener
  private let tree = ObjectTree()
  /// The clients, by their connections.
  var clients: [ObjectIdentifier: ServedClient] = [:]
  /// The states that the clients were told last.
  private var told = Told()
  var sharedPorts: [SurfaceID: WeakPort] = [:]
  private let events: (Event) -> Void

  /// What the log has to say about clients.
  package enum Event {
    /// A connection was rejected.
    case refused(PeerListener.Refusal)
    /// The server has disconnected a client.
    case dropped(PeerCredentials?, Bus.Ending)
  }

  private struct Told: Equatable {
    var phones: PhonesState?
    var library: LibraryState?
    var settings: Int?
    var vehicle: VehicleState?
  }

  /// Listens at a path.
  /// - Parameters:
  ///   - mode: the mode of the socket. It decides who can connect.
  ///   - lock: the lock of the path. If it is nil, the server takes the lock.
  ///   - access: the roles of the users who can connect.
  ///   - clock: the machine's clock.
  ///   - events: called with what the log has to say.
  package convenience init(
    _ loop: EventLoop, _ unit: any ControlledUnit, _ turns: Turns, path: String,
    mode: UInt32 = 0o660, lock: SocketLock? = nil, access: AccessRule = .ofThisSystem,
    limits: PeerListener.Limits = .init(),
    clock: @escaping () -> MonotonicInstant = MonotonicInstant.now,
    events: @escaping (Event) -> Void = { _ in }
  ) throws(SocketFileError) {
    self.init(
      loop, unit, turns,
      listener: try PeerListener(loop, path: path, mode: mode, lock: lock, limits: limits),
      access: access, clock: clock, events: events)
  }

  /// Listens on a socket that the service manager opened.
  package convenience init(
    _ loop: EventLoop, _ unit: any ControlledUnit, _ turns: Turns, adopting descriptor: Int32,
    access: AccessRule = .ofThisSystem,
    limits: PeerListener.Limits = .init(),
    clock: @escaping () -> MonotonicInstant = MonotonicInstant.now,
    events: @escaping (Event) -> Void = { _ in }
  ) throws(SystemError) {
    self.init(
      loop, unit, turns, listener: try PeerListener(loop, adopting: descriptor, limits: limits),
      access: access, clock: clock, events: events)
  }

  private init(
    _ loop: EventLoop, _ unit: any ControlledUnit, _ turns: Turns, listener: PeerListener,
    access: AccessRule, clock: @escaping () -> MonotonicInstant,
    events: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.unit = unit
    self.turns = turns
    self.events = events
    self.listener = listener
    self.clock = clock
    self.access = access
    let object = BusObject(
      path: ControlInterface.path, interfaces: ControlInterface.all,
      onCall: { [weak self] in self?.handle($0) })
    // The path is a valid constant, so `add` cannot fail.
    try? tree.add(object)
    listener.onPeer = { [weak self] in self?.accept($0) }
    listener.onRefused = { [events] in events(.refused($0)) }
    told = present
    unit.center.add(stateObserver: self)
  }

  deinit {
    let now = clock()
    for client in clients.values { client.end(at: now) }
  }

  /// The memory of all clients of the socket, in bytes. See ``PeerListener/Limits/bytes``.
  package var clientBytes: Int { listener.usedBytes }

  /// The current number of peers of the socket.
  package var peerCount: Int { listener.peerCount }

  // MARK: Clients

  private func accept(_ peer: Bus) {
    let key = ObjectIdentifier(peer)
    peer.objects = tree
    clients[key] = ServedClient(
      peer, role: peer.credentials.map { access.role(ofUser: $0.user) } ?? .observer)
    peer.onDrained = { [weak self] in self?.sendOutdated(key) }
    peer.onDisconnected = { [weak self, credentials = peer.credentials] ending in
      guard let self else { return }
      remove(key)
      if ending != .lost { events(.dropped(credentials, ending)) }
    }
  }

  /// The client of a call. Nil if its connection has ended.
  func client(of call: MethodCall) -> ServedClient? {
    call.bus.flatMap { clients[ObjectIdentifier($0)] }
  }

  private func remove(_ key: ObjectIdentifier) {
    guard let client = clients.removeValue(forKey: key) else { return }
    client.end(at: clock())
    for hold in client.holds { _ = unit.end(hold, shouldResume: true) }
    sharedPorts = sharedPorts.filter { $0.value.port != nil }
    turns.request()
  }

  // MARK: Sending changes

  /// Sends the messages and the notices, and the states that have changed. Call this in each turn.
  package func update() {
    for message in unit.outbox.take() { publish(message) }
    if hasNoticeFollower { unit.takeNotices().forEach(publish) }
    let new = present
    guard new != told else { return }
    let old = told
    told = new
    if new.phones != old.phones, let state = new.phones { publish(state) }
    if new.library != old.library, let state = new.library { publish(state) }
    if new.library != old.library || new.phones?.sources != old.phones?.sources { publishSources() }
    if new.settings != old.settings { publish(unit.driverSettings.state) }
    if new.vehicle != old.vehicle, let state = new.vehicle { publish(state) }
  }

  private var present: Told {
    Told(
      phones: unit.phones?.state, library: unit.library?.state,
      settings: unit.driverSettings.revision, vehicle: unit.vehicle)
  }

  private func publish(_ message: UnitOutbox.Message) {
    switch message {
    case .line(let line): publish(line)
    case .trace(let entry): publish(entry)
    case .notice(let notice): publish(notice)
    case .focus(let move): publish(move)
    }
  }

  private func publish(_ line: LogLine) {
    let values = ReportCoding.values(of: line)
    for client in clients.values where client.receivesLog {
      client.emit(ControlInterface.unit, "LogLine", values)
    }
  }

  private func publish(_ state: PhonesState) {
    var values: [BusValue] = []
    for client in clients.values where client.receivesPhones {
      if values.isEmpty { values = [PhonesCoding.value(of: state)] }
      client.emit(.phones, values)
    }
  }

  private func publishSources() {
    let sources = [LibraryCoding.value(ofSources: currentSources)]
    for client in clients.values where client.receivesSources { client.emit(.sources, sources) }
  }

  private func publish(_ state: LibraryState) {
    let library = [LibraryCoding.value(of: state)]
    for client in clients.values where client.receivesLibrary { client.emit(.library, library) }
  }

  private func sendOutdated(_ key: ObjectIdentifier) {
    guard let client = clients[key] else { return }
    for followed in client.takeOutdated() {
      switch followed {
      case .state: client.emit(.state, [StateCoding.value(of: unit.center.state)])
      case .phones:
        if let phones = unit.phones { client.emit(.phones, [PhonesCoding.value(of: phones.state)]) }
      case .library:
        if let library = unit.library {
          client.emit(.library, [LibraryCoding.value(of: library.state)])
        }
      case .sources: client.emit(.sources, [LibraryCoding.value(ofSources: currentSources)])
      case .settings:
        client.emit(.settings, [SettingsCoding.value(of: unit.driverSettings.state)])
      case .vehicle: client.emit(.vehicle, [VehicleCoding.value(of: unit.vehicle)])
      }
    }
  }

  private func publish(_ state: VehicleState) {
    for client in clients.values where client.receivesVehicle {
      client.emit(.vehicle, [VehicleCoding.value(of: state)])
    }
  }

  private func publish(_ notice: UnitNotice) {
    for client in clients.values where client.receivesNotices { send(notice, to: client) }
  }

  /// True if a client receives notices.
  package var hasNoticeFollower: Bool { clients.values.contains { $0.receivesNotices } }

  func send(_ notice: UnitNotice, to client: ServedClient) {
    if let files = notice.files {
      client.emit(
        ControlInterface.unit, "FilesUnplayable",
        [NoticeCoding.value(of: files, medium: notice.about)])
      return
    }
    client.emit(
      ControlInterface.unit, "Notice",
      [.string(notice.kind.rawValue), WireText.line(notice.about)])
  }

  private func publish(_ move: FocusMove) {
    for client in clients.values where client.receivesFocus {
      client.emit(
        ControlInterface.unit, "FocusMoved",
        [.string(move.kind.rawValue), .uint32(UInt32(move.times))])
    }
  }

  func publish(_ entry: TraceEntry) {
    var values: [BusValue] = []
    for client in clients.values where client.receivesTrace {
      if values.isEmpty { values = [TraceCoding.value(of: entry)] }
      client.emit(ControlInterface.unit, "TraceRecord", values)
    }
  }
}

extension ControlServer: NowPlayingStateObserver {
  /// Sends each state once, with all its fields. The state is encoded once for all clients.
  package func nowPlayingPublished(_ state: NowPlayingState) {
    var values: [BusValue] = []
    for client in clients.values where client.receivesState {
      if values.isEmpty { values = [StateCoding.value(of: state)] }
      client.emit(.state, values)
    }
    if let publication = unit.center.publications.last, publication.revision == state.revision {
      publish(TraceEntry(publication))
    }
  }
}

extension TraceEntry {
  init(_ publication: Publication) {
    self = .publication(
      revision: publication.revision, moments: publication.moments.map(\.rawValue),
      at: publication.at.sinceOrigin)
  }
}
