public import EventLoop
internal import Glibc

// Phones that are sources of sound.
extension FakeBluez {
  /// The UUID of a source of sound.
  public static let source = "0000110a-0000-1000-8000-00805f9b34fb"
  /// The UUID of a device that can be controlled.
  public static let target = "0000110c-0000-1000-8000-00805f9b34fb"

  // MARK: Streams

  /// Simulates a phone that configures a stream: BlueZ adds a transport and calls the endpoint. If the
  /// endpoint refuses the configuration, BlueZ removes the transport.
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

  /// Simulates a phone that suspends its stream. As with BlueZ, the socket of the unit has no end.
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

  /// Sends a packet over the stream. False if the socket is full or there is none.
  public func sendPacket(_ address: String, _ packet: [UInt8], adapter: String = "hci0") -> Bool {
    guard let socket = sockets[Self.transport(address, adapter)] else { return false }
    return send(socket, packet, packet.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      == packet.count
  }

  /// A property of the transport of a phone.
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

  /// Adds a player to a phone. The phone addresses it if `isAddressed` is true.
  public func addPlayer(
    _ address: String, _ number: Int = 0, name: String = "Music", isAddressed: Bool = true,
    with properties: [String: BusValue] = [:], adapter: String = "hci0"
  ) {
    let device = Self.path(adapter, address)
    let all = ["Name": .string(name)].merging(properties) { $1 }
    add("\(device)/player\(number)", ["org.bluez.MediaPlayer1": all])
    if isAddressed { addressPlayer(address, number, adapter: adapter) }
  }

  /// Makes a player the one that the phone addresses.
  public func addressPlayer(_ address: String, _ number: Int, adapter: String = "hci0") {
    let device = Self.path(adapter, address)
    change(
      device, "org.bluez.MediaControl1", "Player", .objectPath("\(device)/player\(number)"))
  }

  /// Removes a player of a phone.
  public func removePlayer(_ address: String, _ number: Int = 0, adapter: String = "hci0") {
    remove("\(Self.path(adapter, address))/player\(number)")
  }

  /// Changes a property of a player, as a phone does. The position is not a part of other changes.
  public func setPlayer(
    _ address: String, _ number: Int = 0, _ property: String, _ value: BusValue,
    adapter: String = "hci0"
  ) {
    change(
      "\(Self.path(adapter, address))/player\(number)", "org.bluez.MediaPlayer1", property, value)
  }

  /// A track of a player.
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
