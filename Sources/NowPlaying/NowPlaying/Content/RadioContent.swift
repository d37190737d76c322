/// A radio station.
public struct RadioContent: MediaContentRepresentable {
  public let id: String
  public var metadata: MetadataItems
  public var type: MediaType
  /// See ``MediaContentRepresentable/duration``. The default is `live`.
  public var duration: MediaDuration?
  public var artwork: Artwork?
  public var adTimeRanges: [AdTimeRange] = []
  public var isPlaceholder = false
  public var collectionID: String?
  public var isExplicit: Bool?

  /// Creates a station. `programName` is the name of the current programme; nil if it is not known.
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

  /// The name of the station for a listener whose language is not known; empty if there is no name.
  public var stationName: String { metadata.text(.stationName) ?? "" }
  /// The name of the current programme for a listener whose language is not known; nil if there is no name.
  public var programName: String? { metadata.text(.programName) }

  /// The title is the programme, and the subtitle is the station. If no programme is known, the title is the station.
  public func lines(for listener: LanguageTag) -> ContentLines {
    let station = metadata.text(.stationName, for: listener)
    guard let program = metadata.text(.programName, for: listener) else {
      return ContentLines(title: station)
    }
    return ContentLines(title: program, subtitle: station)
  }
}
