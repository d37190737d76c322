internal import CTurboJPEG
public import PictureExchange

/// Creates the thumbnail of a picture: the central square on white, scaled down, as a JPEG.
public enum ThumbnailEncoder {
  /// The qualities are tried in this order. With the first quality, a picture with much noise is too large for a
  /// thumbnail.
  private static let qualities: [Int32] = [75, 55, 35, 15, 5]

  /// Decodes a picture, and encodes its thumbnail. A picture is never enlarged.
  /// - Throws: the reason why the picture cannot be decoded.
  public static func encode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ request: PictureRequest,
    limits: DecodingLimits = DecodingLimits()
  ) throws(DecodingError) -> [UInt8] {
    let square = Square()
    try PictureDecoder.decode(bytes, request, limits: limits) { width, _ in
      square.side = width
      square.pixels.reserveCapacity(width * width * 4)
    } row: {
      square.pixels += $0
    }
    return try encode(square)
  }

  private final class Square {
    var side = 0
    var pixels: [UInt8] = []
  }

  private static func encode(_ square: Square) throws(DecodingError) -> [UInt8] {
    let side = Int32(square.side)
    guard square.pixels.count == square.side * square.side * 4, let encoder = tjInitCompress()
    else { throw .damaged }
    defer { tjDestroy(encoder) }
    let subsampling = Int32(TJSAMP_420.rawValue)
    let largest = tjBufSize(side, side, subsampling)
    guard largest != UInt.max else { throw .tooLarge }
    var jpeg = [UInt8](repeating: 0, count: Int(largest))
    for quality in qualities {
      var size = largest
      let status = jpeg.withUnsafeMutableBufferPointer { buffer -> Int32 in
        var start = buffer.baseAddress
        // TJFLAG_NOREALLOC: the library writes into this buffer, which is large enough.
        return tjCompress2(
          encoder, square.pixels, side, side * 4, side, Int32(TJPF_BGRX.rawValue), &start, &size,
          subsampling, quality, TJFLAG_NOREALLOC)
      }
      guard status == 0 else { throw .damaged }
      if size <= PictureFile.thumbnailBytes { return Array(jpeg[..<Int(size)]) }
    }
    throw .tooLarge
  }
}
