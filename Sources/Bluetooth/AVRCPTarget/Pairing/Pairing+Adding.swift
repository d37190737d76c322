internal import EventLoop
internal import NowPlaying
internal import Reports

// Pairing with a device from here, because it calls nobody.
extension Pairing {
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

  /// Pairs with a device that was found, and gives it to ``onPaired``.
  /// - Parameters:
  ///   - name: its name or address.
  ///   - answer: called once, with words in either case.
  func add(_ name: String, answer: @escaping (Result<String, Refusal>) -> Void) {
    func refuse(_ code: Refusal.Code, _ sentence: String, remedy: String? = nil) {
      answer(.failure(Refusal(code, sentence, remedy: remedy)))
    }
    let now = clock()
    guard client.bus != nil, let until = policy.until, policy.isOpen(at: now) else {
      return refuse(
        .pairingClosed, "pairing is not open", remedy: "'bt find' opens it and looks for devices")
    }
    if let adding { return refuse(.pairingBusy, "\(adding.name) is being paired") }
    switch client.device(called: name, preferring: { !$0.isBonded }) {
    case .failure(let refusal): answer(.failure(refusal))
    // On another adapter, too, it is the same device.
    case .success(let device)
    where client.devices.contains(where: { $0.address == device.address && $0.isBonded }):
      refuse(.phonePaired, "\(device.name) is paired already")
    // It may be pairing itself, and then its number has been compared.
    case .success(let device) where device.isConnected:
      refuse(
        .phoneConnected, "\(device.name) is connected at the moment",
        remedy: "'bt phones' shows when it is not")
    case .success(let device):
      beginAdding(device, answer)
      if until < now.advanced(by: Self.addingTime) {
        policy.open(for: Self.addingTime, at: now)
        showWindows()
        windowChanged()
      }
      addingChanged()
      adding?.call = client.pair(device, timeout: Self.addingTime) { [weak self] in
        self?.paired(device.path, $0)
      }
    }
  }

  private func beginAdding(
    _ device: BluezDevice, _ answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    client.log(.notice, "Bluetooth: pairs with \(device.name) (\(device.address))")
    doubtful.insert(device.path)
    adding = Adding(
      path: device.path, name: device.name,
      answer: answeredInTime(
        client.loop, otherwise: "\(device.name) is being paired; 'bt phones' and 'log' tell",
        answer))
  }

  /// Searches and dialling wait while a device is being paired.
  private func addingChanged() {
    showSearches()
    onAdding?()
    onChange?()
  }

  private func paired(_ path: String, _ result: Result<Void, BusError>) {
    switch result {
    // BlueZ goes on.
    case .failure(.timedOut): cancelAdding("it took too long")
    case .failure(let error):
      settleAdding(error.pairingWords)
      doubtful.remove(path)
    case .success:
      // Without a bond it would be a stranger again with the next link.
      if let device = client.device(at: path), !device.isBonded { drop(device) }
      settleAdding("it keeps no key")
      doubtful.remove(path)
    }
  }

  /// It ends here. BlueZ answers behind all that it reads of a device, or never; whether there is a
  /// bond is known before.
  private func settleAdding(_ refusal: String) {
    guard let path = adding?.path, let device = client.device(at: path), device.isBonded,
      isWelcome(device)
    else { return endAdding(refusal) }
    search.isWanted = false
    endAdding(nil)
    onPaired?(device)
  }

  /// The device is paired, or was not, and why.
  func endAdding(_ refusal: String?) {
    guard let ended = adding else { return }
    adding = nil
    ended.call?.cancel()
    if let refusal {
      client.log(.notice, "Bluetooth: \(ended.name) is not paired: \(refusal)")
      ended.answer(.failure(Refusal(.pairingFailed, "\(ended.name): \(refusal)")))
    } else {
      ended.answer(.success("\(ended.name) is paired"))
    }
    addingChanged()
  }

  /// Nobody wants it any more.
  func cancelAdding(_ why: String) {
    guard let path = adding?.path else { return }
    // What is bonded before that is answered was still on its way.
    client.cancelPairing(path) { [weak self] _ in self?.doubtful.remove(path) }
    settleAdding(why)
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
