/// Reads a Vorbis set-up header (Vorbis I specification, section 4.2.4) before libvorbis does, to compute the memory of
/// its tables and to check that libvorbis can build them. A few bytes of the header can request gigabytes of memory. If
/// libvorbis cannot build a table, it later divides by zero.
struct VorbisSetup {
  /// The memory that libvorbis may allocate for a stream, see ``VorbisMemory``. Streams of real encoders need 0.2 to
  /// 1.2 MB. Only one stream is open at a time. `VorbisMemoryTests` checks that Vorbis files take at most 32 MB in
  /// total. The rest of these 32 MB is for packets, and for gaps that one stream leaves in the memory and that the
  /// allocator cannot use for the next stream.
  static let maximumTableBytes = 8 << 20
  /// The limit for the codewords of a codebook. To sort the codewords, libvorbis puts pointers and indices on the stack
  /// (`alloca` in `vorbis_book_init_decode`). For this number of codewords, they take 384 KB. The stack of the decode
  /// thread has one megabyte.
  static let maximumWords = 32768
  /// The limit for a set-up header. Set-up headers of real encoders are 2 to 11 KB long.
  static let maximumBytes = 1 << 20
  /// The largest number of modes. The header states the number in 6 bits.
  private static let maximumModes = 64

  /// The reason why libvorbis must not read a packet.
  enum Problem {
    /// The decoding tables need more than ``VorbisSetup/maximumTableBytes``.
    case largeTables
    /// A codebook has more than ``VorbisSetup/maximumWords`` codewords.
    case manyCodewords
    /// The codewords of a codebook are not a complete tree.
    case damagedCodebook

    /// The problem as text for messages.
    var text: String {
      switch self {
      case .largeTables:
        "the decoding tables need more than \(VorbisSetup.maximumTableBytes >> 20) MB"
      case .manyCodewords: "a codebook has more than \(VorbisSetup.maximumWords) codewords"
      case .damagedCodebook: "a codebook is damaged"
      }
    }
  }

  /// The reason why libvorbis must not read the packet; nil if libvorbis can read it. The result is nil for a malformed
  /// packet too, because libvorbis itself refuses a malformed packet.
  static func problem(_ packet: [UInt8], stream: VorbisMemory.Stream = .largest) -> Problem? {
    guard packet.starts(with: [5] + Array("vorbis".utf8)) else { return nil }
    var setup = VorbisSetup(packet, stream)
    let problem = setup.walk()
    if setup.memory.isExceeded { return .largeTables }
    return problem
  }

  /// The memory in bytes that libvorbis allocates for the packet. The sum ends at the first part that is malformed or
  /// that ``problem(_:stream:)`` refuses.
  static func bytes(_ packet: [UInt8], stream: VorbisMemory.Stream = .largest) -> Int {
    var setup = VorbisSetup(packet, stream)
    _ = setup.walk()
    return setup.memory.total
  }

  private var bits: BitReader
  private var memory: VorbisMemory
  private var books: [VorbisCodebook] = []

  private init(_ packet: [UInt8], _ stream: VorbisMemory.Stream) {
    bits = BitReader(packet.dropFirst(7))
    memory = VorbisMemory(stream)
    memory.addPacket(packet.count)
  }

  /// Reads the packet and adds up the memory that libvorbis allocates for it. Stops at a malformed part, or if the
  /// memory exceeds the limit.
  private mutating func walk() -> Problem? {
    guard let count = bits.read(8) else { return nil }
    for _ in 0...count {
      guard let book = VorbisCodebook(&bits, &memory), !memory.isExceeded else { return nil }
      guard book.words <= Self.maximumWords else { return .manyCodewords }
      guard book.hasWholeTree else { return .damagedCodebook }
      books.append(book)
    }
    guard skipTimes(), addFloors(), let residues = bits.read(6) else { return nil }
    for _ in 0...residues {
      guard addResidue(), !memory.isExceeded else { return nil }
    }
    guard let mappings = bits.read(6) else { return nil }
    memory.addMappings(mappings + 1)
    memory.addModes(Self.maximumModes)
    return nil
  }

  /// Skips the time domain transforms, which are only placeholders (section 4.2.4, part 2).
  private mutating func skipTimes() -> Bool {
    guard let count = bits.read(6) else { return false }
    return bits.skip((count + 1) * 16)
  }

  /// Reads the floors (section 4.2.4, part 3).
  private mutating func addFloors() -> Bool {
    guard let count = bits.read(6) else { return false }
    for _ in 0...count {
      switch bits.read(16) {
      case 0: guard addFloor0() else { return false }
      case 1: guard addFloor1() else { return false }
      default: return false
      }
    }
    return true
  }

  /// Reads a floor of type 0 (section 6.2.1).
  private mutating func addFloor0() -> Bool {
    guard let order = bits.read(8), bits.skip(46), let less = bits.read(4) else { return false }
    var dimensions = 0
    for _ in 0...less {
      guard let number = bits.read(8), number < books.count else { return false }
      dimensions = max(dimensions, books[number].dimensions)
    }
    memory.addFloor0(coefficients: order + dimensions)
    return true
  }

  /// Reads a floor of type 1 (section 7.2.2).
  private mutating func addFloor1() -> Bool {
    memory.addFloor1()
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

  /// Reads a residue (section 8.6.1).
  private mutating func addResidue() -> Bool {
    memory.addResidue()
    guard bits.skip(16 + 72), let less = bits.read(6), let bookNumber = bits.read(8) else {
      return false
    }
    var stages: [Int] = []
    var stageBooks = 0
    for _ in 0...less {
      guard let low = bits.read(3), let hasHigh = bits.read(1),
        let high = hasHigh == 1 ? bits.read(5) : 0
      else { return false }
      stages.append(VorbisCodebook.bitWidth(high << 3 | low))
      stageBooks += low.nonzeroBitCount + high.nonzeroBitCount
    }
    guard bits.skip(stageBooks * 8), bookNumber < books.count else { return false }
    let book = books[bookNumber]
    var values = 1
    for _ in 0..<book.dimensions where less > 0 {
      values *= less + 1
      // libvorbis refuses a residue with more values than the codebook has entries.
      if values > book.entries { return false }
    }
    memory.addStages(stages)
    memory.addClassifications(values: values, dimensions: book.dimensions)
    return true
  }
}
