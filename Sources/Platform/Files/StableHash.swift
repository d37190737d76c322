/// FNV-1a with 64 bits: equal bytes have the same hash in each run and on each machine. The hash is for names, and
/// protects from no attack.
package struct StableHash: Sendable {
  /// The hash of all bytes that were added.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of no bytes.
  package init() {}

  /// Adds a byte.
  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// Adds bytes.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// Adds the bytes of a number, the lowest first.
  package mutating func add(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { add($0) }
  }

  /// Adds a byte that no UTF-8 has. It separates two texts.
  package mutating func separate() { add(UInt8(0xFF)) }
}
