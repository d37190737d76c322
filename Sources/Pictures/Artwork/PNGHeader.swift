internal import Files

/// Reads the width and height of a PNG (ISO/IEC 15948, clauses 5 and 11.2.2). These numbers are always in the first 33
/// bytes.
enum PNGHeader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func size(_ header: inout HeaderBytes) throws(CoverFault) -> (width: Int, height: Int) {
    guard try header.number32(8) == 13, try header.number32(12) == 0x4948_4452 else {
      throw .damaged("is a PNG that does not begin with IHDR")
    }
    let checksum = try header.number32(29)
    let bytes = try header.first(29)
    // The CRC of annex D covers the type and the data of the chunk.
    var computed = CRC32()
    computed.add(bytes[12..<29])
    guard checksum == Int(computed.value) else {
      throw .damaged("is a PNG whose header has a wrong checksum")
    }
    let width = try header.number32(16)
    let height = try header.number32(20)
    guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else {
      throw .damaged("is a PNG of \(width)×\(height) pixels")
    }
    // Table 11.1: the bit depths that each colour type allows.
    let depths: [UInt8: [UInt8]] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    guard depths[bytes[25]]?.contains(bytes[24]) == true, bytes[26] == 0, bytes[27] == 0,
      bytes[28] <= 1
    else { throw .damaged("is a PNG with an invalid value in its header") }
    return (width, height)
  }
}
