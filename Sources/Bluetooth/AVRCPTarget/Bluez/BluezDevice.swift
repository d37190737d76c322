internal import EventLoop
internal import NowPlaying
internal import Reports

/// A device as BlueZ has it, read once.
struct BluezDevice {
  /// A property whose changes matter here.
  enum Property: Hashable {
    /// It is bonded, or paired, now.
    case bond
    /// It is one of these no more.
    case bondLost
    case link
    case services

    /// Which of them a signal names.
    static func changed(_ properties: [String: BusValue]) -> Set<Property> {
      var changed: Set<Property> = []
      for flag in ["Bonded", "Paired"].compactMap({ properties[$0]?.flag }) {
        changed.insert(flag ? .bond : .bondLost)
      }
      if properties["Connected"] != nil { changed.insert(.link) }
      if properties["UUIDs"] != nil { changed.insert(.services) }
      return changed
    }
  }

  let path: String
  let address: String
  /// As it was renamed here, or as it calls itself.
  let name: String
  /// Whose hand its keys are: by the name that it calls itself, as that is what bluetoothd gives its
  /// input device, whatever it was renamed here. Nil where it has not said one yet.
  let origin: PressOrigin?
  /// There is a link, whatever for.
  let isConnected: Bool
  /// Its remote control is connected (AVRCP); of a device that has none, the link.
  let isControlling: Bool
  /// The keys were kept, or at least made.
  let isBonded: Bool
  let isTrusted: Bool
  let features: Set<BluezFeature>
  /// Before it is paired, a device may say what it is and not yet what it can: the major class
  /// *peripheral* of the classic radio; of low energy, the appearance *remote control* or *HID*
  /// (Assigned Numbers 2.8.2, 2.6.2).
  private let isPeripheral: Bool

  /// Nil for what is none.
  init?(_ path: String, in monitor: BluezMonitor?) {
    guard let properties = monitor?[path, BluezNames.device],
      let address = properties["Address"]?.text
    else { return nil }
    self.path = path
    self.address = address
    name = properties["Alias"]?.text ?? properties["Name"]?.text ?? address
    origin = properties["Name"]?.text.map(PressOrigin.bluetooth)
    isConnected = properties["Connected"]?.flag ?? false
    // Bonded is there since BlueZ 5.65; before, a pairing that was kept is all that is listed.
    isBonded = properties["Bonded"]?.flag ?? properties["Paired"]?.flag ?? false
    isTrusted = properties["Trusted"]?.flag ?? false
    features = Set((properties["UUIDs"]?.texts ?? []).compactMap(BluezFeature.init(uuid:)))
    let kind = properties["Class"]?.integer.map { $0 >> 8 & 0x1F == 5 } ?? false
    let appearance = properties["Appearance"]?.integer.map { $0 >> 6 }
    isPeripheral = kind || appearance == 0x006 || appearance == 0x00F
    isControlling =
      isConnected
      && monitor?[path, BluezNames.control]?["Connected"]?.flag ?? !features.contains(.controller)
  }

  /// `hci0`.
  var adapter: String { BluezDevice.adapter(of: path) }

  /// Of a device, a transport, or an adapter itself.
  static func adapter(of path: String) -> String {
    path.split(separator: "/").dropFirst(2).first.map(String.init) ?? ""
  }

  /// Whether it may be dialled: one that lists itself as a controller. BlueZ answers a browsing
  /// request of one that lists 0x110C alone without looking whether it can.
  var canBeDialled: Bool { isBonded && features.contains(.controller) }

  /// Whether it says that it has keys for us.
  var isRemote: Bool {
    isPeripheral
      || !features.isDisjoint(
        with: [.controller, .controllerService, .keyboard, .lowEnergyKeyboard])
  }

  /// For people, each once.
  var words: [String] {
    let said = BluezFeature.allCases.filter(features.contains).map(\.words)
    let kind = isPeripheral ? [BluezFeature.keyboard.words] : []
    return (said + kind).reduce(into: []) { words, word in
      if !words.contains(word) { words.append(word) }
    }
  }

  func phone(_ signal: PhonesState.Signal?) -> PhonesState.Phone {
    PhonesState.Phone(
      address: address, name: name, adapter: adapter, isConnected: isConnected,
      isControlling: isControlling,
      isBonded: isBonded, isTrusted: isTrusted, features: words, signal: signal)
  }
}
