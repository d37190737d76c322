internal import Glibc

/// One slot of the state file: a header and a payload. The checksum in the header shows whether the slot is whole.
/// The sequence number in the header shows which slot is the newest.
///
///     0   8   "autoharp"
///     8   4   layout, 1
///    12   4   bytes of the payload
///    16   8   sequence number
///    24   8   CRC-64/XZ of bytes 0 … 23 and of the payload
///    32   …   the payload, and zeros up to a whole sector
///
/// Numbers are little-endian.
struct Slot: Equatable {
  /// The size in bytes of a sector on current disks. It is also the size of a page of memory. Only whole sectors are
  /// written, so that the system does not need to read a sector before it changes a part of it.
  static let sector = 4096
  static let headerBytes = 32

  private static let mark = Array("autoharp".utf8)
  private static let layout: UInt32 = 1

  /// The sequence number. Each write increases it by one or more. After the largest value, it starts again at 0.
  var sequence: UInt64
  var payload: [UInt8]

  /// The result of reading the bytes of a slot.
  enum Reading: Equatable {
    case slot(Slot)
    /// The slot was never written.
    case blank
    /// The slot is whole, but this program cannot read its layout.
    case newer
    /// The slot is incomplete, or contains other data.
    case damaged
  }

  /// Reads the bytes of a slot. If the file ends within the slot, `bytes` is shorter than the slot.
  static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
    guard bytes.count >= headerBytes, bytes.prefix(mark.count).elementsEqual(mark) else {
      return isZero(bytes) ? .blank : .damaged
    }
    let layout = UInt32(truncatingIfNeeded: number(bytes, 8, 4))
    let count = Int(clamping: number(bytes, 12, 4))
    guard count <= bytes.count &- headerBytes else { return .damaged }
    let header = bytes.prefix(24)
    let payload = bytes.dropFirst(headerBytes).prefix(count)
    var sum = CRC64()
    sum.add(header)
    sum.add(payload)
    guard sum.value == number(bytes, 24, 8) else { return .damaged }
    guard layout == Self.layout else { return .newer }
    return .slot(Slot(sequence: number(bytes, 16, 8), payload: Array(payload)))
  }

  /// The bytes to write, padded to whole sectors.
  var encoded: [UInt8] {
    var bytes = Self.mark
    Self.append(UInt64(clamping: Self.layout), 4, to: &bytes)
    Self.append(UInt64(clamping: payload.count), 4, to: &bytes)
    Self.append(sequence, 8, to: &bytes)
    var sum = CRC64()
    sum.add(bytes)
    sum.add(payload)
    Self.append(sum.value, 8, to: &bytes)
    bytes += payload
    // in range: sector is not 0
    let padding = (Self.sector - bytes.count % Self.sector) % Self.sector
    return bytes + [UInt8](repeating: 0, count: padding)
  }

  /// True if this slot was written after `other`. The comparison is also correct if the sequence number has started
  /// again at 0.
  func isNewer(than other: Slot) -> Bool { Int64(bitPattern: sequence &- other.sequence) > 0 }

  /// True if all bytes are 0. The first byte must be 0, and one call of `memcmp` compares each byte with the next byte.
  private static func isZero(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count > 1 else { return bytes.allSatisfy { $0 == 0 } }
    return bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress!  // in range: there are bytes
      return buffer[0] == 0 && memcmp(start, start + 1, buffer.count &- 1) == 0  // in range: inside
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ count: Int) -> UInt64 {
    bytes.dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64(clamping: $1) }
  }

  private static func append(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 &* index))) }
  }
}
