package import EventLoop
internal import NowPlaying
package import Reports

/// The connection to bluetoothd. It reads the adapters, devices and transports of bluetoothd and
/// sends calls to bluetoothd. Only this type and its parts use the object tree of BlueZ.
///
/// Control thread; never blocks. The bus can start after the daemon, and the connection to the bus
/// can be lost. bluetoothd can end and start again. This type reports each of these changes as an
/// event.
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
    /// A link has ended. `reason` is the reason that BlueZ gives, without BlueZ's prefix, such as
    /// `Timeout`.
    case linkEnded(BluezDevice, reason: String)
    case transportAdded(BluezTransport)
    case transportRemoved(path: String)
    case transportChanged(BluezTransport, Set<BluezTransport.Property>)
    /// A player of a phone was added, removed or changed. `changed` has the names of the properties that
    /// BlueZ has sent; nil for a player that was added or removed.
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

  /// Connects to the bus. If this fails, or if the connection is lost, further attempts follow
  /// until this object is deallocated.
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

  /// True if the sound of a phone is connected: it can stream.
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

  /// Call this after a *busy* answer. Such an answer means that another operation of the same kind
  /// is in progress. bluetoothd does not report when that operation ends. So ``Event/canRetry`` is
  /// sent after a short pause.
  /// - Returns: false if bluetoothd was busy too often in a row.
  package func retryLater() -> Bool {
    guard busyAnswers < Self.busyLimit else { return false }
    busyAnswers += 1
    busyTimer?.set(after: Self.busyPause)
    return true
  }

  /// Call this when bluetoothd has carried out a call.
  package func resetBusyCount() { busyAnswers = 0 }
}
