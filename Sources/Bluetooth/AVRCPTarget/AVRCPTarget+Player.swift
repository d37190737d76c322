internal import EventLoop
internal import NowPlaying
internal import Reports

// The player, as a surface of the head unit.
extension AVRCPTarget {
  /// Something that a phone asked for, for `bt`.
  struct Press {
    let request: CommandRequest
    /// Nil where nobody knows.
    let phone: String?
    let at: MonotonicInstant
    let wasIgnored: Bool
  }

  /// How long after a word its effect is looked for.
  private static let settling = Duration.milliseconds(700)
  /// How often it is looked at what BlueZ believes, while something plays.
  private static let checkInterval = Duration.seconds(10)

  // MARK: Seats

  func addPlayer(_ adapter: String) {
    guard let bus, adapterPlayers[adapter] == nil else { return }
    let adapterPlayer = AdapterPlayer(loop, bus, adapter: adapter, clock: clock) { [weak self] in
      self?.currentProperties ?? (PlayerProperties(track: nil), nil)
    }
    adapterPlayer.onRegistered = { [weak self, unowned adapterPlayer] in
      self?.registered(adapterPlayer)
    }
    adapterPlayer.onRefused = { [weak self] words in
      self?.log(.warning, "Bluetooth: \(adapter) does not take the player: \(words)")
      self?.publish()
    }
    adapterPlayers[adapter] = adapterPlayer
    // Only then can bluetoothd call it.
    try? link.objects.add(
      PlayerObject.object(
        adapter, isBluez: { [weak self] in self?.watch?.owner == $0 },
        properties: { [weak self] in
          guard let self else { return [] }
          let (playerProperties, elapsed) = currentProperties
          return PropertiesChange.registration(playerProperties, elapsed: elapsed, at: clock())
        },
        onCall: { [weak self] in self?.called($0, adapter) }))
    adapterPlayer.register()
  }

  func removePlayer(_ adapter: String) {
    guard let adapterPlayer = adapterPlayers.removeValue(forKey: adapter) else { return }
    adapterPlayer.cancel()
    link.objects.remove(path: adapterPlayer.path)
    disconnectIfAlone()
  }

  private func registered(_ adapterPlayer: AdapterPlayer) {
    log(.info, "Bluetooth: \(adapterPlayer.adapter) has the player")
    let now = clock()
    if port == nil {
      port = center.connect(SurfaceDescription(id: Self.surface), at: now) { [weak self] state in
        self?.tell(state)
      }
    } else {
      tell(center.state)
    }
    checkChannel(adapterPlayer, at: now)
    publish()
    onActivity?()
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
    guard let port, let bus, let name = bus.uniqueName else { return }
    let token = port.beginChannelCheck(at: now)
    self.token = token
    port.channelShowed(token, at: now)
    bus.call(name, adapterPlayer.path, "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(2)) {
      [weak self] result in
      guard let self else { return }
      switch result {
      case .success: self.port?.channelReturned(token, at: clock())
      case .failure(let error):
        log(.notice, "Bluetooth: the way of commands cannot be tested: \(error)")
      }
      onActivity?()
    }
  }

  // MARK: Telling

  private var currentProperties: (playerProperties: PlayerProperties, elapsed: Duration?) {
    let state = center.state
    return (PlayerProperties(state, limits: options.limits), state.elapsed(at: clock()))
  }

  func tell(_ state: NowPlayingState) {
    let playerProperties = PlayerProperties(state, limits: options.limits)
    let elapsed = state.elapsed(at: clock())
    for adapterPlayer in adapterPlayers.values {
      adapterPlayer.tell(playerProperties, elapsed: elapsed, anew: isRepairing)
    }
    tellVolume(state.volume.level)
    if port != nil { checkTimer?.set(after: Self.settling) }
  }

  /// Looks at what BlueZ was really told (P12), and corrects its clock where time does not pass as
  /// BlueZ counts it: at another rate than 1, and in advertisements, where net time stands (P8).
  func check() {
    guard let port else { return }
    let state = center.state
    // First: what is said takes its time to come back.
    isRepairing = true
    for adapterPlayer in adapterPlayers.values where adapterPlayer.registration == .registered {
      let facts = DisplayedState(
        of: adapterPlayer.heard, as: state, limits: options.limits, at: clock())
      let verdict = port.observed(facts, at: clock())
      for difference in verdict.differences {
        log(.warning, "Bluetooth: BlueZ was told otherwise: \(difference)")
      }
      if !verdict.differences.isEmpty { break }
    }
    isRepairing = false
    var next = Self.checkInterval
    if let playback = state.playback, state.status == .playing {
      let (now, timeline) = (clock(), state.timeline)
      let rate = timeline.netRate(of: playback, at: now)
      if rate != 1 || !timeline.advertisements.ranges.isEmpty {
        let playerProperties = PlayerProperties(state, limits: options.limits)
        let elapsed = timeline.elapsed(of: playback, at: now)
        for adapterPlayer in adapterPlayers.values {
          adapterPlayer.tell(playerProperties, elapsed: elapsed)
        }
      }
      // A second off, at most.
      if rate != 1 { next = min(next, .seconds(max(1, 1 / (rate - 1).magnitude))) }
      if let edge = timeline.timeToNextEdge(of: playback, at: now) { next = min(next, edge) }
    }
    if state.status.isAdvancing { checkTimer?.set(after: next) }
  }

  // MARK: Presses

  private func called(_ call: PlayerObject.Call, _ adapter: String) {
    switch call {
    case .release:
      guard let adapterPlayer = adapterPlayers[adapter] else { return }
      log(.notice, "Bluetooth: \(adapter) has dropped the player")
      adapterPlayer.released()
      disconnectIfAlone()
      publish()
    case .request(let request): pressed(request, adapter)
    }
    onActivity?()
  }

  private func pressed(_ request: MediaRequest, _ adapter: String) {
    let now = clock()
    let connected = devices.filter { $0.isControlling && $0.adapter == adapter }
    let phone = connected.count == 1 ? connected[0].address : nil
    let isAutomaticPlay =
      request == .play && !options.obeysPlayOnConnect
      && connected.contains { device in
        controlsSince[device.address].map { now.wholeTime(since: $0) < Self.connectingTime }
          ?? false
      }
    note(.media(request), phone, at: now, wasIgnored: isAutomaticPlay)
    if isAutomaticPlay {
      return log(.notice, "Bluetooth: a PLAY at connecting is ignored (key 'play-on-connect')")
    }
    // It came, so the way is there.
    if let token { port?.channelReturned(token, at: now) }
    // A phone knows one kind of shuffle, and means the one that is on.
    if request == .changeShuffleMode(.items), center.state.shuffleMode != .off { return }
    send(.media(request), of: connected.count == 1 ? connected[0].origin : nil, at: now)
  }

  private func note(
    _ request: CommandRequest, _ phone: String?, at now: MonotonicInstant, wasIgnored: Bool = false
  ) {
    pressCount += 1
    if presses.count == Self.pressesKept { presses.removeFirst() }
    presses.append(Press(request: request, phone: phone, at: now, wasIgnored: wasIgnored))
  }

  /// Sends a command as a phone's. With its origin, the same press as a key of the phone's input
  /// device is none of its own. Where BlueZ has no player, it comes from a surface that is there for
  /// this moment.
  func send(
    _ request: CommandRequest, of origin: PressOrigin? = nil, at now: MonotonicInstant
  ) {
    let port =
      self.port
      ?? center.connect(SurfaceDescription(id: Self.surface), at: now) { _ in }
    port.send(request, on: .dbus, of: origin, at: now)
    onActivity?()
  }

  // MARK: Volume, where there is an A2DP transport

  func transportCame(_ path: String) {
    // The unit's volume is the truth, and the phone follows.
    volumes[path] = watch?[path, BluezNames.transport]?["Volume"]?.integer ?? -1
    tellVolume(center.state.volume.level)
  }

  func transportChanged(_ path: String, _ properties: [String: BusValue]) {
    guard let step = properties["Volume"]?.integer, volumes[path] != step else { return }
    volumes[path] = step
    let level = VolumeLevel(step: step, of: 127)
    guard center.state.volume.level.step(of: 127) != step else { return }
    let device = path.split(separator: "/").prefix(4).joined(separator: "/")
    let now = clock()
    let phone = BluezDevice("/\(device)", in: watch)
    note(.volume(.set(level)), phone?.address, at: now)
    send(.volume(.set(level)), of: phone?.origin, at: now)
  }

  private func tellVolume(_ level: VolumeLevel) {
    let step = level.step(of: 127)
    for (path, known) in volumes where known != step {
      volumes[path] = step
      set(path, BluezNames.transport, "Volume", .uint16(UInt16(step)))
    }
  }
}
