/// CRC-64/XZ (ECMA-182, reflected). The checksum shows whether a slot was written completely.
///
/// Power cuts damage many slots over the years, so the checksum has 64 bits. On average, it fails to detect only one of
/// 2⁶⁴ damaged slots.
struct CRC64 {
  private static let table: [UInt64] = (0..<256).map { byte in
    (0..<8).reduce(UInt64(byte)) { value, _ in
      value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0xC96C_5795_D787_0F42
    }
  }

  private var register = UInt64.max

  /// The checksum of `bytes`.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var sum = CRC64()
    sum.add(bytes)
    return sum.value
  }

  /// Adds more bytes to the checksum.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    let table = Self.table
    for byte in bytes {
      register = table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ (register >> 8)
    }
  }

  /// The checksum of all bytes so far.
  var value: UInt64 { ~register }
}
