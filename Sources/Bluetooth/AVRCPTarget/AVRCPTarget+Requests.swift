internal import Bluez
internal import EventLoop
package import NowPlaying
internal import Reports

// Requests of the console.
extension AVRCPTarget {
  // MARK: Pairing

  /// See ``Control/ControlledPhones``.
  package func openPairing(for time: Duration?) -> Refusal? {
    pairing.open(for: time, discovers: false)
  }

  /// See ``Control/ControlledPhones``.
  package func closePairing() { pairing.close() }

  /// See ``Control/ControlledPhones``.
  package func find(for time: Duration?) -> Refusal? { pairing.open(for: time, discovers: true) }

  /// See ``Control/ControlledPhones``.
  package func add(
    _ name: String, answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    pairing.add(name, answer: answer)
  }

  /// See ``Control/ControlledPhones``.
  package func answerPairing(_ number: Int, accepts: Bool) -> Refusal? {
    pairing.answer(number, accepts: accepts)
  }

  // MARK: Phones

  /// Must be called when a key of an input device was pressed. If the input device belongs to a
  /// Bluetooth device, this device is a controller.
  package func received(_ origin: PressOrigin) {
    guard origin.isBluetooth else { return }
    let devices = client.devices.filter {
      $0.isConnected && $0.isBonded && $0.origin.isSameDevice(as: origin)
    }
    // Without an address, the origin may fit two devices of one name.
    guard let device = devices.first, devices.allSatisfy({ $0.address == device.address }) else {
      return
    }
    connections.pressed(device)
  }

  /// See ``Control/ControlledPhones``.
  package func connect(
    _ phone: String, answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    switch client.device(called: phone, preferring: \.isBonded) {
    case .failure(let refusal): answer(.failure(refusal))
    case .success(let device) where device.isControlling && !mayHaveUnknownKeys(device):
      answer(.success("\(device.name) is connected already"))
    case .success where pairing.adding != nil:
      answer(
        .failure(Refusal(.pairingBusy, "\(pairing.adding?.name ?? "a device") is being paired")))
    case .success(let device) where !device.isBonded || !pairing.isPermitted(device):
      answer(
        .failure(
          Refusal(
            .phoneNotPaired, "\(device.name) is not paired", remedy: "'bt add' pairs with it")))
    case .success(let device):
      let finish = answerWithinTimeLimit(
        client.loop, otherwise: "\(device.name) does not answer yet; 'bt phones' shows the result",
        answer)
      // A phone that streams may lack its remote control. Then it is no device with keys.
      let lacksControl = device.isSource && !device.hasRemoteControl
      guard device.canBeDialled, lacksControl || !connections.isInUse(device) else {
        return connectKeyboard(device, finish)
      }
      connections.dialNow(device) { error in
        finish(
          error.map { .failure(Refusal(.bluetoothFailed, "\(device.name): \($0)")) }
            ?? .success("\(device.name) is connected"))
      }
    }
  }

  /// True if BlueZ may not know the keys (HID) of a device. BlueZ reads the services of a device
  /// when the device is paired. A phone gets keys later, when a person starts an app.
  private func mayHaveUnknownKeys(_ device: BluezDevice) -> Bool {
    !device.isKeyboard && !connections.controllers.contains(device.address)
  }

  /// Connects the keys (HID) of a device that has no remote control, or whose remote control is
  /// connected and has pressed no key.
  private func connectKeyboard(
    _ device: BluezDevice, _ answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    client.connectKeyboard(device) { result in
      let outcome: ReconnectPlan.Outcome? =
        if case .failure(let error) = result { ReconnectPlan.Outcome(error) } else { nil }
      switch (result, outcome) {
      case (.success, _), (_, .connected): answer(.success("\(device.name) is connected"))
      case (.failure, .refused) where device.isControlling:
        answer(.success("\(device.name) is connected already"))
      case (.failure, .refused):
        answer(
          .failure(
            Refusal(
              .phoneNotController, "\(device.name) is not a controller",
              remedy: "connect the unit from the device")))
      case (.failure(let error), _):
        answer(.failure(Refusal(.bluetoothFailed, "\(device.name): \(error)")))
      }
    }
  }

  /// See ``Control/ControlledPhones``.
  package func disconnect(_ phone: String, answer: @escaping (Refusal?) -> Void) {
    callBluez(phone, preferring: \.isConnected, answer) { device, completion in
      guard device.isConnected else {
        return answer(Refusal(.phoneNotConnected, "\(device.name) is not connected"))
      }
      connections.willDisconnect(device)
      client.disconnect(device, timeout: answerTime, completion)
    }
  }

  /// Plays a phone. If it is not connected, connects it first.
  package func play(_ address: String, answer: @escaping (Refusal?) -> Void) {
    let devices = client.devices.filter { $0.address == address && $0.isSource }
    guard let device = devices.first(where: \.isConnected) ?? devices.first else {
      return answer(
        Refusal(.noSuchPhone, "no phone has this address", remedy: "'bt phones' lists them"))
    }
    if connections.isInUse(device), let onPlay { return onPlay(device.path, answer) }
    onAwait?(device.address, device.name)
    connect(device.address) { [weak self] result in
      guard case .failure(let refusal) = result else { return answer(nil) }
      self?.onAwaitEnd?()
      answer(refusal)
    }
  }

  /// Makes a phone the one that is dialled first. An empty name means that none is.
  package func setFirstChoice(_ phone: String) -> Refusal? {
    if phone.isEmpty {
      connections.setFirstChoice(nil)
      return nil
    }
    switch client.device(called: phone, preferring: \.isBonded) {
    case .failure(let refusal): return refusal
    case .success(let device) where !device.isBonded:
      return Refusal(
        .phoneNotPaired, "\(device.name) is not paired", remedy: "'bt add' pairs with it")
    case .success(let device):
      connections.setFirstChoice(device.address)
      return nil
    }
  }

  /// See ``Control/ControlledPhones``.
  package func rename(
    _ phone: String, to name: String, answer: @escaping (Refusal?) -> Void
  ) {
    callBluez(phone, answer) { device, completion in
      client.rename(device, to: name, timeout: answerTime, completion)
    }
  }

  /// See ``Control/ControlledPhones``.
  package func forget(_ phone: String, answer: @escaping (Refusal?) -> Void) {
    callBluez(phone, answer) { device, completion in
      client.log(.deviceForgotten, "\(device.name) (\(device.address)) is forgotten")
      connections.forget(device.address)
      onForgotten?(device.address)
      client.remove(device, timeout: answerTime, completion)
    }
  }

  /// Finds a phone, calls BlueZ, and answers the console with the result.
  private func callBluez(
    _ phone: String, preferring preferred: (BluezDevice) -> Bool = \.isBonded,
    _ answer: @escaping (Refusal?) -> Void,
    call: (BluezDevice, @escaping BluezClient.Completion) -> Void
  ) {
    switch client.device(called: phone, preferring: preferred) {
    case .failure(let refusal): answer(refusal)
    case .success(let device):
      call(device) { result in
        if case .failure(let error) = result {
          answer(Refusal(.bluetoothFailed, "\(device.name): \(error)"))
        } else {
          answer(nil)
        }
      }
    }
  }
}
