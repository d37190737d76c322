/// Content that is neither a song nor a radio station.
public struct GenericContent: MediaContentRepresentable {
  public let id: String
  public var metadata: MetadataItems
  public var type: MediaType
  public var duration: MediaDuration?
  public var artwork: Artwork?
  public var adTimeRanges: [AdTimeRange] = []
  public var isPlaceholder = false
  public var collectionID: String?
  public var isExplicit: Bool?

  /// Creates content with a title and an optional second line.
  public init(
    id: String, title: String, subtitle: String? = nil, type: MediaType = .audio,
    duration: MediaDuration?, artwork: Artwork? = nil
  ) {
    var metadata: MetadataItems = [MetadataItem(.title, title)]
    if let subtitle { metadata.append(MetadataItem(.subtitle, subtitle)) }
    self.id = id
    self.metadata = metadata
    self.type = type
    self.duration = duration
    self.artwork = artwork
  }

  /// The title for a listener whose language is not known; empty if there is no title.
  public var title: String { metadata.text(.title) ?? "" }
  /// The second line for a listener whose language is not known; nil if there is no second line.
  public var subtitle: String? { metadata.text(.subtitle) }

  /// Title and second line in the language of `listener`.
  public func lines(for listener: LanguageTag) -> ContentLines {
    ContentLines(
      title: metadata.text(.title, for: listener), subtitle: metadata.text(.subtitle, for: listener)
    )
  }
}
