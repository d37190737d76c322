public import EventLoop

// Actions of phones.
extension FakeBluez {
  private static let player = "org.mpris.MediaPlayer2.Player"

  /// A key of a phone, by its AV/C name.
  public enum Key: String, CaseIterable, Sendable {
    case play = "PLAY"
    case stop = "STOP"
    case pause = "PAUSE"
    case forward = "FORWARD"
    case backward = "BACKWARD"
    case fastForward = "FAST FORWARD"
    case volumeUp = "VOLUME UP"

    /// The player's method, and the property that must be true in addition to CanControl.
    var method: (name: String, flag: String?)? {
      switch self {
      case .play: ("Play", "CanPlay")
      case .stop: ("Stop", nil)
      case .pause: ("Pause", "CanPause")
      case .forward: ("Next", "CanGoNext")
      case .backward: ("Previous", "CanGoPrevious")
      case .fastForward, .volumeUp: nil
      }
    }
  }

  /// The player that phones see.
  public func player(_ adapter: String = "hci0") -> FakePlayer? { players[adapter]?.first }

  /// A phone presses a key. BlueZ calls the player, without waiting for an answer, or sends the key
  /// to the phone's input device. The input device gets the key if there is no player, if the
  /// property of the key is false, and while another key is held. BlueZ assumes that for up to two
  /// seconds after a press.
  public func press(_ key: Key, adapter: String = "hci0", whileKeyIsHeld: Bool = false) {
    guard !whileKeyIsHeld, let player = player(adapter), let method = key.method,
      player.flags.contains("CanControl"), method.flag.map(player.flags.contains) ?? true
    else {
      keys.append(key.rawValue)
      return
    }
    try? bus?.post(player.sender, player.path, Self.player, method.name)
  }

  /// A phone changes a setting. BlueZ sends it to the player if the player has this setting.
  public func set(_ setting: String, _ value: BusValue, adapter: String = "hci0") {
    let known = setting == "LoopStatus" ? "Repeat" : setting
    guard let player = player(adapter), player.settings[known] != nil else { return }
    try? bus?.post(
      player.sender, player.path, "org.freedesktop.DBus.Properties", "Set",
      [.string(Self.player), .string(setting), .variant(value)])
  }

  /// BlueZ releases the players of an adapter.
  public func releasePlayers(adapter: String = "hci0") {
    for player in players.removeValue(forKey: adapter) ?? [] { release(player) }
  }

  func release(_ player: FakePlayer) {
    try? bus?.post(player.sender, player.path, Self.player, "Release")
  }

  // MARK: Pairing

  /// A phone requests pairing, and BlueZ calls the agent. The result is added to ``answers``; nil
  /// is consent.
  public func askAgent(_ method: String, _ arguments: [BusValue]) {
    guard let agent, agent.isDefault else { return recordAnswer("no agent") }
    bus?.call(agent.sender, agent.path, "org.bluez.Agent1", method, arguments) {
      [weak self] result in
      switch result {
      case .success: self?.recordAnswer(nil)
      case .failure(.remote(let name, _)): self?.recordAnswer(name)
      case .failure(let error): self?.recordAnswer("\(error)")
      }
    }
  }

  /// Another program has registered its agent before.
  public func addForeignAgent() {
    agent = Agent(sender: ":1.999", path: "/another", capability: "NoInputNoOutput")
  }

  /// The object path of a device, as an argument.
  public static func object(_ address: String, adapter: String = "hci0") -> BusValue {
    .objectPath(path(adapter, address))
  }

  /// The phone cancels its request.
  public func cancelAgent() {
    guard let agent else { return }
    try? bus?.post(agent.sender, agent.path, "org.bluez.Agent1", "Cancel")
  }

  /// The device is paired and bonded.
  public func bond(_ address: String, adapter: String = "hci0") {
    set(address, "Paired", .boolean(true), adapter: adapter)
    set(address, "Bonded", .boolean(true), adapter: adapter)
  }
}
