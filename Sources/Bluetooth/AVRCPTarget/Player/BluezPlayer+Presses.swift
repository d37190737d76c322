internal import NowPlaying
internal import Reports

// The commands that phones send.
extension BluezPlayer {
  func pressed(_ request: MediaRequest, _ adapter: String) {
    let now = clock()
    let controlling = client.devices.filter { $0.isControlling && $0.adapter == adapter }
    let sender = controlling.count == 1 ? controlling[0] : nil
    let isAutomaticPlay =
      request == .play && !options.obeysPlayOnConnect
      && controlling.contains { hasJustConnected($0, at: now) }
    presses.add(.media(request), sender?.address, at: now, wasIgnored: isAutomaticPlay)
    if isAutomaticPlay {
      client.log(
        .notice, "Bluetooth: a PLAY at connecting is ignored (key 'play-on-connect')")
      return
    }
    // The press came, so the channel works.
    if let token { port?.channelReturned(token, at: now) }
    // A phone knows one kind of shuffle, and means the one that is on.
    if request == .changeShuffleMode(.items), center.state.shuffleMode != .off { return }
    send(.media(request), of: sender?.origin, at: now)
  }

  private func hasJustConnected(_ device: BluezDevice, at now: MonotonicInstant) -> Bool {
    guard let since = controlsSince(device.address) else { return false }
    return now.wholeTime(since: since) < Self.connectingTime
  }

  /// Sends a command as a phone's. With its origin, the same press as a key of the phone's input
  /// device is none of its own. Where BlueZ has no player, it comes from a surface that is there for
  /// this moment.
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

/// The last commands of phones, for `bt`.
struct PressLog {
  struct Press {
    let request: CommandRequest
    /// The address of the phone; nil where several may have sent it.
    let phone: String?
    let at: MonotonicInstant
    let wasIgnored: Bool
  }

  private static let kept = 20

  /// The latest last.
  private(set) var presses: [Press] = []
  /// Of all, also those that are not kept.
  private(set) var count = 0

  mutating func add(
    _ request: CommandRequest, _ phone: String?, at now: MonotonicInstant, wasIgnored: Bool = false
  ) {
    count += 1
    if presses.count == Self.kept { presses.removeFirst() }
    presses.append(Press(request: request, phone: phone, at: now, wasIgnored: wasIgnored))
  }
}
