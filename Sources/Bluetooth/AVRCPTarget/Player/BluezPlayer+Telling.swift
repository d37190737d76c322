internal import EventLoop
internal import NowPlaying
internal import Reports

// What phones are shown: the state of the head unit, and the check of what BlueZ was really told.
extension BluezPlayer {
  /// How long after a change its effect is checked.
  private static let settling = Duration.milliseconds(700)
  /// How often what BlueZ believes is checked while something plays.
  private static let checkInterval = Duration.seconds(10)

  var currentProperties: (playerProperties: PlayerProperties, elapsed: Duration?) {
    let state = center.state
    return (PlayerProperties(state, limits: options.limits), state.elapsed(at: clock()))
  }

  func tell(_ state: NowPlayingState) {
    let playerProperties = PlayerProperties(state, limits: options.limits)
    let elapsed = state.elapsed(at: clock())
    for adapterPlayer in adapterPlayers.values {
      adapterPlayer.tell(playerProperties, elapsed: elapsed, resync: isRepairing)
    }
    tellVolume(state.volume.level)
    if port != nil { checkTimer?.set(after: Self.settling) }
  }

  /// Compares with what BlueZ was really told (P12), and corrects its clock where time does not pass as
  /// BlueZ counts it: at another rate than 1, and in advertisements, where net time stands (P8).
  func check() {
    guard let port else { return }
    let state = center.state
    // Before the correction: what is told takes its time to come back.
    compare(with: state, port)
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

  private func compare(with state: NowPlayingState, _ port: SurfacePort) {
    isRepairing = true
    defer { isRepairing = false }
    for adapterPlayer in adapterPlayers.values where adapterPlayer.registration == .registered {
      let displayed = DisplayedState(
        of: adapterPlayer.confirmed, as: state, limits: options.limits, at: clock())
      let verdict = port.observed(displayed, at: clock())
      for difference in verdict.differences {
        client.log(.warning, "Bluetooth: BlueZ was told otherwise: \(difference)")
      }
      if !verdict.differences.isEmpty { return }
    }
  }

  // MARK: Volume, where there is an A2DP transport

  func transportCame(_ transport: BluezTransport) {
    // The unit's volume is the truth, and the phone follows.
    volumes[transport.path] = transport.volume ?? -1
    tellVolume(center.state.volume.level)
  }

  func transportChanged(_ transport: BluezTransport) {
    guard let step = transport.volume, volumes[transport.path] != step else { return }
    volumes[transport.path] = step
    let level = VolumeLevel(step: step, of: 127)
    guard center.state.volume.level.step(of: 127) != step else { return }
    let now = clock()
    let phone = client.device(at: transport.devicePath)
    presses.add(.volume(.set(level)), phone?.address, at: now)
    send(.volume(.set(level)), of: phone?.origin, at: now)
  }

  private func tellVolume(_ level: VolumeLevel) {
    let step = level.step(of: 127)
    for (path, known) in volumes where known != step {
      volumes[path] = step
      client.setVolume(step, ofTransport: path)
    }
  }
}
