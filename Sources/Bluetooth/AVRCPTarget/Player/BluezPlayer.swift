internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

/// The unit's players in BlueZ, one on each adapter. Together they are one surface of the head unit: they show the
/// state to phones and receive the phones' commands. The surface is connected while at least one player is registered.
///
/// Control thread; never blocks.
final class BluezPlayer {
  /// A PLAY that arrives within this time after the connection of the phone's remote control counts as automatic: the
  /// phone sent the command by itself, and no person pressed a key.
  private static let connectingTime = Duration.seconds(3)

  let client: BluezClient
  let center: NowPlayingCenter
  let clock: () -> MonotonicInstant
  var options: AVRCPTarget.Options {
    didSet { publish(center.state) }
  }

  /// The players, keyed by the name of the adapter, such as `hci0`.
  private(set) var adapterPlayers: [String: AdapterPlayer] = [:]
  private(set) var port: SurfacePort?
  /// Token of the last check of the channel.
  private var token: Int?
  private var checkTimer: TimerSource?
  private var isRepairing = false
  private var volumes = VolumeLink()
  var presses = PressLog()

  /// The time at which the remote control of the device with this address was connected. Nil if the remote control is
  /// not connected.
  var controlsSince: (_ address: String) -> MonotonicInstant? = { _ in nil }
  /// Returns the addresses of the devices that have pressed a key.
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
    // BlueZ may have dropped the player while the adapter was switched off (rfkill). So the player is registered again.
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
    // `add` cannot fail here, because the path is valid. bluetoothd calls the object only after the registration.
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

  /// The loop-back test of the channel (C7). To test the direction to phones, the unit sends a signal of the player,
  /// and reads it back from the bus. To test the other direction, the unit calls its player object through the bus, in
  /// the same way as bluetoothd calls it.
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

  // MARK: Publishing

  // Publishes the state of the head unit to phones. Also compares this state with the state that BlueZ has received.

  /// Time from a publication to the check of what BlueZ has received.
  private static let settling = Duration.milliseconds(700)
  /// Interval of the checks while something plays.
  private static let checkInterval = Duration.seconds(10)

  private var currentProperties: (playerProperties: PlayerProperties, elapsed: Duration?) {
    let state = center.state
    return (PlayerProperties(state, limits: options.limits), state.elapsed(at: clock()))
  }

  func publish(_ state: NowPlayingState) {
    let playerProperties = PlayerProperties(state, limits: options.limits)
    let elapsed = state.elapsed(at: clock())
    for adapterPlayer in adapterPlayers.values {
      adapterPlayer.publish(playerProperties, elapsed: elapsed, resync: isRepairing)
    }
    sendVolume(state.volume.level)
    if port != nil { checkTimer?.set(after: Self.settling) }
  }

  /// Compares the state with the state that was read back from the bus (P12). Also corrects BlueZ's clock where needed.
  /// BlueZ's clock always runs at rate 1. Phones must show the net time, which advances at the playback rate and stops
  /// during advertisements (P8).
  func check() {
    guard let port else { return }
    let state = center.state
    // The comparison comes before the correction, because a correction is read back only later.
    compare(with: state, port)
    var next = Self.checkInterval
    if let playback = state.playback, state.status == .playing {
      let (now, timeline) = (clock(), state.timeline)
      let rate = timeline.netRate(of: playback, at: now)
      if rate != 1 || !timeline.advertisements.ranges.isEmpty {
        let playerProperties = PlayerProperties(state, limits: options.limits)
        let elapsed = timeline.elapsed(of: playback, at: now)
        for adapterPlayer in adapterPlayers.values {
          adapterPlayer.publish(playerProperties, elapsed: elapsed)
        }
      }
      // For playback rates up to 2, the next check comes before BlueZ's clock is wrong by more than a second.
      if rate != 1 { next = min(next, .seconds(max(1, 1 / (rate - 1).magnitude))) }
      if let edge = timeline.timeToNextEdge(of: playback, at: now) { next = min(next, edge) }
    }
    if state.status.isAdvancing { checkTimer?.set(after: next) }
  }

  private func compare(with state: NowPlayingState, _ port: SurfacePort) {
    isRepairing = true
    defer { isRepairing = false }
    for adapterPlayer in adapterPlayers.values where adapterPlayer.registration == .registered {
      let displayed = DisplayedState(
        of: adapterPlayer.confirmed, as: state, limits: options.limits, at: clock())
      let verdict = port.observed(displayed, at: clock())
      for difference in verdict.differences {
        client.log(.playerDiffers, "BlueZ has another value: \(difference)")
      }
      if !verdict.differences.isEmpty { return }
    }
  }

  // MARK: Volume (with an A2DP transport)

  private func transportAdded(_ transport: BluezTransport) {
    volumes.add(transport.path, step: transport.volume, at: clock())
    sendVolume(center.state.volume.level)
  }

  private func transportChanged(_ transport: BluezTransport) {
    guard let step = transport.volume else { return }
    let now = clock()
    let current = center.state.volume.level.step(of: 127)
    let phone = client.device(at: transport.devicePath)
    let answer = volumes.received(
      step, from: transport.path, current: current,
      maximum: options.startVolumeMaximum.step(of: 127),
      remoteSince: phone.flatMap { controlsSince($0.address) }, at: now)
    switch answer {
    case .nothing: break
    case .tell: sendVolume(center.state.volume.level)
    case .obey(let step):
      let level = VolumeLevel(step: step, of: 127)
      presses.add(.volume(.set(level)), phone?.address, at: now)
      send(.volume(.set(level)), of: phone?.origin, at: now)
      // If the level was limited, the phone must receive the limited level.
      sendVolume(center.state.volume.level)
    }
  }

  private func sendVolume(_ level: VolumeLevel) {
    let step = level.step(of: 127)
    for path in volumes.transportsToTell(step, at: clock()) {
      client.setVolume(step, ofTransport: path)
    }
  }

  // MARK: Presses

  func pressed(_ request: MediaRequest, _ adapter: String) {
    let now = clock()
    let controlling = client.devices.filter { $0.hasRemoteControl && $0.adapter == adapter }
    let sender = sender(among: controlling)
    let isAutomaticPlay =
      request == .play && !options.obeysPlayOnConnect
      && controlling.contains { hasJustConnected($0, at: now) }
    presses.add(.media(request), sender?.address, at: now, wasIgnored: isAutomaticPlay)
    if isAutomaticPlay {
      client.log(
        .playIgnored,
        "a PLAY that followed the connection is ignored (configuration key 'play-on-connect')")
      return
    }
    if let sender, controlling.count == 1 { onPress?(sender) }
    // The press proves that the channel works.
    if let token { port?.channelReturned(token, at: now) }
    // The unit has several kinds of shuffle, but a phone can only switch shuffle on or off. If one kind of shuffle is
    // on already, a request to switch shuffle on changes nothing.
    if request == .changeShuffleMode(.items), center.state.shuffleMode != .off { return }
    send(.media(request), of: sender?.origin, at: now)
  }

  /// The device whose key made bluetoothd call the player. bluetoothd does not report this device. If several devices
  /// have a remote control, but only one of these devices has ever pressed a key, this device is the sender: the other
  /// devices are probably phones that are only sources of sound. Nil if unknown.
  private func sender(among devices: [BluezDevice]) -> BluezDevice? {
    if devices.count == 1 { return devices[0] }
    let controllers = controllers()
    let proven = devices.filter { controllers.contains($0.address) }
    return proven.count == 1 ? proven[0] : nil
  }

  private func hasJustConnected(_ device: BluezDevice, at now: MonotonicInstant) -> Bool {
    guard let since = controlsSince(device.address) else { return false }
    return now.wholeTime(since: since) < Self.connectingTime
  }

  /// Sends a command in the name of a phone. The same press can also arrive from the input device of the phone. The
  /// head unit compares the origins and handles both arrivals as one press. If no player is registered with BlueZ, a
  /// temporary surface sends the command.
  func send(
    _ request: CommandRequest, of origin: PressOrigin? = nil, at now: MonotonicInstant
  ) {
    let port =
      self.port
      ?? center.connect(SurfaceDescription(id: AVRCPTarget.surface), at: now) { _ in }
    port.send(request, on: .dbus, of: origin, at: now)
    onActivity?()
  }
}

/// The last commands of phones, for the console command `bt`.
struct PressLog {
  struct Press {
    let request: CommandRequest
    /// Address of the phone. Nil if several phones may have sent the command.
    let phone: String?
    let at: MonotonicInstant
    let wasIgnored: Bool
  }

  private static let kept = 20

  /// Oldest first.
  private(set) var presses: [Press] = []
  /// Number of all commands, including the commands that ``presses`` does not contain any more.
  private(set) var count = 0

  mutating func add(
    _ request: CommandRequest, _ phone: String?, at now: MonotonicInstant, wasIgnored: Bool = false
  ) {
    count += 1
    if presses.count == Self.kept { presses.removeFirst() }
    presses.append(Press(request: request, phone: phone, at: now, wasIgnored: wasIgnored))
  }
}
