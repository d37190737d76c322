package import EventLoop
package import NowPlaying
package import Reports

/// The connection to bluetoothd. It reads the adapters, devices and transports of bluetoothd and sends calls to
/// bluetoothd. Only this type and its parts use the object tree of BlueZ.
///
/// Control thread; never blocks. The bus can start after the daemon, and the connection to the bus can be lost.
/// bluetoothd can end and start again. This type reports each of these changes as an event.
package final class BluezClient {
  /// A change of the bus or of BlueZ's objects.
  package enum Event {
    case busConnected
    case busDisconnected
    /// bluetoothd runs and its objects are known. One event for each object follows.
    case serviceStarted
    /// bluetoothd has ended, or the bus is lost. All objects are removed.
    case serviceEnded
    /// bluetoothd was busy and refused calls. These calls can be repeated now.
    case canRetry
    case adapterAdded(BluezAdapter)
    case adapterRemoved(id: String)
    case adapterChanged(BluezAdapter, Set<BluezAdapter.Property>)
    /// The adapter accepts players.
    case mediaAdded(adapter: String)
    case mediaRemoved(adapter: String)
    case deviceAdded(BluezDevice)
    case deviceRemoved(path: String, address: String?)
    case deviceChanged(BluezDevice, Set<BluezDevice.Property>)
    /// The remote control of a device was added, removed or changed.
    case controlChanged
    /// A link has ended. `reason` is the reason that BlueZ gives, without BlueZ's prefix, such as `Timeout`.
    case linkEnded(BluezDevice, reason: String)
    case transportAdded(BluezTransport)
    case transportRemoved(path: String)
    case transportChanged(BluezTransport, Set<BluezTransport.Property>)
    /// A player of a phone was added, removed or changed. `changed` contains the names of the properties that BlueZ has
    /// sent. It is nil if the player was added or removed.
    case playerChanged(path: String, changed: Set<String>?)
  }

  /// After this number of *busy* answers in a row, calls are not repeated any more.
  private static let busyLimit = 40
  private static let busyPause = Duration.milliseconds(250)

  package let loop: EventLoop
  private let link: BusLink
  /// The connection to the bus; nil if there is no connection.
  package private(set) var bus: Bus?
  var monitor: BluezMonitor?
  private var observers: [(Event) -> Void] = []
  private var busyTimer: TimerSource?
  private var busyAnswers = 0
  /// Called with each line for the log.
  package var onLog: ((LogEvent, String) -> Void)?

  /// The new object does nothing until ``start()`` is called.
  package init(_ loop: EventLoop, bus: Bus.Address) {
    self.loop = loop
    link = BusLink(loop, bus)
    link.onUp = { [weak self] in self?.busConnected($0) }
    link.onDown = { [weak self] in self?.busDisconnected() }
    busyTimer = TimerSource(loop, accuracy: .milliseconds(20)) { [weak self] in
      self?.send(.canRetry)
    }
  }

  deinit {
    busyTimer?.cancel()
    monitor?.cancel()
  }

  /// Connects to the bus. If this fails, or if the connection is lost, further attempts follow until this object is
  /// deallocated.
  package func start() { link.start() }

  /// Adds an observer. Each event reaches the observers in the order in which they were added.
  package func observe(_ observer: @escaping (Event) -> Void) { observers.append(observer) }

  package func send(_ event: Event) {
    for observer in observers { observer(event) }
  }

  package func log(_ event: LogEvent, _ text: String) { onLog?(event, text) }

  // MARK: The bus

  /// The unit's own objects, which bluetoothd can call.
  package var objects: ObjectTree { link.objects }

  /// True if the sender of a message is bluetoothd.
  package func isBluez(_ sender: String) -> Bool { monitor?.owner == sender }

  private func busConnected(_ bus: Bus) {
    self.bus = bus
    monitor = BluezMonitor(loop, bus) { [weak self] in self?.handle($0) }
    send(.busConnected)
  }

  private func busDisconnected() {
    monitor?.cancel()
    monitor = nil
    bus = nil
    send(.serviceEnded)
    log(.busLost, "the connection to the system bus is lost")
    send(.busDisconnected)
  }

  // MARK: Objects of BlueZ

  /// The first part that is missing: bus, bluetoothd or adapter. `ready` if no part is missing.
  package var service: PhonesState.Service {
    guard bus != nil else { return .noBus }
    guard isKnown else { return .noService }
    return adapters.isEmpty ? .noAdapter : .ready
  }

  /// True if bluetoothd runs and its objects are known.
  package var isKnown: Bool { monitor?.isKnown == true }

  /// The adapters, sorted by identifier, such as `hci0`.
  package var adapters: [BluezAdapter] {
    (monitor?.paths(with: BluezNames.adapter) ?? []).map { adapter(BluezDevice.adapter(of: $0)) }
  }

  package func adapter(_ id: String) -> BluezAdapter { BluezAdapter(id, in: monitor) }

  /// True if BlueZ has a transport of the phone, so that the phone can stream.
  package func hasSound(_ device: String) -> Bool {
    transports.contains { $0.isSource && $0.devicePath == device }
  }

  /// All devices that BlueZ lists, paired or not, sorted by address.
  package var devices: [BluezDevice] {
    (monitor?.paths(with: BluezNames.device) ?? []).compactMap(device(at:))
      .sorted { ($0.address, $0.path) < ($1.address, $1.path) }
  }

  package func transport(at path: String) -> BluezTransport? { BluezTransport(path, in: monitor) }

  /// The transports, sorted by path.
  package var transports: [BluezTransport] {
    (monitor?.paths(with: BluezNames.transport) ?? []).compactMap(transport(at:))
  }

  package func player(at path: String) -> BluezMediaPlayer? {
    BluezMediaPlayer(path, in: monitor)
  }

  package func device(at path: String) -> BluezDevice? { BluezDevice(path, in: monitor) }

  // MARK: Busy

  /// Call this after a *busy* answer. Such an answer means that another operation of the same kind is in progress.
  /// bluetoothd does not report when that operation ends. So ``Event/canRetry`` is sent after a short pause.
  /// - Returns: false if bluetoothd was busy too often in a row.
  package func retryLater() -> Bool {
    guard busyAnswers < Self.busyLimit else { return false }
    busyAnswers += 1
    busyTimer?.set(after: Self.busyPause)
    return true
  }

  /// Call this when bluetoothd has carried out a call.
  package func resetBusyCount() { busyAnswers = 0 }

  // MARK: Names

  /// Finds a device by its address or by its name. A name that belongs to several addresses is refused. With two
  /// adapters, BlueZ can list one device twice: paired on one adapter and unpaired on the other.
  /// - Parameter preferred: a condition. If at least one matching device satisfies the condition, the other matching
  ///   devices are ignored.
  package func device(called name: String, preferring preferred: (BluezDevice) -> Bool)
    -> Result<BluezDevice, Refusal>
  {
    guard isKnown else { return .failure(.bluetoothdIsNotRunning) }
    let devices = devices
    let address = name.uppercased()
    let called = devices.filter { $0.address == address }
    let named = called.isEmpty ? devices.filter { $0.name == name } : called
    let meant = named.filter(preferred)
    let matching = meant.isEmpty ? named : meant
    if let device = matching.first, matching.allSatisfy({ $0.address == device.address }) {
      return .success(matching.first(where: \.isConnected) ?? device)
    }
    if named.isEmpty {
      return .failure(
        Refusal(
          .noSuchPhone, "no phone has this address or name",
          remedy: "'bt phones' lists the phones"))
    }
    return .failure(
      Refusal(
        .ambiguousPhone, "\(matching.count) phones have this name", remedy: "use the address"
      ))
  }

  // MARK: Events

  private func handle(_ event: BluezMonitor.Event) {
    switch event {
    case .started: serviceStarted()
    case .ended:
      log(.bluetoothdLost, "bluetoothd has ended")
      send(.serviceEnded)
    case .added(let path, BluezNames.media):
      send(.mediaAdded(adapter: BluezDevice.adapter(of: path)))
    case .removed(let path, BluezNames.media, _):
      send(.mediaRemoved(adapter: BluezDevice.adapter(of: path)))
    case .added(let path, BluezNames.adapter):
      let adapter = adapter(BluezDevice.adapter(of: path))
      log(.adapterAdded, "adapter \(adapter.id) is present")
      send(.adapterAdded(adapter))
    case .removed(let path, BluezNames.adapter, _):
      let id = BluezDevice.adapter(of: path)
      log(.adapterRemoved, "adapter \(id) was removed")
      send(.adapterRemoved(id: id))
    case .changed(let path, BluezNames.adapter, let properties):
      let adapter = adapter(BluezDevice.adapter(of: path))
      let changed = BluezAdapter.Property.allCases.filter { properties[$0.rawValue] != nil }
      if changed.contains(.power) {
        log(.adapterPower, "\(adapter.id) is \(adapter.isPowered ? "on" : "off")")
      }
      send(.adapterChanged(adapter, Set(changed)))
    case .added(let path, BluezNames.device):
      if let device = device(at: path) { send(.deviceAdded(device)) }
    case .removed(let path, BluezNames.device, let old):
      send(.deviceRemoved(path: path, address: old["Address"]?.text))
    case .changed(let path, BluezNames.device, let properties):
      guard let device = device(at: path) else { return }
      send(.deviceChanged(device, BluezDevice.Property.changed(properties)))
    case .added(_, BluezNames.control), .changed(_, BluezNames.control, _),
      .removed(_, BluezNames.control, _):
      send(.controlChanged)
    case .disconnected(let path, let reason):
      if let device = device(at: path) { send(.linkEnded(device, reason: reason)) }
    case .added(let path, BluezNames.transport):
      if let transport = transport(at: path) { send(.transportAdded(transport)) }
    case .removed(let path, BluezNames.transport, _): send(.transportRemoved(path: path))
    case .changed(let path, BluezNames.transport, let properties):
      let changed = BluezTransport.Property.allCases.filter { properties[$0.rawValue] != nil }
      guard !changed.isEmpty, let transport = transport(at: path) else { return }
      send(.transportChanged(transport, Set(changed)))
    case .added(let path, BluezNames.mediaPlayer), .removed(let path, BluezNames.mediaPlayer, _):
      send(.playerChanged(path: path, changed: nil))
    case .changed(let path, BluezNames.mediaPlayer, let properties):
      send(.playerChanged(path: path, changed: Set(properties.keys)))
    case .added, .removed, .changed: break
    }
  }

  private func serviceStarted() {
    log(.bluetoothdFound, "bluetoothd is running")
    send(.serviceStarted)
    // Players are registered first, because an AVRCP session of bluetoothd uses the player that is registered when the
    // session begins.
    for path in monitor?.paths(with: BluezNames.media) ?? [] {
      send(.mediaAdded(adapter: BluezDevice.adapter(of: path)))
    }
    for adapter in adapters { send(.adapterAdded(adapter)) }
    for path in monitor?.paths(with: BluezNames.transport) ?? [] {
      if let transport = transport(at: path) { send(.transportAdded(transport)) }
    }
    for path in monitor?.paths(with: BluezNames.device) ?? [] {
      if let device = device(at: path) { send(.deviceAdded(device)) }
    }
  }
}

extension Refusal {
  package static let bluetoothdIsNotRunning = Refusal(
    .noBluetoothd, "bluetoothd is not running",
    remedy: "'service log bluetooth' shows why; 'service restart bluetooth' starts it")
}
