/// What is doubtful in the tags and in the playlists of the library.
public struct LibraryDoubts: Equatable, Sendable {
  /// What is doubtful.
  public enum Kind: String, Sendable, CaseIterable {
    /// Songs of one folder that have the same album, and are divided into several albums.
    case dividedAlbums
    /// Songs with neither an artist nor an album.
    case songsWithoutTags
    /// Entries of playlists whose files are not found.
    case missingEntries
    /// Album artists with several names for sorting.
    case sortNames
  }

  /// One of the things that are doubtful.
  public struct Example: Equatable, Sendable {
    /// The title of an album or of an entry, the path of a song, the name of an artist.
    public var name: String
    /// The folder of an album, the playlist of an entry, two of the names for sorting. Empty for a song.
    public var detail: String

    public init(name: String, detail: String = "") {
      self.name = name
      self.detail = detail
    }
  }

  /// The things of one kind.
  public struct Part: Equatable, Sendable {
    /// What is doubtful.
    public var kind: Kind
    /// Number of all things.
    public var count: Int
    /// The first things, at most ``maximumExamples``.
    public var examples: [Example]

    public init(_ kind: Kind, count: Int = 0, examples: [Example] = []) {
      self.kind = kind
      self.count = count
      self.examples = examples
    }
  }

  /// Maximum number of examples of a kind.
  public static let maximumExamples = 12

  /// A part for each kind, in the order of the kinds.
  public var parts: [Part]

  public init(_ parts: [Part] = []) { self.parts = parts }
}
