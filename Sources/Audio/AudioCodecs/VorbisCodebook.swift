/// What a codebook of a Vorbis set-up header says (Vorbis I specification, section 3.2.1).
struct VorbisCodebook {
  let dimensions: Int
  let entries: Int
  /// Entries that are used.
  let words: Int
  /// Its codewords use up all bit patterns, and none twice. libvorbis notices what does not,
  /// but libvorbisfile goes on with a codebook of zeros (xiph/vorbis issue 124).
  let hasWholeTree: Bool

  /// Reads one, and adds what libvorbis allocates for it, also where it is malformed: libvorbis
  /// allocates before it reads.
  /// - Returns: nil where it is malformed, or takes too much.
  init?(_ bits: inout BitReader, _ memory: inout VorbisMemory) {
    memory.addCodebook()
    guard bits.read(24) == 0x564342, let dimensions = bits.read(16), let entries = bits.read(24),
      let ordered = bits.read(1)
    else { return nil }
    // libvorbis' own bound on a codebook's values; beyond it, it refuses.
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
      // libvorbis looks whether the values are there before it makes room for them.
      guard bits.skip(values * (valueBits + 1)) else { return nil }
      memory.addQuantizedValues(values)
    }
    memory.addDecodeTables(words: words, valuesPerWord: lookup > 0 ? dimensions : 0)
  }

  /// The lengths of the codewords.
  private struct Lengths {
    private static let whole = 1 << 32
    var words = 0
    /// How much of all bit patterns the codewords use up.
    private var share = 0

    /// A single codeword is one bit long and leaves the other half unused.
    var isWholeTree: Bool {
      words == 0 || share == (words == 1 ? Self.whole / 2 : Self.whole)
    }

    /// Runs of equal lengths, which grow.
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

    /// One by one, with entries left out or without.
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

  /// Section 9.2.1, `ilog`.
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
    // Roots above one leave the loop in `fits` within 24 steps, so this is quick.
    while high - low > 1 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
