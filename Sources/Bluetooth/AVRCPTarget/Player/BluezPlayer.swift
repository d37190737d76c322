internal import EventLoop
internal import NowPlaying
internal import Reports

/// The unit's player as BlueZ has it on each adapter, a surface of the head unit: what phones are
/// shown, and the commands that they send. The surface is connected while BlueZ has a player.
///
/// Control thread; nothing in it blocks.
final class BluezPlayer {
  /// A PLAY that a phone sends so soon after its remote control has connected is the phone's own idea.
  static let connectingTime = Duration.seconds(3)

  let client: BluezClient
  let center: NowPlayingCenter
  let clock: () -> MonotonicInstant
  var options: AVRCPTarget.Options {
    didSet { tell(center.state) }
  }

  /// By adapter, as `hci0`.
  private(set) var adapterPlayers: [String: AdapterPlayer] = [:]
  private(set) var port: SurfacePort?
  /// Of the last check of the channel.
  private(set) var token: Int?
  var checkTimer: TimerSource?
  var isRepairing = false
  /// Volume in BlueZ's 128 steps, by transport.
  var volumes: [String: Int] = [:]
  var presses = PressLog()

  /// Since when the remote control of the device with an address is connected.
  var controlsSince: (_ address: String) -> MonotonicInstant? = { _ in nil }
  /// Called after a change that the state or the report shows.
  var onChange: (() -> Void)?
  /// Called after anything that may have changed the head unit.
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
    client.observe { [weak self] in self?.take($0) }
  }

  deinit {
    checkTimer?.cancel()
    for adapterPlayer in adapterPlayers.values { adapterPlayer.cancel() }
    port?.disconnect(at: clock())
  }

  private func take(_ event: BluezClient.Event) {
    switch event {
    case .mediaCame(let adapter): addPlayer(adapter)
    case .mediaWent(let adapter): removePlayer(adapter)
    case .serviceWent:
      for adapter in adapterPlayers.keys { removePlayer(adapter) }
      volumes = [:]
    // A switch (rfkill) that was off may have taken the player along.
    case .adapterChanged(let adapter, let changed)
    where changed.contains(.power) && adapter.isPowered:
      adapterPlayers[adapter.id]?.register()
    case .transportCame(let transport): transportCame(transport)
    case .transportWent(let path): volumes[path] = nil
    case .transportChanged(let transport): transportChanged(transport)
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
    adapterPlayer.onRefused = { [weak self] words in
      self?.client.log(.warning, "Bluetooth: \(adapter) does not take the player: \(words)")
      self?.onChange?()
    }
    adapterPlayers[adapter] = adapterPlayer
    // The path is valid. bluetoothd can call the object only once it is registered.
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
    disconnectIfAlone()
  }

  private func registered(_ adapterPlayer: AdapterPlayer) {
    client.log(.info, "Bluetooth: \(adapterPlayer.adapter) has the player")
    let now = clock()
    if port == nil {
      port = center.connect(SurfaceDescription(id: AVRCPTarget.surface), at: now) {
        [weak self] state in self?.tell(state)
      }
    } else {
      tell(center.state)
    }
    checkChannel(adapterPlayer, at: now)
    onChange?()
    onActivity?()
  }

  private func released(_ adapterPlayer: AdapterPlayer) {
    client.log(.notice, "Bluetooth: \(adapterPlayer.adapter) has dropped the player")
    adapterPlayer.released()
    disconnectIfAlone()
    onChange?()
  }

  private func disconnectIfAlone() {
    guard !adapterPlayers.values.contains(where: { $0.registration == .registered }) else { return }
    port?.disconnect(at: clock())
    port = nil
    token = nil
  }

  /// The loop-back (C7). BlueZ has taken the player, so it can be told; a call that goes through the
  /// bus to our object comes in as bluetoothd's do.
  private func checkChannel(_ adapterPlayer: AdapterPlayer, at now: MonotonicInstant) {
    guard let port else { return }
    let token = port.beginChannelCheck(at: now)
    self.token = token
    port.channelShowed(token, at: now)
    client.ping(adapterPlayer.path) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: self.port?.channelReturned(token, at: clock())
      case .failure(let error):
        client.log(.notice, "Bluetooth: the way of commands cannot be tested: \(error)")
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
