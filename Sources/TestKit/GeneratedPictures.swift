/// Bytes of picture files. The headers are correct, but the pixels are not meant to be decoded.
public enum GeneratedPictures {
  /// A big-endian number.
  public static func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A JPEG with a correct header. Different values of `mark` give different files.
  public static func jpeg(_ width: Int = 600, _ height: Int = 600, mark: Int = 0) -> [UInt8] {
    [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + number(mark, bytes: 8))
      + frame(width, height) + [0xFF, 0xDA] + number(8, bytes: 2) + [1, 1, 0, 0, 63, 0]
      + [UInt8](repeating: 0x55, count: 40) + [0xFF, 0xD9]
  }

  /// One segment of a JPEG.
  public static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + number(body.count + 2, bytes: 2) + body
  }

  /// The segment of a JPEG that contains the size of the picture (SOF).
  public static func frame(
    _ width: Int, _ height: Int, marker: UInt8 = 0xC0, precision: UInt8 = 8, components: Int = 3
  ) -> [UInt8] {
    segment(
      marker,
      [precision] + number(height, bytes: 2) + number(width, bytes: 2) + [UInt8(components)]
        + (0..<components).flatMap { [UInt8($0 + 1), 0x11, 0] })
  }

  /// A PNG with a correct header.
  public static func png(
    _ width: Int = 600, _ height: Int = 600, depth: UInt8 = 8, colour: UInt8 = 2,
    rest: [UInt8] = [0, 0, 0]
  ) -> [UInt8] {
    let header = Array("IHDR".utf8) + number(width) + number(height) + [depth, colour] + rest
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + number(13) + header
      + number(Int(crc32(header))) + number(0) + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
  }

  /// The CRC-32 of PNG.
  public static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 != 0 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }
}
