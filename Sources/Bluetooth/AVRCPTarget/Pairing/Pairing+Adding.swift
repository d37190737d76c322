internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

// Pairing that the unit starts, for devices that do not connect by themselves.
extension Pairing {
  /// A device that is being paired. The object path identifies the device, because a private address may change during
  /// pairing.
  struct Adding {
    let path: String
    let name: String
    let answer: (Result<String, Refusal>) -> Void
    var call: PendingCall?
  }

  /// Time limit for the pairing. It includes the time that a person needs to compare a number. The pairing window stays
  /// open at least until this limit.
  static let addingTime = Duration.seconds(90)

  /// Pairs with a device that was found. After success, the device is passed to ``onPaired``.
  /// - Parameters:
  ///   - name: name or address of the device.
  ///   - answer: called once, with a message or a refusal.
  func add(_ name: String, answer: @escaping (Result<String, Refusal>) -> Void) {
    func refuse(_ code: Refusal.Code, _ sentence: String, remedy: String? = nil) {
      answer(.failure(Refusal(code, sentence, remedy: remedy)))
    }
    let now = clock()
    guard client.bus != nil, let until = policy.until, policy.isOpen(at: now) else {
      return refuse(
        .pairingClosed, "the pairing window is closed",
        remedy: "'bt find' opens it and searches for devices")
    }
    if let adding { return refuse(.pairingBusy, "\(adding.name) is being paired") }
    switch client.device(called: name, preferring: { !$0.isBonded }) {
    case .failure(let refusal): answer(.failure(refusal))
    // The bond can be on another adapter, so all devices with this address are checked.
    case .success(let device)
    where client.devices.contains(where: { $0.address == device.address && $0.isBonded }):
      refuse(.phonePaired, "\(device.name) is paired already")
    // A connected device may have started a pairing itself, in which a person compares a number. So the unit does not
    // start a second pairing.
    case .success(let device) where device.isConnected:
      refuse(
        .phoneConnected, "\(device.name) is connected now",
        remedy:
          "pair the device after it has disconnected; 'bt phones' shows when it is disconnected")
    case .success(let device):
      beginAdding(device, answer)
      if until < now.advanced(by: Self.addingTime) {
        policy.open(for: Self.addingTime, at: now)
        applyWindows()
        windowChanged()
      }
      addingChanged()
      // BlueZ can bond with the device without a question to the agent. So the address of the device is stored before
      // the pairing starts.
      updateMarks { [weak self] in self?.pair(device) }
    }
  }

  private func pair(_ device: BluezDevice) {
    guard let adding, adding.path == device.path, adding.call == nil else { return }
    self.adding?.call = client.pair(device, timeout: Self.addingTime) { [weak self] in
      self?.paired(device.path, $0)
    }
  }

  private func beginAdding(
    _ device: BluezDevice, _ answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    client.log(.pairingStarted, "the unit pairs with \(device.name) (\(device.address))")
    unconfirmed.insert(device.path)
    adding = Adding(
      path: device.path, name: device.name,
      answer: answerWithinTimeLimit(
        client.loop,
        otherwise: "\(device.name) is being paired; 'bt phones' and 'log' show the result",
        answer))
  }

  /// Called when a pairing begins or ends. Discovery and dialling pause during a pairing.
  private func addingChanged() {
    updateDiscoveries()
    onAdding?()
    onChange?()
  }

  private func paired(_ path: String, _ result: Result<Void, BusError>) {
    switch result {
    // BlueZ continues to pair after the time-out of the call, so the pairing must be cancelled.
    case .failure(.timedOut): cancelAdding(.timedOut)
    case .failure(let error):
      finishAdding(PairingFailure(error))
      unconfirmed.remove(path)
    case .success:
      // A device without a bond would be unknown at its next connection, so the device is removed.
      if let device = client.device(at: path), !device.isBonded { removeBond(device) }
      finishAdding(.noKey)
      unconfirmed.remove(path)
    }
  }

  /// Ends the pairing: with success if the device is bonded and permitted, otherwise with `failure`. The result does
  /// not depend on the answer of BlueZ, because this answer comes only after BlueZ has read the services of the device,
  /// or does not come at all. The bond is known earlier.
  private func finishAdding(_ failure: PairingFailure) {
    guard let path = adding?.path, let device = client.device(at: path), device.isBonded,
      isPermitted(device)
    else { return endAdding(failure) }
    discovery.isRequested = false
    endAdding(nil)
    onPaired?(device)
  }

  /// Ends the pairing. `failure` is nil if the device is paired.
  func endAdding(_ failure: PairingFailure?) {
    guard let ended = adding else { return }
    adding = nil
    ended.call?.cancel()
    if let failure {
      client.log(.pairingFailed, "\(ended.name) is not paired (\(failure.code)): \(failure)")
      ended.answer(.failure(failure.refusal(of: ended.name)))
    } else {
      ended.answer(.success("\(ended.name) is paired"))
    }
    addingChanged()
  }

  /// Cancels the pairing at BlueZ. If the device is already bonded and permitted, the pairing ends with success,
  /// otherwise with `failure`.
  func cancelAdding(_ failure: PairingFailure) {
    guard let path = adding?.path else { return }
    // A bond may still arrive before the answer to the cancellation. So the device stays in `unconfirmed` until this
    // answer.
    client.cancelPairing(path) { [weak self] _ in self?.unconfirmed.remove(path) }
    finishAdding(failure)
  }

  // MARK: Discovery

  // Discovery of devices that do not connect by themselves. Discovery runs only while the pairing window is open, so
  // that users have to understand only one window.

  /// Devices in range that can be paired now, without duplicates. Devices with keys that control the unit come first.
  var found: [BluezDevice] {
    guard policy.isOpen(at: clock()) else { return [] }
    let devices = client.devices
    // A device that is bonded on one adapter may also be listed on another adapter as not paired.
    var known = Set(devices.filter(\.isBonded).map(\.address))
    let near = devices.filter { !$0.isConnected && known.insert($0.address).inserted }
    return near.filter(\.isRemote) + near.filter { !$0.isRemote }
  }

  /// Starts or stops discovery on each adapter, if needed.
  func updateDiscoveries() {
    for adapter in client.adapters { updateDiscovery(adapter.id) }
  }

  /// Starts or stops discovery on an adapter, if needed. Discovery slows down the connection of a device, so discovery
  /// pauses while a device is being paired.
  func updateDiscovery(_ adapter: String) {
    // Discovery disturbs a stream, so discovery waits until the stream ends.
    let discovers =
      discovery.isRequested && policy.isOpen(at: clock()) && adding == nil && !isStreaming()
    guard client.bus != nil, let call = discovery.next(adapter, discovers: discovers) else {
      return
    }
    client.discover(call, on: adapter) { [weak self] result in
      guard let self else { return }
      var error: BusError?
      if case .failure(let failure) = result { error = failure }
      discovery.answered(adapter, call, error)
      guard let error else { return updateDiscovery(adapter) }
      // The adapter is not powered yet. Discovery starts when the adapter is powered.
      if case .remote(BluezNames.notReady, _) = error { return }
      guard !client.retryLater() else { return }
      client.log(.discoveryFailed, "\(adapter) cannot search for devices: \(error)")
    }
  }
}

extension PairingFailure {
  /// Converts an error of BlueZ's method `Pair`. BlueZ's document device-api lists the names of these errors.
  fileprivate init(_ error: BusError) {
    guard case .remote(let name, _) = error, name.hasPrefix(BluezNames.errorPrefix) else {
      self = .other(error.description)
      return
    }
    self =
      switch name.dropFirst(BluezNames.errorPrefix.count) {
      case "ConnectionAttemptFailed": .noAnswer
      case "AuthenticationFailed": .authenticationFailed
      case "AuthenticationRejected": .authenticationRejected
      case "AuthenticationCanceled": .linkLost
      case "AuthenticationTimeout": .timedOut
      default: .other(error.description)
      }
  }
}
