/// Recognises a FLAC frame header (RFC 9639, section 9.1), for streams that begin in the middle:
/// recorded from a broadcast, or cut.
enum FLACFrameHeader {
  /// The longest header: 4 bytes, 7 of coded number, 2 of block size, 2 of rate, 1 of CRC.
  static let maximumBytes = 16

  /// Whether a frame header with a right CRC-8 starts at `index`.
  static func isValid(_ bytes: [UInt8], at index: Int) -> Bool {
    guard index + 6 <= bytes.count, bytes[index] == 0xFF, bytes[index + 1] & 0xFE == 0xF8 else {
      return false
    }
    let blockSizeCode = bytes[index + 2] >> 4
    let rateCode = bytes[index + 2] & 15
    let channelCode = bytes[index + 3] >> 4
    let bitsCode = bytes[index + 3] >> 1 & 7
    guard blockSizeCode != 0, rateCode != 15, channelCode < 11, bitsCode != 3,
      bytes[index + 3] & 1 == 0
    else { return false }

    var end = index + 4
    // The coded number has as many bytes as its first one has leading ones (none: one byte).
    let ones = (~bytes[end]).leadingZeroBitCount
    guard ones != 1, ones < 8 else { return false }
    end += max(ones, 1)
    if blockSizeCode == 6 { end += 1 } else if blockSizeCode == 7 { end += 2 }
    if rateCode == 12 { end += 1 } else if rateCode > 12 { end += 2 }
    guard end < bytes.count else { return false }
    return crc8(bytes[index..<end]) == bytes[end]
  }

  /// The first frame header in `bytes`.
  static func firstIndex(in bytes: [UInt8]) -> Int? {
    bytes.indices.first { isValid(bytes, at: $0) }
  }

  /// Polynomial x⁸ + x² + x + 1, RFC 9639, section 9.1.8.
  private static func crc8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { crc, byte in
      (0..<8).reduce(crc ^ byte) { value, _ in value << 1 ^ (value & 0x80 != 0 ? 0x07 : 0) }
    }
  }
}
