internal import EventLoop
package import NowPlaying
package import Reports

/// The properties of a device in BlueZ at one moment.
package struct BluezDevice {
  /// A change of a device that ``BluezClient`` reports in an event.
  package enum Property: Hashable {
    /// The device became bonded or paired.
    case bond
    /// The device is not bonded, or not paired, any more.
    case bondLost
    /// The real address of the device has replaced its private address.
    case address
    case link
    case services

    /// The changes that a signal reports. `properties` contains the new values.
    static func changed(_ properties: [String: BusValue]) -> Set<Property> {
      var changed: Set<Property> = []
      for flag in ["Bonded", "Paired"].compactMap({ properties[$0]?.flag }) {
        changed.insert(flag ? .bond : .bondLost)
      }
      if properties["Address"] != nil { changed.insert(.address) }
      if properties["Connected"] != nil { changed.insert(.link) }
      if properties["UUIDs"] != nil { changed.insert(.services) }
      return changed
    }
  }

  package let path: String
  package let address: String
  /// The alias that was set at the unit, or else the device's own name.
  package let name: String
  /// Identifies the device as the origin of key presses. The origin contains the name that the device has sent, not the
  /// alias, because bluetoothd also gives the sent name to the input device of the phone.
  package let origin: PressOrigin
  /// True if the device has a link, for any purpose.
  package let isConnected: Bool
  /// True if the remote control of the device (AVRCP) is connected. bluetoothd then accepts presses of the device, but
  /// a phone that is only a source of sound sends none.
  package let hasRemoteControl: Bool
  /// True if BlueZ can connect a remote control of the device.
  private let isRemoteControlKnown: Bool
  /// True if the device is bonded, which means that the secret keys of the pairing are stored. Before BlueZ 5.65, true
  /// if the device is paired.
  package let isBonded: Bool
  package let isTrusted: Bool
  package let features: Set<BluezFeature>
  /// The path of the *addressed player* (AVRCP): the one player of the phone that receives commands. Nil if the phone
  /// has no player.
  package let player: String?
  /// True if the kind of the device is keyboard or remote. This flag is needed before pairing, when a device may have
  /// sent its kind but not its services. The kind is the major class *peripheral* (classic radio), or the appearance
  /// *remote control* or *HID* (low energy). See Assigned Numbers 2.8.2 and 2.6.2.
  private let isPeripheral: Bool

  /// Returns nil if the path is not the path of a device.
  init?(_ path: String, in monitor: BluezMonitor?) {
    guard let properties = monitor?[path, BluezNames.device],
      let address = properties["Address"]?.text
    else { return nil }
    self.path = path
    self.address = address
    name = properties["Alias"]?.text ?? properties["Name"]?.text ?? address
    origin = .bluetooth(properties["Name"]?.text ?? address, address: address.uppercased())
    isConnected = properties["Connected"]?.flag ?? false
    // `Bonded` exists since BlueZ 5.65. Older versions have only `Paired`.
    isBonded = properties["Bonded"]?.flag ?? properties["Paired"]?.flag ?? false
    isTrusted = properties["Trusted"]?.flag ?? false
    features = Set((properties["UUIDs"]?.texts ?? []).compactMap(BluezFeature.init(uuid:)))
    let kind = properties["Class"]?.integer.map { $0 >> 8 & 0x1F == 5 } ?? false
    let appearance = properties["Appearance"]?.integer.map { $0 >> 6 }
    isPeripheral = kind || appearance == 0x006 || appearance == 0x00F
    player = monitor?[path, BluezNames.control]?["Player"]?.text
    let control = monitor?[path, BluezNames.control]?["Connected"]?.flag
    hasRemoteControl = isConnected && control == true
    isRemoteControlKnown = control != nil || features.contains(.controller)
  }

  /// True if keys of the device can reach the unit: its remote control is connected, or it is a keyboard (HID) with a
  /// link.
  package var isControlling: Bool {
    hasRemoteControl || isConnected && isKeyboard && !isRemoteControlKnown
  }

  /// True if the device announces the keys of a keyboard (HID) as a service. BlueZ does not connect the keys of a
  /// device without this service.
  package var isKeyboard: Bool { !features.isDisjoint(with: [.keyboard, .lowEnergyKeyboard]) }

  /// The adapter of the device, such as `hci0`.
  package var adapter: String { BluezDevice.adapter(of: path) }

  /// Returns the name of the adapter, such as `hci0`, from the path of a device, of a transport or of an adapter.
  package static func adapter(of path: String) -> String {
    path.split(separator: "/").dropFirst(2).first.map(String.init) ?? ""
  }

  /// The path of the device to which an object belongs, such as a transport or a player.
  package static func path(ofPart path: String) -> String {
    "/" + path.split(separator: "/").prefix(4).joined(separator: "/")
  }

  /// True if the unit may dial the device. The device must be bonded, and must be a source of sound or list the service
  /// *controller* (0x110E). A device that lists only the service *target* (0x110C) is not dialled: if such a device
  /// sends a browsing request, BlueZ answers without checking whether browsing is possible.
  package var canBeDialled: Bool { isBonded && (isSource || features.contains(.controller)) }

  /// True if the device is a source of sound.
  package var isSource: Bool { features.contains(.source) }

  /// True if the device announces keys that control the unit.
  package var isRemote: Bool {
    isPeripheral || isKeyboard
      || !features.isDisjoint(with: [.controller, .controllerService])
  }

  /// The services as labels that people see, each label once.
  package var serviceLabels: [String] {
    let labels = BluezFeature.allCases.filter(features.contains).map(\.label)
    let kind = isPeripheral ? [BluezFeature.keyboard.label] : []
    return (labels + kind).reduce(into: []) { unique, label in
      if !unique.contains(label) { unique.append(label) }
    }
  }

  package func phone(_ signal: PhonesState.Signal?, hasPressedKey: Bool = false)
    -> PhonesState.Phone
  {
    PhonesState.Phone(
      address: address, name: name, adapter: adapter, isConnected: isConnected,
      isControlling: isControlling, hasPressedKey: hasPressedKey, isBonded: isBonded,
      isTrusted: isTrusted, features: serviceLabels, signal: signal,
      kind: isSource ? .phone : .remote)
  }
}
