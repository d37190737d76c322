/// The limits for decoding a picture. They limit the memory and the time that decoding takes.
public struct DecodingLimits: Sendable {
  /// The greatest size of the file, in bytes.
  public var bytes = 16 << 20
  /// The greatest width and height, in pixels.
  public var side = 8192
  /// The greatest number of pixels.
  public var pixels = 40_000_000
  /// The greatest memory for the pixels, in bytes. A usual PNG needs only one row, because it is decoded row by row. An
  /// interlaced PNG needs four bytes for each pixel. A JPEG needs four bytes for each pixel of the reduced picture. If
  /// the JPEG has several scans, it also needs two bytes for each coefficient of the whole picture.
  public var heldBytes = 30 << 20
  /// The greatest number of scans of a JPEG. Each scan covers the whole picture. Ten scans are usual.
  public var scans = 40
  /// The greatest number of pixels in all scans together.
  public var scannedPixels = 200_000_000
  /// The greatest memory of one chunk of a PNG, in bytes.
  public var chunkBytes = 1 << 20

  /// Creates the default limits. Usual covers are within these limits.
  public init() {}
}

/// The reason why a picture cannot be decoded.
public enum DecodingError: Error, Hashable, Sendable {
  /// The file is neither a JPEG nor a PNG.
  case unknownFormat
  /// The picture exceeds a limit, or has no pixels.
  case tooLarge
  /// The data does not match the header, or the colours are not supported (CMYK).
  case damaged
}
