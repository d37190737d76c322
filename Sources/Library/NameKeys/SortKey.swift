/// The bytes by which a name is sorted. To compare two keys, compare their bytes.
///
/// - Upper and lower case, accents and punctuation do not count.
/// - A leading article does not count, if something follows it.
/// - Numbers are sorted by their values: 2 comes before 10. Numbers come before letters.
public struct SortKey: Hashable, Comparable, Sendable {
  /// A longer key is cut at a character.
  static let maximumBytes = 160
  /// Begins a number. Two bytes with the number of its digits follow, then the digits.
  static let number: UInt8 = 0x30

  /// The key as the database stores it.
  public let bytes: [UInt8]

  /// A key from the database.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key of `name`. Empty if the name has neither letters nor digits.
  public init(_ name: FoldedName, articles: Articles) {
    var scalars = name.scalars[...].drop { !$0.isPartOfWord }
    scalars = articles.removed(from: scalars)
    var bytes: [UInt8] = []
    var isSpaceDue = false
    while let scalar = scalars.first {
      guard scalar.isPartOfWord else {
        isSpaceDue = !bytes.isEmpty
        scalars.removeFirst()
        continue
      }
      var part: [UInt8] = isSpaceDue ? [0x20] : []
      isSpaceDue = false
      if scalar.digit != nil {
        part += Self.number(&scalars)
      } else {
        part += Array(String(scalar).utf8)
        scalars.removeFirst()
      }
      if bytes.count + part.count > Self.maximumBytes { break }
      bytes += part
    }
    self.bytes = bytes
  }

  /// Takes a number from `scalars`. A number of more than 99 digits is cut.
  private static func number(_ scalars: inout ArraySlice<Unicode.Scalar>) -> [UInt8] {
    var digits: [UInt8] = []
    while let digit = scalars.first?.digit {
      // Leading zeros do not change the value.
      if !(digits == [0]) { digits.append(digit) } else { digits = [digit] }
      scalars.removeFirst()
    }
    digits = Array(digits.prefix(99))
    return [number, UInt8(digits.count)] + digits.map { 0x30 + $0 }
  }

  /// True if `left` is listed before `right`.
  public static func < (left: SortKey, right: SortKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
