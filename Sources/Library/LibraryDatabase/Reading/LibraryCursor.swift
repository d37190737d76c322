internal import SQLite

/// A place between two rows of a list. It contains the keys of a row, and not its number, so a list that
/// changes while it is read neither repeats a row nor leaves one out.
struct LibraryCursor: Equatable {
  /// True if the page ends before this place; false if it begins after this place.
  var isBackward: Bool
  var segment: Int
  /// The keys of the row. Empty at the beginning of a segment.
  var keys: [Value]
  /// The number of the first row after this place.
  var position: Int

  /// The text on the wire.
  var text: String {
    var parts = [isBackward ? "b" : "f", "\(segment)", "\(position)"]
    for key in keys {
      switch key {
      case .integer(let number): parts.append("i\(number)")
      case .bytes(let bytes):
        parts.append(
          "x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
      case .text, .real: break
      }
    }
    return parts.joined(separator: ".")
  }

  /// The cursor with this text; nil if the text is not that of a cursor.
  init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 1024, (3...7).contains(parts.count),
      parts[0] == "f" || parts[0] == "b",
      let segment = Int(parts[1]), (0...3).contains(segment), let position = Int(parts[2]),
      (0...1 << 30).contains(position)
    else { return nil }
    isBackward = parts[0] == "b"
    self.segment = segment
    self.position = position
    keys = []
    for part in parts.dropFirst(3) {
      guard let key = Self.key(part) else { return nil }
      keys.append(key)
    }
  }

  init(isBackward: Bool, segment: Int, keys: [Value], position: Int) {
    self.isBackward = isBackward
    self.segment = segment
    self.keys = keys
    self.position = max(0, position)
  }

  private static func key(_ part: Substring) -> Value? {
    let rest = part.dropFirst()
    switch part.first {
    case "i": return Int64(rest).map { .integer($0) }
    case "x":
      let digits = Array(rest.utf8).compactMap { UInt8(String(Unicode.Scalar($0)), radix: 16) }
      guard digits.count == rest.utf8.count, digits.count % 2 == 0 else { return nil }
      return .bytes(
        stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    default: return nil
    }
  }
}
