/// A song.
public struct MusicContent: MediaContentRepresentable {
  public let id: String
  public var metadata: MetadataItems
  public var type: MediaType
  public var duration: MediaDuration?
  public var artwork: Artwork?
  public var adTimeRanges: [AdTimeRange] = []
  public var isPlaceholder = false
  public var collectionID: String?
  public var isExplicit: Bool?

  /// Creates the content from the data of a player. The texts are for all listeners.
  public init(
    id: String, songTitle: String, artistName: String, albumName: String, type: MediaType = .audio,
    duration: MediaDuration?, artwork: Artwork? = nil
  ) {
    self.init(
      id: id,
      metadata: [
        MetadataItem(.title, songTitle), MetadataItem(.artist, artistName),
        MetadataItem(.albumName, albumName),
      ], type: type, duration: duration, artwork: artwork)
  }

  /// Creates the content from items, for example a file's tags.
  public init(
    id: String, metadata: MetadataItems, type: MediaType = .audio, duration: MediaDuration?,
    artwork: Artwork? = nil
  ) {
    self.id = id
    self.metadata = metadata
    self.type = type
    self.duration = duration
    self.artwork = artwork
  }

  /// The title for a listener whose language is not known; empty if there is no title.
  public var songTitle: String { metadata.text(.title) ?? "" }
  /// The artist for a listener whose language is not known; empty if there is no artist.
  public var artistName: String { metadata.text(.artist) ?? "" }
  /// The album for a listener whose language is not known; empty if there is no album.
  public var albumName: String { metadata.text(.albumName) ?? "" }

  /// The lines are title, artist and album.
  public func lines(for listener: LanguageTag) -> ContentLines {
    ContentLines(
      title: metadata.text(.title, for: listener), subtitle: metadata.text(.artist, for: listener),
      detail: metadata.text(.albumName, for: listener))
  }
}
