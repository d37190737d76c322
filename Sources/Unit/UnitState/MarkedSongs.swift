/// The songs that a person has marked, by ``SongReference/key``. It is in memory, so that each song shows its marks at
/// once.
public struct MarkedSongs: Equatable, Sendable {
  /// The songs in the favourites.
  public private(set) var favourites: Set<UInt64> = []
  /// The times of the bookmarks.
  public private(set) var bookmarks: [UInt64: SongTime] = [:]
  /// What a person thinks of songs.
  public private(set) var opinions: [UInt64: SongOpinion] = [:]

  /// True if a song is disliked.
  public var hasDisliked: Bool { opinions.contains { $0.value.isDisliked } }

  /// No song has a mark.
  public init() {}

  /// Forgets the marks that a list contains.
  mutating func forget(_ list: PlaylistName) {
    switch list {
    case .favourites: favourites = []
    case .bookmarks: bookmarks = [:]
    case .opinions: opinions = [:]
    default: break
    }
  }

  /// Adds the mark of an entry of a list.
  mutating func add(_ entry: OwnPlaylist.Entry, of list: PlaylistName) {
    switch list {
    case .favourites: favourites.insert(entry.reference.key)
    case .bookmarks: bookmarks[entry.reference.key] = entry.bookmark ?? .zero
    case .opinions: opinions[entry.reference.key] = entry.opinion
    default: break
    }
  }
}
