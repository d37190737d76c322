/// What a metadata item is about (P9).
public struct MetadataIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// As it stands on the wire.
  public let rawValue: String

  /// One of this list, or a source's own.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The song, episode or item.
  public static let title = MetadataIdentifier("title")
  /// Who performs.
  public static let artist = MetadataIdentifier("artist")
  /// The album.
  public static let albumName = MetadataIdentifier("albumName")
  /// Whose album it is, where that is not the artist.
  public static let albumArtist = MetadataIdentifier("albumArtist")
  /// Who wrote it.
  public static let composer = MetadataIdentifier("composer")
  /// The genre.
  public static let genre = MetadataIdentifier("genre")
  /// Place on the album, from 1.
  public static let trackNumber = MetadataIdentifier("trackNumber")
  /// How many tracks the album has.
  public static let trackCount = MetadataIdentifier("trackCount")
  /// Which disc, from 1.
  public static let discNumber = MetadataIdentifier("discNumber")
  /// The recording's code.
  public static let isrc = MetadataIdentifier("isrc")
  /// A radio station.
  public static let stationName = MetadataIdentifier("stationName")
  /// What the station sends now.
  public static let programName = MetadataIdentifier("programName")
  /// A second line for anything else.
  public static let subtitle = MetadataIdentifier("subtitle")
  /// A text of any length.
  public static let summary = MetadataIdentifier("summary")
  /// Where the cover is found.
  public static let artwork = MetadataIdentifier("artwork")

  /// The identifier of a tag in a file, by the names that Vorbis comments use; nil for others.
  public init?(tag: String) {
    switch tag.uppercased() {
    case "TITLE": self = .title
    case "ARTIST": self = .artist
    case "ALBUM": self = .albumName
    case "ALBUMARTIST", "ALBUM ARTIST": self = .albumArtist
    case "COMPOSER": self = .composer
    case "GENRE": self = .genre
    case "TRACKNUMBER": self = .trackNumber
    case "TRACKTOTAL", "TOTALTRACKS": self = .trackCount
    case "DISCNUMBER": self = .discNumber
    case "ISRC": self = .isrc
    case "DESCRIPTION": self = .summary
    default: return nil
    }
  }

  /// Whether its value is a number.
  var isNumeric: Bool { [.trackNumber, .trackCount, .discNumber].contains(self) }

  /// The raw value.
  public var description: String { rawValue }
}
