internal import EventLoop
internal import NowPlaying
package import Reports

// Pairing with a device from here, because it calls nobody.
extension AVRCPTarget {
  /// A device that is being paired. It is known by its object: its address may become another one in
  /// the midst, where it had one for privacy.
  struct Adding {
    let path: String
    let name: String
    let answer: (Result<String, PhoneRefusal>) -> Void
    var call: PendingCall?
    /// Somebody has said that both show the same number.
    var isCompared = false
  }

  /// How long that may take; somebody may have to compare a number meanwhile. Pairing stays open as
  /// long.
  private static let addingTime = Duration.seconds(90)

  /// See ``Control/ControlledPhones``.
  package func add(
    _ name: String, answer: @escaping (Result<String, PhoneRefusal>) -> Void
  ) {
    func refuse(_ words: String) { answer(.failure(PhoneRefusal(words))) }
    let now = clock()
    guard let bus, let until = desk.until, desk.isOpen(at: now) else {
      return refuse("pairing is not open; 'bt find' opens it, and looks")
    }
    if let adding { return refuse("\(adding.name) is being paired") }
    switch find(name, first: { !$0.isBonded }) {
    case .failure(let refusal): answer(.failure(refusal))
    case .success(let device) where device.isBonded: refuse("\(device.name) is paired already")
    // It may be pairing itself, and then its number has been compared.
    case .success(let device) where device.isConnected:
      refuse("\(device.name) is connected at the moment; 'bt phones' tells")
    case .success(let device):
      log(.notice, "Bluetooth: pairs with \(device.name) (\(device.address))")
      adding = Adding(
        path: device.path, name: device.name,
        answer: tellInTime("\(device.name) is being paired; 'bt phones' and 'log' tell", answer))
      if until < now.advanced(by: Self.addingTime) {
        desk.open(for: Self.addingTime, at: now)
        for adapter in adapters { showWindow(adapter) }
        pairingChanged()
      }
      showSearches()
      updatePlan()
      adding?.call = bus.call(
        BluezNames.service, device.path, BluezNames.device, "Pair", timeout: Self.addingTime
      ) { [weak self] in self?.paired(device, $0) }
      publish()
    }
  }

  private func paired(_ device: BluezDevice, _ result: Result<BodyReader, BusError>) {
    if case .failure(let error) = result { return endAdding(error.pairingWords) }
    // What it can do, and its address, may be known only now.
    guard let device = BluezDevice(device.path, in: watch) else { return endAdding("it is gone") }
    // Without a bond it would be a stranger again with the next link.
    guard device.isBonded else {
      drop(device)
      return endAdding("it keeps no key")
    }
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
      ended.answer(.failure(PhoneRefusal("\(ended.name): \(refusal)")))
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
    bus?.call(BluezNames.service, path, BluezNames.device, "CancelPairing") { _ in }
    endAdding(why)
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
    if unwanted.contains(device.path) { return false }
    guard let adding, adding.path == device.path else { return true }
    return adding.isCompared || options.pairsWithoutNumber
  }

  /// Undoes a bond. Until that is done, the device may use nothing.
  func drop(_ device: BluezDevice) {
    unwanted.insert(device.path)
    bus?.call(
      BluezNames.service, "\(BluezNames.root)/\(device.adapter)", BluezNames.adapter,
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
    case "AuthenticationRejected", "AuthenticationCanceled": "it was refused"
    case "AuthenticationTimeout": "it took too long"
    default: description
    }
  }
}
