/// Content of any kind. The kinds are a closed set, so that states can be compared and sent to other programs.
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

  public var id: String { representable.id }
  public var metadata: MetadataItems {
    get { representable.metadata }
    set { change { $0.metadata = newValue } }
  }
  public var type: MediaType { representable.type }
  public var artwork: Artwork? {
    get { representable.artwork }
    set { change { $0.artwork = newValue } }
  }
  public var adTimeRanges: [AdTimeRange] { representable.adTimeRanges }
  public var isPlaceholder: Bool { representable.isPlaceholder }
  public var collectionID: String? { representable.collectionID }
  public var isExplicit: Bool? { representable.isExplicit }
  public func lines(for listener: LanguageTag = .undefined) -> ContentLines {
    representable.lines(for: listener)
  }

  public var duration: MediaDuration? {
    get { representable.duration }
    set { change { $0.duration = newValue } }
  }

  /// Changes a property that all kinds have in common.
  private mutating func change(_ body: (inout any MediaContentRepresentable) -> Void) {
    var content = representable
    body(&content)
    self =
      switch content {
      case let content as MusicContent: .music(content)
      case let content as RadioContent: .radio(content)
      case let content as GenericContent: .generic(content)
      default: self
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
