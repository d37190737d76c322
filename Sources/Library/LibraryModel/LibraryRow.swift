/// A row of a list of the library.
public struct LibraryRow: Equatable, Sendable {
  /// What a row shows.
  public enum Kind: String, Sendable, CaseIterable {
    case artist, album, song, genre, playlist, folder
    /// A file that cannot be played.
    case problem
  }

  /// What the row shows.
  public var kind: Kind
  /// The id of the artist, album, song and so on; ``LibraryNode`` contains the same id. 0 for an entry of a playlist
  /// whose file is not found. If a playlist contains a song several times, see ``SongRowID``. For a playlist of the
  /// unit itself, this is the negative id of ``LibraryNode/own(_:)``.
  public var id: Int64
  /// The title, as surfaces show it.
  public var title: String
  /// The artists. Nil if they are not known.
  public var artist: String?
  /// For a song, the title of its album. For a file that cannot be played, the reason.
  public var detail: String?
  /// True for an album of various artists.
  public var isVarious = false
  /// For an artist or a genre, the number of albums. For an album or a playlist, the number of songs.
  public var count = 0
  /// The duration. 0 if it is not known.
  public var milliseconds: Int64 = 0
  /// The position of the bookmark in the song, in milliseconds. Nil if the row is not a bookmark.
  public var bookmark: Int64?
  /// The disc of a song; 0 if it is not known.
  public var disc = 0
  /// The number of a song on its disc; 0 if it is not known.
  public var number = 0
  /// The year; 0 if it is not known.
  public var year = 0
  /// True if no volume with the music of this row is present.
  public var isAbsent = false
  /// True if the song, album and so on of this row is playing now.
  public var isCurrent = false
  /// The id of the thumbnail of an album, or of the album of a song. Rows with the same id have the same thumbnail. Nil
  /// if there is no thumbnail.
  public var artwork: String?

  /// Creates a row. All other properties have their default values.
  public init(kind: Kind, id: Int64, title: String) {
    self.kind = kind
    self.id = id
    self.title = title
  }

  /// True if the row can be played now.
  public var isPlayable: Bool { kind != .problem && !isAbsent && id != 0 }

  /// The list that the row opens. Nil for a song or a file that cannot be played.
  public var node: LibraryNode? {
    switch kind {
    case .artist: .artist(id)
    case .album: .album(id)
    case .genre: .genre(id)
    case .playlist: id < 0 ? .own(Int64(clamping: id.magnitude)) : .playlist(id)
    case .folder: .folder(id)
    case .song, .problem: nil
    }
  }
}

/// Rows of a list that are read together.
public struct RowBatch: Equatable, Sendable {
  /// The rows.
  public var rows: [LibraryRow] = []
  /// The cursor of the next batch. Nil at the end of the list.
  public var next: String?
  /// The cursor of the previous batch. Nil at the beginning of the list.
  public var previous: String?
  /// Number of rows of the list.
  public var count = 0
  /// The index of the first row of the batch in the list. It can be wrong if the list has changed.
  public var position = 0

  /// Creates the batch of an empty list.
  public init() {}
}

/// A heading of a list, with the number of its rows.
public struct LetterGroup: Equatable, Sendable {
  /// The text of a ``ListHeading``, such as `S`, `St` or `13–24`.
  public var heading: String
  /// Number of rows under the heading.
  public var count: Int

  public init(heading: String, count: Int) {
    self.heading = heading
    self.count = count
  }
}

/// The results of a search.
public struct LibraryFindings: Equatable, Sendable {
  /// The rows, ordered by kind: artists, albums, songs, playlists, folders.
  public var rows: [LibraryRow] = []
  /// The kinds of which more rows match than ``rows`` contains.
  public var more: Set<LibraryRow.Kind> = []

  /// Creates an empty result.
  public init() {}
}

/// The rows whose names are most similar to a misspelt name.
public struct SimilarRows: Equatable, Sendable {
  /// The rows, best first.
  public var rows: [LibraryRow]
  /// The number of edits between the misspelt name and the name of each row.
  public var edits: Int

  /// Creates a result, by default an empty one.
  public init(rows: [LibraryRow] = [], edits: Int = 0) {
    self.rows = rows
    self.edits = edits
  }
}

extension LibraryRow {
  /// The identifier of the row on the control socket, such as `album:1f`. If the row has a list, this is the name of
  /// the list.
  public var identifier: String { RowReference(kind: kind, id: id).identifier }
}
