/// What a picture's header says, read without decoding a pixel.
///
/// Never reads past the bytes, and takes a bounded number of steps however long they are.
struct ImageHeader: Hashable, Sendable {
  /// By the bytes, whatever the file's name or MIME type says.
  let kind: ImageKind
  /// Pixels across.
  let width: Int
  /// Pixels down.
  let height: Int

  /// Reads the header of a picture, whole or its beginning.
  /// - Throws: ``CoverFault/truncated`` where more bytes could make it good; any other fault is
  ///   final.
  init(_ bytes: [UInt8], limits: CoverLimits) throws(CoverFault) {
    kind = try ImageKind(bytes)
    switch kind {
    case .jpeg: (width, height) = try JPEGHeader.size(bytes)
    case .png: (width, height) = try PNGHeader.size(bytes)
    }
    // No product of sides can overflow: either has at most 32 bits.
    guard width <= limits.side, height <= limits.side, width * height <= limits.pixels else {
      throw .tooLarge(width: width, height: height)
    }
  }
}

/// Big-endian numbers at places that may not be there.
struct HeaderBytes {
  let bytes: [UInt8]

  func byte(_ offset: Int) throws(CoverFault) -> UInt8 {
    guard offset < bytes.count else { throw .truncated }
    return bytes[offset]
  }

  func number16(_ offset: Int) throws(CoverFault) -> Int {
    Int(try byte(offset)) << 8 | Int(try byte(offset + 1))
  }

  func number32(_ offset: Int) throws(CoverFault) -> Int {
    try number16(offset) << 16 | number16(offset + 2)
  }
}
