/// Collects tags within limits, so that a hostile file does not use much memory.
struct TagCollector {
  /// Maximum size of a value. A longer value is cut. Titles and names are shorter than this; song texts are longer.
  static let maximumValueBytes = 1024
  /// Maximum number of values of one name. Further values are left out.
  static let maximumValuesOfName = 64
  /// Maximum size of all names and values together. Further values are left out.
  static let maximumTotalBytes = 64 * 1024
  /// Number of bytes that count for each tag in addition to its text: two strings in an array need 32 bytes.
  static let bytesOfEntry = 32
  /// Maximum size of a name.
  static let maximumNameBytes = 256

  private(set) var comments = VorbisComments()
  private var kept = 0
  /// The names of the permitted values. They are moved to ``counts`` after ``maximumValuesOfName`` values.
  private var names: [String] = []
  /// Number of permitted values of each name. Empty until ``maximumValuesOfName`` values were permitted.
  private var counts: [String: Int] = [:]

  /// True if a value of this size is permitted. If the result is true, the caller must add the value with
  /// ``add(_:_:isCut:)``. Otherwise the value counts as left out.
  mutating func permits(_ name: String, valueBytes: Int) -> Bool {
    let total = kept + name.utf8.count + min(valueBytes, Self.maximumValueBytes) + Self.bytesOfEntry
    guard total <= Self.maximumTotalBytes, permitsAnother(name) else {
      comments.cutValues += 1
      return false
    }
    kept = total
    return true
  }

  /// True if the name may have one more value. Counts this value.
  private mutating func permitsAnother(_ name: String) -> Bool {
    // Most files have few tags, for which no table is needed.
    if counts.isEmpty, names.count < Self.maximumValuesOfName {
      names.append(name)
      return true
    }
    for name in names { counts[name, default: 0] += 1 }
    names = []
    guard counts[name, default: 0] < Self.maximumValuesOfName else { return false }
    counts[name, default: 0] += 1
    return true
  }

  /// Adds a value that ``permits(_:valueBytes:)`` has permitted.
  mutating func add(_ name: String, _ value: String, isCut: Bool) {
    if isCut { comments.cutValues += 1 }
    comments.entries.append(.init(name: name, value: value))
  }

  /// Counts a value that was cut before it was added.
  mutating func countCutValue() { comments.cutValues += 1 }

  /// Reserves memory for this number of tags, but for at most ``maximumValuesOfName`` tags.
  mutating func expect(_ count: Int) {
    let count = min(count, Self.maximumValuesOfName)
    names.reserveCapacity(count)
    comments.entries.reserveCapacity(count)
  }

  mutating func set(vendor: String) { comments.vendor = vendor }
}

extension TagCollector {
  /// Reads UTF-8. If the text was cut, an incomplete character at its end is left out.
  static func text(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> String {
    let bytes = isCut ? bytes.dropLast(partialCharacterBytes(bytes)) : bytes
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number of bytes at the end that begin a UTF-8 character and do not complete it (RFC 3629, section 3).
  static func partialCharacterBytes(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
    let tail = bytes.suffix(3).reversed()
    guard let length = tail.firstIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let present = tail.distance(from: tail.startIndex, to: length) + 1
    let needed =
      switch tail[length] {
      case 0xC0...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF7: 4
      default: 1
      }
    return present < needed ? present : 0
  }
}
