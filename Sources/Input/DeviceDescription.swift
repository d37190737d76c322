internal import CInput
package import NowPlaying

/// What a device says about itself, and what follows from it.
package struct DeviceDescription: Hashable, Sendable {
  /// What it is to the unit.
  package enum Role: Hashable, Sendable {
    /// A phone's keys, made by bluetoothd for one connection.
    case passThrough
    /// Keys or knobs.
    case keys
    /// Nothing: why.
    case none(String)
  }

  /// As it calls itself; may be any text.
  package var name: String
  /// Where it is plugged; empty where it does not say.
  package var phys = ""
  /// Its serial number, or a Bluetooth device's address; empty where it does not say.
  package var uniq = ""
  /// `BUS_…` of the kernel.
  package var bus: UInt16 = 0
  /// Keys and buttons that it has.
  package var keys: Set<UInt16> = []
  /// Axes that turn or move by steps.
  package var turns: Set<UInt16> = []
  /// Axes that have a place.
  package var places: Set<UInt16> = []
  /// Keys that are down when it is opened.
  package var down: Set<UInt16> = []

  /// A device of that name, with nothing.
  package init(name: String) { self.name = name }

  /// What it is to the unit.
  package var role: Role {
    // A knob of the driver rotary-encoder may be on one of the axes of a mouse, not on both.
    let moves = has(turns, REL_X) && has(turns, REL_Y)
    let points = has(places, ABS_X) && has(places, ABS_Y) || has(places, ABS_MT_POSITION_X)
    if points || has(keys, BTN_TOUCH) { return .none("a screen, pad or joystick") }
    if moves, !hasMediaKeys { return .none("a mouse") }
    if bus == UInt16(BUS_BLUETOOTH), uniq.isEmpty || name.hasSuffix(Self.passThroughSuffix) {
      return .passThrough
    }
    if keys.isEmpty, turns.isEmpty { return .none("it has no keys") }
    return .keys
  }

  /// bluetoothd names the node of a connection so.
  static let passThroughSuffix = " (AVRCP)"

  /// Whether its wheel moves a page or a pointer, and is no knob.
  var isPointer: Bool { has(turns, REL_X) && has(turns, REL_Y) }

  /// Whether a key is pressed to type, or to move in what is typed: nobody's business, and not to be
  /// told. Only a device with letters is typed on.
  func isTyped(_ code: InputCode) -> Bool {
    guard code.kind == .key, (UInt16(KEY_Q)...UInt16(KEY_P)).allSatisfy(keys.contains) else {
      return false
    }
    let number = Int32(code.number)
    // The main block and the number pad, without the function keys between them.
    return (KEY_ESC...KEY_KPDOT).contains(number) && !(KEY_F1...KEY_F10).contains(number)
      || number == KEY_102ND || (KEY_RO...KEY_DELETE).contains(number)
      || number == KEY_YEN || number == KEY_KPCOMMA
  }

  private var hasMediaKeys: Bool {
    KeyTable.standardKeys.contains { InputCode($0.name).map { keys.contains($0.number) } ?? false }
  }

  private func has(_ set: Set<UInt16>, _ code: Int32) -> Bool { set.contains(UInt16(code)) }

  /// Whose hand presses: the same for all nodes of one device, and for a phone's presses that come
  /// by D-Bus. By its name where it is a phone, because bluetoothd does not tell the address.
  package func origin(node: String) -> PressOrigin {
    if bus == UInt16(BUS_BLUETOOTH) { return .bluetooth(plainName) }
    // The interfaces of a USB device are input0, input1 and so on at one place.
    guard let slash = phys.lastIndex(of: "/"), phys[slash...].hasPrefix("/input") else {
      return PressOrigin(name: name, id: node)
    }
    return PressOrigin(name: name, id: String(phys[..<slash]))
  }

  /// Without what bluetoothd and the kernel add for one of several nodes.
  private var plainName: String {
    for suffix in [Self.passThroughSuffix, " Consumer Control", " System Control", " Keyboard"]
    where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      return String(name.dropLast(suffix.count))
    }
    return name
  }

  /// What it hangs on, in a word.
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
