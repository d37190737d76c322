public import EventLoop

/// bluetoothd without a radio, on a private bus: adapters, devices, players, the agent. It has
/// BlueZ's names, types, errors and habits; what a phone does is what a test says.
///
/// It lives on the loop of what is tested, so a test steps both. Its devices outlive a crash of it,
/// as bonds on a disk do.
public final class FakeBluez {
  /// How something that was asked of a phone ends.
  public enum Outcome {
    case success
    /// The name of the error without its prefix, and its words.
    case failure(String, String)
    /// The same, but the link comes up before, as with a phone that refuses what was asked for.
    case refused(String, String)
    /// Nobody ever answers.
    case silence
  }

  /// The agent that registered, and whether it is the one that is asked.
  public struct Agent {
    /// Its connection and object.
    public let sender: String
    /// See ``sender``.
    public let path: String
    /// `DisplayYesNo` and the like.
    public let capability: String
    /// Whether it asked to be.
    public internal(set) var isDefault = false
  }

  static let name = "org.bluez"
  let loop: EventLoop
  private let address: String
  private(set) var bus: Bus?
  private var matches: [BusMatch] = []
  private(set) var tree = ObjectTree()
  /// Properties by interface, by path.
  private(set) var objects: [String: [String: [String: BusValue]]] = [:]

  /// Players by adapter, the first of each is the one that phones see.
  public internal(set) var players: [String: [FakePlayer]] = [:]
  /// Who is asked about pairing; nil where nobody registered.
  public internal(set) var agent: Agent?
  /// Calls that came, as `ConnectProfile AA:… 0000110e-…`, in their order.
  public var calls: [String] = []
  /// Keys that no player took, and so went to the phone's input device.
  public var keys: [String] = []
  /// How connecting a device ends.
  public var onConnect: (_ address: String) -> Outcome = { _ in .success }
  /// So many writes of an adapter's properties are answered with `Busy`, as while the controller is
  /// still at the one before.
  public var busyWrites = 0
  /// So many times what there is cannot be listed, as while it is too busy with its start.
  public var failingListings = 0
  /// How registering a player ends; nil as BlueZ does by itself.
  public var onRegisterPlayer: () -> Outcome? = { nil }
  /// The answer to each call that the agent was sent: nil for yes, or the error's name.
  public private(set) var answers: [String?] = []

  /// Comes to the bus; ``isThere`` once it has the name.
  public init(_ loop: EventLoop, address: String) throws {
    self.loop = loop
    self.address = address
    try come()
  }

  /// Whether a switch or the kernel keeps radios off (rfkill).
  public var isBlocked = false
  /// Pairings that were asked for, by address; they wait for
  /// ``endPairing(_:error:isBonded:answers:adapter:)``.
  var pairings: [String: MethodCall] = [:]
  /// So many times the controller refuses to look around.
  public var failingStarts = 0
  /// Whether looking around begins only with ``beginDiscovery()``.
  public var holdsDiscovery = false
  /// The call that waits for that.
  var discovery: MethodCall?
  /// Calls that nobody answers.
  var unanswered: [MethodCall] = []

  /// Whether it has its name.
  public private(set) var isThere = false

  // MARK: Coming and going

  /// Comes to the bus, as a service that is started.
  public func come() throws {
    let bus = try Bus(loop, to: .bus(address))
    self.bus = bus
    bus.objects = tree
    try publishRoot()
    for path in objects.keys { try publish(path) }
    bus.onConnected = { [weak self] in
      bus.requestName(Self.name) { [weak self] result in
        self?.isThere = (try? result.get()) == true
      }
    }
  }

  /// Goes without a word, as a crash does. Players and agent are lost, and so are connections.
  public func crash() {
    bus?.close()
    bus = nil
    matches = []
    isThere = false
    players = [:]
    agent = nil
    unanswered = []
    pairings = [:]
    discovery = nil
    tree = ObjectTree()
    for path in objects.keys {
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
        // The names of what was invalidated are not looked at.
        guard let body = try? message.body(), body.values.count == 3 else { return }
        _ = player?.take(body.values[1])
      })
    matches.append(
      try bus.match(
        MatchRule(
          sender: player.sender, path: player.path, interface: interface, member: "Seeked")
      ) { [weak player] message in player?.seeked((try? message.body())?.values.first) })
  }

  func noteAnswer(_ answer: String?) { answers.append(answer) }
}
