internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

/// The links to phones. This type stores which phones are connected, and since when the remote control of each phone is
/// connected. It dials phones when ``ReconnectPlan`` decides so.
///
/// Control thread; never blocks.
final class Connections {
  /// Decisions of ``Pairing`` that this type needs.
  struct Rules {
    /// See ``Pairing/isPermitted(_:)``. A device that is not permitted is not dialled.
    var isPermitted: (BluezDevice) -> Bool = { _ in true }
    /// True if the unit is pairing with a device. No device is dialled during pairing.
    var isPairing: () -> Bool = { false }
    /// True if bluetoothd refuses a device that has just connected: the device is not paired, and the pairing window is
    /// closed.
    var isRefused: (BluezDevice) -> Bool = { _ in false }
    /// True while a phone streams. No device is dialled during a stream, because paging occupies the controller for
    /// five seconds.
    var isStreaming: () -> Bool = { false }
  }

  let client: BluezClient
  let clock: () -> MonotonicInstant
  let rules: Rules
  var options: AVRCPTarget.Options {
    didSet { update() }
  }

  var plan: ReconnectPlan
  private var dialTimer: TimerSource?
  private var dialling: PendingCall?
  /// Functions that are called with the result of the attempt in progress.
  private var onDialled: [(BusError?) -> Void] = []
  /// True if the attempt in progress ends when a phone begins to stream. False if a person has requested the attempt,
  /// or if the attempt is already being ended.
  private var givesWayToStreams = false
  var unconfirmed: Unconfirmed?
  private var confirmTimer: TimerSource?
  /// The time at which the remote control (AVRCP) of each phone was connected, keyed by the address of the phone. An
  /// entry is removed when the link ends. A keyboard (HID) has no entry.
  private(set) var controlsSince: [String: MonotonicInstant] = [:]
  /// The time at which each device was last connected, keyed by the address of the device.
  private(set) var lastSeen: [String: MonotonicInstant] = [:]
  private var lossReasons: [String: ReconnectPlan.Loss] = [:]
  /// Address of the phone that is dialled first. Nil if no phone was chosen.
  private(set) var firstChoice: String?
  /// Addresses of phones, last used first. A phone counts as used when it streams or presses a key. A phone that has
  /// pressed a key before also counts as used each time that its remote control connects.
  private(set) var lastUsed: [String]
  /// Addresses of the devices that have pressed a key, the latest first.
  private(set) var controllers: [String]

  /// Called after a change of data that is part of the state or of the report.
  var onChange: (() -> Void)?
  /// Called at each update. The parameters are the powered adapters, and the addresses of the devices that have a link
  /// to one of these adapters.
  var onUpdate: ((_ powered: Set<String>, _ linked: Set<String>) -> Void)?
  /// Called when ``lastUsed`` changes.
  var onLastUsed: (([String]) -> Void)?
  /// Called when ``firstChoice`` changes.
  var onFirstChoice: ((String?) -> Void)?
  /// Called when ``controllers`` changes.
  var onControllers: (([String]) -> Void)?
  /// Called when the last phone that could control the unit has disconnected.
  var onLastDisconnected: (() -> Void)?

  /// - Parameter seed: the seed of the random delays. Two units with different seeds do not dial at the same moments.
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

  /// True if the remote control of the device is connected, or if the device is a source of sound and has a transport.
  func isInUse(_ device: BluezDevice) -> Bool {
    device.hasRemoteControl
      || device.isSource && client.transports.contains { $0.devicePath == device.path }
  }

  /// Sets the phone that is dialled first. If `address` is nil, no phone is preferred.
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
    // A source of sound counts as proven (``ReconnectPlan``), even if it has never pressed a key.
    let wanted = Set(controllers).union(devices.filter(\.isSource).map(\.address))
    plan.update(
      dialable: devices.filter(mayBeDialled).map(\.address).sorted { rank($0) < rank($1) },
      linked: linked, connected: Set(inUse.map(\.address)), proven: wanted, at: now)
    giveWayToStream()
    setDialTimer()
  }

  private func mayBeDialled(_ device: BluezDevice) -> Bool {
    device.canBeDialled && rules.isPermitted(device)
  }

  /// True if the unit dials the device with this address when the device is not connected.
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

  /// Handles a press of a key. The press proves that the device is a controller.
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

  /// Moves the device to the front of ``lastUsed``. Must be called when the device streams or when one of its keys is
  /// pressed.
  func noteUse(of address: String) {
    guard lastUsed.first != address else { return }
    setLastUsed([address] + lastUsed.filter { $0 != address })
  }

  private func didDisconnect(_ device: BluezDevice) {
    lastSeen[device.address] = clock()
    let controlled = controlsSince.removeValue(forKey: device.address) != nil
    client.log(.deviceDisconnected, "\(device.name) (\(device.address)) is disconnected")
    // bluetoothd reports the reason before this event, after this event, or never. Until the reason is known, the
    // device counts as unreachable.
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

  // MARK: Dialling

  // One device is dialled at a time, because paging occupies the controller.

  /// Maximum time of one attempt. If a device does not answer, the Bluetooth chip of the unit pages it for 5 s and then
  /// gives up. If a device answers, further steps follow: encryption of the link, and then the AVRCP channel. So a
  /// whole attempt can take much longer than 5 s.
  private static let longestCall = Duration.seconds(60)

  /// Maximum time from the moment when BlueZ reports success until the sound or the remote control is connected.
  private static let confirmingTime = Duration.seconds(2)

  /// An attempt that BlueZ has reported as successful, while neither sound nor remote control is connected yet. BlueZ
  /// usually reports success shortly before the connection. But if the device itself has begun to connect, and BlueZ is
  /// still authorising that connection, BlueZ reports success at once (profiles/audio/control.c, `-EALREADY`). That
  /// connection can still fail.
  struct Unconfirmed {
    let device: BluezDevice
    let then: (BusError?) -> Void
  }

  private func setDialTimer() {
    guard mayDial, let deadline = plan.nextDeadline else {
      dialTimer?.stop()
      return
    }
    dialTimer?.set(after: deadline.wholeTime(since: clock()))
  }

  private var mayDial: Bool { options.reconnects && !rules.isPairing() && !rules.isStreaming() }

  /// Connects to the device that is due, if there is one.
  func dial() {
    guard mayDial, let address = plan.next(at: clock()) else {
      return setDialTimer()
    }
    guard let device = devices.first(where: { $0.address == address && mayBeDialled($0) }) else {
      plan.finished(address, .absent, at: clock())
      return setDialTimer()
    }
    givesWayToStreams = true
    call(device) { _ in }
  }

  /// Ends the attempt in progress if a phone has begun to stream and the dialled device has not answered yet. The
  /// attempt is repeated after the stream.
  private func giveWayToStream() {
    guard givesWayToStreams, dialling != nil, rules.isStreaming(),
      let device = devices.first(where: { $0.address == plan.dialled }), !device.isConnected
    else { return }
    givesWayToStreams = false
    client.log(.connectingDeferred, "\(device.name) is connected later: a phone streams")
    // After this call, BlueZ stops paging and answers the attempt with "canceled".
    client.disconnect(device, timeout: Self.longestCall) { _ in }
  }

  /// Connects to this device now, ahead of all other devices, because a person has requested the connection. If an
  /// attempt for this device is in progress, `then` receives the result of that attempt, because BlueZ would refuse a
  /// second attempt. If an attempt for another device is in progress, BlueZ continues that attempt by itself, and the
  /// answer to it is ignored.
  func dialNow(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    if dialling != nil, plan.dialled == device.address {
      givesWayToStreams = false
      onDialled.append(then)
      return
    }
    plan.makeDue(device.address, at: clock())
    dialling?.cancel()
    unconfirmed = nil
    plan.dial(device.address)
    givesWayToStreams = false
    call(device, then: then)
  }

  /// Makes the first connection to a device that was paired from the unit. Later, the device connects by itself or is
  /// dialled.
  func begin(_ device: BluezDevice) {
    if device.canBeDialled { return dialNow(device) { _ in } }
    client.connect(device) { [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.client.log(.connectingDeferred, "\(device.name) cannot be connected yet: \(error)")
    }
  }

  /// Dials a device. The caller must ensure that the device is a source of sound or an AVRCP controller (CT).
  private func call(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    let address = device.address
    client.log(.deviceConnecting, "the unit connects to \(device.name) (\(address))")
    onDialled = [then]
    dialling = connectProfile(device) { [weak self] result in
      guard let self else { return }
      dialling = nil
      let waiting = onDialled
      onDialled = []
      func tell(_ error: BusError?) { for then in waiting { then(error) } }
      switch result {
      case .success:
        unconfirmed = Unconfirmed(device: device, then: tell)
        confirmTimer?.set(after: Self.confirmingTime)
      case .failure(let error):
        let outcome = ReconnectPlan.Outcome(error)
        plan.finished(address, outcome, at: clock())
        client.log(.connectingFailed, "\(address) cannot be connected: \(error)")
        if plan.candidates[address]?.isSuspended == true {
          client.log(
            .connectingEnded,
            plan.candidates[address]?.refusals ?? 0 >= ReconnectPlan.refusalLimit
              ? "\(device.name) (\(address)) refused each attempt; no further attempt follows"
              : "\(device.name) (\(address)) has never pressed a key; no further attempt follows")
        }
        tell(outcome == .connected ? nil : error)
      }
      update()
      onChange?()
    }
  }

  /// Connects the sound of a source of sound. bluetoothd then connects the remote control of this device by itself. If
  /// the device is not a source, or has refused an attempt and announces a remote control, this function connects the
  /// remote control instead.
  private func connectProfile(
    _ device: BluezDevice, _ completion: @escaping BluezClient.Completion
  ) -> PendingCall? {
    let hasRefused = (plan.candidates[device.address]?.refusals ?? 0) > 0
    let isSound = device.isSource && !(hasRefused && device.features.contains(.controller))
    return client.connect(
      isSound ? .source : .controller, of: device, timeout: Self.longestCall, completion)
  }

  /// Ends the attempt that waits for the sound or the remote control. If neither was connected in time, the attempt
  /// counts as crossed, because the device was connecting by itself. So the next attempt follows soon.
  func confirm(isConnected: Bool) {
    guard let attempt = unconfirmed else { return }
    unconfirmed = nil
    confirmTimer?.stop()
    plan.finished(attempt.device.address, isConnected ? .connected : .crossed, at: clock())
    guard !isConnected else { return attempt.then(nil) }
    let error = BusError.remote(
      name: BluezNames.errorPrefix + "Failed",
      message: "neither sound nor remote control is connected")
    client.log(.connectingFailed, "\(attempt.device.address) cannot be connected: \(error)")
    attempt.then(error)
    update()
  }
}
