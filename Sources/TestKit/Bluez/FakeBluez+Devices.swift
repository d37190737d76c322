public import EventLoop

// Adapters and devices: adding, removing, and changing their properties.
extension FakeBluez {
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

  /// Ends a pairing that the unit has requested. If `error` is nil, the device is paired; otherwise
  /// the pairing fails.
  /// - Parameter answers: if true, the call is answered after the properties of the device have
  ///   changed. Use false for a device that is removed during the pairing, because BlueZ then never
  ///   answers.
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

  /// Changes the address of a device to its identity address. The path of the device's object stays
  /// the same.
  public func changeAddress(
    of address: String, to other: String, adapter: String = "hci0"
  ) {
    set(address, "Address", .string(other), adapter: adapter)
  }

  /// Removes a device.
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

  /// A property of a device.
  public func device(_ address: String, _ property: String, adapter: String = "hci0") -> BusValue? {
    objects[Self.path(adapter, address)]?["org.bluez.Device1"]?[property]
  }

  /// A property of an adapter.
  public func adapter(_ id: String = "hci0", _ property: String) -> BusValue? {
    objects[Self.path(id)]?["org.bluez.Adapter1"]?[property]
  }

  /// Simulates a phone that connects by itself. If `controls` is false, the phone establishes only
  /// the link, without AVRCP.
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

  /// The volume of the transport.
  public func volume(_ address: String, adapter: String = "hci0") -> Int? {
    objects[Self.path(adapter, address) + "/fd0"]?["org.bluez.MediaTransport1"]?["Volume"]?.integer
  }

  /// Changes the volume of the transport, as the phone does.
  public func setVolume(_ address: String, _ volume: UInt16, adapter: String = "hci0") {
    change(
      Self.path(adapter, address) + "/fd0", "org.bluez.MediaTransport1", "Volume",
      .uint16(volume))
  }
}
