internal import EventLoop
package import NowPlaying
internal import Reports

// Remotes that wait to be called: finding them. Only while pairing is open, so that there is one window
// to know about.
extension AVRCPTarget {
  /// Devices in range that could be paired now, each once: first those that have keys for us.
  var found: [PhonesState.Phone] {
    guard pairingPolicy.isOpen(at: clock()) else { return [] }
    let devices = devices
    // What another adapter is paired with is in range of this one too.
    var known = Set(devices.filter(\.isBonded).map(\.address))
    let near = devices.filter { !$0.isConnected && known.insert($0.address).inserted }
    return (near.filter(\.isRemote) + near.filter { !$0.isRemote }).map { $0.phone(nil) }
  }

  /// See ``Control/ControlledPhones``.
  package func find(for time: Duration?) -> Refusal? { openWindow(for: time, looks: true) }

  /// Begins or ends looking around on all adapters, where it is not so.
  func showSearches() {
    for adapter in adapters { showSearch(adapter) }
  }

  /// A radio that looks around calls nobody well, so while one is being paired it does not.
  func showSearch(_ adapter: String) {
    let looks = search.isWanted && pairingPolicy.isOpen(at: clock()) && adding == nil
    guard let bus, let call = search.next(adapter, looks: looks) else { return }
    bus.call(
      BluezNames.service, BluezNames.path(ofAdapter: adapter), BluezNames.adapter, call.rawValue
    ) { [weak self] result in
      guard let self else { return }
      var error: BusError?
      if case .failure(let failure) = result { error = failure }
      search.answered(adapter, call, error)
      guard let error else { return showSearch(adapter) }
      // It is being switched on, and looks when it is.
      if case .remote(BluezNames.notReady, _) = error { return }
      guard !isToAskAgain() else { return }
      log(.warning, "Bluetooth: \(adapter) cannot look for devices: \(error)")
    }
  }
}
