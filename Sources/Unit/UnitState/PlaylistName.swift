/// The name of a playlist of the unit, which is also the name of its file.
public struct PlaylistName: Hashable, Sendable {
  /// The list of the songs that a person likes.
  public static let favourites = PlaylistName(valid: "Favourites")
  /// The songs with a bookmark.
  public static let bookmarks = PlaylistName(valid: "Bookmarks")
  /// What a person thinks of songs. It is not a list for people: no name of theirs begins with a dot.
  public static let opinions = PlaylistName(valid: ".opinions")
  /// The lists that can be neither renamed nor removed, in their order.
  private static let reserved = [favourites, bookmarks, opinions]
  /// The end of the names of the files.
  static let suffix = ".m3u8"
  /// Maximum number of characters.
  public static let maximumCharacters = 100
  /// Maximum number of bytes, so that a file system with the usual limit of 255 bytes can store the file.
  static let maximumBytes = 240

  /// The name as it was given.
  public let text: String

  private init(valid text: String) { self.text = text }

  /// - Parameter text: 1 to 100 characters. Nil if a file cannot have this name, or if it begins with a dot or with a
  ///   space, or ends with a space.
  public init?(_ text: String) {
    guard (1...Self.maximumCharacters).contains(text.count), text.utf8.count <= Self.maximumBytes,
      let first = text.first, let last = text.last, first != ".",
      !first.isWhitespace, !last.isWhitespace,
      !text.unicodeScalars.contains(where: { Self.isForbidden($0) })
    else { return nil }
    self.init(valid: text)
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // `FileName` uses private characters for bytes that are not UTF-8.
    default: scalar == "/" || scalar.value >= 0x10_0000
    }
  }

  /// The name whose file has this name; nil if it is not the name of such a file.
  init?(file: String) {
    guard file.hasSuffix(Self.suffix) else { return nil }
    self.init(String(file.dropLast(Self.suffix.count)))
  }

  var file: String { text + Self.suffix }

  /// The name without the difference between capital and small letters.
  private var folded: String { text.lowercased() }

  /// True if the list can be neither renamed nor removed, and has each song once.
  var isReserved: Bool { Self.reserved.contains(self) }

  /// Identifies the list on the wire. Lists whose names differ only by case have the same number. The numbers of the
  /// reserved lists are 1, 3 and 5.
  public var identity: Int64 {
    if let index = Self.reserved.firstIndex(of: self) { return Int64(clamping: 2 &* index &+ 1) }
    // An even number, so that it is none of a reserved list.
    return Int64(bitPattern: CRC64.of(folded.utf8)) & .max & ~1 | 2
  }

  /// Names that differ only by case are equal.
  public static func == (left: PlaylistName, right: PlaylistName) -> Bool {
    left.folded == right.folded
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension PlaylistName: Comparable {
  /// The favourites and the bookmarks come first. All other names are in the order of their letters.
  public static func < (left: PlaylistName, right: PlaylistName) -> Bool {
    let ranks = [left, right].map { reserved.firstIndex(of: $0) ?? reserved.count }
    return ranks[0] == ranks[1] ? left.folded < right.folded : ranks[0] < ranks[1]
  }
}
