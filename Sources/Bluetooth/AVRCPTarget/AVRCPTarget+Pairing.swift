internal import EventLoop
package import NowPlaying
internal import Reports

// Pairing: the agent, the window, and what adapters let be seen of us.
extension AVRCPTarget {
  func registerAgent() {
    guard let bus, let agent else { return }
    agent.register(bus) { [weak self] refusal in
      guard let self else { return }
      agentRefusal = refusal
      if let refusal { log(.error, "Bluetooth: nobody can be paired: \(refusal)") }
    }
  }

  // MARK: The window

  /// See ``Control/ControlledPhones``.
  package func openPairing(for time: Duration?) -> Refusal? { openWindow(for: time, looks: false) }

  /// - Parameter looks: whether devices that wait to be called are looked for meanwhile, whatever was
  ///   wanted before.
  /// - Returns: why it cannot be opened; nil where it is.
  func openWindow(for time: Duration?, looks: Bool) -> Refusal? {
    guard bus != nil else { return Refusal(.noSystemBus, "there is no system bus yet") }
    guard watch?.isKnown == true else {
      return Refusal(.noBluetoothd, "bluetoothd is not running")
    }
    guard !adapters.isEmpty else { return Refusal(.noAdapter, "there is no Bluetooth adapter") }
    if let agentRefusal {
      registerAgent()
      return Refusal(
        .noPairingAgent,
        "bluetoothd does not ask this unit about pairing: \(agentRefusal); try again")
    }
    var time = time ?? options.pairingTime
    if adding != nil { time = max(time, Self.addingTime) }
    search.isWanted = looks
    pairingPolicy.open(for: time, at: clock())
    log(.notice, "Bluetooth: phones may be paired for \(time.components.seconds) s")
    showWindows()
    pairingChanged()
    return nil
  }

  /// See ``Control/ControlledPhones``.
  package func closePairing() {
    guard pairingPolicy.until != nil || pairingPolicy.request != nil else { return }
    pairingPolicy.close()
    search.isWanted = false
    log(.notice, "Bluetooth: no phone may be paired any more")
    cancelAdding("pairing was closed")
    answerWaiting("pairing was closed")
    showWindows()
    pairingChanged()
  }

  func expirePairing() {
    let hadRequest = pairingPolicy.request != nil
    if pairingPolicy.expire(at: clock()) {
      if pairingPolicy.until == nil {
        search.isWanted = false
        cancelAdding("it took too long")
      }
      if hadRequest, pairingPolicy.request == nil { answerWaiting("nobody answered") }
      showWindows()
    }
    pairingChanged()
  }

  func pairingChanged() {
    if let deadline = pairingPolicy.nextDeadline {
      pairingTimer?.set(after: deadline.wholeTime(since: clock()))
    } else {
      pairingTimer?.stop()
    }
    publish()
  }

  // MARK: Adapters

  func adapterCame(_ adapter: String) {
    let properties = watch?[BluezNames.path(ofAdapter: adapter), BluezNames.adapter] ?? [:]
    if properties["Powered"]?.flag == false {
      set(BluezNames.path(ofAdapter: adapter), BluezNames.adapter, "Powered", .boolean(true))
    }
    showWindow(adapter)
    updatePlan()
  }

  func adapterChanged(_ adapter: String, _ properties: [String: BusValue]) {
    if let isPowered = properties["Powered"]?.flag {
      log(.info, "Bluetooth: \(adapter) is \(isPowered ? "on" : "off")")
      // A switch (rfkill) that was off may have taken the player along.
      if isPowered {
        adapterPlayers[adapter]?.register()
        dropUnwanted()
      } else {
        search.forget(adapter)
      }
      showSearch(adapter)
      updatePlan()
    }
    // Somebody else opened what we keep shut, or what we had shut came true after the window was opened:
    // both were written before that was known.
    let isOpen = pairingPolicy.isOpen(at: clock())
    let flags = ["Discoverable", "Pairable"].compactMap { properties[$0]?.flag }
    if flags.contains(where: { $0 != isOpen }) { showWindow(adapter) }
  }

  func showWindows() {
    for adapter in adapters { showWindow(adapter) }
  }

  /// Discoverable and pairable is an adapter while the window is open, and never else. bluetoothd
  /// gets the time too, so that it shuts the window also where this daemon has crashed.
  private func showWindow(_ adapter: String) {
    let path = BluezNames.path(ofAdapter: adapter)
    let now = clock()
    let isOpen = pairingPolicy.isOpen(at: now)
    let properties = watch?[path, BluezNames.adapter] ?? [:]
    func put(_ name: String, _ value: BusValue) {
      if properties[name] != value { set(path, BluezNames.adapter, name, value) }
    }
    if isOpen, let until = pairingPolicy.until {
      let seconds = UInt32(clamping: until.wholeTime(since: now).components.seconds + 2)
      put("PairableTimeout", .uint32(seconds))
      put("DiscoverableTimeout", .uint32(seconds))
    }
    put("Pairable", .boolean(isOpen))
    put("Discoverable", .boolean(isOpen))
    showSearch(adapter)
  }

  // MARK: Questions and answers

  func asked(_ asked: PairingAgent.Asked) {
    let device = BluezDevice(asked.device, in: watch)
    let address = device?.address ?? asked.device
    let name = device?.name ?? "unknown"
    let decision = pairingPolicy.decide(
      asked.question, address: address, name: name,
      isBonded: device.map { $0.isBonded && isWelcome($0) } ?? false,
      at: clock())
    switch decision {
    case .accept: asked.answer(nil)
    case .refuse(let why):
      log(.notice, "Bluetooth: \(name) (\(address)) was refused: \(why)")
      asked.answer(why)
    case .ask(let request):
      log(
        .notice,
        "Bluetooth: \(name) (\(address)) wants to be paired"
          + (request.passkey.map { " with \($0)" } ?? " without a number"))
      waiting = (asked.device, asked.answer)
    }
    pairingChanged()
    onActivity?()
  }

  /// See ``Control/ControlledPhones``.
  package func answerPairing(_ number: Int, accepts: Bool) -> Refusal? {
    guard let request = pairingPolicy.request, pairingPolicy.answered(number) else {
      return Refusal(.noPairingRequest, "that phone does not ask any more")
    }
    log(
      .notice,
      "Bluetooth: \(request.name) (\(request.address)) was \(accepts ? "accepted" : "rejected")")
    if accepts, request.passkey != nil, let waiting { numberWasCompared(waiting.device) }
    answerWaiting(accepts ? nil : "rejected at the unit")
    pairingChanged()
    return nil
  }

  /// The phone, or bluetoothd, waits no more.
  func pairingCancelled() {
    if let request = pairingPolicy.request {
      log(.notice, "Bluetooth: \(request.name) (\(request.address)) does not want any more")
    }
    pairingPolicy.withdraw()
    answerWaiting("cancelled")
    pairingChanged()
  }

  private func answerWaiting(_ refusal: String?) {
    let answer = waiting?.answer
    waiting = nil
    answer?(refusal)
  }

  /// Writes a property of BlueZ's; a refusal is a line in the log.
  func set(_ path: String, _ interface: String, _ name: String, _ value: BusValue) {
    bus?.call(
      BluezNames.service, path, BluezNames.properties, "Set",
      [.string(interface), .string(name), .variant(value)]
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: busyAnswers = 0
      case .failure(.remote(BluezNames.busy, _)) where isToAskAgain(): break
      case .failure(let error):
        log(.warning, "Bluetooth: \(name) of \(path) cannot be set: \(error)")
      }
    }
  }

  /// bluetoothd is busy: the controller is asked for something of that kind already, and that it has
  /// ended is not told. So it is asked again in a moment; false where that was done often enough.
  func isToAskAgain() -> Bool {
    guard busyAnswers < Self.patience else { return false }
    busyAnswers += 1
    busyTimer?.set(after: Self.busyPause)
    return true
  }

  /// So often bluetoothd may answer that it is busy, one after the other, before that is a fault.
  private static var patience: Int { 40 }
  private static var busyPause: Duration { .milliseconds(250) }

  /// Asks again for what bluetoothd was too busy for, as far as it is still wanted.
  func askAgain() {
    for adapter in adapters { adapterCame(adapter) }
  }
}
