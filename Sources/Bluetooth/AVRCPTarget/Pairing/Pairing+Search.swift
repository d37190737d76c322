internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

// Discovery of devices that do not connect by themselves. Discovery runs only while the pairing
// window is open, so that people have only one window to understand.
extension Pairing {
  /// Devices in range that can be paired now, without duplicates. Devices with keys that control
  /// the unit come first.
  var found: [BluezDevice] {
    guard policy.isOpen(at: clock()) else { return [] }
    let devices = client.devices
    // A device that is bonded on one adapter may also be listed on another adapter as not paired.
    var known = Set(devices.filter(\.isBonded).map(\.address))
    let near = devices.filter { !$0.isConnected && known.insert($0.address).inserted }
    return near.filter(\.isRemote) + near.filter { !$0.isRemote }
  }

  /// Starts or stops discovery on each adapter, if needed.
  func updateDiscoveries() {
    for adapter in client.adapters { updateDiscovery(adapter.id) }
  }

  /// Starts or stops discovery on an adapter, if needed. Discovery slows down the connection of a
  /// device, so discovery pauses while a device is being paired.
  func updateDiscovery(_ adapter: String) {
    // A search disturbs a stream, so it waits until the stream ends.
    let discovers =
      discovery.isRequested && policy.isOpen(at: clock()) && adding == nil && !isStreaming()
    guard client.bus != nil, let call = discovery.next(adapter, discovers: discovers) else {
      return
    }
    client.discover(call, on: adapter) { [weak self] result in
      guard let self else { return }
      var error: BusError?
      if case .failure(let failure) = result { error = failure }
      discovery.answered(adapter, call, error)
      guard let error else { return updateDiscovery(adapter) }
      // The adapter is not powered yet. Discovery starts when the adapter is powered.
      if case .remote(BluezNames.notReady, _) = error { return }
      guard !client.retryLater() else { return }
      client.log(.discoveryFailed, "\(adapter) cannot search for devices: \(error)")
    }
  }
}
