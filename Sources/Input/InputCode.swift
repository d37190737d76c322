/// The code of a key, a button or a knob.
package struct InputCode: Hashable, Sendable, CustomStringConvertible {
  /// Key or knob.
  package enum Kind: Hashable, Sendable {
    case key, turn
  }

  /// The largest code of a key (`KEY_MAX`).
  static let largestKey: UInt16 = 0x2FF

  /// The names of the relative axes, by code.
  static let turns: [(code: UInt16, name: String)] = [
    (0, "REL_X"), (1, "REL_Y"), (2, "REL_Z"), (3, "REL_RX"), (4, "REL_RY"), (5, "REL_RZ"),
    (6, "REL_HWHEEL"), (7, "REL_DIAL"), (8, "REL_WHEEL"), (9, "REL_MISC"),
  ]

  /// Key or knob.
  package let kind: Kind
  /// The kernel's code. The same number can be the code of a key and the code of a knob.
  package let number: UInt16

  /// A key: `KEY_…` or `BTN_…` of the kernel.
  package static func key(_ number: UInt16) -> InputCode { InputCode(kind: .key, number: number) }
  /// A knob: `REL_…` of the kernel.
  package static func turn(_ number: UInt16) -> InputCode { InputCode(kind: .turn, number: number) }

  /// The kernel's name of the key or knob, or the number if no name is known.
  package var description: String {
    switch kind {
    case .key: KeyNames.name(of: number) ?? String(number)
    case .turn: Self.turns.first { $0.code == number }?.name ?? "REL \(number)"
    }
  }

  private init(kind: Kind, number: UInt16) {
    self.kind = kind
    self.number = number
  }

  /// Reads `KEY_NEXTSONG`, `BTN_0`, `REL_DIAL`, or the number of a key, such as `163` or `0xa3`.
  init?(_ text: String) {
    if let code = KeyNames.code(of: text) {
      self = .key(code)
    } else if let turn = Self.turns.first(where: { $0.name == text }) {
      self = .turn(turn.code)
    } else {
      let digits = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
      guard let digits, (1...Self.largestKey).contains(digits) else { return nil }
      self = .key(digits)
    }
  }

  /// All names that ``init(_:)`` accepts.
  static var names: [String] { KeyNames.all + turns.map(\.name) }
}
