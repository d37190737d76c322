internal import CSystemd

private let driver = "org.freedesktop.DBus"
private let driverPath = "/org/freedesktop/DBus"

/// Who has a name on the bus, until this is forgotten.
public final class NameMonitor {
  /// The unique name of its owner; nil where there is none, or nothing is known yet.
  public private(set) var owner: String?
  private var isKnown = false
  private var match: BusMatch?
  private var handler: ((String?) -> Void)?

  fileprivate init(_ bus: Bus, _ name: String, _ handler: @escaping (String?) -> Void)
    throws(BusError)
  {
    self.handler = handler
    // First the match: what changes between the two questions is told then, not lost.
    match = try bus.match(
      MatchRule(
        sender: driver, path: driverPath, interface: driver, member: "NameOwnerChanged",
        argument0: name)
    ) { [weak self] message in
      guard let body = try? message.body(), body.values.count == 3 else { return }
      self?.learn(body.values[2].text)
    }
    bus.call(driver, driverPath, driver, "GetNameOwner", [.string(name)]) { [weak self] result in
      switch result {
      case .success(let body): self?.learn(body.values.first?.text)
      case .failure(.remote): self?.learn(nil)
      // The connection has ended, or the bus hangs: nothing was learnt.
      case .failure: break
      }
    }
  }

  /// Watches no more.
  public func cancel() {
    match?.cancel()
    match = nil
    handler = nil
  }

  private func learn(_ name: String?) {
    let owner = name?.isEmpty == true ? nil : name
    if isKnown, owner == self.owner { return }
    isKnown = true
    self.owner = owner
    handler?(owner)
  }
}

extension Bus {
  /// This connection's own name on the bus; nil before it is connected, and to a peer.
  public var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    guard isReady, sd_bus_get_unique_name(handle, &name) >= 0 else { return nil }
    return name.map { String(cString: $0) }
  }

  /// Calls once with the owner of a name, or nil, and then with each change of it. A program that
  /// was restarted between two looks is one change, as unique names are never given twice.
  public func watchName(_ name: String, _ handler: @escaping (String?) -> Void)
    throws(BusError) -> NameMonitor
  {
    try NameMonitor(self, name, handler)
  }

  /// Asks for a name; `true` where this connection has it now. It does not wait for one that
  /// another has.
  public func requestName(
    _ name: String, completion: @escaping (Result<Bool, BusError>) -> Void
  ) {
    // DBUS_NAME_FLAG_DO_NOT_QUEUE
    call(driver, driverPath, driver, "RequestName", [.string(name), .uint32(4)]) { result in
      completion(result.map { [1, 4].contains($0.values.first?.integer) })
    }
  }
}
