internal import Bluez
internal import EventLoop
package import NowPlaying
internal import Reports

// Requests of the console.
extension AVRCPTarget {
  // MARK: Pairing

  package func openPairing(for time: Duration?) -> Refusal? {
    pairing.open(for: time, discovers: false)
  }

  package func closePairing() { pairing.close() }

  package func find(for time: Duration?) -> Refusal? { pairing.open(for: time, discovers: true) }

  package func add(
    _ name: String, answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    pairing.add(name, answer: answer)
  }

  package func answerPairing(_ number: Int, accepts: Bool) -> Refusal? {
    pairing.answer(number, accepts: accepts)
  }

  // MARK: Phones

  /// Must be called when a key of an input device was pressed. If the input device belongs to a Bluetooth device, the
  /// Bluetooth device counts as a controller.
  package func received(_ origin: PressOrigin) {
    guard origin.isBluetooth else { return }
    let devices = client.devices.filter {
      $0.isConnected && $0.isBonded && $0.origin.isSameDevice(as: origin)
    }
    // An origin without an address matches all devices with its name. If these are several devices, the press is
    // ignored.
    guard let device = devices.first, devices.allSatisfy({ $0.address == device.address }) else {
      return
    }
    connections.pressed(device)
  }

  package func connect(
    _ phone: String, answer: @escaping (Result<String, Refusal>) -> Void
  ) {
    switch client.device(called: phone, preferring: \.isBonded) {
    case .failure(let refusal): answer(.failure(refusal))
    case .success(let device) where device.isControlling && !mayHaveUnknownKeys(device):
      answer(.success("\(device.name) is connected already"))
    case .success(let device):
      if let refusal = obstacle(to: device) { return answer(.failure(refusal)) }
      let finish = answerWithinTimeLimit(
        client.loop, otherwise: "\(device.name) does not answer yet; 'bt phones' shows the result",
        answer)
      // A phone can stream while its remote control is not connected. Such a phone is dialled, and its keys (HID) are
      // not connected.
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

  /// The reason why a device cannot be connected now. Nil if it can be connected.
  private func obstacle(to device: BluezDevice) -> Refusal? {
    if let adding = pairing.adding {
      return Refusal(.pairingBusy, "\(adding.name) is being paired")
    }
    guard device.isBonded, pairing.isPermitted(device) else {
      return Refusal(
        .phoneNotPaired, "\(device.name) is not paired", remedy: "'bt add' pairs with the device")
    }
    return nil
  }

  /// True if the device can have keys (HID) that BlueZ does not know. BlueZ reads the services of a device when the
  /// device is paired. A phone can offer keys later, when a person starts an app on the phone.
  private func mayHaveUnknownKeys(_ device: BluezDevice) -> Bool {
    !device.isKeyboard && !connections.controllers.contains(device.address)
  }

  /// Connects the keys (HID) of a device. The device has no remote control, or its remote control is connected but the
  /// device has never pressed a key.
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

  package func disconnect(_ phone: String, answer: @escaping (Refusal?) -> Void) {
    callBluez(phone, preferring: \.isConnected, answer) { device, completion in
      guard device.isConnected else {
        return answer(Refusal(.phoneNotConnected, "\(device.name) is not connected"))
      }
      connections.willDisconnect(device)
      client.disconnect(device, timeout: answerTime, completion)
    }
  }

  /// Plays a phone. Connects its sound first, if needed.
  package func play(_ address: String, answer: @escaping (Refusal?) -> Void) {
    let devices = client.devices.filter { $0.address == address && $0.isSource }
    guard let device = devices.first(where: \.isConnected) ?? devices.first else {
      return answer(
        Refusal(.noSuchPhone, "no phone has this address", remedy: "'bt phones' lists the phones"))
    }
    if playing?(device.path) != nil, let onPlay {
      // A phone that connects by itself may have connected its remote control only, so its sound is connected now.
      connectSound(of: device.path)
      return onPlay(device.path, answer)
    }
    if let refusal = obstacle(to: device) { return answer(refusal) }
    onAwait?(device.address, device.name)
    let finish = answerWithinTimeLimit(client.loop, otherwise: "") { result in
      if case .failure(let refusal) = result { answer(refusal) } else { answer(nil) }
    }
    connections.dialNow(device) { [weak self] error in
      // Crossed: both sides dialled at the same time, or BlueZ was busy with the phone. The phone then connects by
      // itself, or the unit dials it again soon.
      guard let error, ReconnectPlan.Outcome(error) != .crossed else {
        return finish(.success(""))
      }
      // The wait must end even if the time limit has already answered the caller.
      self?.onAwaitEnd?(device.address)
      finish(.failure(Refusal(.bluetoothFailed, "\(device.name): \(error)")))
    }
  }

  /// Connects the sound of a connected phone. Does nothing if the sound is connected already.
  package func connectSound(of path: String) {
    guard let device = client.device(at: path), device.isSource, obstacle(to: device) == nil,
      !client.hasSound(path)
    else { return }
    connections.dialNow(device) { _ in }
  }

  /// Sets the phone that is dialled first. If `phone` is empty, no phone is preferred.
  package func setFirstChoice(_ phone: String) -> Refusal? {
    if phone.isEmpty {
      connections.setFirstChoice(nil)
      return nil
    }
    switch client.device(called: phone, preferring: \.isBonded) {
    case .failure(let refusal): return refusal
    case .success(let device) where !device.isBonded:
      return Refusal(
        .phoneNotPaired, "\(device.name) is not paired", remedy: "'bt add' pairs with the device")
    case .success(let device):
      connections.setFirstChoice(device.address)
      return nil
    }
  }

  package func rename(
    _ phone: String, to name: String, answer: @escaping (Refusal?) -> Void
  ) {
    callBluez(phone, answer) { device, completion in
      client.rename(device, to: name, timeout: answerTime, completion)
    }
  }

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
