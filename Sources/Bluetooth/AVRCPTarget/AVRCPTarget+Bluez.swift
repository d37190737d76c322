internal import EventLoop
internal import NowPlaying
internal import Reports

// The bus and bluetoothd: what comes, goes and changes there, and who follows it.
extension AVRCPTarget {
  func busCame(_ bus: Bus) {
    self.bus = bus
    let isBluez: (String) -> Bool = { [weak self] in
      self?.watch?.owner == $0
    }
    let agent = PairingAgent(
      isBluez: isBluez, onAsked: { [weak self] in self?.asked($0) },
      onCancel: { [weak self] in self?.pairingCancelled() })
    self.agent = agent
    // The path is a constant that is one.
    try? link.objects.add(agent.object)
    watch = BluezMonitor(loop, bus) { [weak self] event in
      self?.take(event)
      self?.publish()
      self?.onActivity?()
    }
    publish()
  }

  func busWent() {
    watch?.cancel()
    watch = nil
    bluezWent()
    agent = nil
    bus = nil
    log(.notice, "Bluetooth: the system bus is gone")
    publish()
    onActivity?()
  }

  private func take(_ event: BluezMonitor.Event) {
    switch event {
    case .came: bluezCame()
    case .went:
      log(.warning, "Bluetooth: bluetoothd is gone")
      bluezWent()
    case .added(let path, BluezNames.media): addPlayer(BluezDevice.adapter(of: path))
    case .added(let path, BluezNames.adapter):
      log(.info, "Bluetooth: adapter \(BluezDevice.adapter(of: path)) is there")
      adapterCame(BluezDevice.adapter(of: path))
    case .removed(let path, BluezNames.adapter, _):
      log(.notice, "Bluetooth: adapter \(BluezDevice.adapter(of: path)) is gone")
      search.forget(BluezDevice.adapter(of: path))
      updatePlan()
    case .removed(let path, BluezNames.media, _): removePlayer(BluezDevice.adapter(of: path))
    case .changed(let path, BluezNames.adapter, let properties):
      adapterChanged(BluezDevice.adapter(of: path), properties)
    case .added(let path, BluezNames.device): deviceCame(path)
    case .removed(let path, BluezNames.device, let old): deviceWent(path, old)
    case .changed(let path, BluezNames.device, let properties): deviceChanged(path, properties)
    case .added(_, BluezNames.control), .changed(_, BluezNames.control, _),
      .removed(_, BluezNames.control, _):
      updatePlan()
    case .disconnected(let path, let reason): linkEnded(path, reason)
    case .added(let path, BluezNames.transport): transportCame(path)
    case .removed(let path, BluezNames.transport, _): volumes[path] = nil
    case .changed(let path, BluezNames.transport, let properties):
      transportChanged(path, properties)
    case .added, .removed, .changed: break
    }
  }

  private func bluezCame() {
    log(.info, "Bluetooth: bluetoothd is there")
    registerAgent()
    // Players before anything else: a session takes the player that is there when it begins.
    for path in watch?.paths(with: BluezNames.media) ?? [] {
      addPlayer(BluezDevice.adapter(of: path))
    }
    for adapter in adapters { adapterCame(adapter) }
    for path in watch?.paths(with: BluezNames.transport) ?? [] { transportCame(path) }
    judgeDoubtful()
    for path in watch?.paths(with: BluezNames.device) ?? [] { deviceCame(path) }
    updatePlan()
  }

  private func bluezWent() {
    for adapter in adapterPlayers.keys { removePlayer(adapter) }
    volumes = [:]
    controlsSince = [:]
    lossReasons = [:]
    agent?.forget()
    search.interrupt()
    endAdding("bluetoothd is gone")
    pairingCancelled()
    dialling?.cancel()
    dialling = nil
    plan.interrupt()
    updatePlan()
  }
}
