internal import CPango
internal import CTurboJPEG

/// Decodes JPEG with libjpeg-turbo, through the TurboJPEG interface, which needs no setjmp.
enum JPEGDecoding {
  /// Decodes the picture at a reduced scale. The library has scales in steps of an eighth. This
  /// function uses the smallest scale at which width and height are at least `side`.
  static func decode(_ bytes: [UInt8], side: Int, _ limits: DecodingLimits)
    throws(ImageDecodingError) -> Surface
  {
    guard let decoder = tjInitDecompress() else { throw .damaged }
    defer { tjDestroy(decoder) }
    var (width, height, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let isRead = bytes.withUnsafeBufferPointer {
      tjDecompressHeader3(
        decoder, $0.baseAddress, UInt($0.count), &width, &height, &subsampling, &colors) == 0
    }
    guard isRead, width > 0, height > 0 else { throw .damaged }
    let pixels = Int(width) * Int(height)
    let scans = scanCount(bytes)
    guard width <= limits.side, height <= limits.side, pixels <= limits.pixels,
      scans == 1 || pixels <= limits.heldPixels, scans <= limits.scans,
      pixels * scans <= limits.scannedPixels
    else { throw .tooLarge }

    let (scaledWidth, scaledHeight) = scaled(Int(width), Int(height), side)
    let surface = Surface(.opaque, width: scaledWidth, height: scaledHeight)
    let isWhole = surface.withBytes { target, stride in
      bytes.withUnsafeBufferPointer {
        tjDecompress2(
          decoder, $0.baseAddress, UInt($0.count), target.baseAddress, Int32(scaledWidth),
          Int32(stride), Int32(scaledHeight), Int32(TJPF_BGRX.rawValue), TJFLAG_LIMITSCANS) == 0
      }
    }
    guard isWhole || isWarningOnly(decoder) else { throw .damaged }
    return surface
  }

  /// True if the library only warned of a fault that is not visible, such as a few extra bytes,
  /// which many files have. If the data ends too early, the rest of the picture is grey, so the
  /// file is treated as damaged.
  private static func isWarningOnly(_ decoder: tjhandle) -> Bool {
    guard tjGetErrorCode(decoder) == TJERR_WARNING.rawValue,
      let message = tjGetErrorStr2(decoder)
    else { return false }
    return !String(cString: message).lowercased().contains("premature")
  }

  /// The number of start-of-scan markers, 0xFF 0xDA. The data of a scan never contains these two
  /// bytes. Other parts may contain them by chance. The count is then too high, which only makes
  /// the limits stricter. The count is never too low.
  private static func scanCount(_ bytes: [UInt8]) -> Int {
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
