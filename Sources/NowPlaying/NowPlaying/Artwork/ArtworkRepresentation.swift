/// A reference to a picture of one size. The pixels are stored elsewhere.
public struct ArtworkRepresentation: Hashable, Sendable {
  /// Where the bytes are: a path or a key, as the provider and the surface have agreed. A different picture needs a
  /// different reference, because a surface does not read the same reference twice.
  public let reference: String
  /// JPEG or PNG. No other type can be shown (pattern 3b of ``FailurePattern``).
  public let dataType: MetadataItem.DataType
  /// The size of this picture.
  public let size: ArtworkSize
  /// The size of the original, from which this picture was scaled.
  public let originalSize: ArtworkSize

  /// Creates a reference to a picture that was scaled down from `originalSize`. If `originalSize` is nil, the picture
  /// has its original size.
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

/// The answer of a provider to a request.
public enum ArtworkResponse: Hashable, Sendable {
  /// The picture is available at once, so nothing flickers.
  case ready(ArtworkRepresentation)
  /// The picture is being loaded. The source calls ``NowPlayingCenter/artworkArrived(_:_:at:)`` later.
  case later
  /// There is no picture.
  case none
}

/// What a surface draws. There is always something to draw (A3).
public enum ArtworkAnswer: Hashable, Sendable {
  case image(ArtworkRepresentation)
  /// There is no picture, or the picture cannot be shown. The surface draws the placeholder.
  case placeholder
  /// The content has changed after the request. The surface draws nothing for this answer (A2).
  case superseded
}
