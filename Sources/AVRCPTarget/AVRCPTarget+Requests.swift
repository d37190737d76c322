internal import EventLoop
internal import NowPlaying
package import Reports

// What the console asks of phones: connect, disconnect, rename, forget.
extension AVRCPTarget {
  /// Within so much `connect` answers, whatever has become of it.
  package static let connectPatience = Duration.seconds(4)

  /// By address, or by a name that only one has.
  func find(_ phone: String) -> Result<BluezDevice, PhoneRefusal> {
    guard watch?.isKnown == true else { return .failure(PhoneRefusal("bluetoothd is not running")) }
    let devices = devices
    if let device = devices.first(where: { $0.address == phone.uppercased() }) {
      return .success(device)
    }
    let named = devices.filter { $0.name == phone }
    if named.count == 1 { return .success(named[0]) }
    return .failure(
      PhoneRefusal(
        named.isEmpty
          ? "no phone has that address or name" : "\(named.count) phones have that name"))
  }

  /// See ``Control/ControlledPhones``.
  package func connect(
    _ phone: String, answer: @escaping (Result<String, PhoneRefusal>) -> Void
  ) {
    switch find(phone) {
    case .failure(let refusal): answer(.failure(refusal))
    case .success(let device)
    where device.isControlling || device.isConnected && !device.canBeDialled:
      answer(.success("\(device.name) is connected already"))
    case .success(let device) where !device.isBonded:
      answer(.failure(PhoneRefusal("\(device.name) is not paired; 'bt add' pairs with it")))
    case .success(let device) where !device.canBeDialled:
      answer(
        .failure(
          PhoneRefusal("\(device.name) is no controller, so it has to connect by itself")))
    case .success(let device):
      plan.want(device.address, at: clock())
      let told = tellInTime("\(device.name) is still being called; 'bt phones' tells", answer)
      // One at a time, and whom somebody asks for goes first. BlueZ goes on with the other by itself.
      dialling?.cancel()
      plan.dial(device.address)
      call(device) { error in
        told(
          error.map { .failure(PhoneRefusal("\(device.name): \($0)")) }
            ?? .success("\(device.name) is connected"))
      }
    }
  }

  /// To be called with the end of what takes its time: it is answered with that, or with `words`
  /// once it has taken too long for whoever waits.
  func tellInTime(
    _ words: String, _ answer: @escaping (Result<String, PhoneRefusal>) -> Void
  ) -> (Result<String, PhoneRefusal>) -> Void {
    var isAnswered = false
    let late = TimerSource(loop) {
      guard !isAnswered else { return }
      isAnswered = true
      answer(.success(words))
    }
    late.set(after: Self.connectPatience)
    return { result in
      late.cancel()
      guard !isAnswered else { return }
      isAnswered = true
      answer(result)
    }
  }

  /// See ``Control/ControlledPhones``.
  package func disconnect(_ phone: String, answer: @escaping (PhoneRefusal?) -> Void) {
    ask(phone, answer) { device in
      guard device.isConnected else { return "\(device.name) is not connected" }
      self.lossReasons[device.address] = .byUs
      return nil
    } call: {
      ($0.path, BluezNames.device, "Disconnect", [])
    }
  }

  /// See ``Control/ControlledPhones``.
  package func rename(
    _ phone: String, to name: String, answer: @escaping (PhoneRefusal?) -> Void
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
  package func forget(_ phone: String, answer: @escaping (PhoneRefusal?) -> Void) {
    ask(phone, answer) { device in
      self.log(.notice, "Bluetooth: \(device.name) (\(device.address)) is forgotten")
      if self.lastUsed.contains(device.address) {
        self.lastUsed.removeAll { $0 == device.address }
        self.onLastUsed?(self.lastUsed)
      }
      return nil
    } call: {
      (
        "\(BluezNames.root)/\($0.adapter)", BluezNames.adapter, "RemoveDevice",
        [.objectPath($0.path)]
      )
    }
  }

  /// Finds a phone, looks whether it may be, asks BlueZ, and answers.
  private func ask(
    _ phone: String, _ answer: @escaping (PhoneRefusal?) -> Void,
    unless refusal: (BluezDevice) -> String?,
    call: (BluezDevice) -> (path: String, interface: String, member: String, [BusValue])
  ) {
    switch find(phone) {
    case .failure(let refusal): answer(refusal)
    case .success(let device):
      if let words = refusal(device) { return answer(PhoneRefusal(words)) }
      guard let bus else { return answer(PhoneRefusal("there is no system bus")) }
      let (path, interface, member, arguments) = call(device)
      // The console waits five seconds.
      bus.call(
        BluezNames.service, path, interface, member, arguments, timeout: Self.connectPatience
      ) { result in
        if case .failure(let error) = result {
          answer(PhoneRefusal("\(device.name): \(error)"))
        } else {
          answer(nil)
        }
      }
    }
  }
}
