internal import Bluez
internal import NowPlaying
internal import Reports

// The commands that phones send.
extension BluezPlayer {
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
    // The unit has several kinds of shuffle, but a phone can only switch shuffle on or off. If one
    // kind of shuffle is on already, a request to switch shuffle on changes nothing.
    if request == .changeShuffleMode(.items), center.state.shuffleMode != .off { return }
    send(.media(request), of: sender?.origin, at: now)
  }

  /// The device that has called the player. bluetoothd does not report it. If several devices have a
  /// remote control, but only one of them has ever pressed a key, it is this one: the others are
  /// probably phones that are only sources of sound.
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

  /// Sends a command in the name of a phone. The same press may also arrive from the input device
  /// of the phone. From the origin, the press merger recognises that both arrivals belong to one
  /// press. If no player is registered with BlueZ, a temporary surface sends the command.
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
  /// Number of all commands, including those that are not kept.
  private(set) var count = 0

  mutating func add(
    _ request: CommandRequest, _ phone: String?, at now: MonotonicInstant, wasIgnored: Bool = false
  ) {
    count += 1
    if presses.count == Self.kept { presses.removeFirst() }
    presses.append(Press(request: request, phone: phone, at: now, wasIgnored: wasIgnored))
  }
}
