/// Reads bits in the order of Vorbis: the least significant bit first (Vorbis I specification, section 2.1).
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The next `count` bits, 0 … 32; nil if fewer bits are left.
  mutating func read(_ count: Int) -> Int? {
    guard count <= bytes.count * 8 - position else { return nil }
    var result = 0
    var got = 0
    while got < count {
      let byte = Int(bytes[bytes.startIndex + position >> 3])
      let take = min(8 - position & 7, count - got)
      result |= (byte >> (position & 7) & (1 << take - 1)) << got
      got += take
      position += take
    }
    return result
  }

  /// Skips `count` bits. Returns false if fewer bits are left.
  mutating func skip(_ count: Int) -> Bool {
    guard count <= bytes.count * 8 - position else { return false }
    position += count
    return true
  }
}
