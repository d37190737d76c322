/// What each key and knob is for: the defaults, and what the configuration says otherwise.
package struct KeyTable: Sendable {
  /// What a code is for.
  package enum Meaning: Hashable, Sendable {
    case key(KeyAction)
    case turn(TurnAction)

    /// As the configuration writes it.
    package var words: String {
      switch self {
      case .key(let action): action.rawValue
      case .turn(let action): action.rawValue
      }
    }
  }

  /// Keys without a line of their own in the configuration. Media keys only: arrows and Return move
  /// the screen's focus, and Space types.
  static let standardKeys: [(name: String, action: KeyAction)] = [
    // A phone's pass-through commands, as bluetoothd translates them.
    ("KEY_PLAYCD", .play), ("KEY_PAUSECD", .pause), ("KEY_STOPCD", .stop),
    ("KEY_NEXTSONG", .next), ("KEY_PREVIOUSSONG", .previous),
    ("KEY_FASTFORWARD", .fastForward), ("KEY_REWIND", .rewind),
    ("KEY_VOLUMEUP", .volumeUp), ("KEY_VOLUMEDOWN", .volumeDown), ("KEY_MUTE", .mute),
    // The consumer page of USB's and Bluetooth's HID, as hid-input translates it.
    ("KEY_PLAY", .play), ("KEY_PAUSE", .pause), ("KEY_PLAYPAUSE", .playPause),
    ("KEY_MEDIA_REPEAT", .repeat), ("KEY_SHUFFLE", .shuffle), ("KEY_FASTREVERSE", .rewind),
    // Infrared remotes.
    ("KEY_NEXT", .next), ("KEY_PREVIOUS", .previous),
    // The button of a headset.
    ("KEY_MEDIA", .playPause),
  ]

  /// Knobs: a dial of HID, a wheel, and what the driver rotary-encoder says unless its board names
  /// another axis.
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

  /// - Parameter bindings: of two for the same, the later counts; one for a device counts before one
  ///   for all.
  package init(_ bindings: [KeyBinding] = []) { self.bindings = bindings }

  /// What a code of a device is for; nil where it is for nothing. A binding to `none` is one.
  package func meaning(of code: InputCode, on device: String) -> Meaning? {
    let fitting = bindings.last { $0.code == code && $0.device == device }
    let general = bindings.last { $0.code == code && $0.device == nil }
    return (fitting ?? general)?.meaning ?? Self.standard[code]
  }
}
