internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

/// The unit's players in BlueZ, one on each adapter. Together they are one surface of the head
/// unit: they show the state to phones and receive the phones' commands. The surface is connected
/// while at least one player is registered.
///
/// Control thread; never blocks.
final class BluezPlayer {
  /// A PLAY that arrives within this time after the connection of the phone's remote control counts
  /// as automatic: the phone sent the command by itself, and no person pressed a key.
  static let connectingTime = Duration.seconds(3)

  let client: BluezClient
  let center: NowPlayingCenter
  let clock: () -> MonotonicInstant
  var options: AVRCPTarget.Options {
    didSet { publish(center.state) }
  }

  /// The players by adapter, such as `hci0`.
  private(set) var adapterPlayers: [String: AdapterPlayer] = [:]
  private(set) var port: SurfacePort?
  /// Token of the last check of the channel.
  private(set) var token: Int?
  var checkTimer: TimerSource?
  var isRepairing = false
  var volumes = VolumeLink()
  var presses = PressLog()

  /// The time at which the remote control of the device with this address was connected. Nil if the
  /// remote control is not connected.
  var controlsSince: (_ address: String) -> MonotonicInstant? = { _ in nil }
  /// The devices that have pressed a key, by address.
  var controllers: () -> [String] = { [] }
  /// Called when a device has pressed a key.
  var onPress: ((BluezDevice) -> Void)?
  /// Called after a change of data that is part of the state or of the report.
  var onChange: (() -> Void)?
  /// Called after each event that may have changed the state of the head unit.
  var onActivity: (() -> Void)?

  init(
    _ client: BluezClient, _ center: NowPlayingCenter, _ options: AVRCPTarget.Options,
    clock: @escaping () -> MonotonicInstant
  ) {
    self.client = client
    self.center = center
    self.options = options
    self.clock = clock
    checkTimer = TimerSource(client.loop, accuracy: .milliseconds(20)) { [weak self] in
      self?.check()
    }
    client.observe { [weak self] in self?.handle($0) }
  }

  deinit {
    checkTimer?.cancel()
    for adapterPlayer in adapterPlayers.values { adapterPlayer.cancel() }
    port?.disconnect(at: clock())
  }

  private func handle(_ event: BluezClient.Event) {
    switch event {
    case .mediaAdded(let adapter): addPlayer(adapter)
    case .mediaRemoved(let adapter): removePlayer(adapter)
    case .serviceEnded:
      for adapter in adapterPlayers.keys { removePlayer(adapter) }
      volumes.removeAll()
    // BlueZ may have dropped the player while the adapter was switched off (rfkill). So the player
    // is registered again.
    case .adapterChanged(let adapter, let changed)
    where changed.contains(.power) && adapter.isPowered:
      adapterPlayers[adapter.id]?.register()
    case .transportAdded(let transport): transportAdded(transport)
    case .transportRemoved(let path): volumes.remove(path)
    case .transportChanged(let transport, let changed) where changed.contains(.volume):
      transportChanged(transport)
    default: break
    }
  }

  // MARK: The player of each adapter

  private func addPlayer(_ adapter: String) {
    guard let bus = client.bus, adapterPlayers[adapter] == nil else { return }
    let adapterPlayer = AdapterPlayer(client, bus, adapter: adapter, clock: clock) { [weak self] in
      self?.currentProperties ?? (PlayerProperties(track: nil), nil)
    }
    adapterPlayer.onRegistered = { [weak self, unowned adapterPlayer] in
      self?.registered(adapterPlayer)
    }
    adapterPlayer.onRefused = { [weak self] reason in
      self?.client.log(.playerRefused, "BlueZ refuses the player on \(adapter): \(reason)")
      self?.onChange?()
    }
    adapterPlayer.onProbed = { [weak self] in
      guard let self, let token else { return }
      port?.channelShowed(token, at: clock())
    }
    adapterPlayers[adapter] = adapterPlayer
    // `add` cannot fail here, because the path is valid. bluetoothd calls the object only after the
    // registration.
    try? client.objects.add(
      PlayerObject.object(
        adapter, isBluez: { [weak self] in self?.client.isBluez($0) ?? false },
        properties: { [weak self] in
          guard let self else { return [] }
          let (playerProperties, elapsed) = currentProperties
          return PropertiesChange.registration(playerProperties, elapsed: elapsed, at: clock())
        },
        onCall: { [weak self] in self?.called($0, adapter) }))
    adapterPlayer.register()
  }

  private func removePlayer(_ adapter: String) {
    guard let adapterPlayer = adapterPlayers.removeValue(forKey: adapter) else { return }
    adapterPlayer.cancel()
    client.objects.remove(path: adapterPlayer.path)
    disconnectIfUnregistered()
  }

  private func registered(_ adapterPlayer: AdapterPlayer) {
    client.log(.playerRegistered, "the player is registered on \(adapterPlayer.adapter)")
    let now = clock()
    if port == nil {
      port = center.connect(SurfaceDescription(id: AVRCPTarget.surface), at: now) {
        [weak self] state in self?.publish(state)
      }
    } else {
      publish(center.state)
    }
    checkChannel(adapterPlayer, at: now)
    onChange?()
    onActivity?()
  }

  private func released(_ adapterPlayer: AdapterPlayer) {
    client.log(.playerReleased, "BlueZ has released the player on \(adapterPlayer.adapter)")
    adapterPlayer.released()
    disconnectIfUnregistered()
    onChange?()
  }

  private func disconnectIfUnregistered() {
    guard !adapterPlayers.values.contains(where: { $0.registration == .registered }) else { return }
    port?.disconnect(at: clock())
    port = nil
    token = nil
  }

  /// The loop-back test of the channel (C7). To test the direction to phones, the unit sends a
  /// signal of the player, and reads it back from the bus. To test the other direction, the unit
  /// calls its player object through the bus, in the same way as bluetoothd calls it.
  private func checkChannel(_ adapterPlayer: AdapterPlayer, at now: MonotonicInstant) {
    guard let port else { return }
    let token = port.beginChannelCheck(at: now)
    self.token = token
    adapterPlayer.probe()
    client.ping(adapterPlayer.path) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: self.port?.channelReturned(token, at: clock())
      case .failure(let error):
        client.log(.channelUntested, "the command channel cannot be tested: \(error)")
      }
      onActivity?()
    }
  }

  private func called(_ call: PlayerObject.Call, _ adapter: String) {
    switch call {
    case .release:
      guard let adapterPlayer = adapterPlayers[adapter] else { return }
      released(adapterPlayer)
    case .request(let request): pressed(request, adapter)
    }
    onActivity?()
  }
}
