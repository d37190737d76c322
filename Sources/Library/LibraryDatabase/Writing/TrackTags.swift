/// The tags of a file that the library stores.
public struct TrackTags: Equatable, Sendable {
  /// The title of the track.
  public var title: String?
  /// The artists, in order.
  public var artists: [String] = []
  /// The album to which the track belongs.
  public var album = AlbumTags()
  /// The genres, in order.
  public var genres: [String] = []
  /// Number of the disc, from 1; 0 if it is not known.
  public var disc = 0
  /// Number of the track, from 1; 0 if it is not known.
  public var number = 0
  /// The year; 0 if it is not known.
  public var year = 0
  /// The text by which the title is sorted. Nil if the tags do not contain it.
  public var sortTitle: String?
  /// The name by which the artist is sorted. Nil if the tags do not contain it. It is not used if there are several
  /// artists.
  public var sortArtist: String?
  /// The id of the track on the release in MusicBrainz. Files of the same track in different qualities have the same
  /// id.
  public var releaseTrack: String?

  /// Creates the tags of a file without tags.
  public init() {}
}

/// The tags that determine to which album a track belongs.
public struct AlbumTags: Hashable, Sendable {
  /// The title of the album.
  public var title: String?
  /// The artists of the album, in order.
  public var artists: [String] = []
  /// The id of the album in MusicBrainz.
  public var release: String?
  /// True if the tags call the album a compilation.
  public var isCompilation = false
  /// The text by which the album is sorted. Nil if the tags do not contain it.
  public var sortTitle: String?
  /// The name by which the artist of the album is sorted. Nil if the tags do not contain it. It is not used if there
  /// are several artists.
  public var sortArtist: String?

  /// Creates a value without tags.
  public init() {}
}

/// The properties of a music file that are not tags.
public struct TrackFacts: Equatable, Sendable {
  /// The name of the codec.
  public var codec: String
  /// Duration in milliseconds; 0 if the header does not contain it.
  public var milliseconds: Int64
  /// A number that identifies the sound. It does not change if the file is renamed or its tags are changed. Nil if the
  /// header does not identify the sound.
  public var audio: Int64?

  public init(codec: String, milliseconds: Int64, audio: Int64?) {
    self.codec = codec
    self.milliseconds = milliseconds
    self.audio = audio
  }
}
