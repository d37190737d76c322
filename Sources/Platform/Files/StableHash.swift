/// FNV-1a with 64 bits: equal bytes have the same hash in each run and on each machine. The hash is not cryptographic:
/// it does not protect against an attack.
package struct StableHash: Sendable {
  /// The hash of all bytes that were added.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of an empty sequence of bytes.
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

  /// Adds the byte 0xFF between two texts. UTF-8 never contains this byte, so the end of the first text is unambiguous.
  package mutating func separate() { add(UInt8(0xFF)) }
}
