/// A kind of set-up header for which libvorbis allocates much memory. The memory belongs to one field of a structure of
/// libvorbis. The size of the memory depends on a count in the set-up header, such as the number of codebooks.
public struct GeneratedVorbisTerm: Sendable {
  /// The name of the field in the structure of libvorbis.
  public let name: String
  /// The largest count that `VorbisSetup` allows. Nil if `VorbisSetup` allows all counts that the format can express.
  public let allowed: Int?
  /// The largest count that the format can express, or a count that is clearly too large.
  public let most: Int
  private let fill: @Sendable (inout GeneratedVorbisSetup, Int) -> Void

  /// Makes a header with this count.
  public func setup(_ count: Int) -> GeneratedVorbisSetup {
    var setup = GeneratedVorbisSetup()
    fill(&setup, count)
    return setup
  }

  private init(
    _ name: String, allowed: Int?, most: Int,
    _ fill: @escaping @Sendable (inout GeneratedVorbisSetup, Int) -> Void
  ) {
    self.name = name
    self.allowed = allowed
    self.most = most
    self.fill = fill
  }

  /// One kind of header for each term of the sum with which `VorbisSetup` computes the memory.
  public static let all = [
    GeneratedVorbisTerm("lengthlist", allowed: 4, most: 5) { setup, count in
      let book = GeneratedVorbisSetup.Book(entries: 1_000_000, lengths: .sparse(words: 2))
      setup.books = Array(repeating: book, count: count)
    },
    GeneratedVorbisTerm("quantlist of a lattice", allowed: 644_606, most: 1_000_000) {
      setup, count in
      setup.books = [.init(entries: count, lookup: 1, lengths: .sparse(words: 2))]
    },
    GeneratedVorbisTerm("quantlist of single values", allowed: 1979, most: 31_000) { setup, count in
      setup.books = [.init(entries: 256, dimensions: count, lookup: 2)]
    },
    GeneratedVorbisTerm("quantlist of entries without a codeword", allowed: 2988, most: 31_000) {
      setup, count in
      setup.books = [
        .init(entries: 250, dimensions: count, lookup: 2, lengths: .sparse(words: 2))
      ]
    },
    GeneratedVorbisTerm("valuelist", allowed: 39, most: 255) { setup, count in
      setup.books = [.init(entries: 32768, dimensions: count, lookup: 1)]
    },
    GeneratedVorbisTerm("codelist, dec_index and dec_codelengths", allowed: 16, most: 256) {
      setup, count in
      setup.books = Array(repeating: .init(entries: 32768), count: count)
    },
    GeneratedVorbisTerm("dec_codelengths of listed lengths", allowed: 13, most: 16) {
      setup, count in
      setup.books = Array(repeating: .init(entries: 32768, lengths: .listed), count: count)
    },
    GeneratedVorbisTerm("dec_firsttable", allowed: nil, most: 256) { setup, count in
      setup.books = Array(repeating: .init(entries: 2048), count: count)
    },
    GeneratedVorbisTerm("linearmap", allowed: nil, most: 64) { setup, count in
      setup.channels = 8
      setup.books = [.init(entries: 2, dimensions: 1, lookup: 1)]
      setup.floors = Array(repeating: .zero, count: count)
    },
    GeneratedVorbisTerm("lsp", allowed: 57_979, most: 65535) { setup, count in
      setup.channels = 8
      setup.books = [.init(entries: 2, dimensions: count, lookup: 1)]
      setup.floors = [.zero]
    },
    GeneratedVorbisTerm("vorbis_look_floor1", allowed: nil, most: 64) { setup, count in
      setup.floors = Array(repeating: .one, count: count)
    },
    GeneratedVorbisTerm("decodemap of many values", allowed: 10, most: 64) { setup, count in
      setup.books = [.init(entries: 8192, dimensions: 13)]
      setup.residues = Array(repeating: .init(classes: 2), count: count)
    },
    GeneratedVorbisTerm("decodemap of entries without a codeword", allowed: 2, most: 64) {
      setup, count in
      setup.books = [.init(entries: 1 << 16, dimensions: 3, lengths: .sparse(words: 2))]
      setup.residues = Array(repeating: .init(classes: 40), count: count)
    },
    GeneratedVorbisTerm("decodemap of many dimensions", allowed: 23, most: 64) { setup, count in
      setup.books = [.init(entries: 2, dimensions: 65535)]
      setup.residues = Array(repeating: .init(), count: count)
    },
    GeneratedVorbisTerm("partbooks", allowed: nil, most: 64) { setup, count in
      setup.books = [.init(entries: 64, dimensions: 1, lookup: 1)]
      setup.residues = Array(repeating: .init(classes: 64, stages: 8), count: count)
    },
    GeneratedVorbisTerm("partword", allowed: nil, most: 8) { setup, count in
      setup.channels = count
      setup.books = [.init(entries: 2, dimensions: 1, lookup: 1)]
      setup.floors = [.zero]
      setup.residues = [.init(type: 2, classes: 2, stages: 1)]
    },
    GeneratedVorbisTerm("map_param", allowed: nil, most: 64) { setup, count in
      setup.channels = 8
      setup.mappings = count
    },
    GeneratedVorbisTerm("mode_param", allowed: nil, most: 64) { setup, count in setup.modes = count
    },
    GeneratedVorbisTerm("pcm", allowed: nil, most: 8) { setup, count in setup.channels = count },
    GeneratedVorbisTerm("body_data", allowed: nil, most: 1_048_000) { setup, count in
      setup.padding = count
    },
  ]
}
