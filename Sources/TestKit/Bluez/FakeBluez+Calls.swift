internal import EventLoop

// The methods of bluetoothd that the fake BlueZ implements.
extension FakeBluez {
  static let prefix = "org.bluez.Error."

  func publishRoot() throws {
    let root = BusInterface(
      "org.freedesktop.DBus.ObjectManager",
      methods: [.init("GetManagedObjects", returns: [.init("objects", "a{oa{sa{sv}}}")])])
    try tree.add(
      BusObject(path: "/", interfaces: [root]) { [weak self] call in
        if let self, failingListings > 0 {
          failingListings -= 1
          return call.fail("org.freedesktop.DBus.Error.NoReply", "")
        }
        let objects = (self?.objects ?? [:]).sorted { $0.key < $1.key }
        call.reply([
          .dictionary(
            key: "o", value: "a{sa{sv}}",
            objects.map { .init(.objectPath($0.key), Self.value(of: $0.value)) })
        ])
      })
    let manager = BusInterface(
      "org.bluez.AgentManager1",
      methods: [
        .init("RegisterAgent", [.init("agent", "o"), .init("capability", "s")]),
        .init("UnregisterAgent", [.init("agent", "o")]),
        .init("RequestDefaultAgent", [.init("agent", "o")]),
      ])
    try tree.add(
      BusObject(path: "/org/bluez", interfaces: [manager]) { [weak self] in self?.manage($0) })
  }

  func publish(_ path: String) throws {
    guard let interfaces = objects[path] else { return }
    let all = interfaces.sorted { $0.key < $1.key }.map { name, properties in
      BusInterface(
        name, methods: Self.methods[name] ?? [],
        properties: properties.sorted { $0.key < $1.key }.map {
          .init($0.key, $0.value.signature, Self.writable.contains($0.key) ? .readwrite : .read)
        })
    }
    try tree.add(
      BusObject(
        path: path, interfaces: all,
        onCall: { [weak self] call in
          do {
            try self?.handle(call)
          } catch let error as BusErrorReply {
            call.fail(error.name, error.message)
          } catch {
            call.fail(Self.prefix + "InvalidArguments", "Invalid arguments in method call")
          }
        },
        onGet: { [weak self] interface, property in self?.objects[path]?[interface]?[property] },
        onSet: { [weak self] write throws(BusErrorReply) in
          guard let self else { return }
          calls.append("Set \(shortName(of: path)) \(write.property) \(text(write.value))")
          if busyWrites > 0, write.interface == "org.bluez.Adapter1" {
            busyWrites -= 1
            throw BusErrorReply("org.bluez.Error.Busy", "")
          }
          if write.property == "Powered", isBlocked {
            throw BusErrorReply(Self.prefix + "Failed", "Blocked through rfkill")
          }
          // BlueZ first sends the answer, and then changes the property.
          loop.defer { [weak self] in
            self?.change(path, write.interface, write.property, write.value)
          }
        }))
  }

  private static let writable: Set<String> = [
    "Alias", "Powered", "Discoverable", "Pairable", "DiscoverableTimeout", "PairableTimeout",
    "Trusted", "Blocked", "Volume", "Delay", "Repeat", "Shuffle",
  ]

  private static let methods: [String: [BusInterface.Method]] = [
    "org.bluez.Adapter1": [
      .init("RemoveDevice", [.init("device", "o")]), .init("StartDiscovery"),
      .init("StopDiscovery"),
    ],
    "org.bluez.Media1": [
      .init("RegisterPlayer", [.init("player", "o"), .init("properties", "a{sv}")]),
      .init("UnregisterPlayer", [.init("player", "o")]),
      .init("RegisterEndpoint", [.init("endpoint", "o"), .init("properties", "a{sv}")]),
    ],
    "org.bluez.MediaTransport1": [
      .init(
        "TryAcquire",
        returns: [.init("socket", "h"), .init("mtu_read", "q"), .init("mtu_write", "q")])
    ],
    "org.bluez.MediaPlayer1": [
      .init("Play"), .init("Pause"), .init("Stop"), .init("Next"), .init("Previous"),
      .init("FastForward"), .init("Rewind"), .init("Release"),
    ],
    "org.bluez.Device1": [
      .init("Connect"), .init("Disconnect"), .init("ConnectProfile", [.init("uuid", "s")]),
      .init("DisconnectProfile", [.init("uuid", "s")]), .init("Pair"), .init("CancelPairing"),
    ],
  ]

  private func shortName(of path: String) -> String {
    objects[path]?["org.bluez.Device1"]?["Address"]?.text
      ?? path.split(separator: "/").last.map(String.init) ?? path
  }

  private func text(_ value: BusValue) -> String {
    value.text ?? value.flag.map { "\($0)" } ?? value.integer.map { "\($0)" } ?? "?"
  }

  // MARK: Agent manager

  private func manage(_ call: MethodCall) {
    var arguments = call.arguments
    guard let path = try? arguments.objectPath() else {
      return call.fail(Self.prefix + "Failed", "")
    }
    let sender = call.message.sender
    switch call.member {
    case "RegisterAgent":
      guard agent == nil else { return call.fail(Self.prefix + "AlreadyExists", "Already Exists") }
      agent = Agent(
        sender: sender, path: path, capability: (try? arguments.string()) ?? "")
    case "UnregisterAgent": agent = nil
    default:
      guard agent?.path == path, agent?.sender == sender else {
        return call.fail(Self.prefix + "DoesNotExist", "Does Not Exist")
      }
      agent?.isDefault = true
    }
    call.reply()
  }

  // MARK: Adapters, devices, players

  private func handle(_ call: MethodCall) throws {
    var arguments = call.arguments
    let name = shortName(of: call.path)
    switch call.member {
    case "RegisterEndpoint": try registerEndpoint(call, adapter: name)
    case "TryAcquire": try acquire(call)
    case "Play", "Pause", "Stop", "Next", "Previous", "FastForward", "Rewind", "Release":
      calls.append("\(call.member) \(name)")
      call.reply()
    case "RegisterPlayer": try registerPlayer(call, adapter: name)
    case "UnregisterPlayer":
      let path = try arguments.objectPath()
      players[name]?.removeAll { $0.path == path }
      call.reply()
    case "RemoveDevice":
      let path = try arguments.objectPath()
      calls.append("RemoveDevice \(shortName(of: path))")
      guard objects[path] != nil else {
        throw BusErrorReply(Self.prefix + "DoesNotExist", "Does Not Exist")
      }
      remove(path)
      call.reply()
    case "StartDiscovery", "StopDiscovery": try discover(call, name)
    case "Pair":
      calls.append("Pair \(name)")
      pairings[name] = call
    case "CancelPairing":
      calls.append("CancelPairing \(name)")
      call.reply()
      endPairing(name, error: "AuthenticationCanceled")
    case "Connect": handleConnect(call, name, "Connect \(name)")
    case "ConnectProfile":
      handleConnect(call, name, "ConnectProfile \(name) \(try arguments.string().prefix(8))")
    case "Disconnect":
      calls.append("Disconnect \(name)")
      for attempt in unanswered where attempt.path == call.path {
        attempt.fail(Self.prefix + "Failed", "br-connection-canceled")
      }
      unanswered.removeAll { $0.path == call.path }
      call.reply()
      disconnect(path: call.path, reason: "Local")
    default: call.reply()
    }
  }

  /// Starts or ends a discovery. BlueZ permits one discovery for each client, and handles one call of StartDiscovery or
  /// StopDiscovery at a time. This simulation supports only one client, so each adapter has at most one discovery.
  private func discover(_ call: MethodCall, _ name: String) throws {
    calls.append("\(call.member) \(name)")
    let properties = objects[call.path]?["org.bluez.Adapter1"] ?? [:]
    let isDiscovering = properties["Discovering"]?.flag ?? false
    let starts = call.member == "StartDiscovery"
    if properties["Powered"]?.flag == false { throw BusErrorReply(Self.prefix + "NotReady", "") }
    if discovery != nil { throw BusErrorReply(Self.prefix + "InProgress", "") }
    if starts, failingStarts > 0 {
      failingStarts -= 1
      throw BusErrorReply(Self.prefix + "InProgress", "")
    }
    guard isDiscovering != starts else {
      throw BusErrorReply(Self.prefix + (starts ? "InProgress" : "Failed"), "No discovery started")
    }
    guard !(starts && delaysDiscovery) else { return discovery = call }
    call.reply()
    change(call.path, "org.bluez.Adapter1", "Discovering", .boolean(starts))
  }

  /// Starts the discovery that was requested while ``delaysDiscovery`` was true.
  public func beginDiscovery() {
    guard let call = discovery else { return }
    discovery = nil
    call.reply()
    change(call.path, "org.bluez.Adapter1", "Discovering", .boolean(true))
  }

  private func handleConnect(_ call: MethodCall, _ address: String, _ record: String) {
    calls.append(record)
    switch onConnect(address) {
    case .success: succeed(call)
    case .authorizing:
      connect(path: call.path, controls: false)
      call.reply()
    case .refused(let name, let message):
      connect(path: call.path, controls: false)
      call.fail(Self.prefix + name, message)
    case .failure(let name, let message): call.fail(Self.prefix + name, message)
    case .noAnswer: unanswered.append(call)
    }
  }

  /// Answers the calls to connect a device that are pending because ``onConnect`` returned ``Outcome/noAnswer``.
  /// - Parameter error: the name of the error and its message. Nil if the calls succeed.
  public func answerConnect(
    _ address: String, error: (name: String, message: String)? = nil, adapter: String = "hci0"
  ) {
    let path = Self.path(adapter, address)
    let calls = unanswered.filter { $0.path == path }
    unanswered.removeAll { $0.path == path }
    for call in calls {
      if let error {
        call.fail(Self.prefix + error.name, error.message)
      } else {
        succeed(call)
      }
    }
  }

  /// Connects the device that a call names, in the order of BlueZ: first the link, then the answer, then AVRCP.
  private func succeed(_ call: MethodCall) {
    connect(path: call.path, controls: false)
    call.reply()
    setControl(path: call.path, true)
  }

  private func registerPlayer(_ call: MethodCall, adapter: String) throws {
    var arguments = call.arguments
    let path = try arguments.objectPath()
    let sender = call.message.sender
    calls.append("RegisterPlayer \(adapter)")
    if case .failure(let name, let message)? = onRegisterPlayer() {
      throw BusErrorReply(Self.prefix + name, message)
    }
    let known = players[adapter] ?? []
    guard !known.contains(where: { $0.sender == sender && $0.path == path }) else {
      throw BusErrorReply(Self.prefix + "AlreadyExists", "Already Exists")
    }
    let player = FakePlayer(sender: sender, path: path, readsNoTrack: isPatched)
    guard player.apply(try arguments.properties()) else {
      throw BusErrorReply(Self.prefix + "InvalidArguments", "Invalid arguments in method call")
    }
    // The properties that are arguments of `RegisterPlayer` cause no notifications, because no phone is connected yet.
    player.events = []
    try listen(to: player)
    players[adapter, default: []].append(player)
    call.reply()
  }
}
