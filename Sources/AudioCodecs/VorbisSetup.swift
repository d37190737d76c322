/// Walks a Vorbis set-up header (Vorbis I specification, section 4.2.4), to know what its tables
/// will cost before libvorbis builds them, and whether it can: a few bytes can ask for gigabytes,
/// and what it cannot build it divides by later.
enum VorbisSetup {
  /// What all tables of a stream may take. Those of real encoders stay below 2 MB.
  static let maximumTableBytes = 32 << 20
  /// libvorbis sorts a codebook's words by pointers that it keeps on the stack (`alloca` in
  /// `vorbis_book_init_decode`): these take 256 KB of the decode thread's megabyte.
  static let maximumWords = 32768

  /// Why the packet may not be handed to libvorbis; nil where it may. What is malformed is
  /// harmless: libvorbis refuses it.
  static func problem(_ packet: [UInt8]) -> String? {
    guard packet.starts(with: [5] + Array("vorbis".utf8)) else { return nil }
    var bits = BitReader(packet.dropFirst(7))
    guard let count = bits.read(8) else { return nil }
    var total = 0
    var books: [Codebook] = []
    for _ in 0...count {
      guard let book = codebook(&bits) else { return nil }
      books.append(book)
      total += book.cost
      if total > maximumTableBytes {
        return "its codebooks would take over \(maximumTableBytes >> 20) MB"
      }
      guard book.words <= maximumWords else {
        return "one of its codebooks has over \(maximumWords) codewords"
      }
      guard book.hasWholeTree else { return "one of its codebooks is damaged" }
    }
    guard skipTimes(&bits), skipFloors(&bits), let residues = bits.read(6) else { return nil }
    for _ in 0...residues {
      guard let cost = residueCost(&bits, books) else { return nil }
      total += cost
      if total > maximumTableBytes {
        return "its residues would take over \(maximumTableBytes >> 20) MB"
      }
    }
    return nil
  }

  private struct Codebook {
    /// Entries that are used.
    let words: Int
    let dimensions: Int
    let entries: Int
    /// Bytes that libvorbis will allocate for it.
    let cost: Int
    /// Its codewords use up all bit patterns, and none twice. libvorbis notices what does not,
    /// but libvorbisfile goes on with a codebook of zeros (xiph/vorbis issue 124).
    let hasWholeTree: Bool
  }

  /// Section 3.2.1; nil where it is malformed.
  private static func codebook(_ bits: inout BitReader) -> Codebook? {
    guard bits.read(24) == 0x564342, let dimensions = bits.read(16), let entries = bits.read(24),
      let ordered = bits.read(1)
    else { return nil }
    // libvorbis' own bound on a codebook's values; beyond it, it refuses.
    guard bitWidth(dimensions) + bitWidth(entries) <= 24 else { return nil }
    // How many codewords there are, and how much of all bit patterns they use up.
    var words = 0
    var share = 0
    let whole = 1 << 32
    if ordered == 1 {
      guard var length = bits.read(5) else { return nil }
      while words < entries {
        length += 1
        guard length <= 32, let run = bits.read(bitWidth(entries - words)),
          run <= entries - words
        else { return nil }
        words += run
        share += run * (whole >> length)
      }
    } else {
      guard let sparse = bits.read(1) else { return nil }
      for _ in 0..<entries {
        guard let used = sparse == 1 ? bits.read(1) : 1 else { return nil }
        guard used == 1 else { continue }
        guard let length = bits.read(5) else { return nil }
        words += 1
        share += whole >> (length + 1)
      }
    }
    // A single codeword is one bit long and leaves the other half unused (section 3.2.1).
    let hasWholeTree = words == 0 || share == (words == 1 ? whole / 2 : whole)
    guard let lookup = bits.read(4), lookup <= 2 else { return nil }
    if lookup > 0 {
      guard bits.skip(64), let valueBits = bits.read(4), bits.skip(1) else { return nil }
      let values = lookup == 1 ? latticeSize(entries, dimensions) : entries * dimensions
      guard bits.skip(values * (valueBits + 1)) else { return nil }
    }
    // Per entry: a long for its length, a codeword, an index, a sorting pointer; and for a
    // lookup one float per value.
    let cost = entries * 28 + (lookup > 0 ? entries * dimensions * 4 : 0)
    return Codebook(
      words: words, dimensions: dimensions, entries: entries, cost: cost, hasWholeTree: hasWholeTree
    )
  }

  /// Section 4.2.4, part 2: placeholders.
  private static func skipTimes(_ bits: inout BitReader) -> Bool {
    guard let count = bits.read(6) else { return false }
    return bits.skip((count + 1) * 16)
  }

  /// Sections 6.2.1 and 7.2.2. Floors cost little; what follows them is what is looked for.
  private static func skipFloors(_ bits: inout BitReader) -> Bool {
    guard let count = bits.read(6) else { return false }
    for _ in 0...count {
      switch bits.read(16) {
      case 0:
        guard bits.skip(54), let books = bits.read(4), bits.skip((books + 1) * 8) else {
          return false
        }
      case 1:
        guard skipFloor1(&bits) else { return false }
      default:
        return false
      }
    }
    return true
  }

  private static func skipFloor1(_ bits: inout BitReader) -> Bool {
    guard let partitions = bits.read(5) else { return false }
    var classes: [Int] = []
    for _ in 0..<partitions {
      guard let number = bits.read(4) else { return false }
      classes.append(number)
    }
    var dimensions: [Int] = []
    for _ in 0..<((classes.max() ?? -1) + 1) {
      guard let less = bits.read(3), let subclasses = bits.read(2),
        bits.skip((subclasses > 0 ? 8 : 0) + (8 << subclasses))
      else { return false }
      dimensions.append(less + 1)
    }
    guard bits.skip(2), let rangeBits = bits.read(4) else { return false }
    return bits.skip(classes.reduce(0) { $0 + dimensions[$1] } * rangeBits)
  }

  /// Section 8.6.1. For each value of the residue's classbook libvorbis keeps the list of
  /// classifications that it stands for, an allocation each; nil where it is malformed.
  private static func residueCost(_ bits: inout BitReader, _ books: [Codebook]) -> Int? {
    guard bits.skip(16 + 72), let less = bits.read(6), let bookNumber = bits.read(8) else {
      return nil
    }
    var stages = 0
    for _ in 0...less {
      guard let low = bits.read(3), let hasHigh = bits.read(1),
        let high = hasHigh == 1 ? bits.read(5) : 0
      else { return nil }
      stages += low.nonzeroBitCount + high.nonzeroBitCount
    }
    guard bits.skip(stages * 8), bookNumber < books.count else { return nil }
    let book = books[bookNumber]
    var values = 1
    for _ in 0..<book.dimensions where less > 0 {
      values *= less + 1
      // libvorbis refuses it.
      if values > book.entries { return nil }
    }
    // A pointer, and a block of one int per dimension, which malloc rounds up.
    return values * (8 + 24 + book.dimensions * 4)
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
