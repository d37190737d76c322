internal import CTurboJPEG
internal import Glibc
internal import PictureExchange

/// Decodes JPEG with libjpeg-turbo, through the TurboJPEG interface, which needs no setjmp.
enum JPEGPicture {
  /// Decodes the picture at a reduced scale. The library has scales in steps of an eighth. This function uses the
  /// smallest scale at which width and height are at least the requested side.
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ request: PictureRequest, _ limits: DecodingLimits,
    _ output: ScaledOutput
  ) throws(DecodingError) {
    guard let decoder = tjInitDecompress() else { throw .tooLarge }
    defer { tjDestroy(decoder) }
    var (width, height, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(
        decoder, bytes.baseAddress, UInt(bytes.count), &width, &height, &subsampling, &colors) == 0,
      width > 0, height > 0
    else { throw .damaged }
    let pixels = Int(width) * Int(height)
    let scans = scanCount(bytes)
    guard width <= limits.side, height <= limits.side, pixels <= limits.pixels,
      scans <= limits.scans, pixels * scans <= limits.scannedPixels
    else { throw .tooLarge }
    let (scaledWidth, scaledHeight) = scaled(Int(width), Int(height), request.side)
    let size = scaledWidth * scaledHeight * 4
    let coefficients = scans == 1 ? 0 : pixels * coefficientBytes(subsampling)
    guard size + coefficients <= limits.heldBytes else { throw .tooLarge }

    let target = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    defer { target.deallocate() }
    let isWhole =
      tjDecompress2(
        decoder, bytes.baseAddress, UInt(bytes.count), target, Int32(scaledWidth),
        Int32(scaledWidth * 4), Int32(scaledHeight), Int32(TJPF_BGRA.rawValue), TJFLAG_LIMITSCANS)
      == 0
    guard isWhole || isWarningOnly(decoder) else { throw .damaged }
    output.begin(width: scaledWidth, height: scaledHeight)
    for row in 0..<scaledHeight { output.add(target + row * scaledWidth * 4) }
  }

  /// The number of coefficient bytes for each pixel, rounded up. Each sample has one coefficient of two bytes.
  private static func coefficientBytes(_ subsampling: Int32) -> Int {
    switch subsampling {
    case Int32(TJSAMP_GRAY.rawValue): 2
    case Int32(TJSAMP_420.rawValue), Int32(TJSAMP_411.rawValue): 3
    case Int32(TJSAMP_422.rawValue), Int32(TJSAMP_440.rawValue): 4
    default: 6
    }
  }

  /// True if the library only warned of a fault that is not visible, such as a few extra bytes, which many files have.
  /// If the data ends too early, the rest of the picture is grey, so the file is treated as damaged.
  private static func isWarningOnly(_ decoder: tjhandle) -> Bool {
    guard tjGetErrorCode(decoder) == TJERR_WARNING.rawValue,
      let message = tjGetErrorStr2(decoder)
    else { return false }
    // If the data ends too early, the message contains "Premature". String.contains would link the library for regular
    // expressions, which has 1.6 MB. Glibc does not declare strcasestr for Swift, and strstr distinguishes upper and
    // lower case. So the search leaves out the first letter.
    return strstr(message, "remature") == nil
  }

  /// The number of start-of-scan markers, 0xFF 0xDA. The data of a scan never contains these two bytes. Other parts can
  /// contain them by chance. The count is then too high, which only makes the limits stricter. The count is never too
  /// low.
  private static func scanCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    var isMarker = false
    for byte in bytes {
      if isMarker, byte == 0xDA { count += 1 }
      isMarker = byte == 0xFF
    }
    return max(1, count)
  }

  private static func scaled(_ width: Int, _ height: Int, _ side: Int) -> (Int, Int) {
    for eighths in 1..<8 {
      // libjpeg-turbo rounds up.
      let size = ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
      if min(size.0, size.1) >= side { return size }
    }
    return (width, height)
  }
}
