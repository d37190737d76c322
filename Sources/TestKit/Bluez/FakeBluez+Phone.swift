public import EventLoop
internal import Glibc

// Simulates the actions of phones.
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

    /// The method of the player that the key calls, and the property that must be true in addition to CanControl. Nil
    /// if BlueZ never sends the key to a player.
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

  /// The player that phones see. Nil if none is registered.
  public func player(_ adapter: String = "hci0") -> FakePlayer? { players[adapter]?.first }

  /// Simulates a press of a key on a phone. BlueZ either calls the player and does not wait for an answer, or sends the
  /// key to the phone's input device. The input device gets the key in four cases: there is no player, BlueZ never
  /// sends this key to a player, a property that the key needs is false, or a different key is held. After a press,
  /// BlueZ assumes for up to two seconds that the key is held.
  public func press(_ key: Key, adapter: String = "hci0", whileKeyIsHeld: Bool = false) {
    guard !whileKeyIsHeld, let player = player(adapter), let method = key.method,
      player.flags.contains("CanControl"), method.flag.map(player.flags.contains) ?? true
    else {
      keys.append(key.rawValue)
      return
    }
    try? bus?.post(player.sender, player.path, Self.player, method.name)
  }

  /// Simulates a phone that changes a setting. If the player has this setting, BlueZ sends the new value to the player.
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

  /// Simulates a phone that requests pairing: BlueZ calls the agent. Adds the answer of the agent to ``answers``.
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

  /// The object path of a device, as an argument of a D-Bus call.
  public static func object(_ address: String, adapter: String = "hci0") -> BusValue {
    .objectPath(path(adapter, address))
  }

  /// Simulates a phone that cancels its pairing request.
  public func cancelAgent() {
    guard let agent else { return }
    try? bus?.post(agent.sender, agent.path, "org.bluez.Agent1", "Cancel")
  }

  /// Makes a device paired and bonded.
  public func bond(_ address: String, adapter: String = "hci0") {
    set(address, "Paired", .boolean(true), adapter: adapter)
    set(address, "Bonded", .boolean(true), adapter: adapter)
  }

  // MARK: Phones that are sources of sound

  /// The UUID of an A2DP source.
  public static let source = "0000110a-0000-1000-8000-00805f9b34fb"
  /// The UUID of an AVRCP target. A phone that sends sound is the target.
  public static let target = "0000110c-0000-1000-8000-00805f9b34fb"

  // MARK: Streams

  /// Simulates a phone that configures a stream: BlueZ adds a transport and calls the endpoint. If the endpoint refuses
  /// the configuration, BlueZ removes the transport.
  /// - Parameter answer: gets true if the endpoint has accepted the configuration.
  public func configure(
    _ address: String, _ configuration: [UInt8] = [0x21, 0x15, 2, 53], endpoint number: Int = 0,
    volume: UInt16? = 127, adapter: String = "hci0", answer: @escaping (Bool) -> Void = { _ in }
  ) {
    let path = Self.transport(address, adapter)
    guard endpoints.indices.contains(number) else { return answer(false) }
    let endpoint = endpoints[number]
    var properties: [String: BusValue] = [
      "Device": .objectPath(Self.path(adapter, address)),
      "UUID": .string("0000110b-0000-1000-8000-00805f9b34fb"), "Codec": .byte(0),
      "Configuration": .bytes(configuration), "State": .string("idle"), "Delay": .uint16(0),
    ]
    if let volume { properties["Volume"] = .uint16(volume) }
    let sorted = properties.sorted { $0.key < $1.key }
    add(path, ["org.bluez.MediaTransport1": properties])
    bus?.call(
      endpoint.sender, endpoint.path, "org.bluez.MediaEndpoint1", "SetConfiguration",
      [.objectPath(path), .properties(sorted.map { ($0.key, $0.value) })]
    ) { [weak self] result in
      let isAccepted = (try? result.get()) != nil
      if !isAccepted { self?.remove(path) }
      answer(isAccepted)
    }
  }

  /// Simulates a phone that starts its stream.
  public func startStream(_ address: String, adapter: String = "hci0") {
    change(
      Self.transport(address, adapter), "org.bluez.MediaTransport1", "State", .string("pending"))
  }

  /// Simulates a phone that suspends its stream. As with BlueZ, the unit's socket of the stream stays open.
  public func suspendStream(_ address: String, adapter: String = "hci0") {
    change(
      Self.transport(address, adapter), "org.bluez.MediaTransport1", "State", .string("idle"))
  }

  /// Simulates a phone that closes its stream.
  public func closeStream(_ address: String, adapter: String = "hci0") {
    let path = Self.transport(address, adapter)
    remove(path)
    if let socket = sockets.removeValue(forKey: path) { close(socket) }
  }

  /// Sends a packet over the phone's stream. Returns false if the socket is full, or if the stream has no socket.
  public func sendPacket(_ address: String, _ packet: [UInt8], adapter: String = "hci0") -> Bool {
    guard let socket = sockets[Self.transport(address, adapter)] else { return false }
    return send(socket, packet, packet.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      == packet.count
  }

  /// Returns the property `property` of the transport of a phone.
  public func transport(_ address: String, _ property: String, adapter: String = "hci0")
    -> BusValue?
  {
    objects[Self.transport(address, adapter)]?["org.bluez.MediaTransport1"]?[property]
  }

  private static func transport(_ address: String, _ adapter: String) -> String {
    path(adapter, address) + "/fd0"
  }

  func registerEndpoint(_ call: MethodCall, adapter: String) throws {
    var arguments = call.arguments
    let path = try arguments.objectPath()
    let sender = call.message.sender
    guard !endpoints.contains(where: { $0.sender == sender && $0.path == path }) else {
      throw BusErrorReply(Self.prefix + "AlreadyExists", "Already Exists")
    }
    endpoints.append(
      Endpoint(
        sender: sender, path: path, adapter: adapter,
        properties: try arguments.properties()))
    endpoints.sort { $0.path < $1.path }
    call.reply()
  }

  func acquire(_ call: MethodCall) throws {
    var ends: [Int32] = [0, 0]
    guard objects[call.path]?["org.bluez.MediaTransport1"]?["State"]?.text == "pending",
      socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        == 0
    else {
      throw BusErrorReply("org.bluez.Error.NotAvailable", "Operation currently not available")
    }
    defer { close(ends[1]) }
    guard let socket = BusDescriptor(duplicating: ends[1]) else { return }
    if let old = sockets.updateValue(ends[0], forKey: call.path) { close(old) }
    call.reply([.descriptor(socket), .uint16(895), .uint16(895)])
    change(call.path, "org.bluez.MediaTransport1", "State", .string("active"))
    let device = call.path.split(separator: "/").dropLast().joined(separator: "/")
    acquired.append(objects["/" + device]?["org.bluez.Device1"]?["Address"]?.text ?? device)
  }

  func closeSockets() {
    for socket in sockets.values { close(socket) }
    sockets = [:]
  }

  // MARK: Players

  /// Adds a player to a phone. The phone addresses the player if `isAddressed` is true.
  public func addPlayer(
    _ address: String, _ number: Int = 0, name: String = "Music", isAddressed: Bool = true,
    with properties: [String: BusValue] = [:], adapter: String = "hci0"
  ) {
    let device = Self.path(adapter, address)
    let all = ["Name": .string(name)].merging(properties) { $1 }
    add("\(device)/player\(number)", ["org.bluez.MediaPlayer1": all])
    if isAddressed { addressPlayer(address, number, adapter: adapter) }
  }

  /// Makes the phone address this player.
  public func addressPlayer(_ address: String, _ number: Int, adapter: String = "hci0") {
    let device = Self.path(adapter, address)
    change(
      device, "org.bluez.MediaControl1", "Player", .objectPath("\(device)/player\(number)"))
  }

  /// Removes a player of a phone.
  public func removePlayer(_ address: String, _ number: Int = 0, adapter: String = "hci0") {
    remove("\(Self.path(adapter, address))/player\(number)")
  }

  /// Changes a property of a player, as a phone does. Only a change of `Position` changes the position; with all other
  /// properties, the position stays the same.
  public func setPlayer(
    _ address: String, _ number: Int = 0, _ property: String, _ value: BusValue,
    adapter: String = "hci0"
  ) {
    change(
      "\(Self.path(adapter, address))/player\(number)", "org.bluez.MediaPlayer1", property, value)
  }

  /// The value of the property `Track` of a player.
  public static func track(
    _ title: String, artist: String = "", album: String = "", milliseconds: UInt32 = 0
  ) -> BusValue {
    var fields: [(String, BusValue)] = [("Title", .string(title))]
    if !artist.isEmpty { fields.append(("Artist", .string(artist))) }
    if !album.isEmpty { fields.append(("Album", .string(album))) }
    if milliseconds > 0 { fields.append(("Duration", .uint32(milliseconds))) }
    return .properties(fields)
  }
}
