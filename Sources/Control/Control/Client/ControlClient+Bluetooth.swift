internal import EventLoop
package import Reports

// Phones. Completions as for the other calls.
extension ControlClient {
  /// Phones as they are now, once.
  @discardableResult
  package func getPhones(_ completion: @escaping Completion<PhonesState>) -> Ticket? {
    ask(ControlInterface.bluetooth, "GetState", then: completion) { try PhonesCoding.state($0[0]) }
  }

  /// Wants each new state of phones, from now on and after each coming back. It comes to
  /// ``onPhones``.
  package func subscribeToPhones() {
    wantsPhones = true
    guard bus?.isReady == true else { return }
    ask(
      ControlInterface.bluetooth, "Subscribe",
      then: { [weak self] (result: Result<Void, ControlError>) in
        if case .failure(.unreadable(let words)) = result { self?.onTrouble?(words) }
      }
    ) { [weak self] in try self?.showPhones($0) }
  }

  func showPhones(_ values: [BusValue]) throws(WireError) {
    guard let value = values.first else { throw WireError("phones", "empty") }
    let state = try PhonesCoding.state(value)
    phones = state
    onPhones?(state)
  }

  /// Lets phones be paired for so many seconds (nil: as configured), or no more.
  @discardableResult
  package func pairing(
    opens: Bool, seconds: Int? = nil, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    ask(
      ControlInterface.bluetooth, opens ? "OpenPairing" : "ClosePairing",
      opens ? [.uint32(UInt32(clamping: seconds ?? 0))] : [], then: completion
    ) { _ in }
  }

  /// Opens pairing for so many seconds (nil: as configured), and looks for devices that wait to be
  /// called.
  @discardableResult
  package func findDevices(
    seconds: Int? = nil, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    ask(
      ControlInterface.bluetooth, "Find", [.uint32(UInt32(clamping: seconds ?? 0))],
      then: completion
    ) { _ in }
  }

  /// Pairs with a device that was found; what came of it, in words.
  @discardableResult
  package func addDevice(_ device: String, _ completion: @escaping Completion<String>) -> Ticket? {
    ask(ControlInterface.bluetooth, "Add", [.string(device)], then: completion) {
      $0[0].text ?? ""
    }
  }

  /// Answers the phone that asks.
  /// - Parameter request: the number of the request that was shown.
  @discardableResult
  package func answerPairing(
    _ request: Int, accepts: Bool, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    ask(
      ControlInterface.bluetooth, accepts ? "AcceptPairing" : "RejectPairing", [.count(request)],
      then: completion
    ) { _ in }
  }

  /// Connects a phone; what came of it, in words.
  @discardableResult
  package func connectPhone(_ phone: String, _ completion: @escaping Completion<String>) -> Ticket?
  {
    ask(ControlInterface.bluetooth, "Connect", [.string(phone)], then: completion) {
      $0[0].text ?? ""
    }
  }

  /// Disconnects a phone.
  @discardableResult
  package func disconnectPhone(_ phone: String, _ completion: @escaping Completion<Void>) -> Ticket?
  {
    ask(ControlInterface.bluetooth, "Disconnect", [.string(phone)], then: completion) { _ in }
  }

  /// Calls a phone so; an empty name is its own.
  @discardableResult
  package func renamePhone(
    _ phone: String, to name: String, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    ask(
      ControlInterface.bluetooth, "Rename", [.string(phone), .string(name)], then: completion
    ) { _ in }
  }

  /// Forgets a phone.
  @discardableResult
  package func forgetPhone(_ phone: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    ask(ControlInterface.bluetooth, "Forget", [.string(phone)], then: completion) { _ in }
  }
}
