@testable import AudioCodecs

/// Bytes that look like FLAC frames and Ogg pages, but are not valid. No encoder writes them.
enum GeneratedDamage {
  /// A FLAC frame with eight channels of silence, a valid header and a wrong checksum. A decoder makes half a million
  /// samples from these 34 bytes.
  static func falseFrame(_ number: UInt8 = 0) -> [UInt8] {
    // 65535 frames, 44100 Hz, eight channels, 16 bits.
    let header: [UInt8] = [0xFF, 0xF8, 0x79, 0x78, number & 0x7F, 0xFF, 0xFE]
    // Eight constant subframes, and the wrong checksum.
    return header + [crc8(header)] + (0..<8).flatMap { _ in [0, 0, 1] as [UInt8] } + [0, 0]
  }

  /// A FLAC frame whose number of wasted bits exceeds the bits of a sample.
  static func frameOfWastedBits() -> [UInt8] {
    let header: [UInt8] = [0xFF, 0xF8, 0x79, 0x08, 0, 0xFF, 0xFE]
    return header + [crc8(header)] + [1, 0, 0, 0, 0, 1, 0, 0]
  }

  /// The header of an Ogg page of 64 KB, followed by zeros. Header and zeros have only `count` bytes in total; `count`
  /// must be 282 or more.
  static func falsePage(_ count: Int) -> [UInt8] {
    Array("OggS".utf8) + [UInt8](repeating: 0, count: 22)
      + [UInt8](repeating: 0xFF, count: 256) + [UInt8](repeating: 0, count: count - 282)
  }

  /// The CRC-8 of FLAC: RFC 9639, section 9.1.8.
  static func crc8(_ bytes: [UInt8]) -> UInt8 {
    bytes.reduce(0) { crc, byte in
      (0..<8).reduce(crc ^ byte) { value, _ in value << 1 ^ (value & 0x80 != 0 ? 0x07 : 0) }
    }
  }
}

/// An Ogg page from the file of an encoder. Tests modify it.
struct OggTestPage {
  var bytes: [UInt8]

  /// The pages of a file that consists of pages only.
  static func pages(_ file: [UInt8]) -> [OggTestPage] {
    var pages: [OggTestPage] = []
    var start = 0
    while start < file.count {
      let segments = Int(file[start + 26])
      let body = file[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
      let end = start + 27 + segments + body
      pages.append(OggTestPage(bytes: Array(file[start..<end])))
      start = end
    }
    return pages
  }

  var serial: UInt32 {
    get { UInt32(littleEndian: bytes[14...]) }
    set { put(newValue, at: 14) }
  }

  var number: UInt32 {
    get { UInt32(littleEndian: bytes[18...]) }
    set { put(newValue, at: 18) }
  }

  private mutating func put(_ value: UInt32, at offset: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    // Correct the checksum of the page: RFC 3533, section 6.
    for index in 22..<26 { bytes[index] = 0 }
    var crc: UInt32 = 0
    for byte in bytes {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc << 1 ^ (crc >> 31) &* 0x04C1_1DB7 }
    }
    for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: crc >> (8 * index)) }
  }
}

/// True if two long lists are equal. `#expect` on the lists themselves would compute their difference for minutes.
func isSame<Element: Equatable>(_ a: [Element], _ b: some Collection<Element>) -> Bool {
  a.elementsEqual(b)
}
