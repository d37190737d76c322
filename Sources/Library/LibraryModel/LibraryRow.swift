/// A row of a list of the library.
public struct LibraryRow: Equatable, Sendable {
  /// What the row is.
  public enum Kind: String, Sendable, CaseIterable {
    case artist, album, song, genre, playlist, folder
    /// A file that cannot be played.
    case problem
  }

  /// What the row is.
  public var kind: Kind
  /// The id of the entry, for its ``LibraryNode``. 0 for a song of a playlist whose file is not found. A song that a
  /// playlist has several times: see ``SongRowID``. Below 0 for a playlist of the unit itself: the negative id of
  /// ``LibraryNode/own(_:)``.
  public var id: Int64
  /// The title, for people.
  public var title: String
  /// The artists. Nil if they are not known.
  public var artist: String?
  /// The title of the album of a song. The reason why a file cannot be played.
  public var detail: String?
  /// True for an album of various artists.
  public var isVarious = false
  /// Number of albums of an artist or a genre, and of songs of an album or a playlist.
  public var count = 0
  /// Duration; 0 if it is not known.
  public var milliseconds: Int64 = 0
  /// The time of a bookmark in its song, in milliseconds. Nil for other rows.
  public var bookmark: Int64?
  /// The disc of a song; 0 if it is not known.
  public var disc = 0
  /// The number of a song on its disc; 0 if it is not known.
  public var number = 0
  /// The year; 0 if it is not known.
  public var year = 0
  /// True if no volume of the entry is present.
  public var isAbsent = false
  /// True for what plays now.
  public var isCurrent = false
  /// Identifies the thumbnail of an album, or of the album of a song. Rows with the same thumbnail have the same text.
  /// Nil if there is no thumbnail.
  public var artwork: String?

  /// A row without facts.
  public init(kind: Kind, id: Int64, title: String) {
    self.kind = kind
    self.id = id
    self.title = title
  }

  /// True if the row can be played now.
  public var isPlayable: Bool { kind != .problem && !isAbsent && id != 0 }

  /// The list of the entry; nil if the entry has no list.
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
  /// Where the next batch begins. Nil at the end of the list.
  public var next: String?
  /// Where the previous batch ends. Nil at the beginning of the list.
  public var previous: String?
  /// Number of rows of the list.
  public var count = 0
  /// The number of the first row, from 0. If the list has changed since the batch before, it may differ.
  public var position = 0

  /// An empty list.
  public init() {}
}

/// A group of a list that is divided by letters.
public struct LetterGroup: Equatable, Sendable {
  /// The heading, for people: `S`, `St`.
  public var heading: String
  /// Number of rows under the heading.
  public var count: Int

  public init(heading: String, count: Int) {
    self.heading = heading
    self.count = count
  }
}

/// What a search has found, by kind.
public struct LibraryFindings: Equatable, Sendable {
  /// The rows, artists before albums before songs before playlists before folders.
  public var rows: [LibraryRow] = []
  /// The kinds of which there are more rows.
  public var more: Set<LibraryRow.Kind> = []

  /// Nothing was found.
  public init() {}
}

/// The rows whose names are most similar to a misspelt name.
public struct SimilarRows: Equatable, Sendable {
  /// The rows, best first.
  public var rows: [LibraryRow]
  /// The number of edits that each of the rows needs.
  public var edits: Int

  /// By default, no name is similar.
  public init(rows: [LibraryRow] = [], edits: Int = 0) {
    self.rows = rows
    self.edits = edits
  }
}

extension LibraryRow {
  /// Identifies the row on the control socket: `album:1f`. A row with a list has the name of its list.
  public var identifier: String { RowReference(kind: kind, id: id).identifier }
}
