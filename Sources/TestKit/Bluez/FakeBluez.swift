public import EventLoop

/// A simulated bluetoothd without a controller, on a private bus: adapters, devices, players, the agent. Names, types,
/// errors and behaviour are the same as in BlueZ. The test decides what phones do.
///
/// The simulation runs on the same event loop as the code under test. The devices remain after a simulated crash,
/// because the real bluetoothd stores bonds on a disk.
public final class FakeBluez {
  /// The result of a request to a phone.
  public enum Outcome {
    case success
    /// The request fails. The values are the name of the error without its prefix, and its message.
    case failure(String, String)
    /// The same as `failure`, but the link is established first. A phone that refuses a profile behaves in this way.
    case refused(String, String)
    /// The same as `success`, but AVRCP is not connected. BlueZ answers in this way while it authorises a connection
    /// that the phone has started.
    case authorizing
    /// No answer arrives until the test calls ``answerConnect(_:error:adapter:)``.
    case noAnswer
  }

  /// The registered agent.
  public struct Agent {
    /// The unique name of the connection that registered the agent.
    public let sender: String
    /// The path of the agent's object.
    public let path: String
    /// The capability, such as `DisplayYesNo`.
    public let capability: String
    /// True if the agent has requested to be the default agent.
    public internal(set) var isDefault = false
  }

  /// An endpoint of A2DP that the unit has registered.
  public struct Endpoint {
    /// The unique name of the connection that registered the endpoint.
    public let sender: String
    /// The path of the endpoint's object.
    public let path: String
    /// The adapter for which the endpoint is registered, such as `hci0`.
    public let adapter: String
    /// The properties with which the endpoint was registered.
    public let properties: BusValue
  }

  static let name = "org.bluez"
  let loop: EventLoop
  private let address: String
  private(set) var bus: Bus?
  private var matches: [BusMatch] = []
  private(set) var tree = ObjectTree()
  /// The properties of all objects. The keys are the path of the object, the interface, and the name of the property.
  private(set) var objects: [String: [String: [String: BusValue]]] = [:]

  /// The registered players, keyed by the adapter. Phones see the first player of an adapter.
  public internal(set) var players: [String: [FakePlayer]] = [:]
  /// The registered endpoints of A2DP.
  public internal(set) var endpoints: [Endpoint] = []
  /// The phones' ends of the sockets of acquired transports. The key is the path of the transport.
  var sockets: [String: Int32] = [:]
  /// For each transport that was acquired so far, the address of its phone.
  public internal(set) var acquired: [String] = []
  /// The agent for pairing; nil if no agent is registered.
  public internal(set) var agent: Agent?
  /// The calls that bluetoothd has received, in the order of their arrival, such as `ConnectProfile AA:… 0000110e`.
  public var calls: [String] = []
  /// The keys that went to the phone's input device, because no player accepted them.
  public var keys: [String] = []
  /// Returns the result of a request to connect a device.
  public var onConnect: (_ address: String) -> Outcome = { _ in .success }
  /// True to simulate the bluetoothd of the image, which has the patches in `board/bluez`. False to simulate the
  /// bluetoothd of a distribution.
  public var isPatched = true
  /// How many of the next writes to properties of an adapter fail with `Busy`. The real bluetoothd fails in this way
  /// while the controller still handles the previous write.
  public var busyWrites = 0
  /// How many of the next calls of GetManagedObjects fail. These calls also fail while the real bluetoothd starts.
  public var failingListings = 0
  /// Returns the result of registering a player. If it returns nil, the registration behaves as in BlueZ.
  public var onRegisterPlayer: () -> Outcome? = { nil }
  /// The answers of the agent. An answer is nil if the agent has accepted, or otherwise the name of the error.
  public private(set) var answers: [String?] = []

  /// Connects to the bus. ``isRunning`` becomes true when this object owns its name on the bus.
  public init(_ loop: EventLoop, address: String) throws {
    self.loop = loop
    self.address = address
    try start()
  }

  /// True if rfkill blocks the controller.
  public var isBlocked = false
  /// The pending calls of Pair, keyed by the device's address. See ``endPairing(_:error:isBonded:answers:adapter:)``.
  var pairings: [String: MethodCall] = [:]
  /// How many of the next discoveries the controller refuses to start.
  public var failingStarts = 0
  /// If true, a requested discovery starts only when the test calls ``beginDiscovery()``.
  public var delaysDiscovery = false
  /// The pending call of StartDiscovery that ``beginDiscovery()`` answers.
  var discovery: MethodCall?
  /// The calls to connect a device that have no answer yet.
  var unanswered: [MethodCall] = []

  /// True while this object owns its name on the bus.
  public private(set) var isRunning = false

  // MARK: Start and crash

  /// Connects to the bus, as a service does when it starts.
  public func start() throws {
    let bus = try Bus(loop, to: .bus(address))
    self.bus = bus
    bus.objects = tree
    try publishRoot()
    for path in objects.keys { try publish(path) }
    bus.onConnected = { [weak self] in self?.requestName(bus) }
  }

  /// The bus can still count the name as owned by the connection that ``crash()`` has closed: a program that another
  /// test starts at that moment has copies of all descriptors until it executes. So the request is repeated.
  private func requestName(_ bus: Bus) {
    bus.requestName(Self.name) { [weak self] result in
      guard let self, self.bus === bus, let isOwner = try? result.get() else { return }
      isRunning = isOwner
      if !isOwner { requestName(bus) }
    }
  }

  /// Disconnects from the bus, as in a crash. Players, the agent and all connections are lost.
  public func crash() {
    bus?.close()
    bus = nil
    matches = []
    isRunning = false
    players = [:]
    endpoints = []
    closeSockets()
    agent = nil
    unanswered = []
    pairings = [:]
    discovery = nil
    tree = ObjectTree()
    for path in objects.keys {
      objects[path]?["org.bluez.MediaPlayer1"] = nil
      objects[path]?["org.bluez.MediaControl1"]?["Player"] = nil
      objects[path]?["org.bluez.Device1"]?["Connected"] = .boolean(false)
      objects[path]?["org.bluez.MediaControl1"]?["Connected"] = .boolean(false)
      objects[path]?["org.bluez.MediaTransport1"] = nil
      objects[path]?["org.bluez.Adapter1"]?["Discovering"] = .boolean(false)
    }
  }

  // MARK: Objects

  static func path(_ adapter: String) -> String { "/org/bluez/\(adapter)" }

  static func path(_ adapter: String, _ address: String) -> String {
    "/org/bluez/\(adapter)/dev_\(address.split(separator: ":").joined(separator: "_"))"
  }

  func add(_ path: String, _ interfaces: [String: [String: BusValue]]) {
    objects[path] = interfaces
    try? publish(path)
    try? bus?.emit(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
      [.objectPath(path), Self.value(of: interfaces)])
  }

  func remove(_ path: String) {
    guard let interfaces = objects.removeValue(forKey: path) else { return }
    tree.remove(path: path)
    try? bus?.emit(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
      [.objectPath(path), .strings(interfaces.keys.sorted())])
  }

  func change(_ path: String, _ interface: String, _ property: String, _ value: BusValue) {
    guard objects[path]?[interface] != nil else { return }
    guard objects[path]?[interface]?[property] != value else { return }
    objects[path]?[interface]?[property] = value
    try? bus?.emitPropertiesChanged(path, interface, [(property, value)])
  }

  static func value(of interfaces: [String: [String: BusValue]]) -> BusValue {
    .dictionary(
      key: "s", value: "a{sv}",
      interfaces.sorted { $0.key < $1.key }.map { name, properties in
        .init(.string(name), .properties(properties.sorted { $0.key < $1.key }))
      })
  }

  // MARK: Signals of players

  func listen(to player: FakePlayer) throws {
    guard let bus else { return }
    let interface = "org.mpris.MediaPlayer2.Player"
    matches.append(
      try bus.match(
        MatchRule(
          sender: player.sender, path: player.path, interface: "org.freedesktop.DBus.Properties",
          member: "PropertiesChanged", argument0: interface)
      ) { [weak player] message in
        // The third value of the signal PropertiesChanged, the list of invalidated properties, is not read.
        guard let body = try? message.body(), body.values.count == 3 else { return }
        _ = player?.apply(body.values[1])
      })
    matches.append(
      try bus.match(
        MatchRule(
          sender: player.sender, path: player.path, interface: interface, member: "Seeked")
      ) { [weak player] message in player?.seeked((try? message.body())?.values.first) })
  }

  func recordAnswer(_ answer: String?) { answers.append(answer) }

  // MARK: Adapters and devices

  /// Adds an adapter, as if it were plugged in.
  public func addAdapter(
    _ id: String = "hci0", address: String = "00:11:22:33:44:55", isPowered: Bool = true
  ) {
    add(
      Self.path(id),
      [
        "org.bluez.Adapter1": [
          "Address": .string(address), "Name": .string("autoharp"), "Alias": .string("Autoharp"),
          "Powered": .boolean(isPowered), "Discoverable": .boolean(false),
          "Pairable": .boolean(false), "DiscoverableTimeout": .uint32(180),
          "PairableTimeout": .uint32(0), "Class": .uint32(0), "Discovering": .boolean(false),
        ],
        "org.bluez.Media1": [:],
      ])
  }

  /// Removes an adapter, with its devices and players.
  public func removeAdapter(_ id: String) {
    let path = Self.path(id)
    for player in players.removeValue(forKey: id) ?? [] { release(player) }
    for below in objects.keys.filter({ $0.hasPrefix(path) }).sorted().reversed() { remove(below) }
  }

  /// Adds a device to the objects of BlueZ.
  public func addDevice(
    _ address: String, name: String = "Phone", adapter: String = "hci0",
    uuids: [String] = ["0000110e-0000-1000-8000-00805f9b34fb"], isBonded: Bool = true,
    isTrusted: Bool = false, isConnected: Bool = false
  ) {
    var interfaces: [String: [String: BusValue]] = [
      "org.bluez.Device1": [
        "Address": .string(address), "Name": .string(name), "Alias": .string(name),
        "Adapter": .objectPath(Self.path(adapter)), "Paired": .boolean(isBonded),
        "Bonded": .boolean(isBonded), "Trusted": .boolean(isTrusted),
        "Connected": .boolean(isConnected), "UUIDs": .strings(uuids),
      ]
    ]
    if uuids.contains(where: { $0.hasPrefix("0000110e") || $0.hasPrefix("0000110c") }) {
      interfaces["org.bluez.MediaControl1"] = ["Connected": .boolean(isConnected)]
    }
    add(Self.path(adapter, address), interfaces)
  }

  /// Ends a pairing that the unit has requested. If `error` is nil, the device is paired; otherwise the pairing fails.
  /// - Parameter answers: if true, the call is answered after the properties of the device have changed. Use false for
  ///   a device that is removed during the pairing, because BlueZ then never answers.
  public func endPairing(
    _ address: String, error: String? = nil, isBonded: Bool = true, answers: Bool = true,
    adapter: String = "hci0"
  ) {
    if let error {
      pairings.removeValue(forKey: address)?.fail("org.bluez.Error.\(error)", "")
      return
    }
    connect(address, controls: false)
    if isBonded { set(address, "Bonded", .boolean(true), adapter: adapter) }
    set(address, "Paired", .boolean(true), adapter: adapter)
    if answers { pairings.removeValue(forKey: address)?.reply() }
  }

  /// Changes the address of a device, as BlueZ does when it learns the identity address. The path of the device's
  /// object stays the same.
  public func changeAddress(
    of address: String, to other: String, adapter: String = "hci0"
  ) {
    set(address, "Address", .string(other), adapter: adapter)
  }

  /// Removes a device from the objects of BlueZ.
  public func removeDevice(_ address: String, adapter: String = "hci0") {
    remove(Self.path(adapter, address))
  }

  /// Changes a property of a device, and sends a signal about the change.
  public func set(
    _ address: String, _ property: String, _ value: BusValue, adapter: String = "hci0"
  ) {
    change(Self.path(adapter, address), "org.bluez.Device1", property, value)
  }

  /// Changes a property of an adapter, and sends a signal about the change.
  public func set(adapter: String, _ property: String, _ value: BusValue) {
    change(Self.path(adapter), "org.bluez.Adapter1", property, value)
  }

  /// Returns a property of a device.
  public func device(_ address: String, _ property: String, adapter: String = "hci0") -> BusValue? {
    objects[Self.path(adapter, address)]?["org.bluez.Device1"]?[property]
  }

  /// Returns a property of an adapter.
  public func adapter(_ id: String = "hci0", _ property: String) -> BusValue? {
    objects[Self.path(id)]?["org.bluez.Adapter1"]?[property]
  }

  /// Simulates a phone that connects by itself. If `controls` is false, the phone establishes only the link, without
  /// AVRCP.
  public func connect(_ address: String, controls: Bool = true, adapter: String = "hci0") {
    connect(path: Self.path(adapter, address), controls: controls)
  }

  func connect(path: String, controls: Bool) {
    change(path, "org.bluez.Device1", "Connected", .boolean(true))
    if controls { setControl(path: path, true) }
  }

  /// Connects or disconnects AVRCP of a device. The link stays connected.
  public func setControl(_ address: String, _ isConnected: Bool, adapter: String = "hci0") {
    setControl(path: Self.path(adapter, address), isConnected)
  }

  func setControl(path: String, _ isConnected: Bool) {
    guard objects[path]?["org.bluez.MediaControl1"] != nil else { return }
    change(path, "org.bluez.MediaControl1", "Connected", .boolean(isConnected))
  }

  /// Ends the link to a device, for a reason such as `Timeout` or `Remote`.
  public func disconnect(_ address: String, reason: String, adapter: String = "hci0") {
    disconnect(path: Self.path(adapter, address), reason: reason)
  }

  func disconnect(path: String, reason: String) {
    guard objects[path]?["org.bluez.Device1"]?["Connected"]?.flag == true else { return }
    setControl(path: path, false)
    change(path, "org.bluez.Device1", "Connected", .boolean(false))
    try? bus?.emit(
      path, "org.bluez.Device1", "Disconnected",
      [.string("org.bluez.Reason.\(reason)"), .string("")])
  }

  /// Adds an A2DP transport to a device, with a volume.
  public func addTransport(_ address: String, volume: UInt16, adapter: String = "hci0") {
    add(
      Self.path(adapter, address) + "/fd0",
      ["org.bluez.MediaTransport1": ["Volume": .uint16(volume), "State": .string("active")]])
  }

  /// The volume of the device's transport.
  public func volume(_ address: String, adapter: String = "hci0") -> Int? {
    objects[Self.path(adapter, address) + "/fd0"]?["org.bluez.MediaTransport1"]?["Volume"]?.integer
  }

  /// Changes the volume of the device's transport, as a phone does.
  public func setVolume(_ address: String, _ volume: UInt16, adapter: String = "hci0") {
    change(
      Self.path(adapter, address) + "/fd0", "org.bluez.MediaTransport1", "Volume",
      .uint16(volume))
  }
}
