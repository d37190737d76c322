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

    /// The method of the player, and the property that must be true in addition to CanControl. Nil
    /// for a key that BlueZ never sends to a player.
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

  /// Simulates a press of a key on a phone. BlueZ either calls the player and does not wait for an
  /// answer, or sends the key to the phone's input device. The input device gets the key in four
  /// cases: there is no player, BlueZ never sends this key to a player, a property that the key
  /// needs is false, or another key is held. After a press, BlueZ assumes for up to two seconds that
  /// the key is held.
  public func press(_ key: Key, adapter: String = "hci0", whileKeyIsHeld: Bool = false) {
    guard !whileKeyIsHeld, let player = player(adapter), let method = key.method,
      player.flags.contains("CanControl"), method.flag.map(player.flags.contains) ?? true
    else {
      keys.append(key.rawValue)
      return
    }
    try? bus?.post(player.sender, player.path, Self.player, method.name)
  }

  /// Simulates a phone that changes a setting. If the player has this setting, BlueZ sends the new
  /// value to the player.
  public func set(_ setting: String, _ value: BusValue, adapter: String = "hci0") {
    let known = setting == "LoopStatus" ? "Repeat" : setting
    guard let player = player(adapter), player.settings[known] != nil else { return }
    try? bus?.post(
      player.sender, player.path, "org.freedesktop.DBus.Properties", "Set",
      [.string(Self.player), .string(setting), .variant(value)])
  }

  /// Releases the players of an adapter, as BlueZ does.
  public func releasePlayers(adapter: String = "hci0") {
    for player in players.removeValue(forKey: adapter) ?? [] { release(player) }
  }

  func release(_ player: FakePlayer) {
    try? bus?.post(player.sender, player.path, Self.player, "Release")
  }

  // MARK: Pairing

  /// Simulates a phone that requests pairing: BlueZ calls the agent. The answer of the agent is
  /// added to ``answers``.
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

  /// Simulates another program that has already registered its agent.
  public func addForeignAgent() {
    agent = Agent(sender: ":1.999", path: "/another", capability: "NoInputNoOutput")
  }

  /// The object path of a device, as an argument.
  public static func object(_ address: String, adapter: String = "hci0") -> BusValue {
    .objectPath(path(adapter, address))
  }

  /// Simulates a phone that cancels its request.
  public func cancelAgent() {
    guard let agent else { return }
    try? bus?.post(agent.sender, agent.path, "org.bluez.Agent1", "Cancel")
  }

  /// Makes a device paired and bonded.
  public func bond(_ address: String, adapter: String = "hci0") {
    set(address, "Paired", .boolean(true), adapter: adapter)
    set(address, "Bonded", .boolean(true), adapter: adapter)
  }
}
