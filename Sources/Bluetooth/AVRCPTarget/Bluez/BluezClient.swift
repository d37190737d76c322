internal import EventLoop
internal import NowPlaying
internal import Reports

/// bluetoothd: which adapters, devices and transports it has, and what it can be asked. This is the
/// only part that knows its object tree.
///
/// Control thread; nothing in it blocks. The bus may come late or go, bluetoothd may end and begin:
/// each is an event.
final class BluezClient {
  /// What has happened.
  enum Event {
    case busCame
    case busWent
    /// bluetoothd is there and its objects are known. An event for each of them follows.
    case serviceCame
    /// bluetoothd is gone with all its objects.
    case serviceWent
    /// bluetoothd was busy. What it refused can be asked again.
    case canAskAgain
    case adapterCame(BluezAdapter)
    case adapterWent(id: String)
    case adapterChanged(BluezAdapter, Set<BluezAdapter.Property>)
    /// The adapter takes players.
    case mediaCame(adapter: String)
    case mediaWent(adapter: String)
    case deviceCame(BluezDevice)
    case deviceWent(path: String, address: String?)
    case deviceChanged(BluezDevice, Set<BluezDevice.Property>)
    /// The remote control of some device came, went or changed.
    case controlChanged
    /// A link has ended, and why, as `Timeout`.
    case linkEnded(BluezDevice, reason: String)
    case transportCame(BluezTransport)
    case transportWent(path: String)
    case transportChanged(BluezTransport)
  }

  /// So often in a row bluetoothd may answer that it is busy before that is a fault.
  private static let patience = 40
  private static let busyPause = Duration.milliseconds(250)

  let loop: EventLoop
  private let link: BusLink
  /// Nil where there is no bus.
  private(set) var bus: Bus?
  var monitor: BluezMonitor?
  private var observers: [(Event) -> Void] = []
  private var busyTimer: TimerSource?
  private var busyAnswers = 0
  /// Called with each line for the log.
  var onLog: ((LogLine.Severity, String) -> Void)?

  /// Does nothing until ``start()``.
  init(_ loop: EventLoop, bus: Bus.Address) {
    self.loop = loop
    link = BusLink(loop, bus)
    link.onUp = { [weak self] in self?.busCame($0) }
    link.onDown = { [weak self] in self?.busWent() }
    busyTimer = TimerSource(loop, accuracy: .milliseconds(20)) { [weak self] in
      self?.send(.canAskAgain)
    }
  }

  deinit {
    busyTimer?.cancel()
    monitor?.cancel()
  }

  /// Begins to look for a bus, and goes on until this object goes.
  func start() { link.start() }

  /// Adds an observer. Each event reaches the observers in the order in which they were added.
  func observe(_ observer: @escaping (Event) -> Void) { observers.append(observer) }

  func send(_ event: Event) {
    for observer in observers { observer(event) }
  }

  func log(_ severity: LogLine.Severity, _ text: String) { onLog?(severity, text) }

  // MARK: The bus

  /// The unit's own objects, which bluetoothd can call.
  var objects: ObjectTree { link.objects }

  /// Whether a message's sender is bluetoothd.
  func isBluez(_ sender: String) -> Bool { monitor?.owner == sender }

  private func busCame(_ bus: Bus) {
    self.bus = bus
    monitor = BluezMonitor(loop, bus) { [weak self] in self?.take($0) }
    send(.busCame)
  }

  private func busWent() {
    monitor?.cancel()
    monitor = nil
    bus = nil
    send(.serviceWent)
    log(.notice, "Bluetooth: the system bus is gone")
    send(.busWent)
  }

  // MARK: What is there

  /// How far the way to an adapter is.
  var service: PhonesState.Service {
    guard bus != nil else { return .noBus }
    guard isKnown else { return .noService }
    return adapters.isEmpty ? .noAdapter : .ready
  }

  /// bluetoothd is there, and its objects are known.
  var isKnown: Bool { monitor?.isKnown == true }

  /// In the order of their names.
  var adapters: [BluezAdapter] {
    (monitor?.paths(with: BluezNames.adapter) ?? []).map { adapter(BluezDevice.adapter(of: $0)) }
  }

  func adapter(_ id: String) -> BluezAdapter { BluezAdapter(id, in: monitor) }

  /// All that BlueZ knows of, paired or not, in the order of their addresses.
  var devices: [BluezDevice] {
    (monitor?.paths(with: BluezNames.device) ?? []).compactMap(device(at:))
      .sorted { ($0.address, $0.path) < ($1.address, $1.path) }
  }

  func device(at path: String) -> BluezDevice? { BluezDevice(path, in: monitor) }

  // MARK: Busy

  /// Sends ``Event/canAskAgain`` in a moment: the controller carries out another question of that kind,
  /// and bluetoothd does not say when that has ended.
  /// - Returns: false where that was done often enough in a row.
  func askAgainLater() -> Bool {
    guard busyAnswers < Self.patience else { return false }
    busyAnswers += 1
    busyTimer?.set(after: Self.busyPause)
    return true
  }

  /// bluetoothd has carried out what it was asked for.
  func wasNotBusy() { busyAnswers = 0 }
}
