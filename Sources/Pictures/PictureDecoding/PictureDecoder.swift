public import PictureExchange

/// Decodes JPEG and PNG files. The kind is determined from the first bytes of the file.
public enum PictureDecoder {
  /// Decodes a picture and scales it down to the size in the request. A picture is never enlarged.
  ///
  /// - Parameters:
  ///   - begin: called once, with the size of the result.
  ///   - row: called for each row of the result. A pixel has four bytes: blue, green, red, alpha, premultiplied.
  /// - Throws: the reason why the picture cannot be decoded. `row` can already have been called for some rows.
  public static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ request: PictureRequest,
    limits: DecodingLimits = DecodingLimits(),
    begin: @escaping (_ width: Int, _ height: Int) -> Void,
    row: @escaping (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(DecodingError) {
    guard bytes.count <= limits.bytes else { throw .tooLarge }
    let output = ScaledOutput(request, begin: begin, row: row)
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      try JPEGPicture.decode(bytes, request, limits, output)
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      try PNGPicture.decode(bytes, limits, output)
    } else {
      throw .unknownFormat
    }
  }
}
