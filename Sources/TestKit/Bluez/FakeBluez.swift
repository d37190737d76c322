public import EventLoop

/// A simulated bluetoothd without a controller, on a private bus: adapters, devices, players, the agent.
/// Names, types, errors and behaviour are those of BlueZ. The test decides what phones do.
///
/// The simulation runs on the same event loop as the code under test. The devices remain after a
/// simulated crash, because the real bluetoothd stores bonds on a disk.
public final class FakeBluez {
  /// The result of a request to a phone.
  public enum Outcome {
    case success
    /// The name of the error without its prefix, and its message.
    case failure(String, String)
    /// The same as `failure`, but the link is established first. A phone that refuses a profile
    /// behaves in this way.
    case refused(String, String)
    /// The same as `success`, but the remote control is not connected. BlueZ answers in this way
    /// while a connection that the phone has begun is being authorised.
    case authorizing
    /// No answer ever arrives.
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
    /// The unique name of the connection that registered it.
    public let sender: String
    /// The path of the object.
    public let path: String
    /// The adapter, such as `hci0`.
    public let adapter: String
    /// The properties of the registration.
    public let properties: BusValue
  }

  static let name = "org.bluez"
  let loop: EventLoop
  private let address: String
  private(set) var bus: Bus?
  private var matches: [BusMatch] = []
  private(set) var tree = ObjectTree()
  /// The properties of all objects, by path, interface and name.
  private(set) var objects: [String: [String: [String: BusValue]]] = [:]

  /// Players by adapter. Phones see the first player of an adapter.
  public internal(set) var players: [String: [FakePlayer]] = [:]
  /// The registered endpoints of A2DP.
  public internal(set) var endpoints: [Endpoint] = []
  /// The ends of the phones of acquired transports, by path.
  var sockets: [String: Int32] = [:]
  /// The transports that were acquired so far, by the address of the phone.
  public internal(set) var acquired: [String] = []
  /// The agent for pairing; nil if no agent is registered.
  public internal(set) var agent: Agent?
  /// The calls in their order, such as `ConnectProfile AA:… 0000110e`.
  public var calls: [String] = []
  /// The keys that went to the phone's input device, because no player accepted them.
  public var keys: [String] = []
  /// The result of connecting a device.
  public var onConnect: (_ address: String) -> Outcome = { _ in .success }
  /// True for the bluetoothd of the image, false for the one of a distribution. The patches are in
  /// `board/bluez`.
  public var isPatched = true
  /// How many of the next writes to properties of an adapter fail with `Busy`. The real bluetoothd
  /// fails in this way while the controller still handles the previous write.
  public var busyWrites = 0
  /// How many of the next calls of GetManagedObjects fail. Such calls fail while the real
  /// bluetoothd starts.
  public var failingListings = 0
  /// The result of registering a player. If the closure returns nil, the registration behaves as in
  /// BlueZ.
  public var onRegisterPlayer: () -> Outcome? = { nil }
  /// The answers of the agent: nil for consent, or the name of the error.
  public private(set) var answers: [String?] = []

  /// Connects to the bus. ``isRunning`` becomes true when this object owns its name on the bus.
  public init(_ loop: EventLoop, address: String) throws {
    self.loop = loop
    self.address = address
    try start()
  }

  /// True if rfkill blocks the controller.
  public var isBlocked = false
  /// The pending calls of Pair, by address. ``endPairing(_:error:isBonded:answers:adapter:)``
  /// answers them.
  var pairings: [String: MethodCall] = [:]
  /// How many of the next discoveries the controller refuses to start.
  public var failingStarts = 0
  /// If true, a requested discovery starts only when the test calls ``beginDiscovery()``.
  public var delaysDiscovery = false
  /// The call that ``beginDiscovery()`` answers.
  var discovery: MethodCall?
  /// Calls that are never answered.
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
    bus.onConnected = { [weak self] in
      bus.requestName(Self.name) { [weak self] result in
        self?.isRunning = (try? result.get()) == true
      }
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
        // The third value, the list of invalidated properties, is not read.
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
}
