/// Walks the codebooks of a Vorbis set-up header (Vorbis I specification, section 3.2.1), to know
/// what they will cost before libvorbis builds them: a few bytes can ask for gigabytes.
enum VorbisSetup {
  /// What all codebooks of a stream may take. The largest of real encoders stay below 2 MB.
  static let maximumTableBytes = 32 << 20

  /// Why the packet may not be handed to libvorbis; nil where it may. What is malformed is
  /// harmless: libvorbis refuses it.
  static func problem(_ packet: [UInt8]) -> String? {
    guard packet.starts(with: [5] + Array("vorbis".utf8)) else { return nil }
    var bits = BitReader(packet.dropFirst(7))
    guard let count = bits.read(8) else { return nil }
    var total = 0
    for _ in 0...count {
      guard let cost = codebookCost(&bits) else { return nil }
      total += cost
      if total > maximumTableBytes {
        return "its codebooks would take over \(maximumTableBytes >> 20) MB"
      }
    }
    return nil
  }

  /// Bytes that libvorbis will allocate for one codebook; nil where it is malformed.
  private static func codebookCost(_ bits: inout BitReader) -> Int? {
    guard bits.read(24) == 0x564342, let dimensions = bits.read(16), let entries = bits.read(24),
      let ordered = bits.read(1)
    else { return nil }
    // libvorbis' own bound on a codebook's values; beyond it, it refuses.
    guard bitWidth(dimensions) + bitWidth(entries) <= 24 else { return nil }
    if ordered == 1 {
      guard bits.read(5) != nil else { return nil }
      var current = 0
      while current < entries {
        guard let run = bits.read(bitWidth(entries - current)) else { return nil }
        // A run of none is legal once per length; 32 lengths at most, so this ends.
        current += run
        if run == 0, bits.isAtEnd { return nil }
      }
    } else {
      guard let sparse = bits.read(1) else { return nil }
      if sparse == 0 {
        guard bits.skip(entries * 5) else { return nil }
      } else {
        for _ in 0..<entries {
          guard let used = bits.read(1) else { return nil }
          if used == 1, !bits.skip(5) { return nil }
        }
      }
    }
    guard let lookup = bits.read(4), lookup <= 2 else { return nil }
    if lookup > 0 {
      guard bits.skip(64), let valueBits = bits.read(4), bits.skip(1) else { return nil }
      let values = lookup == 1 ? latticeSize(entries, dimensions) : entries * dimensions
      guard bits.skip(values * (valueBits + 1)) else { return nil }
    }
    // Per entry: a long for its length, a codeword, an index, a sorting pointer; and for a
    // lookup one float per value.
    return entries * 28 + (lookup > 0 ? entries * dimensions * 4 : 0)
  }

  /// Section 9.2.1, `ilog`.
  private static func bitWidth(_ value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }

  /// Section 9.2.3, `lookup1_values`: the largest r with rᵈ ≤ entries.
  private static func latticeSize(_ entries: Int, _ dimensions: Int) -> Int {
    guard dimensions > 0 else { return 0 }
    func fits(_ root: Int) -> Bool {
      var product = 1
      for _ in 0..<dimensions {
        product *= root
        if product > entries { return false }
      }
      return true
    }
    var low = 0
    var high = entries + 1
    // Roots above one leave the loop in `fits` within 24 steps, so this is quick.
    while high - low > 1 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }
}

/// Reads bits the way Vorbis packs them: least significant first (section 2.1).
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count * 8 }

  /// The next `count` bits, 0 … 32; nil at the end.
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

  /// Whether `count` bits could be passed over.
  mutating func skip(_ count: Int) -> Bool {
    guard count <= bytes.count * 8 - position else { return false }
    position += count
    return true
  }
}
