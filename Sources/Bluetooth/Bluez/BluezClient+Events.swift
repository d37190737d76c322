internal import EventLoop
internal import Reports

// Translates the signals of BlueZ into events.
extension BluezClient {
  func handle(_ event: BluezMonitor.Event) {
    switch event {
    case .started: serviceStarted()
    case .ended:
      log(.bluetoothdLost, "bluetoothd has ended")
      send(.serviceEnded)
    case .added(let path, BluezNames.media):
      send(.mediaAdded(adapter: BluezDevice.adapter(of: path)))
    case .removed(let path, BluezNames.media, _):
      send(.mediaRemoved(adapter: BluezDevice.adapter(of: path)))
    case .added(let path, BluezNames.adapter):
      let adapter = adapter(BluezDevice.adapter(of: path))
      log(.adapterAdded, "adapter \(adapter.id) is present")
      send(.adapterAdded(adapter))
    case .removed(let path, BluezNames.adapter, _):
      let id = BluezDevice.adapter(of: path)
      log(.adapterRemoved, "adapter \(id) was removed")
      send(.adapterRemoved(id: id))
    case .changed(let path, BluezNames.adapter, let properties):
      let adapter = adapter(BluezDevice.adapter(of: path))
      let changed = BluezAdapter.Property.allCases.filter { properties[$0.rawValue] != nil }
      if changed.contains(.power) {
        log(.adapterPower, "\(adapter.id) is \(adapter.isPowered ? "on" : "off")")
      }
      send(.adapterChanged(adapter, Set(changed)))
    case .added(let path, BluezNames.device):
      if let device = device(at: path) { send(.deviceAdded(device)) }
    case .removed(let path, BluezNames.device, let old):
      send(.deviceRemoved(path: path, address: old["Address"]?.text))
    case .changed(let path, BluezNames.device, let properties):
      guard let device = device(at: path) else { return }
      send(.deviceChanged(device, BluezDevice.Property.changed(properties)))
    case .added(_, BluezNames.control), .changed(_, BluezNames.control, _),
      .removed(_, BluezNames.control, _):
      send(.controlChanged)
    case .disconnected(let path, let reason):
      if let device = device(at: path) { send(.linkEnded(device, reason: reason)) }
    case .added(let path, BluezNames.transport):
      if let transport = transport(at: path) { send(.transportAdded(transport)) }
    case .removed(let path, BluezNames.transport, _): send(.transportRemoved(path: path))
    case .changed(let path, BluezNames.transport, let properties):
      let changed = BluezTransport.Property.allCases.filter { properties[$0.rawValue] != nil }
      guard !changed.isEmpty, let transport = transport(at: path) else { return }
      send(.transportChanged(transport, Set(changed)))
    case .added(let path, BluezNames.mediaPlayer), .removed(let path, BluezNames.mediaPlayer, _):
      send(.playerChanged(path: path, changed: nil))
    case .changed(let path, BluezNames.mediaPlayer, let properties):
      send(.playerChanged(path: path, changed: Set(properties.keys)))
    case .added, .removed, .changed: break
    }
  }

  private func serviceStarted() {
    log(.bluetoothdFound, "bluetoothd is running")
    send(.serviceStarted)
    // Players are registered first, because an AVRCP session of bluetoothd uses the player that is
    // registered when the session begins.
    for path in monitor?.paths(with: BluezNames.media) ?? [] {
      send(.mediaAdded(adapter: BluezDevice.adapter(of: path)))
    }
    for adapter in adapters { send(.adapterAdded(adapter)) }
    for path in monitor?.paths(with: BluezNames.transport) ?? [] {
      if let transport = transport(at: path) { send(.transportAdded(transport)) }
    }
    for path in monitor?.paths(with: BluezNames.device) ?? [] {
      if let device = device(at: path) { send(.deviceAdded(device)) }
    }
  }
}
