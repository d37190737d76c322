internal import EventLoop
internal import NowPlaying
internal import Reports

// Phones: coming, going, dialling.
extension AVRCPTarget {
  // MARK: Coming and going

  func deviceCame(_ path: String) {
    guard let device = BluezDevice(path, in: watch) else { return }
    trust(device)
    if device.isConnected { cameIn(device) }
    updatePlan()
  }

  func deviceWent(_ path: String, _ old: [String: BusValue]) {
    unwanted.remove(path)
    doubtful.remove(path)
    if adding?.path == path { endAdding("it is gone") }
    if let address = old["Address"]?.text {
      controlsSince[address] = nil
      if pairingPolicy.request?.address == address { pairingCancelled() }
    }
    updatePlan()
  }

  func deviceChanged(_ path: String, _ properties: [String: BusValue]) {
    guard let device = BluezDevice(path, in: watch) else { return }
    if properties["Bonded"]?.flag == true || properties["Paired"]?.flag == true { trust(device) }
    if let isConnected = properties["Connected"]?.flag {
      if isConnected { cameIn(device) } else { wentOut(device) }
    }
    if ["Bonded", "Paired", "UUIDs", "Connected"].contains(where: { properties[$0] != nil }) {
      updatePlan()
    }
  }

  /// Who is bonded is let in without a question; nobody else is.
  private func trust(_ device: BluezDevice) {
    guard device.isBonded else { return }
    guard isWelcome(device) else {
      drop(device)
      if adding?.path == device.path {
        endAdding("it shows no number, and the configuration wants one ('pair-without-number')")
      }
      return
    }
    guard !device.isTrusted else { return }
    log(.notice, "Bluetooth: \(device.name) (\(device.address)) is paired")
    set(device.path, BluezNames.device, "Trusted", .boolean(true))
  }

  private func cameIn(_ device: BluezDevice) {
    lossReasons[device.address] = nil
    // bluetoothd refuses to pair it by itself then, and asks nobody.
    let isStranger = !device.isBonded && !pairingPolicy.isOpen(at: clock())
    log(
      .notice,
      "Bluetooth: \(device.name) (\(device.address)) is connected"
        + (isStranger ? ", and is refused: it is not paired, and pairing is closed" : ""))
  }

  /// The remote control of a phone is connected.
  private func takesControl(_ device: BluezDevice, at now: MonotonicInstant) {
    guard device.isBonded else { return }
    controlsSince[device.address] = now
    log(.notice, "Bluetooth: \(device.name) (\(device.address)) has its remote control")
    guard lastUsed.first != device.address else { return }
    lastUsed = Array(
      ([device.address] + lastUsed.filter { $0 != device.address }).prefix(Self.rememberedPhones))
    onLastUsed?(lastUsed)
  }

  private func wentOut(_ device: BluezDevice) {
    let controlled = controlsSince.removeValue(forKey: device.address) != nil
    log(.notice, "Bluetooth: \(device.name) (\(device.address)) has left")
    // Why, bluetoothd tells before or behind, or never.
    plan.lost(
      device.address, lossReasons.removeValue(forKey: device.address) ?? .faded, at: clock())
    guard options.pausesWhenPhoneLeaves, controlled, controlsSince.isEmpty,
      center.state.status.isAdvancing
    else { return }
    send(.media(.pause), at: clock())
  }

  func linkEnded(_ path: String, _ reason: String) {
    guard let device = BluezDevice(path, in: watch) else { return }
    let loss = ReconnectPlan.Loss(reason: reason)
    if device.isConnected {
      lossReasons[device.address] = lossReasons[device.address] ?? loss
    } else {
      plan.lost(device.address, loss, at: clock())
    }
    updatePlan()
  }

  // MARK: Dialling

  func updatePlan() {
    let now = clock()
    let powered = Set(
      adapters.filter {
        watch?[BluezNames.path(ofAdapter: $0), BluezNames.adapter]?["Powered"]?.flag == true
      })
    let devices = devices.filter { powered.contains($0.adapter) }
    let linked = Set(devices.filter(\.isConnected).map(\.address))
    radio.update(adapters: powered, connected: linked)
    let controlling = devices.filter(\.isControlling)
    for device in controlling where controlsSince[device.address] == nil {
      takesControl(device, at: now)
    }
    let dialable = devices.filter(mayBeDialled).map(\.address)
    plan.update(
      dialable: dialable.sorted { rank($0) < rank($1) }, linked: linked,
      connected: Set(controlling.map(\.address)), at: now)
    setDialTimer()
  }

  private func rank(_ address: String) -> Int { lastUsed.firstIndex(of: address) ?? .max }

  private func mayBeDialled(_ device: BluezDevice) -> Bool {
    device.canBeDialled && isWelcome(device)
  }

  private func setDialTimer() {
    guard options.reconnects, adding == nil, let deadline = plan.nextDeadline else {
      dialTimer?.stop()
      return
    }
    dialTimer?.set(after: deadline.wholeTime(since: clock()))
  }

  /// Dials whoever is due.
  func dial() {
    guard options.reconnects, adding == nil, let address = plan.next(at: clock()) else {
      return setDialTimer()
    }
    guard let device = devices.first(where: { $0.address == address && mayBeDialled($0) }) else {
      plan.finished(address, .absent, at: clock())
      return setDialTimer()
    }
    call(device) { _ in }
  }

  /// Somebody asks for it. One at a time, and it goes first; BlueZ goes on with the other by itself.
  func dialNow(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    plan.want(device.address, at: clock())
    dialling?.cancel()
    plan.dial(device.address)
    call(device, then: then)
  }

  /// Dials one. BlueZ's Connect passes over a device that is a controller and nothing else, so the
  /// profile is named; and nothing but a controller is ever dialled.
  private func call(_ device: BluezDevice, then: @escaping (BusError?) -> Void) {
    let address = device.address
    log(.debug, "Bluetooth: dials \(device.name) (\(address))")
    dialling = bus?.call(
      BluezNames.service, device.path, BluezNames.device, "ConnectProfile",
      [.string(BluezFeature.controller.uuid)], timeout: .seconds(60)
    ) { [weak self] result in
      guard let self else { return }
      dialling = nil
      switch result {
      case .success:
        plan.finished(address, .connected, at: clock())
        then(nil)
      case .failure(let error):
        let outcome = ReconnectPlan.Outcome(error)
        plan.finished(address, outcome, at: clock())
        log(.debug, "Bluetooth: \(address) cannot be connected: \(error)")
        if plan.prospects[address]?.isLeftInPeace == true {
          log(.notice, "Bluetooth: \(device.name) (\(address)) keeps refusing and is left in peace")
        }
        then(outcome == .connected ? nil : error)
      }
      updatePlan()
      publish()
    }
  }
}

extension ReconnectPlan.Outcome {
  init(_ error: BusError) {
    if case .remote(let name, let words) = error {
      self.init(errorName: name, words: words)
    } else {
      self = .absent
    }
  }
}
