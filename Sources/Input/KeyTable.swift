/// The actions of all keys and knobs: the defaults and the bindings of the configuration.
package struct KeyTable: Sendable {
  /// The action of a key or knob.
  package enum Meaning: Hashable, Sendable {
    case key(KeyAction)
    case turn(TurnAction)

    /// The word for the action in the configuration.
    package var text: String {
      switch self {
      case .key(let action): action.rawValue
      case .turn(let action): action.rawValue
      }
    }
  }

  /// Defaults for keys. Only media keys have a default. Other keys have other uses: the arrow keys and Return operate
  /// the screen, and Space types a character.
  static let standardKeys: [(name: String, action: KeyAction)] = [
    // Pass-through commands of a phone, as bluetoothd translates them.
    ("KEY_PLAYCD", .play), ("KEY_PAUSECD", .pause), ("KEY_STOPCD", .stop),
    ("KEY_NEXTSONG", .next), ("KEY_PREVIOUSSONG", .previous),
    ("KEY_FASTFORWARD", .fastForward), ("KEY_REWIND", .rewind),
    ("KEY_VOLUMEUP", .volumeUp), ("KEY_VOLUMEDOWN", .volumeDown), ("KEY_MUTE", .mute),
    // The consumer page of HID (USB and Bluetooth), as the kernel's hid-input translates it.
    ("KEY_PLAY", .play), ("KEY_PAUSE", .pause), ("KEY_PLAYPAUSE", .playPause),
    ("KEY_MEDIA_REPEAT", .repeat), ("KEY_SHUFFLE", .shuffle), ("KEY_FASTREVERSE", .rewind),
    // Infrared remotes.
    ("KEY_NEXT", .next), ("KEY_PREVIOUS", .previous),
    // The button of a headset.
    ("KEY_MEDIA", .playPause),
  ]

  /// Defaults for knobs: the axes of dials and wheels, and `REL_X`, the default axis of the kernel driver
  /// rotary-encoder.
  static let standardTurns: [(name: String, action: TurnAction)] = [
    ("REL_DIAL", .volume), ("REL_WHEEL", .volume), ("REL_MISC", .volume), ("REL_X", .volume),
  ]

  private static let standard: [InputCode: Meaning] = {
    var table: [InputCode: Meaning] = [:]
    for (name, action) in standardKeys {
      if let code = InputCode(name) { table[code] = .key(action) }
    }
    for (name, action) in standardTurns {
      if let code = InputCode(name) { table[code] = .turn(action) }
    }
    return table
  }()

  private var bindings: [KeyBinding]

  /// - Parameter bindings: the bindings of the configuration. For the same key, a later binding overrides an earlier
  ///   binding, and a binding for one device overrides a binding for all devices.
  package init(_ bindings: [KeyBinding] = []) { self.bindings = bindings }

  /// The action of a code of a device. Nil if there is neither a binding nor a default. A binding to `none` is a
  /// binding, so the result is not nil.
  package func meaning(of code: InputCode, on device: String) -> Meaning? {
    let fitting = bindings.last { $0.code == code && $0.device == device }
    let general = bindings.last { $0.code == code && $0.device == nil }
    return (fitting ?? general)?.meaning ?? Self.standard[code]
  }
}
