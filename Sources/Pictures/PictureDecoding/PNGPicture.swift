internal import CPNG

/// Decodes PNG with libpng.
enum PNGPicture {
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: DecodingLimits, _ output: ScaledOutput
  ) throws(DecodingError) {
    // libpng reports a size above its limits as an error of the data. So the size is checked here first, to report the
    // right reason. The first chunk of a PNG file is the header.
    func number(_ offset: Int) -> Int {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count > 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { throw .damaged }
    guard (1...limits.side).contains(number(16)), (1...limits.side).contains(number(20)) else {
      throw .tooLarge
    }
    var bounds = png_rows_limits(
      side: UInt32(limits.side), pixels: UInt64(limits.pixels),
      held_bytes: UInt64(limits.heldBytes), chunk_bytes: UInt32(limits.chunkBytes))
    let result = png_rows_decode(
      bytes.baseAddress, bytes.count, &bounds,
      { context, width, height in
        ScaledOutput.from(context).begin(width: Int(width), height: Int(height))
        return true
      },
      { context, row in
        if let row { ScaledOutput.from(context).add(row) }
      },
      Unmanaged.passUnretained(output).toOpaque())
    switch result {
    case PNG_ROWS_DECODED: return
    case PNG_ROWS_TOO_LARGE: throw .tooLarge
    default: throw .damaged
    }
  }
}

extension ScaledOutput {
  /// The object that a C callback receives as its context.
  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> ScaledOutput {
    Unmanaged<ScaledOutput>.fromOpaque(context!).takeUnretainedValue()
  }
}
