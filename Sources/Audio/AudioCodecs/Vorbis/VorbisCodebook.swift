/// A codebook of a Vorbis set-up header (Vorbis I specification, section 3.2.1).
struct VorbisCodebook {
  let dimensions: Int
  let entries: Int
  /// Number of entries that are used.
  let words: Int
  /// True if the codewords use all bit patterns, and no bit pattern twice. If this is false, libvorbis reports an
  /// error, but libvorbisfile continues with a codebook of zeros (xiph/vorbis issue 124).
  let hasWholeTree: Bool

  /// Reads a codebook. Adds to `memory` the bytes that libvorbis allocates for the codebook. The bytes of a malformed
  /// codebook are added too, because libvorbis allocates memory before it has read the whole codebook.
  /// - Returns: nil if the codebook is malformed, or takes too much memory.
  init?(_ bits: inout BitReader, _ memory: inout VorbisMemory) {
    memory.addCodebook()
    guard bits.read(24) == 0x564342, let dimensions = bits.read(16), let entries = bits.read(24),
      let ordered = bits.read(1)
    else { return nil }
    // libvorbis refuses a codebook for which this sum is larger.
    guard Self.bitWidth(dimensions) + Self.bitWidth(entries) <= 24 else { return nil }
    memory.addLengths(entries: entries)
    guard !memory.isExceeded,
      let lengths = ordered == 1
        ? Lengths(ordered: entries, &bits) : Lengths(listed: entries, &bits)
    else { return nil }
    self.dimensions = dimensions
    self.entries = entries
    words = lengths.words
    hasWholeTree = lengths.isWholeTree
    guard let lookup = bits.read(4), lookup <= 2 else { return nil }
    if lookup > 0 {
      guard bits.skip(64), let valueBits = bits.read(4), bits.skip(1) else { return nil }
      let values = lookup == 1 ? Self.latticeSize(entries, dimensions) : entries * dimensions
      // libvorbis checks that the values exist before it allocates memory for them.
      guard bits.skip(values * (valueBits + 1)) else { return nil }
      memory.addQuantizedValues(values)
    }
    memory.addDecodeTables(words: words, valuesPerWord: lookup > 0 ? dimensions : 0)
  }

  /// The lengths of the codewords.
  private struct Lengths {
    private static let whole = 1 << 32
    var words = 0
    /// The part of all bit patterns that the codewords use; ``whole`` stands for all bit patterns.
    private var share = 0

    /// If there is only one codeword, it is one bit long. It uses half of the bit patterns, and this counts as a whole
    /// tree.
    var isWholeTree: Bool {
      words == 0 || share == (words == 1 ? Self.whole / 2 : Self.whole)
    }

    /// Reads runs of equal lengths, in increasing order of length.
    init?(ordered entries: Int, _ bits: inout BitReader) {
      guard var length = bits.read(5) else { return nil }
      while words < entries {
        length += 1
        guard length <= 32, let run = bits.read(VorbisCodebook.bitWidth(entries - words)),
          run <= entries - words
        else { return nil }
        words += run
        share += run * (Self.whole >> length)
      }
    }

    /// Reads the lengths one by one. In a sparse codebook, unused entries have no length.
    init?(listed entries: Int, _ bits: inout BitReader) {
      guard let sparse = bits.read(1) else { return nil }
      for _ in 0..<entries {
        guard let used = sparse == 1 ? bits.read(1) : 1 else { return nil }
        guard used == 1 else { continue }
        guard let length = bits.read(5) else { return nil }
        words += 1
        share += Self.whole >> (length + 1)
      }
    }
  }

  /// The number of bits that `value` needs (section 9.2.1, `ilog`).
  static func bitWidth(_ value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }

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
    // For a root above one the loop in `fits` ends within 24 steps, so this is fast.
    while high - low > 1 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
