internal import EventLoop
internal import NowPlaying
package import Reports

// What the console asks of phones.
extension AVRCPTarget {
  // MARK: Pairing

  /// See ``Control/ControlledPhones``.
  package func openPairing(for time: Duration?) -> String? {
    pairing.open(for: time, looks: false)
  }

  /// See ``Control/ControlledPhones``.
  package func closePairing() { pairing.close() }

  /// See ``Control/ControlledPhones``.
  package func find(for time: Duration?) -> String? { pairing.open(for: time, looks: true) }

  /// See ``Control/ControlledPhones``.
  package func add(
    _ name: String, answer: @escaping (Result<String, PhoneRefusal>) -> Void
  ) {
    pairing.add(name, answer: answer)
  }

  /// See ``Control/ControlledPhones``.
  package func answerPairing(_ number: Int, accepts: Bool) -> String? {
    pairing.answer(number, accepts: accepts)
  }

  // MARK: Phones

  /// See ``Control/ControlledPhones``.
  package func connect(
    _ phone: String, answer: @escaping (Result<String, PhoneRefusal>) -> Void
  ) {
    switch client.device(called: phone, preferring: \.isBonded) {
    case .failure(let refusal): answer(.failure(refusal))
    case .success(let device)
    where device.isControlling || device.isConnected && !device.canBeDialled:
      answer(.success("\(device.name) is connected already"))
    case .success where pairing.adding != nil:
      answer(.failure(PhoneRefusal("\(pairing.adding?.name ?? "a device") is being paired")))
    case .success(let device) where !device.isBonded || !pairing.isWelcome(device):
      answer(.failure(PhoneRefusal("\(device.name) is not paired; 'bt add' pairs with it")))
    case .success(let device) where !device.canBeDialled:
      answer(
        .failure(
          PhoneRefusal("\(device.name) is no controller, so it has to connect by itself")))
    case .success(let device):
      let ended = answeredInTime(
        client.loop, otherwise: "\(device.name) is still being called; 'bt phones' tells", answer)
      connections.dialNow(device) { error in
        ended(
          error.map { .failure(PhoneRefusal("\(device.name): \($0)")) }
            ?? .success("\(device.name) is connected"))
      }
    }
  }

  /// See ``Control/ControlledPhones``.
  package func disconnect(_ phone: String, answer: @escaping (PhoneRefusal?) -> Void) {
    ask(phone, preferring: \.isConnected, answer) { device, completion in
      guard device.isConnected else {
        return answer(PhoneRefusal("\(device.name) is not connected"))
      }
      connections.willDisconnect(device)
      client.disconnect(device, timeout: answerTime, completion)
    }
  }

  /// See ``Control/ControlledPhones``.
  package func rename(
    _ phone: String, to name: String, answer: @escaping (PhoneRefusal?) -> Void
  ) {
    ask(phone, answer) { device, completion in
      client.rename(device, to: name, timeout: answerTime, completion)
    }
  }

  /// See ``Control/ControlledPhones``.
  package func forget(_ phone: String, answer: @escaping (PhoneRefusal?) -> Void) {
    ask(phone, answer) { device, completion in
      client.log(.notice, "Bluetooth: \(device.name) (\(device.address)) is forgotten")
      connections.forget(device.address)
      client.remove(device, timeout: answerTime, completion)
    }
  }

  /// Finds a phone, asks BlueZ, and answers.
  private func ask(
    _ phone: String, preferring preferred: (BluezDevice) -> Bool = \.isBonded,
    _ answer: @escaping (PhoneRefusal?) -> Void,
    call: (BluezDevice, @escaping BluezClient.Completion) -> Void
  ) {
    switch client.device(called: phone, preferring: preferred) {
    case .failure(let refusal): answer(refusal)
    case .success(let device):
      call(device) { result in
        if case .failure(let error) = result {
          answer(PhoneRefusal("\(device.name): \(error)"))
        } else {
          answer(nil)
        }
      }
    }
  }
}
