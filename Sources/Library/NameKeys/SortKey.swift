/// The bytes by which a name is sorted. To compare two keys, compare their bytes.
///
/// - Upper and lower case, accents and punctuation are ignored.
/// - An article at the beginning is ignored if a letter or a digit follows.
/// - Numbers are sorted by their values: 2 comes before 10. Numbers come before letters.
public struct SortKey: Hashable, Comparable, Sendable {
  /// Maximum length of a key in bytes. A longer key is cut between two characters.
  static let maximumBytes = 160
  /// The byte at the beginning of a number. One byte with the number of digits follows, and then the digits.
  static let number: UInt8 = 0x30

  /// The key as the database stores it.
  public let bytes: [UInt8]

  /// Creates a key from bytes that the database has stored.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Computes the key of a name. The key is empty if the name contains neither letters nor digits.
  public init(_ name: FoldedName, articles: Articles) {
    let scalars = articles.removed(from: name.scalars[...].drop { !$0.isPartOfWord })
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(scalars.count * 2, Self.maximumBytes + 8))
    var isSpaceDue = false
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      guard scalar.isPartOfWord else {
        isSpaceDue = !bytes.isEmpty
        index += 1
        continue
      }
      let count = bytes.count
      if isSpaceDue { bytes.append(0x20) }
      isSpaceDue = false
      if scalar.digit != nil {
        Self.addNumber(scalars, &index, to: &bytes)
      } else {
        bytes += UTF8.encode(scalar).unsafelyUnwrapped
        index += 1
      }
      if bytes.count > Self.maximumBytes {
        bytes.removeLast(bytes.count - count)
        break
      }
    }
    self.bytes = bytes
  }

  /// Adds the number at `index`, and sets `index` to its end. A number with more than 99 digits is cut.
  private static func addNumber(
    _ scalars: ArraySlice<Unicode.Scalar>, _ index: inout Int, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    bytes += [number, 0]
    while index < scalars.endIndex, let digit = scalars[index].digit {
      // Leading zeros do not change the value.
      if bytes.count == start + 3, bytes[start + 2] == 0x30 { bytes.removeLast() }
      if bytes.count < start + 2 + 99 { bytes.append(0x30 + digit) }
      index += 1
    }
    bytes[start + 1] = UInt8(bytes.count - start - 2)
  }

  /// Compares the bytes of two keys.
  public static func < (left: SortKey, right: SortKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
