internal import CSystemd

private let driver = "org.freedesktop.DBus"
private let driverPath = "/org/freedesktop/DBus"

/// Watches the owner of a name on the bus until this object is deallocated or cancelled.
public final class NameMonitor {
  /// The unique name of the owner. Nil if the name has no owner, or if the bus has not answered yet.
  public private(set) var owner: String?
  private var isKnown = false
  private var match: BusMatch?
  private var handler: ((String?) -> Void)?

  fileprivate init(_ bus: Bus, _ name: String, _ handler: @escaping (String?) -> Void)
    throws(BusError)
  {
    self.handler = handler
    // The match is requested first, so that a change between the two requests is not missed.
    match = try bus.match(
      MatchRule(
        sender: driver, path: driverPath, interface: driver, member: "NameOwnerChanged",
        argument0: name)
    ) { [weak self] message in
      guard let body = try? message.body(), body.values.count == 3 else { return }
      self?.setOwner(body.values[2].text)
    }
    bus.call(driver, driverPath, driver, "GetNameOwner", [.string(name)]) { [weak self] result in
      switch result {
      case .success(let body): self?.setOwner(body.values.first?.text)
      case .failure(.remote): self?.setOwner(nil)
      // The connection has ended, or the bus does not answer. The owner stays unknown.
      case .failure: break
      }
    }
  }

  /// Stops watching and releases the handler.
  public func cancel() {
    match?.cancel()
    match = nil
    handler = nil
  }

  private func setOwner(_ name: String?) {
    let owner = name?.isEmpty == true ? nil : name
    if isKnown, owner == self.owner { return }
    isKnown = true
    self.owner = owner
    handler?(owner)
  }
}

extension Bus {
  /// The unique name of this connection on the bus. Nil until the connection is established, and for a connection to a
  /// peer.
  public var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    guard isReady, sd_bus_get_unique_name(handle, &name) >= 0 else { return nil }
    return name.map { String(cString: $0) }
  }

  /// Calls `handler` once with the owner of a name, or with nil if the name has no owner. Later calls `handler` after
  /// each change of the owner. A program that was restarted has another unique name, because unique names are never
  /// reused.
  public func watchName(_ name: String, _ handler: @escaping (String?) -> Void)
    throws(BusError) -> NameMonitor
  {
    try NameMonitor(self, name, handler)
  }

  /// Requests a name. The result is `true` if this connection owns the name now. If another connection owns the name,
  /// the result is `false`, and the bus does not queue the request.
  public func requestName(
    _ name: String, completion: @escaping (Result<Bool, BusError>) -> Void
  ) {
    // DBUS_NAME_FLAG_DO_NOT_QUEUE
    call(driver, driverPath, driver, "RequestName", [.string(name), .uint32(4)]) { result in
      completion(result.map { [1, 4].contains($0.values.first?.integer) })
    }
  }
}
