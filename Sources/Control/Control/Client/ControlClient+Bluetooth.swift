internal import EventLoop
package import Reports

// Calls about phones. `ControlClient+Calls.swift` states when a completion is called.
extension ControlClient {
  /// Reads the present state of the phones once.
  @discardableResult
  package func getPhones(_ completion: @escaping Completion<PhonesState>) -> Ticket? {
    call(ControlInterface.bluetooth, "GetState", then: completion) { try PhonesCoding.state($0[0]) }
  }

  /// Subscribes to the state of the phones, also after each reconnection. The state is passed to
  /// ``onPhones``.
  package func subscribeToPhones() {
    subscribesToPhones = true
    guard bus?.isReady == true else { return }
    subscribe(to: ControlInterface.bluetooth) { try $0.showPhones($1) }
  }

  func showPhones(_ values: [BusValue]) throws(WireError) {
    guard let value = values.first else { throw WireError("phones", "empty") }
    let state = try PhonesCoding.state(value)
    phones = state
    onPhones?(state)
  }

  /// Permits pairing for `seconds`, or ends the permission. Nil stands for the configured time.
  @discardableResult
  package func pairing(
    opens: Bool, seconds: Int? = nil, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.bluetooth, opens ? "OpenPairing" : "ClosePairing",
      opens ? [.uint32(UInt32(clamping: seconds ?? 0))] : [], then: completion
    ) { _ in }
  }

  /// Permits pairing for `seconds` and searches for devices that can be added. Nil stands for the
  /// configured time.
  @discardableResult
  package func findDevices(
    seconds: Int? = nil, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.bluetooth, "Find", [.uint32(UInt32(clamping: seconds ?? 0))],
      then: completion
    ) { _ in }
  }

  /// Pairs with a device that was found. The result is a text for people.
  @discardableResult
  package func addDevice(_ device: String, _ completion: @escaping Completion<String>) -> Ticket? {
    call(ControlInterface.bluetooth, "Add", [.string(device)], then: completion) {
      $0[0].text ?? ""
    }
  }

  /// Accepts or rejects a pairing request of a phone.
  /// - Parameter request: the number of the request that was shown.
  @discardableResult
  package func answerPairing(
    _ request: Int, accepts: Bool, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.bluetooth, accepts ? "AcceptPairing" : "RejectPairing", [.count(request)],
      then: completion
    ) { _ in }
  }

  /// Connects a phone. The result is a text for people.
  @discardableResult
  package func connectPhone(_ phone: String, _ completion: @escaping Completion<String>) -> Ticket?
  {
    call(ControlInterface.bluetooth, "Connect", [.string(phone)], then: completion) {
      $0[0].text ?? ""
    }
  }

  @discardableResult
  package func disconnectPhone(_ phone: String, _ completion: @escaping Completion<Void>) -> Ticket?
  {
    call(ControlInterface.bluetooth, "Disconnect", [.string(phone)], then: completion) { _ in }
  }

  /// Sets the displayed name of a phone. An empty name restores the phone's own name.
  @discardableResult
  package func renamePhone(
    _ phone: String, to name: String, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      ControlInterface.bluetooth, "Rename", [.string(phone), .string(name)], then: completion
    ) { _ in }
  }

  /// Makes a phone the one to which the unit connects first. An empty text means that there is none.
  @discardableResult
  package func setFirstChoice(_ phone: String, _ completion: @escaping Completion<Void>) -> Ticket?
  {
    call(ControlInterface.bluetooth, "SetFirstChoice", [.string(phone)], then: completion) { _ in }
  }

  /// Removes a phone and its bond.
  @discardableResult
  package func forgetPhone(_ phone: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.bluetooth, "Forget", [.string(phone)], then: completion) { _ in }
  }
}
