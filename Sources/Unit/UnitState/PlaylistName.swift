/// The name of a playlist of the unit, which is also the name of its file.
public struct PlaylistName: Hashable, Sendable {
  /// The name of the playlist of the favourite songs.
  public static let favourites = PlaylistName(valid: "Favourites")
  /// The name of the playlist of the songs with a bookmark.
  public static let bookmarks = PlaylistName(valid: "Bookmarks")
  /// The name of the internal list of ratings and dislikes. No other playlist has this name, because a name that a user
  /// chooses cannot begin with a dot.
  public static let opinions = PlaylistName(valid: ".opinions")
  /// The lists that can be neither renamed nor removed, in their order.
  private static let reserved = [favourites, bookmarks, opinions]
  /// The suffix of the file names.
  static let suffix = ".m3u8"
  /// Maximum number of characters of a name.
  public static let maximumCharacters = 100
  /// Maximum number of bytes of a name, so that a file system with the usual limit of 255 bytes can store the file.
  static let maximumBytes = 240

  /// The name with the capital and small letters that the user has typed.
  public let text: String

  private init(valid text: String) { self.text = text }

  /// Creates a name. Returns nil if the text is not a permitted file name, begins with a dot, or begins or ends with a
  /// space.
  /// - Parameter text: 1 to 100 characters.
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
    // `FileName` stores a byte that is not UTF-8 as a private-use character. These characters are not permitted in a
    // name.
    default: scalar == "/" || scalar.value >= 0x10_0000
    }
  }

  /// Creates the name of a list from the name of its file. Returns nil if no list can have a file with this name.
  init?(file: String) {
    guard file.hasSuffix(Self.suffix) else { return nil }
    self.init(String(file.dropLast(Self.suffix.count)))
  }

  var file: String { text + Self.suffix }

  /// The name in small letters, for comparisons.
  private var folded: String { text.lowercased() }

  /// True for favourites, bookmarks and opinions, which cannot be renamed or removed, and contain each song at most
  /// once.
  var isReserved: Bool { Self.reserved.contains(self) }

  /// Identifies the list on the wire. Lists whose names differ only by case have the same number. The numbers of the
  /// reserved lists are 1, 3 and 5.
  public var identity: Int64 {
    if let index = Self.reserved.firstIndex(of: self) { return Int64(clamping: 2 &* index &+ 1) }
    // The result is an even number, because the numbers of the reserved lists are odd.
    return Int64(bitPattern: CRC64.of(folded.utf8)) & .max & ~1 | 2
  }

  /// Names that differ only by case are equal.
  public static func == (left: PlaylistName, right: PlaylistName) -> Bool {
    left.folded == right.folded
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension PlaylistName: Comparable {
  /// The favourites and the bookmarks are first. All other names are in alphabetical order.
  public static func < (left: PlaylistName, right: PlaylistName) -> Bool {
    let ranks = [left, right].map { reserved.firstIndex(of: $0) ?? reserved.count }
    return ranks[0] == ranks[1] ? left.folded < right.folded : ranks[0] < ranks[1]
  }
}
