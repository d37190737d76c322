internal import SQLite

/// The position of a row in a list, defined by the values of the columns that determine the order. The number of the
/// row is not used, because it becomes wrong when the list changes.
struct RowKeys: Equatable {
  var segment: Int
  /// The values of ``ListSegment/keys`` in the row. Empty for the position before the first row of the segment.
  var values: [Value]

  /// True if this row is before another row.
  func precedes(_ other: RowKeys, _ segments: [ListSegment]) -> Bool {
    if segment != other.segment { return segment < other.segment }
    for (left, right) in zip(values, other.values) where left != right {
      return Self.precedes(left, right) != segments[segment].isDescending
    }
    return values.count < other.values.count
  }

  /// Compares two values in the order of SQLite.
  private static func precedes(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    case (.integer, _): true
    default: false
    }
  }
}

/// The first and the last row of a range. The numbers of these rows are not used. So rows that a scan adds to the list
/// do not push other rows out of the range.
struct ListBounds: Equatable {
  var first: RowKeys
  var last: RowKeys

  func contain(_ row: RowKeys, _ segments: [ListSegment]) -> Bool {
    !row.precedes(first, segments) && !last.precedes(row, segments)
  }
}

/// A position between two rows of a list, at which a batch begins or ends. If the list changes while it is read in
/// batches, no row is repeated or left out.
struct LibraryCursor: Equatable {
  /// True if the batch ends before the row with ``keys``. False if the batch begins after this row.
  var isBackward: Bool
  var keys: RowKeys
  /// The number of the first row after the cursor.
  var position: Int
  /// The bounds of the range of rows to which the batch belongs. Nil if the list is not limited to a range.
  var bounds: ListBounds?

  /// Maximum length of ``text``, in bytes. It is enough for ``keys`` and ``bounds``: three rows with four values each.
  /// Two of these values have up to 160 bytes.
  private static let maximumBytes = 4096

  init(isBackward: Bool, keys: RowKeys, position: Int, bounds: ListBounds?) {
    self.isBackward = isBackward
    self.keys = keys
    self.position = position
    self.bounds = bounds
  }

  /// Creates the cursor after a row. If `keys` is nil, creates the cursor at the beginning of a list.
  init(after keys: RowKeys?) {
    self.init(
      isBackward: false, keys: keys ?? RowKeys(segment: 0, values: []), position: 0, bounds: nil)
  }

  // MARK: Wire

  /// The text that stands for the cursor on the wire.
  var text: String {
    let parts = [isBackward ? "b" : "f", "\(keys.segment)", "\(position)"]
    let own = (parts + Self.texts(keys.values)).joined(separator: ".")
    guard let bounds else { return own }
    return [own, Self.text(bounds.first), Self.text(bounds.last)].joined(separator: ";")
  }

  private static func text(_ keys: RowKeys) -> String {
    (["\(keys.segment)"] + texts(keys.values)).joined(separator: ".")
  }

  private static func texts(_ keys: [Value]) -> [String] {
    keys.compactMap { key in
      switch key {
      case .integer(let number): "i\(number)"
      case .bytes(let bytes):
        "x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      case .text, .real: nil
      }
    }
  }

  /// Parses a text from the wire. Nil if the text is not a valid cursor.
  /// - Parameter lists: number of segments of the list.
  init?(text: String, lists: Int) {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.split(separator: ".", omittingEmptySubsequences: false) }
    let own = parts[0]
    guard parts.count == 1 || parts.count == 3, own.count >= 3, own[0] == "f" || own[0] == "b",
      let position = Int(own[2]), (0...1 << 30).contains(position),
      let keys = Self.rowKeys(own[1], own[3...], lists)
    else { return nil }
    self.init(isBackward: own[0] == "b", keys: keys, position: position, bounds: nil)
    guard parts.count == 3 else { return }
    guard let first = Self.rowKeys(parts[1].first, parts[1].dropFirst(), lists),
      let last = Self.rowKeys(parts[2].first, parts[2].dropFirst(), lists)
    else { return nil }
    bounds = ListBounds(first: first, last: last)
  }

  private static func rowKeys(
    _ segment: Substring?, _ keys: ArraySlice<Substring>, _ lists: Int
  ) -> RowKeys? {
    guard keys.count <= 4, let segment = segment.flatMap({ Int($0) }), (0..<lists).contains(segment)
    else {
      return nil
    }
    var found = RowKeys(segment: segment, values: [])
    for part in keys {
      guard let key = key(part) else { return nil }
      found.values.append(key)
    }
    return found
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
