/// The CRC-32 of annex D of the PNG standard, which zip and Ethernet use too. It is computed bit by bit, because the
/// unit needs it only for short data.
package struct CRC32 {
  private var remainder: UInt32 = 0xFFFF_FFFF

  package init() {}

  /// The checksum of the bytes that were added.
  package var value: UInt32 { ~remainder }

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}
