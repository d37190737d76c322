/// A radio station.
public struct RadioContent: MediaContentRepresentable {
  /// See ``MediaContentRepresentable/id``.
  public let id: String
  /// See ``MediaContentRepresentable/metadata``.
  public var metadata: MetadataItems
  /// See ``MediaContentRepresentable/type``.
  public var type: MediaType
  /// See ``MediaContentRepresentable/duration``. Live by default.
  public var duration: MediaDuration?
  /// See ``MediaContentRepresentable/artwork``.
  public var artwork: Artwork?
  /// See ``MediaContentRepresentable/adTimeRanges``.
  public var adTimeRanges: [AdTimeRange] = []
  /// See ``MediaContentRepresentable/isPlaceholder``.
  public var isPlaceholder = false
  /// See ``MediaContentRepresentable/collectionID``.
  public var collectionID: String?
  /// See ``MediaContentRepresentable/isExplicit``.
  public var isExplicit: Bool?

  /// A station, and its current programme if known.
  public init(
    id: String, stationName: String, programName: String? = nil, type: MediaType = .audio,
    duration: MediaDuration? = .live, artwork: Artwork? = nil
  ) {
    var metadata: MetadataItems = [MetadataItem(.stationName, stationName)]
    if let programName { metadata.append(MetadataItem(.programName, programName)) }
    self.id = id
    self.metadata = metadata
    self.type = type
    self.duration = duration
    self.artwork = artwork
  }

  /// The station without a language; empty if there is none.
  public var stationName: String { metadata.text(.stationName) ?? "" }
  /// The current programme, without a language.
  public var programName: String? { metadata.text(.programName) }

  /// The programme as title and the station as subtitle. The station as title if no programme is
  /// known.
  public func lines(for listener: LanguageTag) -> ContentLines {
    let station = metadata.text(.stationName, for: listener)
    guard let program = metadata.text(.programName, for: listener) else {
      return ContentLines(title: station)
    }
    return ContentLines(title: program, subtitle: station)
  }
}
