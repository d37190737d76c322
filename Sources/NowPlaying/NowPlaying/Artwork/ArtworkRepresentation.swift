/// A picture of one size, as a reference: pixels are elsewhere.
public struct ArtworkRepresentation: Hashable, Sendable {
  /// Where the bytes are found: a path, a key; its meaning is between provider and surface. A
  /// different picture has a different one, as viewers do not look twice at the same name.
  public let reference: String
  /// JPEG or PNG; anything else cannot be shown (pattern 3b).
  public let dataType: MetadataItem.DataType
  /// The size of these bytes.
  public let size: ArtworkSize
  /// The size of what they were made from.
  public let originalSize: ArtworkSize

  /// A picture in its own size, or one made from a larger one.
  public init(
    reference: String, dataType: MetadataItem.DataType, size: ArtworkSize,
    originalSize: ArtworkSize? = nil
  ) {
    self.reference = reference
    self.dataType = dataType
    self.size = size
    self.originalSize = originalSize ?? size
  }
}

/// What a provider says to a request.
public enum ArtworkResponse: Hashable, Sendable {
  /// Here it is: nothing flickers.
  case ready(ArtworkRepresentation)
  /// It is being loaded; ``NowPlayingCenter/artworkArrived(_:_:at:)`` will be told.
  case later
  /// There is none.
  case none
}

/// What a surface draws. Never nothing (A3).
public enum ArtworkAnswer: Hashable, Sendable {
  case image(ArtworkRepresentation)
  /// There is none, or none that can be shown: the placeholder is drawn.
  case placeholder
  /// The content has changed since: nothing is drawn for this answer (A2).
  case superseded
}
