internal import Glibc

/// A FLAC frame header (RFC 9639, section 9.1), read without libFLAC. It is used for seeking, and for searches in
/// damaged files and in streams without STREAMINFO.
struct FLACFrameHeader: Equatable {
  /// Size of the longest header in bytes: 4 fixed bytes, 7 for the coded number, 2 for the block size, 2 for the rate,
  /// 1 for the CRC.
  static let maximumBytes = 16

  /// True if the blocks of the stream differ in size. In this case ``number`` counts frames instead of blocks.
  let isVariable: Bool
  /// The coded number: the number of the block, or the number of its first frame.
  let number: Int64
  /// Frames in the block, 1 … 65 536.
  let blockSize: Int
  /// In Hz; nil if only STREAMINFO contains the rate.
  let sampleRate: Int?
  /// 1 … 8.
  let channels: Int
  /// 8 … 32; nil if only STREAMINFO contains the bit depth.
  let bitsPerSample: Int?

  /// Reads the header at the start of `bytes`. Nil if there is no header, if its CRC-8 is wrong, or if a part of it is
  /// missing.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
    let sizeCode = bytes[2] >> 4
    let rateCode = bytes[2] & 15
    let channelCode = bytes[3] >> 4
    let bitsCode = Int(bytes[3] >> 1 & 7)
    guard sizeCode != 0, rateCode != 15, channelCode < 11, bitsCode != 3, bytes[3] & 1 == 0
    else { return nil }
    isVariable = bytes[1] & 1 == 1

    // The number of leading 1 bits in the first byte is the size of the coded number in bytes. Without leading 1 bits
    // the size is one byte. Only a number that counts frames can have seven bytes.
    let ones = (~bytes[4]).leadingZeroBitCount
    guard ones != 1, ones < (isVariable ? 8 : 7) else { return nil }
    var end = 4 + max(ones, 1)
    let sizeBytes = sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0
    let rateBytes = rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0
    guard end + sizeBytes + rateBytes < bytes.count else { return nil }
    var number = Int64(bytes[4] & UInt8(0x7F >> ones))
    for byte in bytes[5..<end] {
      guard byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int64(byte & 0x3F)
    }
    self.number = number

    func read(_ count: Int) -> Int {
      defer { end += count }
      return bytes[end..<end + count].reduce(0) { $0 << 8 | Int($1) }
    }
    blockSize =
      switch sizeCode {
      case 1: 192
      case 2...5: 576 << (Int(sizeCode) - 2)
      case 6: read(1) + 1
      case 7: read(2) + 1
      default: 256 << (Int(sizeCode) - 8)
      }
    sampleRate =
      switch rateCode {
      case 0: nil
      case 12: read(1) * 1000
      case 13: read(2)
      case 14: read(2) * 10
      default: Self.rates[Int(rateCode)]
      }
    channels = channelCode < 8 ? Int(channelCode) + 1 : 2
    bitsPerSample = [nil, 8, 12, nil, 16, 20, 24, 32][bitsCode]
    guard Self.crc8(bytes[..<end]) == bytes[end] else { return nil }
  }

  private static let rates = [
    0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
  ]

  /// Number of samples that libFLAC decodes before it detects whether the FLAC frame is complete.
  var sampleCount: Int { blockSize * channels }

  /// The limit for a FLAC frame with this header, in bytes: twice the largest size that an encoder needs. The largest
  /// size is the uncompressed samples, one more bit for each sample because of a side channel, and 256 bytes for
  /// headers.
  var maximumFrameBytes: Int { 2 * (sampleCount * ((bitsPerSample ?? 32) + 1) / 8 + 256) }

  /// The first FLAC frame header in `bytes`.
  static func first(in bytes: UnsafeRawBufferPointer) -> (index: Int, header: FLACFrameHeader)? {
    guard let base = bytes.baseAddress else { return nil }
    var index = 0
    while index < bytes.count,
      let found = memchr(base + index, 0xFF, bytes.count - index)
    {
      index = UnsafeRawPointer(found) - base
      if let header = FLACFrameHeader(UnsafeRawBufferPointer(rebasing: bytes[index...])) {
        return (index, header)
      }
      index += 1
    }
    return nil
  }

  /// The index in `bytes` at which the first FLAC frame header begins.
  static func firstIndex(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { first(in: $0)?.index }
  }

  /// Polynomial x⁸ + x² + x + 1, RFC 9639, section 9.1.8.
  private static func crc8(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt8 {
    bytes.reduce(0) { crc, byte in
      (0..<8).reduce(crc ^ byte) { value, _ in value << 1 ^ (value & 0x80 != 0 ? 0x07 : 0) }
    }
  }
}
