/// Probable errors in the tags and playlists of the library. Each of them is a *doubt*.
public struct LibraryDoubts: Equatable, Sendable {
  /// The kind of a doubt.
  public enum Kind: String, Sendable, CaseIterable {
    /// Songs of one folder with the same album title that belong to several albums of the library.
    case dividedAlbums
    /// Songs with neither an artist nor an album.
    case songsWithoutTags
    /// Entries of playlists whose files are not found.
    case missingEntries
    /// Album artists for whom the tags contain several names for sorting.
    case sortNames
  }

  /// A doubt that is shown as an example.
  public struct Example: Equatable, Sendable {
    /// The title of the album or of the entry, the path of the song, or the name of the artist.
    public var name: String
    /// The folder of the album, the playlist of the entry, or two of the names for sorting. Empty for a song.
    public var detail: String

    public init(name: String, detail: String = "") {
      self.name = name
      self.detail = detail
    }
  }

  /// The doubts of one kind.
  public struct Part: Equatable, Sendable {
    /// The kind of a doubt.
    public var kind: Kind
    /// Number of all doubts of this kind.
    public var count: Int
    /// The first doubts, at most ``maximumExamples``.
    public var examples: [Example]

    public init(_ kind: Kind, count: Int = 0, examples: [Example] = []) {
      self.kind = kind
      self.count = count
      self.examples = examples
    }
  }

  /// Maximum number of examples for each kind.
  public static let maximumExamples = 12

  /// One part for each kind, in the order of the kinds.
  public var parts: [Part]

  public init(_ parts: [Part] = []) { self.parts = parts }
}
