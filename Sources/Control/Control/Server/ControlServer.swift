internal import BusMethods
package import EventLoop
internal import LibraryModel
package import NowPlaying
internal import Reports
internal import SystemClock

/// The daemon's end of the control socket. Answers calls. In each turn (``update()``), sends changed states to the
/// clients that have subscribed. Control thread; nothing here blocks.
///
/// A client that registers becomes a surface. Commands of any other client are sent through a shared surface:
/// ``sharedSurface``, or a surface that the client names. A shared surface exists while a client uses it. A client that
/// does not read its messages does not delay other clients. Such a client is disconnected when its connection reaches
/// the limits (``Bus/Limits``).
package final class ControlServer {
  /// The default shared surface, for clients that are not surfaces themselves.
  package static let sharedSurface: SurfaceID = "control"

  let loop: EventLoop
  let unit: any ControlledUnit
  let clock: () -> MonotonicInstant
  /// Used to request a turn after each call that can change the state of the unit.
  let turns: Turns
  let access: AccessRule
  private let listener: PeerListener
  private let tree = ObjectTree()
  let handlers = ControlServer.makeHandlers()
  /// The rows of all methods, keyed by their full names.
  let rows: [String: ControlRow]
  /// The sessions and streams of the apps.
  var appTable = AppTable<ObjectIdentifier>()
  /// The sessions of the apps, keyed by their numbers.
  var appSessions: [Int: OpenAppSession] = [:]
  /// The clients, keyed by their connections.
  var clients: [ObjectIdentifier: ServedClient] = [:]
  /// The states that were last sent to the clients.
  private var told = Told()
  var sharedPorts: [SurfaceID: WeakPort] = [:]
  private let events: (Event) -> Void

  /// Events that the daemon writes to the log.
  package enum Event {
    /// A connection was rejected.
    case refused(PeerListener.Refusal)
    /// The server has disconnected a client.
    case dropped(PeerCredentials?, Bus.Ending)
  }

  private struct Told: Equatable {
    /// The revision of the state of Now Playing.
    var revision = 0
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
  ///   - events: called with each event for the log.
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
    let rows = ControlInterface.all.flatMap(\.rows)
    handlers.methods.checkComplete(rows.map(\.method))
    self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.method.fullName, $0) })
    let object = BusObject(
      path: ControlInterface.path, interfaces: ControlInterface.all.map(\.declaration),
      onCall: { [weak self] in self?.handle($0) })
    // The path is a valid constant, so `add` cannot fail.
    try? tree.add(object)
    listener.onPeer = { [weak self] in self?.accept($0) }
    listener.peersOfUser = {
      access.role(ofUser: $0) == .app ? AppLimits.standard.connections : .max
    }
    listener.onRefused = { [events] in events(.refused($0)) }
    told = present
  }

  deinit {
    let now = clock()
    for number in appSessions.keys.sorted() { endSession(number, .lost, at: now) }
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

  private func remove(_ key: ObjectIdentifier) {
    guard let client = clients.removeValue(forKey: key) else { return }
    let now = clock()
    for number in appTable.sessions(of: key) { endSession(number, .lost, at: now) }
    appTable.forgetPace(of: key)
    client.end(at: now)
    for hold in client.holds { _ = unit.end(hold, shouldResume: true) }
    sharedPorts = sharedPorts.filter { $0.value.port != nil }
    turns.request()
  }

  // MARK: Sending changes

  /// Sends the messages of the outbox, the notices, and the states that have changed. Call this in each turn.
  package func update() {
    let center = unit.center
    if center.state.revision != told.revision {
      publish(NowPlaying1.state, center.state)
      let new = center.publications.drop { $0.revision <= told.revision }
      for publication in new { send(.trace, Unit1.traceRecord, TraceEntry(publication)) }
    }
    for message in unit.outbox.take() { publish(message) }
    if hasNoticeFollower { unit.takeNotices().forEach(publish) }
    let new = present
    guard new != told else { return }
    let old = told
    told = new
    if new.phones != old.phones, let state = new.phones { publish(Bluetooth1.phones, state) }
    if new.library != old.library, let state = new.library { publish(Library1.state, state) }
    if new.library != old.library || new.phones?.volumes != old.phones?.volumes {
      publish(Sources1.sources, currentVolumes)
    }
    if new.settings != old.settings { publish(Settings1.state, unit.driverSettings.state) }
    if new.vehicle != old.vehicle, let state = new.vehicle {
      publish(.unit(.vehicle), Unit1.vehicleChanged, state)
    }
  }

  private var present: Told {
    Told(
      revision: unit.center.state.revision, phones: unit.phones?.state,
      library: unit.library?.state, settings: unit.driverSettings.revision, vehicle: unit.vehicle)
  }

  private func publish<Value>(_ followed: FollowedValue<Value>, _ value: Value) {
    publish(followed.subject, followed.changed, value)
  }

  /// Sends a new value to the clients that follow it. The value is encoded only once for all clients.
  @_semantics("optimize.sil.specialize.generic.never")
  private func publish<Value>(_ subject: Subject, _ signal: BusSignal<Value>, _ value: Value) {
    var values: [BusValue]?
    for client in clients.values where client.subjects.contains(subject) {
      let written = values ?? signal.carries.write(value)
      values = written
      client.emit(subject, signal, written)
    }
  }

  private func sendOutdated(_ key: ObjectIdentifier) {
    guard let client = clients[key] else { return }
    for subject in client.takeOutdated() { resend(subject, to: client) }
  }

  func resend(_ subject: Subject, to client: ServedClient) {
    handlers.senders[subject]?(self, client)
  }

  private func publish(_ message: UnitOutbox.Message) {
    switch message {
    case .line(let line): send(.log, Unit1.logLine, line)
    case .trace(let entry): send(.trace, Unit1.traceRecord, entry)
    case .notice(let notice): publish(notice)
    case .focus(let move): send(.focus, Unit1.focusMoved, move)
    }
  }

  /// Sends an event to the clients that follow its subject. Each of these clients gets every event. The event is
  /// encoded only once for all clients.
  private func send<Values>(
    _ subject: UnitSubject, _ signal: BusSignal<Values>, _ values: Values
  ) {
    var written: [BusValue]?
    for client in clients.values where client.subjects.contains(.unit(subject)) {
      let new = written ?? signal.carries.write(values)
      written = new
      client.emit(signal, written: new)
    }
  }

  private func publish(_ notice: UnitNotice) {
    for client in clients.values where client.subjects.contains(.unit(.notices)) {
      send(notice, to: client)
    }
  }

  /// True if at least one client follows notices.
  private var hasNoticeFollower: Bool {
    clients.values.contains { $0.subjects.contains(.unit(.notices)) }
  }

  func send(_ notice: UnitNotice, to client: ServedClient) {
    if notice.files == nil {
      client.emit(Unit1.notice, notice)
    } else {
      client.emit(Unit1.filesUnplayable, notice)
    }
  }
}

extension TraceEntry {
  init(_ publication: Publication) {
    self = .publication(
      revision: publication.revision, reasons: publication.reasons.map(\.rawValue),
      at: publication.at.sinceOrigin)
  }
}

/// A weak reference to the port of a shared surface. The surface's clients own the port.
struct WeakPort {
  weak var port: SurfacePort?
}

// Finds the port through which the commands of a client are sent.
extension ControlServer {
  /// - Parameter name: the name of a shared surface, for a client that is not a surface itself.
  func port(of client: ServedClient, from name: String?, at now: MonotonicInstant) throws
    -> SurfacePort
  {
    if let surface = client.surface { return surface }
    let id = try name.map { try surfaceID($0) } ?? Self.sharedSurface
    if let port = client.sharedPorts[id] { return port }
    if let port = sharedPorts[id]?.port {
      client.sharedPorts[id] = port
      return port
    }
    try requireFree(id, now)
    let port = unit.center.connect(SurfaceDescription(id: id), at: now) { _ in }
    sharedPorts[id] = WeakPort(port: port)
    client.sharedPorts[id] = port
    return port
  }

  func surfaceID(_ name: String) throws -> SurfaceID {
    guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw RefusalCoding.error(
        BusErrorName.invalidArguments,
        Refusal(
          .invalidArguments, "the name of a surface has 1 to 64 ASCII characters, without spaces"))
    }
    return SurfaceID(name)
  }

  /// Throws if a surface with this name exists already.
  func requireFree(_ id: SurfaceID, _ now: MonotonicInstant) throws {
    if unit.center.inspection(at: now).surfaces.contains(where: { $0.id == id }) {
      throw Refusal(.surfaceTaken, "a surface '\(id)' is already registered")
    }
  }
}

// Handles the calls of clients.
extension ControlServer {
  /// Creates the handlers of all methods.
  static func makeHandlers() -> ControlHandlers {
    var handlers = ControlHandlers()
    addNowPlaying(to: &handlers)
    addCommands(to: &handlers)
    addSurfaces(to: &handlers)
    addLibrary(to: &handlers)
    addQueue(to: &handlers)
    addPlaylists(to: &handlers)
    addVolumes(to: &handlers)
    addApps(to: &handlers)
    addPhones(to: &handlers)
    addSettings(to: &handlers)
    addUnit(to: &handlers)
    addHolds(to: &handlers)
    return handlers
  }

  func handle(_ call: MethodCall) {
    let now = clock()
    // The server first sends all changes from before the call. So if this call begins to follow a subject, the client
    // gets only changes from after the call.
    update()
    guard let client = call.bus.flatMap({ clients[ObjectIdentifier($0)] }),
      let row = rows["\(call.interface).\(call.member)"]
    else {
      return call.fail(BusErrorName.failed, "the connection has ended")
    }
    do {
      try row.right.require(client.role)
      try handlers.methods.handle(
        call, self, ControlCaller(client: client, row: row, now: now, turns: turns))
      if !row.right.onlyReads { turns.request() }
    } catch let error as BusErrorReply {
      call.fail(error)
    } catch let refusal as Refusal {
      call.fail(RefusalCoding.error(ControlError.refusedName, refusal))
    } catch let error as WireError {
      call.fail(
        RefusalCoding.error(
          BusErrorName.invalidArguments, Refusal(.invalidArguments, "\(error)")))
    } catch {
      call.fail(RefusalCoding.error(BusErrorName.failed, Refusal(.failed, "\(error)")))
    }
  }
}
