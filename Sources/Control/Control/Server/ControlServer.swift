package import EventLoop
package import NowPlaying
internal import Reports
internal import SystemClock

/// The daemon's end of the control socket: answers calls, and tells those who asked for it what
/// changes. Control thread; nothing in it waits.
///
/// A client is a surface if it registers as one, and none otherwise. The commands of those who are
/// none come from surfaces that they share, ``sharedSurface`` or one that they name; such a surface
/// is there only while somebody sends from it. Whoever does not read is dropped by its connection's bounds (``Bus/Limits``) and holds
/// nobody up.
package final class ControlServer {
  /// For the commands of clients that are no surface of their own.
  package static let sharedSurface: SurfaceID = "control"

  let loop: EventLoop
  let unit: any ControlledUnit
  let clock: () -> MonotonicInstant
  private let access: AccessRule
  private let listener: PeerListener
  private let tree = ObjectTree()
  private var onBus: BusPublication?
  var clients: [ClientKey: ServedClient] = [:]
  var sharedPorts: [SurfaceID: WeakPort] = [:]
  /// Called after each call of a client that may have changed something: deadlines may be others.
  package var onActivity: (() -> Void)?
  /// Called with each connection that was not taken, and why; for the log.
  package var onRefused: ((PeerListener.Refusal) -> Void)?
  /// Called with each client that was dropped for its own fault; for the log.
  package var onDropped: ((PeerCredentials?, Bus.Ending) -> Void)?

  /// Listens at a path.
  /// - Parameters:
  ///   - mode: of the socket; see ``AccessRule``.
  ///   - bus: where to be found besides, whenever it is there and lets us; nil for nowhere.
  ///   - clock: the machine's.
  package convenience init(
    _ loop: EventLoop, _ unit: any ControlledUnit, path: String, mode: UInt32 = 0o660,
    bus: Bus.Address? = nil, limits: PeerListener.Limits = .init(),
    clock: @escaping () -> MonotonicInstant = MonotonicInstant.now
  ) throws(SocketFileError) {
    self.init(
      loop, unit, listener: try PeerListener(loop, path: path, mode: mode, limits: limits),
      mode: mode, bus: bus, clock: clock)
  }

  /// Listens at a socket that the service manager opened, with the mode that it gave it.
  package convenience init(
    _ loop: EventLoop, _ unit: any ControlledUnit, adopting descriptor: Int32,
    mode: UInt32 = 0o660, bus: Bus.Address? = nil, limits: PeerListener.Limits = .init(),
    clock: @escaping () -> MonotonicInstant = MonotonicInstant.now
  ) throws(SystemError) {
    self.init(
      loop, unit, listener: try PeerListener(loop, adopting: descriptor, limits: limits),
      mode: mode, bus: bus, clock: clock)
  }

  private init(
    _ loop: EventLoop, _ unit: any ControlledUnit, listener: PeerListener, mode: UInt32,
    bus: Bus.Address?, clock: @escaping () -> MonotonicInstant
  ) {
    self.loop = loop
    self.unit = unit
    self.listener = listener
    self.clock = clock
    access = AccessRule(mode: mode)
    let object = BusObject(
      path: ControlInterface.path, interfaces: ControlInterface.all,
      onCall: { [weak self] in self?.take($0) })
    // The path is a constant that is one.
    try? tree.add(object)
    listener.onPeer = { [weak self] in self?.welcome($0) }
    listener.onRefused = { [weak self] in self?.onRefused?($0) }
    unit.onLog = { [weak self] in self?.tell($0) }
    unit.onTrace = { [weak self] entry in self?.tell(entry) }
    unit.phones?.onState = { [weak self] in self?.tell($0) }
    unit.onUnknownKey = { [weak self] in self?.tell(.key($0, at: $1.sinceOrigin)) }
    unit.onNotice = { [weak self] in self?.tell($0) }
    unit.onFocus = { [weak self] in self?.tell($0) }
    unit.center.add(stateObserver: self)
    if let bus {
      onBus = BusPublication(loop, bus, name: ControlInterface.busName, objects: tree)
      onBus?.onLost = { [weak self] in self?.forgetCallers() }
    }
  }

  deinit {
    unit.onLog = nil
    unit.onTrace = nil
    unit.phones?.onState = nil
    unit.onUnknownKey = nil
    unit.onNotice = nil
    unit.onFocus = nil
    let now = clock()
    for client in clients.values { client.end(at: now) }
  }

  /// Peers of the socket now.
  package var peerCount: Int { listener.peerCount }

  // MARK: Clients

  /// Tells clients apart: by connection, and on a bus by unique name.
  struct ClientKey: Hashable {
    let bus: ObjectIdentifier
    let name: String?
  }

  private func welcome(_ peer: Bus) {
    let key = ClientKey(bus: ObjectIdentifier(peer), name: nil)
    peer.objects = tree
    clients[key] = ServedClient(peer, name: nil, mayCommand: access.mayCommand(peer.credentials))
    peer.onDisconnected = { [weak self, credentials = peer.credentials] ending in
      guard let self else { return }
      forget(key)
      if ending != .lost { onDropped?(credentials, ending) }
    }
  }

  /// Who calls. A caller on a bus is met with its first call.
  func client(of call: MethodCall) -> ServedClient? {
    guard let bus = call.bus else { return nil }
    let isPeer = bus.credentials != nil
    let key = ClientKey(
      bus: ObjectIdentifier(bus), name: isPeer ? nil : call.message.sender)
    if let known = clients[key] { return known }
    guard !isPeer else { return nil }
    let client = ServedClient(bus, name: call.message.sender, mayCommand: true)
    clients[key] = client
    client.watch = try? bus.watchName(call.message.sender) { [weak self] owner in
      if owner == nil { self?.forget(key) }
    }
    return client
  }

  private func forget(_ key: ClientKey) {
    guard let client = clients.removeValue(forKey: key) else { return }
    client.end(at: clock())
    sharedPorts = sharedPorts.filter { $0.value.port != nil }
    onActivity?()
  }

  /// The bus has gone, and all who were there.
  private func forgetCallers() {
    for key in clients.keys where key.name != nil { forget(key) }
  }

  // MARK: Telling

  private func tell(_ line: LogLine) {
    let values = ReportCoding.values(of: line)
    for client in clients.values where client.wantsLog {
      client.tell(ControlInterface.unit, "LogLine", values)
    }
  }

  private func tell(_ state: PhonesState) {
    var values: [BusValue] = []
    for client in clients.values where client.wantsPhones {
      if values.isEmpty { values = [PhonesCoding.value(of: state)] }
      client.tell(ControlInterface.bluetooth, "StateChanged", values)
    }
    onBus?.broadcast(ControlInterface.bluetooth) { [PhonesCoding.value(of: state)] }
  }

  private func tell(_ notice: UnitNotice) {
    for client in clients.values where client.wantsNotices { tell(notice, to: client) }
  }

  func tell(_ notice: UnitNotice, to client: ServedClient) {
    client.tell(
      ControlInterface.unit, "Notice",
      [.string(notice.kind.rawValue), WireText.line(notice.about)])
  }

  private func tell(_ move: FocusMove) {
    for client in clients.values where client.wantsFocus {
      client.tell(
        ControlInterface.unit, "FocusMoved",
        [.string(move.kind.rawValue), .uint32(UInt32(move.times))])
    }
  }

  func tell(_ entry: TraceEntry) {
    var values: [BusValue] = []
    for client in clients.values where client.wantsTrace {
      if values.isEmpty { values = [TraceCoding.value(of: entry)] }
      client.tell(ControlInterface.unit, "TraceRecord", values)
    }
  }
}

extension ControlServer: NowPlayingStateObserver {
  /// One whole state per change, encoded once.
  package func nowPlayingPublished(_ state: NowPlayingState) {
    var values: [BusValue] = []
    for client in clients.values where client.wantsState {
      if values.isEmpty { values = [StateCoding.value(of: state)] }
      client.tell(ControlInterface.nowPlaying, "StateChanged", values)
    }
    onBus?.broadcast(ControlInterface.nowPlaying) { [StateCoding.value(of: state)] }
    if let publication = unit.center.publications.last, publication.revision == state.revision {
      tell(TraceEntry(publication))
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
