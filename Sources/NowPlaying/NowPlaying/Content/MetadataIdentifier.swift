/// The kind of a metadata item (P9).
public struct MetadataIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The identifier in its encoded form.
  public let rawValue: String

  /// Creates an identifier from its encoded form. A source can also define its own identifiers.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The title of the song, episode or item.
  public static let title = MetadataIdentifier("title")
  /// The performer.
  public static let artist = MetadataIdentifier("artist")
  /// The album.
  public static let albumName = MetadataIdentifier("albumName")
  /// The artist of the album, if this artist differs from the artist of the track.
  public static let albumArtist = MetadataIdentifier("albumArtist")
  /// The composer.
  public static let composer = MetadataIdentifier("composer")
  /// The genre.
  public static let genre = MetadataIdentifier("genre")
  /// Number of the track on the album, counted from 1.
  public static let trackNumber = MetadataIdentifier("trackNumber")
  /// Number of tracks on the album.
  public static let trackCount = MetadataIdentifier("trackCount")
  /// Number of the disc, counted from 1.
  public static let discNumber = MetadataIdentifier("discNumber")
  /// The ISRC (International Standard Recording Code) of the recording.
  public static let isrc = MetadataIdentifier("isrc")
  /// The name of the radio station.
  public static let stationName = MetadataIdentifier("stationName")
  /// The current programme of the station.
  public static let programName = MetadataIdentifier("programName")
  /// A second line for content that is neither a song nor a radio station.
  public static let subtitle = MetadataIdentifier("subtitle")
  /// The name of the app that plays on a phone.
  public static let appName = MetadataIdentifier("appName")
  /// A description of any length.
  public static let summary = MetadataIdentifier("summary")
  /// The language that is sung or spoken, as a BCP 47 tag if the file names a code. It says nothing about the language
  /// of the title.
  public static let language = MetadataIdentifier("language")
  /// The reference to the cover.
  public static let artwork = MetadataIdentifier("artwork")

  /// Creates the identifier for a tag of a file. `tag` is a field name of Vorbis comments. Nil if this module does not
  /// use the field.
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
    case "LANGUAGE": self = .language
    default: return nil
    }
  }

  /// True if the value is a number.
  var isNumeric: Bool { [.trackNumber, .trackCount, .discNumber].contains(self) }

  /// The raw value.
  public var description: String { rawValue }
}
