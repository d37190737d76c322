/// The header of a picture. No pixels are decoded.
///
/// The code never reads beyond the end of the picture. The number of steps is limited for any input.
struct ImageHeader: Hashable, Sendable {
  /// The kind of the picture, determined from the bytes. The file's name and MIME type are ignored.
  let kind: ImageKind
  /// Width in pixels.
  let width: Int
  /// Height in pixels.
  let height: Int

  /// Reads the header. `bytes` is a whole picture or its beginning.
  /// - Throws: ``CoverFault/truncated`` if more bytes are needed; any other error is final.
  init(_ bytes: HeaderBytes, limits: CoverLimits) throws(CoverFault) {
    var bytes = bytes
    kind = try ImageKind(bytes.first(ImageKind.signatureBytes))
    switch kind {
    case .jpeg: (width, height) = try JPEGHeader.size(&bytes)
    case .png: (width, height) = try PNGHeader.size(&bytes)
    }
    // The product cannot overflow, because each side has at most 31 bits.
    guard width <= limits.side, height <= limits.side, width * height <= limits.pixels else {
      throw .tooLarge(width: width, height: height)
    }
  }
}
