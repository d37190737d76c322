internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

/// The links to phones. This type stores which phones are connected, and since when the remote
/// control of each phone is connected. It dials phones when ``ReconnectPlan`` decides so.
///
/// Control thread; never blocks.
final class Connections {
  /// Decisions of ``Pairing`` that this type needs.
  struct Rules {
    /// True if a device may be used. Only such a device may be dialled.
    var isPermitted: (BluezDevice) -> Bool = { _ in true }
    /// True if the unit is pairing with a device. No device is dialled during pairing.
    var isPairing: () -> Bool = { false }
    /// True if bluetoothd refuses a device that has just connected: the device is not paired, and
    /// the pairing window is closed.
    var isRefused: (BluezDevice) -> Bool = { _ in false }
    /// True while a phone streams. A page takes the controller for five seconds, so no device is dialled then.
    var isStreaming: () -> Bool = { false }
  }

  let client: BluezClient
  let clock: () -> MonotonicInstant
  let rules: Rules
  var options: AVRCPTarget.Options {
    didSet { update() }
  }

  var plan: ReconnectPlan
  var dialTimer: TimerSource?
  var dialling: PendingCall?
  /// What gets the result of the attempt in progress.
  var onDialled: [(BusError?) -> Void] = []
  /// True if the attempt in progress ends when a phone begins to stream. False if a person has requested it, or if
  /// it is ending.
  var givesWayToStreams = false
  var unconfirmed: Unconfirmed?
  var confirmTimer: TimerSource?
  /// The time at which the remote control (AVRCP) of each phone was connected, by address. An entry
  /// is removed when the link ends. A keyboard (HID) has no entry.
  private(set) var controlsSince: [String: MonotonicInstant] = [:]
  /// When each device was last connected, by address.
  private(set) var lastSeen: [String: MonotonicInstant] = [:]
  private var lossReasons: [String: ReconnectPlan.Loss] = [:]
  /// Address of the phone that is dialled first. Nil if people have chosen none.
  private(set) var firstChoice: String?
  /// Addresses of phones, last used first. A phone is used when it streams or presses a key, and each time
  /// that it connects after it has pressed a key.
  private(set) var lastUsed: [String]
  /// Addresses of the devices that have pressed a key, the latest first.
  private(set) var controllers: [String]

  /// Called after a change of data that is part of the state or of the report.
  var onChange: (() -> Void)?
  /// Called at each update. The parameters are the powered adapters, and the addresses of the
  /// devices that have a link to one of these adapters.
  var onUpdate: ((_ powered: Set<String>, _ linked: Set<String>) -> Void)?
  /// Called when ``lastUsed`` changes.
  var onLastUsed: (([String]) -> Void)?
  /// Called when ``firstChoice`` changes.
  var onFirstChoice: ((String?) -> Void)?
  /// Called when ``controllers`` changes.
  var onControllers: (([String]) -> Void)?
  /// Called when the last phone that could control the unit has disconnected.
  var onLastDisconnected: (() -> Void)?

  /// - Parameter seed: the seed of the random delays. Two units with different seeds do not dial at
  ///   the same moments.
  init(
    _ client: BluezClient, _ options: AVRCPTarget.Options, _ rules: Rules, lastUsed: [String],
    controllers: [String], firstChoice: String? = nil, seed: UInt64,
    clock: @escaping () -> MonotonicInstant
  ) {
    self.client = client
    self.options = options
    self.rules = rules
    self.lastUsed = lastUsed
    self.controllers = controllers
    self.firstChoice = firstChoice
    self.clock = clock
    plan = ReconnectPlan(seed: seed)
    dialTimer = TimerSource(client.loop, accuracy: .milliseconds(20)) { [weak self] in
      self?.dial()
    }
    confirmTimer = TimerSource(client.loop, accuracy: .milliseconds(20)) { [weak self] in
      self?.confirm(isConnected: false)
    }
    client.observe { [weak self] in self?.handle($0) }
  }

  deinit {
    dialTimer?.cancel()
    confirmTimer?.cancel()
  }

  private func handle(_ event: BluezClient.Event) {
    switch event {
    case .serviceStarted, .adapterAdded, .adapterRemoved, .controlChanged, .canRetry: update()
    case .serviceEnded: interrupt()
    case .adapterChanged(_, let changed):
      if changed.contains(.power) { update() }
    case .deviceAdded(let device):
      if device.isConnected { didConnect(device) }
      update()
    case .deviceRemoved(_, let address):
      if let address { controlsSince[address] = nil }
      update()
    case .deviceChanged(let device, let changed):
      if changed.contains(.link) { device.isConnected ? didConnect(device) : didDisconnect(device) }
      if !changed.isEmpty { update() }
    case .linkEnded(let device, let reason): linkEnded(device, reason)
    case .transportAdded, .transportRemoved: update()
    case .busConnected, .busDisconnected, .mediaAdded, .mediaRemoved, .transportChanged,
      .playerChanged:
      break
    }
  }

  private func interrupt() {
    controlsSince = [:]
    lossReasons = [:]
    dialling?.cancel()
    dialling = nil
    onDialled = []
    unconfirmed = nil
    plan.interrupt()
    update()
  }

  // MARK: Devices

  /// The devices in this order: connected devices first, then by last use, then by address.
  var devices: [BluezDevice] {
    func order(_ device: BluezDevice) -> (Int, Int, String) {
      (device.isConnected ? 0 : 1, rank(device.address), device.address)
    }
    return client.devices.sorted { order($0) < order($1) }
  }

  private func rank(_ address: String) -> Int {
    if address == firstChoice { return -1 }
    return lastUsed.firstIndex(of: address) ?? .max
  }

  /// True if the purpose of the device is connected: for a source of sound its stream or its remote control,
  /// for other devices their remote control.
  func isInUse(_ device: BluezDevice) -> Bool {
    device.hasRemoteControl
      || device.isSource && client.transports.contains { $0.devicePath == device.path }
  }

  /// Sets the phone that is dialled first, or nil.
  func setFirstChoice(_ address: String?) {
    guard firstChoice != address else { return }
    firstChoice = address
    onFirstChoice?(address)
    update()
    onChange?()
  }

  /// Updates the plan with the current devices.
  func update() {
    let now = clock()
    let powered = Set(client.adapters.filter(\.isPowered).map(\.id))
    let devices = devices.filter { powered.contains($0.adapter) }
    let linked = Set(devices.filter(\.isConnected).map(\.address))
    onUpdate?(powered, linked)
    let controlling = devices.filter(\.hasRemoteControl)
    for device in controlling where controlsSince[device.address] == nil {
      remoteControlConnected(device, at: now)
    }
    let inUse = devices.filter(isInUse)
    if let device = unconfirmed?.device, inUse.contains(where: { $0.path == device.path }) {
      confirm(isConnected: true)
    }
    // A phone is wanted whether it presses keys or not.
    let wanted = Set(controllers).union(devices.filter(\.isSource).map(\.address))
    plan.update(
      dialable: devices.filter(mayBeDialled).map(\.address).sorted { rank($0) < rank($1) },
      linked: linked, connected: Set(inUse.map(\.address)), proven: wanted, at: now)
    giveWayToStream()
    setDialTimer()
  }

  func mayBeDialled(_ device: BluezDevice) -> Bool {
    device.canBeDialled && rules.isPermitted(device)
  }

  /// True if the unit dials the device with this address when it is away.
  func isDialable(_ address: String) -> Bool {
    client.devices.contains { $0.address == address && mayBeDialled($0) }
  }

  // MARK: Connected and disconnected

  private func didConnect(_ device: BluezDevice) {
    lossReasons[device.address] = nil
    let name = "\(device.name) (\(device.address))"
    if rules.isRefused(device) {
      client.log(.deviceRefused, "\(name) is refused: it is not paired, and pairing is closed")
    } else {
      client.log(.deviceConnected, "\(name) is connected")
    }
  }

  /// Handles the connection of a phone's remote control.
  private func remoteControlConnected(_ device: BluezDevice, at now: MonotonicInstant) {
    guard device.isBonded else { return }
    controlsSince[device.address] = now
    client.log(
      .deviceControls,
      "the remote control of \(device.name) (\(device.address)) is connected"
        + (controllers.contains(device.address) ? "" : "; the device has pressed no key yet"))
    if controllers.contains(device.address) { noteUse(of: device.address) }
  }

  /// Handles a press of a key. It proves that the device is a controller.
  func pressed(_ device: BluezDevice) {
    guard device.isBonded else { return }
    if controllers.first != device.address {
      let isNew = !controllers.contains(device.address)
      setControllers([device.address] + controllers.filter { $0 != device.address })
      if isNew {
        client.log(
          .deviceProven, "\(device.name) (\(device.address)) has pressed its first key")
        update()
        onChange?()
      }
    }
    noteUse(of: device.address)
  }

  /// Notes that a device is used: it streams, or a key of it is pressed.
  func noteUse(of address: String) {
    guard lastUsed.first != address else { return }
    setLastUsed([address] + lastUsed.filter { $0 != address })
  }

  private func didDisconnect(_ device: BluezDevice) {
    lastSeen[device.address] = clock()
    let controlled = controlsSince.removeValue(forKey: device.address) != nil
    client.log(.deviceDisconnected, "\(device.name) (\(device.address)) is disconnected")
    // bluetoothd reports the reason before this event, after this event, or never.
    lost(device, lossReasons.removeValue(forKey: device.address) ?? .unreachable)
    if unconfirmed?.device.path == device.path { confirm(isConnected: false) }
    if controlled, controlsSince.isEmpty { onLastDisconnected?() }
  }

  private func linkEnded(_ device: BluezDevice, _ reason: String) {
    let loss = ReconnectPlan.Loss(reason: reason)
    if device.isConnected {
      lossReasons[device.address] = lossReasons[device.address] ?? loss
    } else {
      lost(device, loss)
    }
    update()
  }

  private func lost(_ device: BluezDevice, _ loss: ReconnectPlan.Loss) {
    func isSuspended() -> Bool { plan.candidates[device.address]?.isSuspended == true }
    let wasSuspended = isSuspended()
    plan.lost(device.address, loss, at: clock())
    guard loss == .byPhone, isSuspended(), !wasSuspended else { return }
    client.log(
      .connectingEnded,
      "\(device.name) (\(device.address)) has ended the connection; no further attempt follows")
  }

  /// Must be called before the unit ends the link of a device.
  func willDisconnect(_ device: BluezDevice) { lossReasons[device.address] = .byUnit }

  /// Removes a device from ``lastUsed`` and ``controllers``.
  func forget(_ address: String) {
    if controllers.contains(address) { setControllers(controllers.filter { $0 != address }) }
    lastSeen[address] = nil
    if firstChoice == address { setFirstChoice(nil) }
    if lastUsed.contains(address) { setLastUsed(lastUsed.filter { $0 != address }) }
  }

  private func setLastUsed(_ addresses: [String]) {
    lastUsed = Array(addresses.prefix(AVRCPTarget.rememberedPhones))
    onLastUsed?(lastUsed)
  }

  private func setControllers(_ addresses: [String]) {
    controllers = Array(addresses.prefix(AVRCPTarget.rememberedControllers))
    onControllers?(controllers)
  }
}
