internal import EventLoop

/// A copy of bluetoothd's objects. The signals of bluetoothd keep the copy up to date. The copy is discarded when
/// bluetoothd ends. Never blocks.
final class BluezMonitor {
  /// A change of bluetoothd or of its objects.
  enum Event: Equatable {
    /// bluetoothd runs, and its objects are known.
    case started
    /// bluetoothd has ended. All its objects are removed.
    case ended
    /// An object has a new interface.
    case added(path: String, interface: String)
    /// An object has lost an interface. The dictionary contains the last properties of the interface.
    case removed(path: String, interface: String, [String: BusValue])
    /// Properties have changed. The dictionary contains the new values.
    case changed(path: String, interface: String, [String: BusValue])
    /// The link of a device has ended for this reason, such as `Timeout`.
    case disconnected(path: String, reason: String)
  }

  typealias Interfaces = [String: [String: BusValue]]

  /// Maximum number of objects. The bluetoothd of a head unit has fewer. If signals announce more objects, the
  /// additional objects are ignored.
  private static let largestCount = 4096
  private static let retryTime = Duration.seconds(5)

  private let bus: Bus
  private let handler: (Event) -> Void
  private var name: NameMonitor?
  private var matches: [BusMatch] = []
  private var retry: TimerSource?
  private(set) var objects: [String: Interfaces] = [:]
  /// The unique bus name of bluetoothd. Nil if bluetoothd does not run.
  private(set) var owner: String?
  /// True if `objects` contains the objects of the bluetoothd that runs now.
  private(set) var isKnown = false

  init(_ loop: EventLoop, _ bus: Bus, _ handler: @escaping (Event) -> Void) {
    self.bus = bus
    self.handler = handler
    retry = TimerSource(loop, accuracy: .milliseconds(100)) { [weak self] in self?.readObjects() }
    name = try? bus.watchName(BluezNames.service) { [weak self] in self?.ownerChanged($0) }
  }

  func cancel() {
    name?.cancel()
    retry?.cancel()
    for match in matches { match.cancel() }
    matches = []
  }

  /// Properties of an interface of an object. Nil if the object or the interface does not exist.
  subscript(path: String, interface: String) -> [String: BusValue]? {
    objects[path]?[interface]
  }

  /// The paths of the objects that have this interface, sorted.
  func paths(with interface: String) -> [String] {
    objects.filter { $0.value[interface] != nil }.keys.sorted()
  }

  // MARK: Start and end of bluetoothd

  private func ownerChanged(_ new: String?) {
    if owner != nil {
      for match in matches { match.cancel() }
      matches = []
      owner = nil
      retry?.stop()
      let wasKnown = isKnown
      isKnown = false
      objects = [:]
      if wasKnown { handler(.ended) }
    }
    guard let new else { return }
    owner = new
    // The signals are subscribed first, so that no change is lost between the call of `GetManagedObjects` and its
    // answer.
    subscribeToSignals(of: new)
    readObjects()
  }

  private func readObjects() {
    let requestedOwner = owner
    bus.call(
      BluezNames.service, "/", BluezNames.objectManager, "GetManagedObjects"
    ) { [weak self] result in
      guard let self, let requestedOwner, owner == requestedOwner else { return }
      // The call may fail while bluetoothd starts. The call is then repeated after a pause.
      guard case .success(let body) = result else { return retry?.set(after: Self.retryTime) ?? () }
      for entry in body.values.first?.entries ?? [] {
        if let path = entry.key.text { objects[path] = Self.interfaces(entry.value) }
      }
      isKnown = true
      handler(.started)
    }
  }

  private func subscribeToSignals(of owner: String) {
    func subscribe(
      _ interface: String, _ member: String, path: String? = nil, below: String? = nil,
      _ handle: @escaping (BluezMonitor, BusMessage, [BusValue]) -> Void
    ) {
      let rule = MatchRule(
        sender: owner, path: path, pathNamespace: below, interface: interface, member: member)
      let match = try? bus.match(rule) { [weak self] message in
        guard let self, self.owner == owner, message.sender == owner,
          let body = try? message.body()
        else { return }
        handle(self, message, body.values)
      }
      if let match { matches.append(match) }
    }
    subscribe(BluezNames.objectManager, "InterfacesAdded", path: "/") { $0.added($2) }
    subscribe(BluezNames.objectManager, "InterfacesRemoved", path: "/") { $0.removed($2) }
    subscribe(BluezNames.properties, "PropertiesChanged", below: BluezNames.root) {
      $0.changed($1.path, $2)
    }
    subscribe(BluezNames.device, "Disconnected", below: BluezNames.root) {
      monitor, message, values in
      guard monitor.isKnown, let name = values.first?.text else { return }
      let reason =
        name.hasPrefix(BluezNames.reasonPrefix)
        ? String(name.dropFirst(BluezNames.reasonPrefix.count)) : name
      monitor.handler(.disconnected(path: message.path, reason: reason))
    }
  }

  // MARK: Signals

  private static func interfaces(_ value: BusValue) -> Interfaces {
    var result: Interfaces = [:]
    for entry in value.entries ?? [] {
      if let name = entry.key.text { result[name] = properties(entry.value) }
    }
    return result
  }

  private static func properties(_ value: BusValue) -> [String: BusValue] {
    var result: [String: BusValue] = [:]
    for entry in value.entries ?? [] {
      if let name = entry.key.text { result[name] = entry.value.unwrapped }
    }
    return result
  }

  private func added(_ values: [BusValue]) {
    guard values.count == 2, let path = values[0].text,
      objects[path] != nil || objects.count < Self.largestCount
    else { return }
    for (interface, properties) in Self.interfaces(values[1]) {
      objects[path, default: [:]][interface] = properties
      if isKnown { handler(.added(path: path, interface: interface)) }
    }
  }

  private func removed(_ values: [BusValue]) {
    guard values.count == 2, let path = values[0].text else { return }
    for interface in values[1].texts ?? [] {
      guard let old = objects[path]?.removeValue(forKey: interface) else { continue }
      if objects[path]?.isEmpty == true { objects[path] = nil }
      if isKnown { handler(.removed(path: path, interface: interface, old)) }
    }
  }

  private func changed(_ path: String, _ values: [BusValue]) {
    guard values.count == 3, let interface = values[0].text, objects[path]?[interface] != nil else {
      return
    }
    let properties = Self.properties(values[1])
    for (name, value) in properties { objects[path]?[interface]?[name] = value }
    for name in values[2].texts ?? [] { objects[path]?[interface]?[name] = nil }
    if isKnown { handler(.changed(path: path, interface: interface, properties)) }
  }
}
