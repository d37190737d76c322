internal import EventLoop
internal import NowPlaying
internal import Reports

// Devices that wait to be called: finding them. Only while pairing is open, so that there is one window
// to know about.
extension Pairing {
  /// Devices in range that could be paired now, each once: first those that have keys for us.
  var found: [BluezDevice] {
    guard policy.isOpen(at: clock()) else { return [] }
    let devices = client.devices
    // What another adapter is paired with is in range of this one too.
    var known = Set(devices.filter(\.isBonded).map(\.address))
    let near = devices.filter { !$0.isConnected && known.insert($0.address).inserted }
    return near.filter(\.isRemote) + near.filter { !$0.isRemote }
  }

  /// Begins or ends looking around on all adapters, where it is not so.
  func showSearches() {
    for adapter in client.adapters { showSearch(adapter.id) }
  }

  /// A radio that looks around calls nobody well, so while one is being paired it does not.
  func showSearch(_ adapter: String) {
    let looks = search.isWanted && policy.isOpen(at: clock()) && adding == nil
    guard client.bus != nil, let call = search.next(adapter, looks: looks) else { return }
    client.discover(call, on: adapter) { [weak self] result in
      guard let self else { return }
      var error: BusError?
      if case .failure(let failure) = result { error = failure }
      search.answered(adapter, call, error)
      guard let error else { return showSearch(adapter) }
      // It is being switched on, and looks when it is.
      if case .remote(BluezNames.notReady, _) = error { return }
      guard !client.askAgainLater() else { return }
      client.log(.warning, "Bluetooth: \(adapter) cannot look for devices: \(error)")
    }
  }
}
