internal import CVorbisFile

/// A Vorbis set-up header that a test defines field by field (Vorbis I specification, section 4.2.4). No encoder makes
/// these headers, but libvorbis accepts them.
public struct GeneratedVorbisSetup {
  /// A codebook. All codewords have the same length, so their number is a power of two.
  public struct Book {
    /// How the header stores the lengths of the codewords.
    public enum Lengths: Sendable {
      /// As one run of equal lengths. The header says that the entries are ordered by length.
      case ordered
      /// One length after the other, for all entries.
      case listed
      /// One length after the other. Only the first `words` entries have a codeword.
      case sparse(words: Int)
    }

    var entries: Int
    var dimensions: Int
    var lookup: Int
    var lengths: Lengths
    var length: Int

    /// - Parameters:
    ///   - lookup: the type of the lookup. If the type is not 0, the header contains values of one bit.
    ///   - length: the length of a codeword in bits. If it is nil, the length is chosen so that the codewords form a
    ///     complete tree.
    public init(
      entries: Int, dimensions: Int = 1, lookup: Int = 0, lengths: Lengths = .ordered,
      length: Int? = nil
    ) {
      self.entries = entries
      self.dimensions = dimensions
      self.lookup = lookup
      self.lengths = lengths
      if let length {
        self.length = length
      } else if case .sparse(let words) = lengths {
        self.length = max(1, words.trailingZeroBitCount)
      } else {
        self.length = max(1, entries.trailingZeroBitCount)
      }
    }

    /// The number of lookup values in the header.
    var values: Int {
      switch lookup {
      case 0: 0
      // Type 1 is a lattice: the header contains the values of one dimension. In these tests, a lattice with several
      // dimensions has one or two values.
      case 1: dimensions == 1 ? entries : dimensions > 1 && entries >> dimensions > 0 ? 2 : 1
      default: entries * dimensions
      }
    }
  }

  /// A floor. Type 0 uses the first codebook.
  public enum Floor: Sendable {
    /// Type 0 (line spectral pairs), with one coefficient.
    case zero
    /// Type 1, a straight line.
    case one
  }

  /// A residue. A residue uses the first codebook as its classbook, and as the codebook of all stages.
  public struct Residue: Sendable {
    var type: Int
    var classes: Int
    var stages: Int

    /// - Parameter stages: the number of stages of each class, 0 … 8.
    public init(type: Int = 0, classes: Int = 1, stages: Int = 0) {
      self.type = type
      self.classes = classes
      self.stages = stages
    }
  }

  /// The number of channels.
  public var channels = 1
  /// The codebooks. This list, ``floors`` and ``residues`` must have at least one element.
  public var books = [Book(entries: 2)]
  /// The floors. Packets use the first floor.
  public var floors = [Floor.one]
  /// The residues. Packets use the first residue.
  public var residues = [Residue()]
  /// The number of mappings. If there are several channels, each mapping has the greatest possible number of submaps
  /// and couplings.
  public var mappings = 1
  /// The number of modes. All modes are equal.
  public var modes = 1
  /// The number of zero bytes after the last bit of the header.
  public var padding = 0

  /// Creates the smallest valid header.
  public init() {}

  /// The packet that contains the set-up header.
  public var packet: [UInt8] {
    var bits = GeneratedBits()
    bits.write(books.count - 1, 8)
    for book in books { write(book, &bits) }
    // The header contains one time-domain transform, with the value 0.
    bits.write(0, 6 + 16)
    bits.write(floors.count - 1, 6)
    for floor in floors { write(floor, &bits) }
    bits.write(residues.count - 1, 6)
    for residue in residues { write(residue, &bits) }
    bits.write(mappings - 1, 6)
    for _ in 0..<mappings { writeMapping(&bits) }
    bits.write(modes - 1, 6)
    for _ in 0..<modes {
      // Each mode uses a long block, with window 0, transform 0 and mapping 0.
      bits.write(1, 1)
      bits.write(0, 16 + 16 + 8)
    }
    bits.write(1, 1)
    return [5] + Array("vorbis".utf8) + bits.bytes + Array(repeating: 0, count: padding)
  }

  /// A packet of silence. With a floor of type 0, the packet has just enough content to make libvorbis allocate memory
  /// for the floor and the residue.
  public var sound: [UInt8] {
    var bits = GeneratedBits()
    bits.write(0, 1 + Self.width(modes - 1) + 2)
    for _ in 0..<channels {
      guard case .zero = floors[0] else { continue }
      // For a floor of type 0, the packet contains the amplitude, the number of the codebook, and one codeword.
      bits.write(1, 1)
      bits.write(0, 1 + books[0].length)
    }
    return bits.bytes + [0]
  }

  private func write(_ book: Book, _ bits: inout GeneratedBits) {
    bits.write(0x564342, 24)
    bits.write(book.dimensions, 16)
    bits.write(book.entries, 24)
    switch book.lengths {
    case .ordered:
      bits.write(1, 1)
      bits.write(book.length - 1, 5)
      bits.write(book.entries, Self.width(book.entries))
    case .listed:
      bits.write(0, 2)
      for _ in 0..<book.entries { bits.write(book.length - 1, 5) }
    case .sparse(let words):
      bits.write(0, 1)
      bits.write(1, 1)
      for _ in 0..<words {
        bits.write(1, 1)
        bits.write(book.length - 1, 5)
      }
      bits.skip(book.entries - words)
    }
    bits.write(book.lookup, 4)
    guard book.lookup > 0 else { return }
    // The minimum, the step, the bits of a value minus one, and the sequence flag are all 0.
    bits.write(0, 32 + 32 + 4 + 1)
    bits.skip(book.values)
  }

  private func write(_ floor: Floor, _ bits: inout GeneratedBits) {
    switch floor {
    case .zero:
      bits.write(0, 16)
      bits.write(1, 8)
      bits.write(44100, 16)
      bits.write(256, 16)
      // One bit for the amplitude, an offset of 1 dB, and one codebook: the first.
      bits.write(1, 6)
      bits.write(1, 8)
      bits.write(0, 4 + 8)
    case .one:
      bits.write(1, 16)
      bits.write(0, 5 + 2 + 4)
    }
  }

  private func write(_ residue: Residue, _ bits: inout GeneratedBits) {
    bits.write(residue.type, 16)
    // The residue begins at value 0 and ends at value 2²⁰. Each partition has one value.
    bits.write(0, 24)
    bits.write(1 << 20, 24)
    bits.write(0, 24)
    bits.write(residue.classes - 1, 6)
    bits.write(0, 8)
    let stages = 1 << residue.stages - 1
    for _ in 0..<residue.classes {
      bits.write(stages & 7, 3)
      bits.write(stages > 7 ? 1 : 0, 1)
      if stages > 7 { bits.write(stages >> 3, 5) }
    }
    bits.write(0, 8 * residue.stages * residue.classes)
  }

  private func writeMapping(_ bits: inout GeneratedBits) {
    bits.write(0, 16)
    guard channels > 1 else { return bits.write(0, 1 + 1 + 2 + 24) }
    bits.write(1, 1)
    bits.write(15, 4)
    bits.write(1, 1)
    bits.write(255, 8)
    for _ in 0..<256 {
      bits.write(0, Self.width(channels - 1))
      bits.write(1, Self.width(channels - 1))
    }
    bits.write(0, 2 + 4 * channels + 16 * 24)
  }

  private static func width(_ value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }

  // MARK: A file

  /// An Ogg Vorbis file with this header, and some packets of ``sound``.
  /// - Parameters:
  ///   - comments: the packet of tags.
  ///   - trailer: bytes that follow the last bit of the set-up header in the same packet.
  ///   - padding: the number of zero bytes after the sound in the last packet.
  public func file(
    serial: Int32 = 1, comments: [UInt8] = GeneratedVorbisSetup.comments(),
    behindSetup trailer: [UInt8] = [], padding: Int = 0
  ) -> [UInt8] {
    let frames = 4096
    let pages = GeneratedPages(serial: serial)
    pages.add(identification)
    pages.flush()
    pages.add(comments)
    pages.add(packet + trailer)
    pages.flush()
    // The first packet gives no frames, because each frame needs two blocks that overlap.
    for index in 0..<2 { pages.add(sound, granule: frames * index) }
    let last = sound + Array(repeating: 0, count: padding)
    pages.add(last, granule: frames * 2, isLast: true)
    pages.flush()
    return pages.bytes
  }

  /// The identification header (section 4.2.2): 44.1 kHz. All blocks have 8192 samples, the greatest possible length.
  private var identification: [UInt8] {
    [1] + Array("vorbis".utf8) + [0, 0, 0, 0, UInt8(channels), 0x44, 0xAC, 0, 0]
      + Array(repeating: 0, count: 12) + [0xDD, 1]
  }

  /// Makes a packet of tags. The parameter `empty` is the number of tags without content. If `long` is not empty, the
  /// packet also contains `long` as a tag.
  public static func comments(empty: Int = 0, long: [UInt8] = []) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let count = empty + (long.isEmpty ? 0 : 1)
    return [3] + Array("vorbis".utf8) + number(0) + number(count)
      + Array(repeating: 0, count: 4 * empty) + (long.isEmpty ? [] : number(long.count) + long) + [
        1
      ]
  }
}

/// Packs numbers as Vorbis does, with the least significant bit first.
struct GeneratedBits {
  private(set) var bytes: [UInt8] = []
  private var used = 0

  mutating func write(_ value: Int, _ count: Int) {
    var rest = value
    var bit = used
    skip(count)
    while rest != 0, bit < used {
      if rest & 1 == 1 { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
      rest >>= 1
      bit += 1
    }
  }

  /// Adds bits that are 0.
  mutating func skip(_ count: Int) {
    used += count
    bytes += repeatElement(0, count: (used + 7) / 8 - bytes.count)
  }
}

/// The Ogg pages of one stream. libogg makes the pages.
private final class GeneratedPages {
  private(set) var bytes: [UInt8] = []
  private var stream = ogg_stream_state()
  private var count = 0

  init(serial: Int32) { ogg_stream_init(&stream, serial) }

  deinit { ogg_stream_clear(&stream) }

  func add(_ packet: [UInt8], granule: Int = 0, isLast: Bool = false) {
    packet.withUnsafeBufferPointer { buffer in
      var packet = ogg_packet()
      packet.packet = UnsafeMutablePointer(mutating: buffer.baseAddress)
      packet.bytes = buffer.count
      packet.b_o_s = count == 0 ? 1 : 0
      packet.e_o_s = isLast ? 1 : 0
      packet.granulepos = Int64(granule)
      ogg_stream_packetin(&stream, &packet)
    }
    count += 1
  }

  /// Ends the page that is being filled.
  func flush() {
    var page = ogg_page()
    while ogg_stream_flush(&stream, &page) != 0 {
      bytes += UnsafeBufferPointer(start: page.header, count: page.header_len)
      bytes += UnsafeBufferPointer(start: page.body, count: page.body_len)
    }
  }
}
