internal import Bluez
internal import EventLoop
internal import NowPlaying
internal import Reports

// Publishes the state of the head unit to phones. Also compares this state with the state that
// BlueZ has received.
extension BluezPlayer {
  /// Time from a publication to the check of what BlueZ has received.
  private static let settling = Duration.milliseconds(700)
  /// Interval of the checks while something plays.
  private static let checkInterval = Duration.seconds(10)

  var currentProperties: (playerProperties: PlayerProperties, elapsed: Duration?) {
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

  /// Compares the state with the state that was read back from the bus (P12). Also corrects BlueZ's
  /// clock where needed. BlueZ's clock always runs at rate 1. Net time, which phones must show,
  /// advances at the playback rate, and does not advance during advertisements (P8).
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
      // For playback rates up to 2, the next check comes before BlueZ's clock is wrong by more than
      // a second.
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

  func transportAdded(_ transport: BluezTransport) {
    volumes.add(transport.path, step: transport.volume, at: clock())
    sendVolume(center.state.volume.level)
  }

  func transportChanged(_ transport: BluezTransport) {
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
      // If the level was limited, the phone has to know.
      sendVolume(center.state.volume.level)
    }
  }

  private func sendVolume(_ level: VolumeLevel) {
    let step = level.step(of: 127)
    for path in volumes.transportsToTell(step, at: clock()) {
      client.setVolume(step, ofTransport: path)
    }
  }
}
