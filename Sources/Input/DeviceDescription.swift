internal import CInput
package import NowPlaying

/// The properties of an input device that the kernel reports, and how the unit uses the device.
package struct DeviceDescription: Hashable, Sendable {
  /// How the unit uses a device.
  package enum Role: Hashable, Sendable {
    /// The keys of a phone. bluetoothd creates such a device for each connection.
    case passThrough
    /// The device has keys or knobs.
    case keys
    /// The unit does not use the device. The text is the reason.
    case none(String)
  }

  /// The reasons why the unit does not use a device, as texts for the user.
  enum Unused {
    static let pointer = "a screen, pad or joystick"
    static let mouse = "a mouse"
    static let noKeys = "it has no keys"
  }

  /// The name that the device reports. The device can report any text.
  package var name: String
  /// The port where the device is plugged in. Empty if unknown.
  package var phys = ""
  /// The serial number, or the address of a Bluetooth device. Empty if unknown.
  package var uniq = ""
  /// The bus, as `BUS_…` of the kernel.
  package var bus: UInt16 = 0
  /// Codes of the keys and buttons (`EV_KEY`).
  package var keys: Set<UInt16> = []
  /// Codes of the relative axes (`EV_REL`).
  package var turns: Set<UInt16> = []
  /// Codes of the absolute axes (`EV_ABS`).
  package var absoluteAxes: Set<UInt16> = []
  /// Keys that are down when the device is opened.
  package var down: Set<UInt16> = []

  /// Creates a description without keys and axes.
  package init(name: String) { self.name = name }

  /// How the unit uses the device.
  package var role: Role {
    // A knob of the kernel driver rotary-encoder uses at most one of the two axes of a mouse. So a device with both
    // axes moves a pointer.
    let moves = has(turns, REL_X) && has(turns, REL_Y)
    let points =
      has(absoluteAxes, ABS_X) && has(absoluteAxes, ABS_Y) || has(absoluteAxes, ABS_MT_POSITION_X)
    if points || has(keys, BTN_TOUCH) { return .none(Unused.pointer) }
    if moves, !hasMediaKeys { return .none(Unused.mouse) }
    if isBluetooth, uniq.isEmpty || name.hasSuffix(Self.passThroughSuffix) {
      return .passThrough
    }
    if keys.isEmpty, turns.isEmpty { return .none(Unused.noKeys) }
    return .keys
  }

  /// The suffix that bluetoothd adds to the name of the input device of a phone.
  static let passThroughSuffix = " (AVRCP)"

  var isBluetooth: Bool { bus == UInt16(BUS_BLUETOOTH) }

  /// True if the device reports touches, and is neither a pad or drawing tablet of a desktop nor a Bluetooth device,
  /// which comes and goes.
  var isTouchScreen: Bool {
    has(keys, BTN_TOUCH) && !has(keys, BTN_TOOL_FINGER) && !has(keys, BTN_TOOL_PEN) && !isBluetooth
  }

  /// True if the device moves a pointer. The wheel of such a device is not used as a knob.
  var isPointer: Bool { has(turns, REL_X) && has(turns, REL_Y) }

  /// True if the key is used to type or edit text. Presses of such a key are private and must not be reported. False
  /// for all keys of a device without letter keys, because such a device is not used to type text.
  func isTyped(_ code: InputCode) -> Bool {
    guard code.kind == .key, (UInt16(KEY_Q)...UInt16(KEY_P)).allSatisfy(keys.contains) else {
      return false
    }
    let number = Int32(code.number)
    // The codes of the main keys and of the number pad, without the function keys between them.
    return (KEY_ESC...KEY_KPDOT).contains(number) && !(KEY_F1...KEY_F10).contains(number)
      || number == KEY_102ND || (KEY_RO...KEY_DELETE).contains(number)
      || number == KEY_YEN || number == KEY_KPCOMMA
  }

  private var hasMediaKeys: Bool {
    KeyTable.standardKeys.contains { InputCode($0.name).map { keys.contains($0.number) } ?? false }
  }

  private func has(_ set: Set<UInt16>, _ code: Int32) -> Bool { set.contains(UInt16(code)) }

  /// The origin of the presses. All nodes of one device have the same origin. Presses of a phone that arrive by D-Bus
  /// have the same origin as the presses of the phone's node.
  package func origin(node: String) -> PressOrigin {
    if isBluetooth { return .bluetooth(plainName, address: bluetoothAddress) }
    // For a USB device, `phys` consists of the port of the device and the interface: `/input0`, `/input1` and so on.
    guard let slash = phys.lastIndex(of: "/"), phys[slash...].hasPrefix("/input") else {
      return PressOrigin(name: name, id: node)
    }
    return PressOrigin(name: name, id: String(phys[..<slash]))
  }

  /// The address of a Bluetooth device; nil if unknown. For a keyboard (HID), `uniq` is the address. The node of a
  /// phone has an empty `uniq`, because uinput cannot set it. The bluetoothd of the image writes the address of the
  /// adapter, a slash and the address of the phone into `phys`
  /// (`board/bluez/09-name-the-peer-of-an-input-device.patch`). Other versions of bluetoothd write only the address of
  /// the adapter.
  private var bluetoothAddress: String? {
    if Self.isAddress(uniq) { return uniq.uppercased() }
    let parts = phys.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard role == .passThrough, parts.count == 2, parts.allSatisfy(Self.isAddress) else {
      return nil
    }
    return parts[1].uppercased()
  }

  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
  }

  /// The name without the suffix by which bluetoothd or the kernel distinguishes the nodes of one device.
  private var plainName: String {
    for suffix in [Self.passThroughSuffix, " Consumer Control", " System Control", " Keyboard"]
    where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      return String(name.dropLast(suffix.count))
    }
    return name
  }

  /// The name of the bus, as text for the user.
  package var busName: String {
    switch Int32(bus) {
    case BUS_USB: "USB"
    case BUS_BLUETOOTH: "Bluetooth"
    case BUS_HOST: "board"
    case BUS_I2C: "I2C"
    case BUS_SPI: "SPI"
    case BUS_I8042: "PS/2"
    case BUS_VIRTUAL: "virtual"
    case BUS_CEC: "CEC"
    default: "bus \(bus)"
    }
  }
}
