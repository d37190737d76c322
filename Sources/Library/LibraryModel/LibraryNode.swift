/// A node of the tree of the library: a list such as all albums, or one album, artist or folder with its list.
public enum LibraryNode: Hashable, Sendable {
  /// The artists with an album.
  case artists
  case albums
  /// The albums, the latest first.
  case recentAlbums
  case songs
  case genres
  case playlists
  /// The volumes with music.
  case volumes
  /// The albums of an artist, and songs of this artist on other albums.
  case artist(Int64)
  /// The songs of an album.
  case album(Int64)
  /// The albums of a genre.
  case genre(Int64)
  /// The songs of a playlist, with the entries whose files are not found.
  case playlist(Int64)
  /// The folders and files in a folder.
  case folder(Int64)
  /// All songs in a folder and in the folders below it, in the order in which they play.
  case songsBelow(Int64)
  /// The songs of a playlist of the unit itself. The daemon stores these playlists, and the library does not know them.
  /// The value is `PlaylistName.identity`.
  case own(Int64)

  /// The favourite songs.
  public static let favourites = LibraryNode.own(1)
  /// The songs with a bookmark.
  public static let bookmarks = LibraryNode.own(3)

  /// The row that opens this list, such as the row of an album. Nil for a list that no row opens, such as all albums.
  public var row: RowReference? {
    if case .songsBelow(let id) = self { return RowReference(kind: .folder, id: id) }
    return RowReference(identifier: text)
  }

  /// The name of the node on the wire, such as `artists` or `album:1f`.
  public var text: String {
    switch self {
    case .artists: "artists"
    case .albums: "albums"
    case .recentAlbums: "recent"
    case .songs: "songs"
    case .genres: "genres"
    case .playlists: "playlists"
    case .volumes: "folders"
    case .artist(let id): Self.text("artist", id)
    case .album(let id): Self.text("album", id)
    case .genre(let id): Self.text("genre", id)
    case .playlist(let id): Self.text("playlist", id)
    case .folder(let id): Self.text("folder", id)
    case .songsBelow(let id): Self.text("below", id)
    case .own(let id): Self.text("own", id)
    }
  }

  private static func text(_ kind: String, _ id: Int64) -> String {
    "\(kind):\(String(id, radix: 16))"
  }

  /// Creates the node with this name. Nil if no node has this name.
  public init?(text: String) {
    switch text {
    case "artists": self = .artists
    case "albums": self = .albums
    case "recent": self = .recentAlbums
    case "songs": self = .songs
    case "genres": self = .genres
    case "playlists": self = .playlists
    case "folders": self = .volumes
    default:
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let id = Int64(parts[1], radix: 16), id >= 0 else { return nil }
      switch parts[0] {
      case "artist": self = .artist(id)
      case "album": self = .album(id)
      case "genre": self = .genre(id)
      case "playlist": self = .playlist(id)
      case "folder": self = .folder(id)
      case "below": self = .songsBelow(id)
      case "own": self = .own(id)
      default: return nil
      }
    }
  }
}
