/// The marks of songs: favourites, bookmarks and opinions. Each song is identified by its ``SongReference/key``. The
/// marks are in memory, so that surfaces can show the marks of each song at once.
public struct MarkedSongs: Equatable, Sendable {
  /// The songs in the favourites.
  public private(set) var favourites: Set<UInt64> = []
  /// The position of the bookmark in each song that has a bookmark.
  public private(set) var bookmarks: [UInt64: SongTime] = [:]
  /// The opinion about each song that has a rating or a dislike.
  public private(set) var opinions: [UInt64: SongOpinion] = [:]

  /// True if at least one song is disliked.
  public var hasDisliked: Bool { opinions.contains { $0.value.isDisliked } }

  /// Creates a value without marks.
  public init() {}

  /// Removes all marks that come from the playlist `list`.
  mutating func forget(_ list: PlaylistName) {
    switch list {
    case .favourites: favourites = []
    case .bookmarks: bookmarks = [:]
    case .opinions: opinions = [:]
    default: break
    }
  }

  /// Adds the mark for which an entry of the playlist `list` stands.
  mutating func add(_ entry: OwnPlaylist.Entry, of list: PlaylistName) {
    switch list {
    case .favourites: favourites.insert(entry.reference.key)
    case .bookmarks: bookmarks[entry.reference.key] = entry.bookmark ?? .zero
    case .opinions: opinions[entry.reference.key] = entry.opinion
    default: break
    }
  }
}
