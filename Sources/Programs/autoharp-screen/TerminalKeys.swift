import ScreenDisplay

/// A key of a terminal, as the screen uses it.
enum TerminalKey: Equatable {
  case focus(FocusEvent)
  /// A character that the person has typed.
  case character(Character)
  case erase
  /// Ctrl-C or Ctrl-D.
  case end
}

/// Decodes the bytes of a terminal. A sequence that a read has cut is not continued: terminals send the
/// bytes of a key together.
enum TerminalKeys {
  static func keys(from bytes: [UInt8]) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B:
        // ESC [ or ESC O begin a sequence, which ends with a letter or ~.
        guard let begin = rest.first, begin == UInt8(ascii: "[") || begin == UInt8(ascii: "O")
        else {
          keys.append(.focus(.back))
          continue
        }
        rest.removeFirst()
        var sequence: [UInt8] = []
        while let next = rest.popFirst() {
          sequence.append(next)
          if (0x40...0x7E).contains(next) { break }
        }
        if let event = sequences[String(decoding: sequence, as: UTF8.self)] {
          keys.append(.focus(event))
        }
      case 0x0A, 0x0D: keys.append(.focus(.activate))
      case 0x09: keys.append(.focus(.next))
      case 0x08, 0x7F: keys.append(.erase)
      case 0x03, 0x04: keys.append(.end)
      case 0x20...0x7E: keys.append(.character(Character(UnicodeScalar(byte))))
      default: break
      }
    }
    return keys
  }

  private static let sequences: [String: FocusEvent] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "Z": .previous, "5~": .previous, "6~": .next,
  ]

  /// The search key with a letter or a digit, as on a telephone.
  static func searchKey(_ character: Character) -> String? {
    if character == " " { return "key.space" }
    if let digit = character.wholeNumberValue, (1...9).contains(digit) { return "key.\(digit)" }
    let groups = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"]
    let letter = Character(character.lowercased())
    return groups.firstIndex { $0.contains(letter) }.map { "key.\($0 + 2)" }
  }
}
