/// What the library keeps of the tags of a file.
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
  /// The name by which the title is sorted, if the tags have it.
  public var sortTitle: String?
  /// The name by which the only artist is sorted, if the tags have it.
  public var sortArtist: String?
  /// The id of the track of the release in MusicBrainz. Files with other qualities of the track have the same id.
  public var releaseTrack: String?

  /// A file without tags.
  public init() {}
}

/// The tags that decide to which album a track belongs.
public struct AlbumTags: Hashable, Sendable {
  /// The title of the album.
  public var title: String?
  /// The artists of the album, in order.
  public var artists: [String] = []
  /// The id of the album in MusicBrainz.
  public var release: String?
  /// True if the tags call the album a compilation.
  public var isCompilation = false
  /// The name by which the album is sorted, if the tags have it.
  public var sortTitle: String?
  /// The name by which the only artist of the album is sorted, if the tags have it.
  public var sortArtist: String?

  /// No tags.
  public init() {}
}

/// The facts of a music file that are not tags.
public struct TrackFacts: Equatable, Sendable {
  /// How the sound is coded, for people.
  public var codec: String
  /// Duration in milliseconds; 0 if the header does not contain it.
  public var milliseconds: Int64
  /// A number that identifies the sound: it stays the same if the file is renamed or its tags change. Nil if the file
  /// has no such number.
  public var audio: Int64?

  public init(codec: String, milliseconds: Int64, audio: Int64?) {
    self.codec = codec
    self.milliseconds = milliseconds
    self.audio = audio
  }
}
