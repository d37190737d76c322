internal import SQLite

/// The place of a row in a list. It contains the keys of the row, and not its number, so it is right while the list
/// changes.
struct ListPlace: Equatable {
  var segment: Int
  /// The keys of the row. Empty at the beginning of a segment.
  var keys: [Value]

  /// True if this place is before another one.
  func precedes(_ other: ListPlace, _ segments: [ListSegment]) -> Bool {
    if segment != other.segment { return segment < other.segment }
    for (left, right) in zip(keys, other.keys) where left != right {
      return Self.precedes(left, right) != segments[segment].isDescending
    }
    return keys.count < other.keys.count
  }

  /// The order of SQLite.
  private static func precedes(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    case (.integer, _): true
    default: false
    }
  }
}

/// The first and the last row of a range. Rows that come or go between them change nothing for the other rows.
struct ListBounds: Equatable {
  var first: ListPlace
  var last: ListPlace

  func contain(_ place: ListPlace, _ segments: [ListSegment]) -> Bool {
    !place.precedes(first, segments) && !last.precedes(place, segments)
  }
}

/// A place between two rows of a list, at which a page begins or ends. A list that changes while it is read neither
/// repeats a row nor leaves one out.
struct LibraryCursor: Equatable {
  /// True if the page ends before this place; false if it begins after this place.
  var isBackward: Bool
  var place: ListPlace
  /// The number of the first row after this place.
  var position: Int
  /// The bounds of the range of which the page is a part.
  var bounds: ListBounds?

  /// Four keys of each of three places, two of them with 160 bytes.
  private static let maximumBytes = 4096

  init(isBackward: Bool, place: ListPlace, position: Int, bounds: ListBounds?) {
    self.isBackward = isBackward
    self.place = place
    self.position = position
    self.bounds = bounds
  }

  /// The place after a row; the beginning of a list if there is no row.
  init(after place: ListPlace?) {
    self.init(
      isBackward: false, place: place ?? ListPlace(segment: 0, keys: []), position: 0, bounds: nil)
  }

  // MARK: Wire

  /// The text on the wire.
  var text: String {
    let parts = [isBackward ? "b" : "f", "\(place.segment)", "\(position)"]
    let own = (parts + Self.texts(place.keys)).joined(separator: ".")
    guard let bounds else { return own }
    return [own, Self.text(bounds.first), Self.text(bounds.last)].joined(separator: ";")
  }

  private static func text(_ place: ListPlace) -> String {
    (["\(place.segment)"] + texts(place.keys)).joined(separator: ".")
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

  /// The cursor with this text; nil if the text is not that of a cursor.
  /// - Parameter lists: number of segments of the list.
  init?(text: String, lists: Int) {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let places = text.split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.split(separator: ".", omittingEmptySubsequences: false) }
    let own = places[0]
    guard places.count == 1 || places.count == 3, own.count >= 3, own[0] == "f" || own[0] == "b",
      let position = Int(own[2]), (0...1 << 30).contains(position),
      let place = Self.place(own[1], own[3...], lists)
    else { return nil }
    self.init(isBackward: own[0] == "b", place: place, position: position, bounds: nil)
    guard places.count == 3 else { return }
    guard let first = Self.place(places[1].first, places[1].dropFirst(), lists),
      let last = Self.place(places[2].first, places[2].dropFirst(), lists)
    else { return nil }
    bounds = ListBounds(first: first, last: last)
  }

  private static func place(
    _ segment: Substring?, _ keys: ArraySlice<Substring>, _ lists: Int
  ) -> ListPlace? {
    guard keys.count <= 4, let segment = segment.flatMap({ Int($0) }), (0..<lists).contains(segment)
    else {
      return nil
    }
    var place = ListPlace(segment: segment, keys: [])
    for part in keys {
      guard let key = key(part) else { return nil }
      place.keys.append(key)
    }
    return place
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
