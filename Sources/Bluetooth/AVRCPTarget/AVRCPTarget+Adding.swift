internal import EventLoop
package import NowPlaying
internal import Reports

// Pairing with a device from here, because it calls nobody.
extension AVRCPTarget {
  /// A device that is being paired. It is known by its object: its address may become another one in
  /// the midst, where it had one for privacy.
  struct Adding {
    let path: String
    let name: String
    let answer: (Result<String, Refusal>) -> Void
    var call: PendingCall?
  }

  /// How long that may take; somebody may have to compare a number meanwhile. Pairing stays open as
  /// long.
  static let addingTime = Duration.seconds(90)

  /// See ``Control/ControlledPhones``.
  package func add(
    _ name: String, answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    func refuse(_ code: Refusal.Code, _ words: String) {
      answer(.failure(Refusal(code, words)))
    }
    let now = clock()
    guard let bus, let until = pairingPolicy.until, pairingPolicy.isOpen(at: now) else {
      return refuse(.pairingClosed, "pairing is not open; 'bt find' opens it, and looks")
    }
    if let adding { return refuse(.pairingBusy, "\(adding.name) is being paired") }
    switch find(name, first: { !$0.isBonded }) {
    case .failure(let refusal): answer(.failure(refusal))
    // On another adapter, too, it is the same device.
    case .success(let device)
    where devices.contains(where: { $0.address == device.address && $0.isBonded }):
      refuse(.phonePaired, "\(device.name) is paired already")
    // It may be pairing itself, and then its number has been compared.
    case .success(let device) where device.isConnected:
      refuse(.phoneConnected, "\(device.name) is connected at the moment; 'bt phones' tells")
    case .success(let device):
      log(.notice, "Bluetooth: pairs with \(device.name) (\(device.address))")
      doubtful.insert(device.path)
      adding = Adding(
        path: device.path, name: device.name,
        answer: tellInTime("\(device.name) is being paired; 'bt phones' and 'log' tell", answer))
      if until < now.advanced(by: Self.addingTime) {
        pairingPolicy.open(for: Self.addingTime, at: now)
        showWindows()
        pairingChanged()
      }
      showSearches()
      updatePlan()
      adding?.call = bus.call(
        BluezNames.service, device.path, BluezNames.device, "Pair", timeout: Self.addingTime
      ) { [weak self] in self?.paired(device.path, $0) }
      publish()
    }
  }

  private func paired(_ path: String, _ result: Result<BodyReader, BusError>) {
    switch result {
    // BlueZ goes on.
    case .failure(.timedOut): cancelAdding("it took too long")
    case .failure(let error):
      settleAdding(error.pairingWords)
      doubtful.remove(path)
    case .success:
      // Without a bond it would be a stranger again with the next link.
      if let device = BluezDevice(path, in: watch), !device.isBonded { drop(device) }
      settleAdding("it keeps no key")
      doubtful.remove(path)
    }
  }

  /// It ends here. BlueZ answers behind all that it reads of a device, or never; whether there is a
  /// bond is known before.
  private func settleAdding(_ refusal: String) {
    guard let path = adding?.path, let device = BluezDevice(path, in: watch), device.isBonded,
      isWelcome(device)
    else { return endAdding(refusal) }
    search.isWanted = false
    endAdding(nil)
    begin(device)
  }

  /// The device is paired, or was not, and why.
  func endAdding(_ refusal: String?) {
    guard let ended = adding else { return }
    adding = nil
    ended.call?.cancel()
    if let refusal {
      log(.notice, "Bluetooth: \(ended.name) is not paired: \(refusal)")
      ended.answer(.failure(Refusal(.pairingFailed, "\(ended.name): \(refusal)")))
    } else {
      ended.answer(.success("\(ended.name) is paired"))
    }
    // It is looked for and dialled again.
    showSearches()
    updatePlan()
    publish()
  }

  /// Nobody wants it any more.
  func cancelAdding(_ why: String) {
    guard let path = adding?.path else { return }
    // What is bonded before that is answered was still on its way.
    bus?.call(BluezNames.service, path, BluezNames.device, "CancelPairing") { [weak self] _ in
      self?.doubtful.remove(path)
    }
    settleAdding(why)
  }

  /// The first connection; from then on a remote comes by itself, or is dialled.
  private func begin(_ device: BluezDevice) {
    if device.canBeDialled { return dialNow(device) { _ in } }
    bus?.call(BluezNames.service, device.path, BluezNames.device, "Connect") { [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.log(.notice, "Bluetooth: \(device.name) does not connect yet: \(error)")
    }
  }

  // MARK: Bonds that nobody wants

  /// Whether a device that is bonded now may stay so. BlueZ asks nobody where the unit itself pairs
  /// with a device that has no number to show.
  func isWelcome(_ device: BluezDevice) -> Bool {
    !unwanted.contains(device.path)
      && (options.pairsWithoutNumber || !doubtful.contains(device.path))
  }

  /// Somebody has said that a device and the unit show the same number.
  func numberWasCompared(_ path: String) {
    doubtful.remove(path)
    unwanted.remove(path)
  }

  /// bluetoothd is there again: a bond that it made in the midst is no less doubtful.
  func judgeDoubtful() {
    if !options.pairsWithoutNumber { unwanted.formUnion(doubtful) }
    doubtful = []
    dropUnwanted()
  }

  /// What could not be undone, as the adapter was off or bluetoothd went, is undone now.
  func dropUnwanted() {
    for path in unwanted {
      if let device = BluezDevice(path, in: watch) { drop(device) } else { unwanted.remove(path) }
    }
  }

  /// Undoes a bond. Until that is done, the device may use nothing, and is not dialled.
  func drop(_ device: BluezDevice) {
    unwanted.insert(device.path)
    bus?.call(
      BluezNames.service, BluezNames.path(ofAdapter: device.adapter), BluezNames.adapter,
      "RemoveDevice",
      [.objectPath(device.path)]
    ) { [weak self] result in
      guard case .failure(let error) = result, self?.watch?[device.path, BluezNames.device] != nil
      else { return }
      self?.log(
        .error, "Bluetooth: the bond of \(device.name) (\(device.address)) stays: \(error)")
    }
  }
}

extension BusError {
  /// Why a device was not paired, for people (device-api of BlueZ, `Pair`).
  fileprivate var pairingWords: String {
    guard case .remote(let name, _) = self, name.hasPrefix(BluezNames.errorPrefix) else {
      return description
    }
    return switch name.dropFirst(BluezNames.errorPrefix.count) {
    case "ConnectionAttemptFailed": "it does not answer; is it waiting to be paired?"
    case "AuthenticationFailed": "it and the unit do not agree"
    case "AuthenticationRejected": "it was refused"
    case "AuthenticationCanceled": "the link was lost in the midst"
    case "AuthenticationTimeout": "it took too long"
    default: description
    }
  }
}
