// Fuzz target for the values that BlueZ reports about phones: devices, players with their titles, transports, and the
// calls of the endpoints. The simulated bluetoothd of the tests sends these values over a real bus to `BluezClient`,
// `PhoneLink` and `PhoneSource`. sd-bus and dbus-daemon refuse messages that are not valid D-Bus, so the values are
// valid D-Bus values of any type. This file is compiled together with the sources of these modules, and with files of
// TestKit.

import Glibc

private let phones = ["AA:BB:CC:DD:EE:FF", "AA:BB:CC:DD:EE:00"]
private let player = "org.bluez.MediaPlayer1"
private let transport = "org.bluez.MediaTransport1"

/// libFuzzer calls this with each input. Each step of an input is a byte that selects what the phone does, and the
/// bytes of its values.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPhones(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var input = FuzzInput([UInt8](UnsafeBufferPointer(start: data, count: size)))
  do {
    try car.begin()
    for _ in 0..<32 where !input.isEmpty { try car.step(&input) }
    try car.finish()
  } catch { fatalError("\(error)") }
  return 0
}

/// The unit and its bus remain between inputs, because a new connection takes 100 ms. The phones are removed after each
/// input. libFuzzer uses one thread.
private nonisolated(unsafe) let car: FuzzedCar = {
  do { return try FuzzedCar() } catch { fatalError("\(error)") }
}()

/// A unit and two phones that are connected to it.
private final class FuzzedCar {
  private let loop = EventLoop()
  private let bus: PrivateBus
  private let bluez: FakeBluez
  private let client: BluezClient
  private let link: PhoneLink
  private var center = NowPlayingCenter(volume: Volume(level: .loudest))
  private var sources: [String: PhoneSource] = [:]

  init() throws {
    bus = try PrivateBus()
    bluez = try FakeBluez(loop, address: bus.address)
    client = BluezClient(loop, bus: .bus(bus.address))
    link = PhoneLink(client, clock: { .now() })
    link.onChange = { [unowned self] in update($0) }
    bluez.addAdapter()
    client.start()
  }

  /// Runs the loop until a condition is true. Ends the program after 5 s.
  private func wait(line: UInt = #line, _ condition: () -> Bool) throws {
    let begin = MonotonicInstant.now()
    while !condition() {
      require(
        MonotonicInstant.now().wholeTime(since: begin) < .seconds(5),
        "\(client.devices) \(link.connected) \(sources)", line: line)
      _ = try loop.step(timeout: .milliseconds(100))
    }
  }

  /// Connects the phones.
  func begin() throws {
    center = NowPlayingCenter(volume: Volume(level: .loudest))
    try wait { bluez.endpoints.count == 3 && link.isRegistered }
    for phone in phones {
      bluez.addDevice(
        phone, name: phone, uuids: [FakeBluez.source, FakeBluez.target], isConnected: true)
      bluez.addPlayer(phone, with: sampleProperties(player))
    }
    try wait { sources.count == phones.count }
  }

  /// Creates, updates or ends the source of a phone, as `PhonePlayer` does after a change, but without an engine.
  private func update(_ device: String) {
    guard link.isConnected(device), let reading = link.reading(device) else {
      sources.removeValue(forKey: device)?.end()
      return
    }
    check(reading)
    if let source = sources[device] {
      source.update(reading, nil)
    } else {
      sources[device] = PhoneSource(
        device, reading, link, center, configure: { _ in }, clock: { .now() })
    }
  }

  func step(_ input: inout FuzzInput) throws {
    let phone = phones[Int(input.byte() & 1)]
    let device = FakeBluez.path("hci0", phone)
    let number = Int(input.byte() % 4)
    switch input.byte() % 13 {
    case 0, 1, 2: change("\(device)/player\(number)", player, &input)
    case 3:
      bluez.addPlayer(
        phone, number, isAddressed: input.byte() & 1 == 1, with: properties(player, &input))
    case 4: bluez.removePlayer(phone, number)
    case 5: bluez.addressPlayer(phone, number)
    case 6: change(device, "org.bluez.Device1", &input)
    case 7: change(device, "org.bluez.MediaControl1", &input)
    case 8: bluez.add("\(device)/fd\(number)", [transport: properties(transport, &input)])
    case 9: change("\(device)/fd\(number)", transport, &input)
    case 10: callEndpoint("\(device)/fd\(number)", &input)
    case 11: emit("\(device)/player\(number)", &input)
    default: try restart()
    }
    if input.byte() & 3 == 0 { try settle() }
  }

  private func change(_ path: String, _ interface: String, _ input: inout FuzzInput) {
    let known = sampleProperties(interface).sorted { $0.key < $1.key }
    let property = known[input.index(below: known.count)]
    bluez.change(path, interface, property.key, changed(property.value, &input))
  }

  private func properties(_ interface: String, _ input: inout FuzzInput) -> [String: BusValue] {
    sampleProperties(interface).sorted { $0.key < $1.key }
      .reduce(into: [:]) { $0[$1.key] = changed($1.value, &input) }
  }

  /// Calls an endpoint as bluetoothd does, with unexpected values. Each call gets an answer.
  private func callEndpoint(_ path: String, _ input: inout FuzzInput) {
    guard let endpoint = bluez.endpoints.first else { return }
    let calls: [(String, [BusValue])] = [
      ("SetConfiguration", [.objectPath(path), .properties(Array(sampleProperties(transport)))]),
      ("SelectConfiguration", [.bytes([0x3F, 0xFF, 2, 53])]),
      ("ClearConfiguration", [.objectPath(path)]), ("Release", []),
    ]
    let (member, arguments) = calls[input.index(below: calls.count)]
    var values: [BusValue] = []
    for argument in arguments { values.append(changed(argument, &input)) }
    open += 1
    bluez.bus?.call(endpoint.sender, endpoint.path, "org.bluez.MediaEndpoint1", member, values) {
      [weak self] _ in
      self?.open -= 1
    }
  }
  private var open = 0

  /// True if a signal has announced objects that the simulated bluetoothd does not have.
  private var hasUnknownObjects = false

  /// Sends a signal of bluetoothd with unexpected values.
  private func emit(_ path: String, _ input: inout FuzzInput) {
    let objects = "org.freedesktop.DBus.ObjectManager"
    let device = "org.bluez.Device1"
    let signals: [(String, String, String, [BusValue])] = [
      (
        "/", objects, "InterfacesAdded",
        [.objectPath(path), FakeBluez.value(of: [player: sampleProperties(player)])]
      ),
      ("/", objects, "InterfacesRemoved", [.objectPath(path), .strings([player, transport])]),
      (
        path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string(player), .properties(Array(sampleProperties(player))), .strings(["Track"])]
      ),
      (path, device, "Disconnected", [.string("org.bluez.Reason.Timeout"), .string("")]),
    ]
    let (path, interface, member, body) = signals[input.index(below: signals.count)]
    var values: [BusValue] = []
    for value in body { values.append(changed(value, &input)) }
    hasUnknownObjects = true
    try? bluez.bus?.emit(path, interface, member, values)
  }

  /// Waits until everything that was sent has arrived: each side calls the bus and waits for the answer.
  private func settle() throws {
    for side in [bluez.bus, client.bus] {
      var isAnswered = side == nil
      side?.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping"
      ) { _ in
        isAnswered = true
      }
      try wait { isAnswered }
      client.devices.forEach { check($0) }
    }
    for source in sources.values { source.refresh() }
  }

  /// Ends the simulated bluetoothd, waits until the sessions of the phones have ended, and starts it again.
  private func restart() throws {
    bluez.crash()
    try wait { sources.isEmpty && !client.isKnown }
    open = 0
    hasUnknownObjects = false
    try bluez.start()
    try wait {
      bluez.isRunning && client.isKnown && bluez.endpoints.count == 3 && link.isRegistered
    }
  }

  /// Removes the phones, and checks that their sessions end and that nothing of the phones remains.
  func finish() throws {
    try settle()
    try wait { open == 0 }
    let paths = bluez.objects.keys.filter { $0.contains("/dev_") }.sorted { $0.count > $1.count }
    paths.forEach(bluez.remove)
    try wait { sources.isEmpty }
    if bluez.endpoints.count < 3 || hasUnknownObjects { try restart() }
    try settle()
    require(client.devices.isEmpty, "\(client.devices)")
    require(client.transports.isEmpty && !link.isStreaming, "\(client.transports)")
    require(center.arbitration.primary == nil, "\(center.arbitration)")
  }

  // MARK: What a reading must be

  private func check(_ device: BluezDevice) {
    require(phones.contains(device.address), "a phone with the address \(device.address)")
  }

  private func check(_ reading: PhoneReading) {
    if let position = reading.position { require(position.time >= .zero, "\(position.time)") }
    guard let player = reading.player else { return }
    let texts = [
      player.name, player.track.title, player.track.artist, player.track.album, player.track.genre,
    ]
    for case let text? in texts {
      require(!text.isEmpty && text.count <= 512, "\(text.count) characters")
    }
    let numbers = [player.position, player.track.number, player.track.count, player.track.duration]
    for case let number? in numbers { require((0..<Int(UInt32.max)).contains(number), "\(number)") }
    if let duration = player.track.duration { require(duration > 0) }
  }
}

// MARK: Samples

private func sampleProperties(_ interface: String) -> [String: BusValue] {
  switch interface {
  case player:
    [
      "Name": .string("Music"), "Status": .string("playing"), "Position": .uint32(5000),
      "Repeat": .string("off"), "Shuffle": .string("off"),
      "Track": .properties([
        ("Title", .string("Title")), ("Artist", .string("Artist")), ("Album", .string("Album")),
        ("Genre", .string("Folk")), ("Duration", .uint32(200_000)), ("TrackNumber", .uint32(1)),
        ("NumberOfTracks", .uint32(12)),
      ]),
    ]
  case transport:
    [
      "Device": .objectPath(FakeBluez.path("hci0", phones[0])), "Codec": .byte(0),
      "Volume": .uint16(64),
      "UUID": .string("0000110b-0000-1000-8000-00805f9b34fb"), "State": .string("idle"),
      "Delay": .uint16(0),
      "Configuration": .bytes([0x21, 0x15, 2, 53]),
    ]
  case "org.bluez.MediaControl1":
    [
      "Connected": .boolean(true),
      "Player": .objectPath(FakeBluez.path("hci0", phones[0]) + "/player1"),
    ]
  default:
    [
      "Name": .string("Phone"), "Alias": .string("Phone"), "Connected": .boolean(true),
      "Class": .uint32(0x5A020C),
      "Bonded": .boolean(true), "Trusted": .boolean(true),
      "UUIDs": .strings([FakeBluez.source, FakeBluez.target]),
    ]
  }
}

/// Texts that BlueZ uses.
let sampleWords = [
  "", " ", "playing", "paused", "stopped", "forward-seek", "reverse-seek", "error", "off",
  "singletrack", "alltracks",
  "group", "pending", "active", "idle", "Title", "Duration", "/org/bluez/hci0",
  "\u{202E}\u{FFFF}\u{0}\n",
  String(repeating: "Ж", count: 700), String(repeating: "e\u{301}", count: 700),
]
