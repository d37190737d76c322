/// Content of any kind. The kinds are a closed set, so that states can be compared and sent to
/// other programs.
public enum MediaContent: Equatable, Sendable {
  case music(MusicContent)
  case radio(RadioContent)
  case generic(GenericContent)

  /// The content as a value of the protocol that all kinds have in common.
  public var representable: any MediaContentRepresentable {
    switch self {
    case .music(let content): content
    case .radio(let content): content
    case .generic(let content): content
    }
  }

  /// See ``MediaContentRepresentable/id``.
  public var id: String { representable.id }
  /// See ``MediaContentRepresentable/metadata``.
  public var metadata: MetadataItems { representable.metadata }
  /// See ``MediaContentRepresentable/type``.
  public var type: MediaType { representable.type }
  /// See ``MediaContentRepresentable/artwork``.
  public var artwork: Artwork? { representable.artwork }
  /// See ``MediaContentRepresentable/adTimeRanges``.
  public var adTimeRanges: [AdTimeRange] { representable.adTimeRanges }
  /// See ``MediaContentRepresentable/isPlaceholder``.
  public var isPlaceholder: Bool { representable.isPlaceholder }
  /// See ``MediaContentRepresentable/collectionID``.
  public var collectionID: String? { representable.collectionID }
  /// See ``MediaContentRepresentable/isExplicit``.
  public var isExplicit: Bool? { representable.isExplicit }
  /// See ``MediaContentRepresentable/lines(for:)``.
  public func lines(for listener: LanguageTag = .undefined) -> ContentLines {
    representable.lines(for: listener)
  }

  /// See ``MediaContentRepresentable/duration``.
  public var duration: MediaDuration? {
    get { representable.duration }
    set {
      switch self {
      case .music(var content):
        content.duration = newValue
        self = .music(content)
      case .radio(var content):
        content.duration = newValue
        self = .radio(content)
      case .generic(var content):
        content.duration = newValue
        self = .generic(content)
      }
    }
  }

  /// The word for the kind of content, in traces and golden files.
  var kindText: String {
    switch self {
    case .music: "music"
    case .radio: "radio"
    case .generic: "generic"
    }
  }
}
