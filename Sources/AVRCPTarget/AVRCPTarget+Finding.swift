internal import EventLoop
internal import NowPlaying
package import Reports

// Remotes that wait to be called: finding them, and pairing from here. Only while pairing is open, so
// that there is one window to know about.
extension AVRCPTarget {
  /// How long a device may take to be paired; somebody may have to compare a number meanwhile.
  private static let pairingPatience = Duration.seconds(90)

  /// Devices in range that could be paired now: remotes first, and those that say what they are.
  var found: [PhonesState.Phone] {
    guard desk.isOpen(at: clock()) else { return [] }
    let near = devices.filter { !$0.isBonded && !$0.isConnected }
    return (near.filter(\.isRemote) + near.filter { !$0.isRemote }).map { $0.phone(nil) }
  }

  // MARK: Looking around

  /// See ``Control/ControlledPhones``.
  package func find(for time: Duration?) -> String? {
    if let refusal = openPairing(for: time) { return refusal }
    search.isWanted = true
    for adapter in adapters { showSearch(adapter) }
    publish()
    return nil
  }

  /// Begins or ends looking around on an adapter, if it is not so already.
  func showSearch(_ adapter: String) {
    let wanted = search.isWanted && desk.isOpen(at: clock())
    guard wanted != search.adapters.contains(adapter) else { return }
    if wanted {
      search.adapters.insert(adapter)
    } else {
      search.adapters.remove(adapter)
    }
    bus?.call(
      BluezNames.service, "\(BluezNames.root)/\(adapter)", BluezNames.adapter,
      wanted ? "StartDiscovery" : "StopDiscovery"
    ) { [weak self] result in
      // That nothing is looked for any more, bluetoothd may have found out before.
      guard wanted, case .failure(let error) = result else { return }
      self?.log(.warning, "Bluetooth: \(adapter) cannot look for devices: \(error)")
    }
  }

  /// A radio that looks around calls nobody well.
  func endSearch() {
    search.isWanted = false
    for adapter in adapters { showSearch(adapter) }
  }

  // MARK: Pairing from here

  /// See ``Control/ControlledPhones``.
  package func add(
    _ name: String, answer: @escaping (Result<String, PhoneRefusal>) -> Void
  ) {
    guard desk.isOpen(at: clock()) else {
      return answer(.failure(PhoneRefusal("pairing is not open; 'bt find' opens it, and looks")))
    }
    guard search.adding == nil else {
      return answer(.failure(PhoneRefusal("another device is being paired")))
    }
    switch find(name) {
    case .failure(let refusal): answer(.failure(refusal))
    case .success(let device) where device.isBonded:
      answer(.failure(PhoneRefusal("\(device.name) is paired already")))
    case .success(let device):
      endSearch()
      search.adding = DeviceSearch.Adding(address: device.address)
      log(.notice, "Bluetooth: pairs with \(device.name) (\(device.address))")
      let told = tellInTime("\(device.name) is being paired; 'bt phones' tells", answer)
      bus?.call(
        BluezNames.service, device.path, BluezNames.device, "Pair", timeout: Self.pairingPatience
      ) { [weak self] result in
        told(self?.added(device, result) ?? .failure(PhoneRefusal("the unit stops")))
      }
      publish()
    }
  }

  private func added(_ device: BluezDevice, _ result: Result<BodyReader, BusError>)
    -> Result<String, PhoneRefusal>
  {
    let adding = search.adding
    search.adding = nil
    publish()
    if adding?.isRefused == true {
      return .failure(
        PhoneRefusal(
          "\(device.name) shows no number, and the configuration wants one ('pair-without-number')")
      )
    }
    if case .failure(let error) = result {
      log(.notice, "Bluetooth: \(device.name) (\(device.address)) cannot be paired: \(error)")
      return .failure(PhoneRefusal("\(device.name): \(error)"))
    }
    // What it can do is known only now.
    if let device = BluezDevice(device.path, in: watch) { begin(device) }
    return .success("\(device.name) is paired")
  }

  /// The first connection; from then on a remote comes by itself, or is dialled.
  private func begin(_ device: BluezDevice) {
    if device.canBeDialled {
      plan.want(device.address, at: clock())
      updatePlan()
    } else {
      bus?.call(BluezNames.service, device.path, BluezNames.device, "Connect") {
        [weak self] result in
        guard case .failure(let error) = result else { return }
        self?.log(.notice, "Bluetooth: \(device.name) does not connect yet: \(error)")
      }
    }
  }

  /// Undoes a bond that nobody wanted.
  func drop(_ device: BluezDevice) {
    log(
      .notice,
      "Bluetooth: \(device.name) (\(device.address)) shows no number and is not kept "
        + "(key 'pair-without-number')")
    bus?.call(
      BluezNames.service, "\(BluezNames.root)/\(device.adapter)", BluezNames.adapter,
      "RemoveDevice",
      [.objectPath(device.path)]
    ) { _ in }
  }

  /// Nobody wants the device any more that is being paired.
  func cancelAdding() {
    guard let address = search.adding?.address,
      let device = devices.first(where: { $0.address == address })
    else { return }
    bus?.call(BluezNames.service, device.path, BluezNames.device, "CancelPairing") { _ in }
  }
}
