import TestKit
import Testing

@testable import AudioCodecs

/// Tests that a set-up header of a few bytes cannot cause allocations of gigabytes.
@Suite struct VorbisSetupTests {
  @Test(arguments: GeneratedVorbisTerm.all)
  func problem_eachTermAtItsLimit_isNilAndAboveItIsReported(term: GeneratedVorbisTerm) {
    func problem(_ count: Int) -> VorbisSetup.Problem? {
      VorbisSetup.problem(term.setup(count).packet)
    }
    guard let allowed = term.allowed else {
      #expect(problem(term.most) == nil)
      return
    }
    #expect(problem(allowed) == nil)
    #expect(problem(allowed + 1) == .largeTables)
    #expect(problem(term.most) == .largeTables)
  }

  @Test func bytes_eachTerm_growWithTheTerm() {
    func bytes(_ name: String, _ count: Int) -> Int {
      let term = GeneratedVorbisTerm.all.first { $0.name == name }
      return term.map { VorbisSetup.bytes($0.setup(count).packet) } ?? -1
    }
    /// Returns the memory in bytes that the set-up header needs in addition if the count of the ``GeneratedVorbisTerm``
    /// `name` is `end` instead of `start`. The memory contains three copies of the packet. The growth of these copies
    /// is subtracted.
    func growth(_ name: String, from start: Int, to end: Int) -> Int {
      let term = GeneratedVorbisTerm.all.first { $0.name == name }
      let packet = term.map { $0.setup(end).packet.count - $0.setup(start).packet.count } ?? 0
      return bytes(name, end) - bytes(name, start) - 3 * packet
    }
    // One char and one long per entry.
    #expect(abs(growth("quantlist of a lattice", from: 300_000, to: 600_000) - 300_000 * 9) < 16384)
    // One long and one float per value. Each of the 256 entries gets 1000 more values.
    let values = growth("quantlist of single values", from: 900, to: 1900)
    #expect(abs(values - 256_000 * 12) < 16384)
    // One long per value of all 250 entries, and one float per value of the two entries that have a codeword. Each
    // entry gets 1000 more values.
    let unused = growth("quantlist of entries without a codeword", from: 1900, to: 2900)
    #expect(abs(unused - (250_000 * 8 + 2000 * 4)) < 16384)
    // One float per value. Each of the 32768 entries gets ten more values.
    #expect(abs(growth("valuelist", from: 20, to: 30) - 327_680 * 4) < 16384)
    // Each of 8192 values has a pointer and a block of 13 ints, for which `malloc` takes 64 bytes.
    let map = growth("decodemap of many values", from: 2, to: 3)
    #expect(abs(map - 8192 * (8 + 64)) < 16384)
    // linearmap for the two sizes of a Vorbis block (8192 samples each), vorbis_info_floor0, vorbis_look_floor0 and its
    // pointers.
    #expect(abs(growth("linearmap", from: 1, to: 64) - 63 * (2 * 16400 + 128 + 64 + 32 + 8)) < 64)
  }

  @Test func problem_moreCodewordsThanTheStackHolds_isReported() {
    var setup = GeneratedVorbisSetup()
    setup.books = [.init(entries: 1 << 15)]
    #expect(VorbisSetup.problem(setup.packet) == nil)
    setup.books = [.init(entries: 1 << 16)]
    #expect(VorbisSetup.problem(setup.packet) == .manyCodewords)
  }

  @Test func problem_codewordsWithoutATree_isReported() {
    for (entries, length) in [(1000, 10), (1025, 10), (2, 2), (1, 2), (3, 1)] {
      var setup = GeneratedVorbisSetup()
      setup.books = [.init(entries: entries, length: length)]
      #expect(VorbisSetup.problem(setup.packet) == .damagedCodebook)
    }
  }

  /// libvorbis allocates the tables before it detects the damage. So excessive tables are reported even if the packet
  /// is damaged after them.
  @Test func problem_damageAfterExcessiveTables_isReported() {
    var setup = GeneratedVorbisSetup()
    setup.books = [.init(entries: 256, dimensions: 31_000, lookup: 2)]
    let packet = setup.packet
    #expect(VorbisSetup.problem(Array(packet.dropLast(20))) == .largeTables)
  }

  @Test func problem_otherPacket_isNil() {
    #expect(VorbisSetup.problem([]) == nil)
    #expect(VorbisSetup.problem([5] + Array("vorbis".utf8)) == nil)
    #expect(VorbisSetup.problem(Array(repeating: 0xFF, count: 100)) == nil)
  }
}
