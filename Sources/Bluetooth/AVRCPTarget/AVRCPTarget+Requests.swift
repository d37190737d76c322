internal import EventLoop
package import NowPlaying
internal import Reports

// What the console asks of phones: connect, disconnect, rename, forget.
extension AVRCPTarget {
  /// Within so much `connect` answers, whatever has become of it.
  package static let connectPatience = Duration.seconds(4)

  /// By address, or by a name that only one has. Devices in range may have the name of a phone, and
  /// one that is paired on one adapter is a stranger on another.
  /// - Parameter first: who is meant where others match too.
  func find(_ phone: String, first: (BluezDevice) -> Bool = \.isBonded)
    -> Result<BluezDevice, Refusal>
  {
    guard watch?.isKnown == true else {
      return .failure(Refusal(.noBluetoothd, "bluetoothd is not running"))
    }
    let address = phone.uppercased()
    let called = devices.filter { $0.address == address }
    let named = called.isEmpty ? devices.filter { $0.name == phone } : called
    let meant = named.filter(first)
    let matching = meant.isEmpty ? named : meant
    if let device = matching.first, matching.allSatisfy({ $0.address == device.address }) {
      return .success(device)
    }
    return .failure(
      Refusal(
        named.isEmpty ? .noSuchPhone : .ambiguousPhone,
        named.isEmpty
          ? "no phone has that address or name" : "\(matching.count) phones have that name"))
  }

  /// See ``Control/ControlledPhones``.
  package func connect(
    _ phone: String, answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    switch find(phone) {
    case .failure(let refusal): answer(.failure(refusal))
    case .success(let device)
    where device.isControlling || device.isConnected && !device.canBeDialled:
      answer(.success("\(device.name) is connected already"))
    case .success where adding != nil:
      answer(.failure(Refusal(.pairingBusy, "\(adding?.name ?? "a device") is being paired")))
    case .success(let device) where !device.isBonded || !isWelcome(device):
      answer(
        .failure(Refusal(.phoneNotPaired, "\(device.name) is not paired; 'bt add' pairs with it")))
    case .success(let device) where !device.canBeDialled:
      answer(
        .failure(
          Refusal(
            .phoneNotController, "\(device.name) is no controller, so it has to connect by itself"))
      )
    case .success(let device):
      let told = tellInTime("\(device.name) is still being called; 'bt phones' tells", answer)
      dialNow(device) { error in
        told(
          error.map { .failure(Refusal(.bluetoothFailed, "\(device.name): \($0)")) }
            ?? .success("\(device.name) is connected"))
      }
    }
  }

  /// To be called with the end of what takes its time: it is answered with that, or with `words`
  /// once it has taken too long for whoever waits.
  func tellInTime(
    _ words: String, _ answer: @escaping (Result<String, Refusal>) -> Void
  ) -> (Result<String, Refusal>) -> Void {
    // It keeps itself until it has fired or is not needed: what is waited for may be forgotten.
    var late: TimerSource?
    late = TimerSource(loop) {
      guard late != nil else { return }
      late = nil
      answer(.success(words))
    }
    late?.set(after: Self.connectPatience)
    return { result in
      guard let timer = late else { return }
      timer.cancel()
      late = nil
      answer(result)
    }
  }

  /// See ``Control/ControlledPhones``.
  package func disconnect(_ phone: String, answer: @escaping (Refusal?) -> Void) {
    ask(phone, first: \.isConnected, answer) { device in
      guard device.isConnected else { return "\(device.name) is not connected" }
      self.lossReasons[device.address] = .byUs
      return nil
    } call: {
      ($0.path, BluezNames.device, "Disconnect", [])
    }
  }

  /// See ``Control/ControlledPhones``.
  package func rename(
    _ phone: String, to name: String, answer: @escaping (Refusal?) -> Void
  ) {
    ask(phone, answer) { _ in
      nil
    } call: {
      (
        $0.path, BluezNames.properties, "Set",
        [.string(BluezNames.device), .string("Alias"), .variant(.string(name))]
      )
    }
  }

  /// See ``Control/ControlledPhones``.
  package func forget(_ phone: String, answer: @escaping (Refusal?) -> Void) {
    ask(phone, answer) { device in
      self.log(.notice, "Bluetooth: \(device.name) (\(device.address)) is forgotten")
      if self.lastUsed.contains(device.address) {
        self.lastUsed.removeAll { $0 == device.address }
        self.onLastUsed?(self.lastUsed)
      }
      return nil
    } call: {
      (
        BluezNames.path(ofAdapter: $0.adapter), BluezNames.adapter, "RemoveDevice",
        [.objectPath($0.path)]
      )
    }
  }

  /// Finds a phone, looks whether it may be, asks BlueZ, and answers.
  private func ask(
    _ phone: String, first: (BluezDevice) -> Bool = \.isBonded,
    _ answer: @escaping (Refusal?) -> Void,
    unless refusal: (BluezDevice) -> String?,
    call: (BluezDevice) -> (path: String, interface: String, member: String, [BusValue])
  ) {
    switch find(phone, first: first) {
    case .failure(let refusal): answer(refusal)
    case .success(let device):
      if let words = refusal(device) { return answer(Refusal(.phoneNotConnected, words)) }
      guard let bus else { return answer(Refusal(.noSystemBus, "there is no system bus")) }
      let (path, interface, member, arguments) = call(device)
      // The console waits five seconds.
      bus.call(
        BluezNames.service, path, interface, member, arguments, timeout: Self.connectPatience
      ) { result in
        if case .failure(let error) = result {
          answer(Refusal(.bluetoothFailed, "\(device.name): \(error)"))
        } else {
          answer(nil)
        }
      }
    }
  }
}
