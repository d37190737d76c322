/// Reads the width and height of a JPEG (ITU-T T.81, annex B). These numbers are in the frame header of the JPEG. Other
/// segments can precede the frame header. These segments are skipped by their lengths.
enum JPEGHeader {
  /// Limit for markers and fill bytes before the frame header. Even a large colour profile and the largest preview have
  /// only 255 segments each.
  static let maximumSteps = 1024

  static func size(_ header: inout HeaderBytes) throws(CoverFault) -> (width: Int, height: Int) {
    var offset = 2  // after SOI
    for _ in 0..<maximumSteps {
      guard try header.byte(offset) == 0xFF else {
        throw .damaged("is a JPEG with other bytes where a marker should be")
      }
      let marker = try header.byte(offset + 1)
      switch marker {
      case 0xFF:  // B.1.1.2: a fill byte
        offset += 1
        continue
      case 0xC0, 0xC1, 0xC2:
        return try frame(&header, at: offset + 2)
      case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        // Table B.1: the frame headers of lossless, hierarchical and arithmetic-coded JPEGs.
        throw .unsupported(
          "is a JPEG of a rarely supported kind (SOF\(marker - 0xC0))")
      case 0x00, 0x01, 0xD0...0xD8:
        throw .damaged("is a JPEG with a stray marker in its header")
      case 0xD9, 0xDA:
        throw .damaged("is a JPEG without a frame header")
      default:
        let length = try header.number16(offset + 2)
        guard length >= 2 else { throw .damaged("is a JPEG with a segment of \(length) bytes") }
        offset += 2 + length
      }
    }
    throw .damaged("is a JPEG with more than \(maximumSteps) segments in its header")
  }

  /// Reads the frame header (B.2.2).
  private static func frame(_ header: inout HeaderBytes, at offset: Int) throws(CoverFault)
    -> (width: Int, height: Int)
  {
    let length = try header.number16(offset)
    let precision = try header.byte(offset + 2)
    let height = try header.number16(offset + 3)
    let width = try header.number16(offset + 5)
    let components = Int(try header.byte(offset + 7))
    guard [1, 3, 4].contains(components), length == 8 + 3 * components else {
      throw .damaged("is a JPEG with a broken frame header")
    }
    _ = try header.byte(offset + length - 1)
    guard precision == 8 else { throw .unsupported("is a JPEG with \(precision) bits per sample") }
    // A height of 0 is legal if a segment after the pixels contains the height, but no program writes such a file.
    guard width > 0, height > 0 else { throw .damaged("is a JPEG of \(width)×\(height) pixels") }
    return (width, height)
  }
}
