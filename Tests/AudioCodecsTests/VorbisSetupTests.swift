import Testing

@testable import AudioCodecs

/// A few bytes must not ask for gigabytes.
@Suite struct VorbisSetupTests {
  /// Packs numbers the way Vorbis does.
  private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 0

    mutating func write(_ value: Int, _ count: Int) {
      for bit in 0..<count {
        if used % 8 == 0 { bytes.append(0) }
        if value >> bit & 1 == 1 { bytes[used / 8] |= 1 << UInt8(used % 8) }
        used += 1
      }
    }
  }

  /// A set-up header of `count` ordered codebooks, each of a single run of codewords of `length`
  /// bits, and of `residues` residues that divide their values into two classes.
  private func packet(
    count: Int, entries: Int, length: Int, dimensions: Int = 1, residues: Int = 1
  ) -> [UInt8] {
    var bits = BitWriter()
    bits.write(count - 1, 8)
    let width = Int.bitWidth - entries.leadingZeroBitCount
    for _ in 0..<count {
      bits.write(0x564342, 24)
      bits.write(dimensions, 16)
      bits.write(entries, 24)
      bits.write(1, 1)
      bits.write(length - 1, 5)
      bits.write(entries, width)
      bits.write(0, 4)
    }
    // One time-domain transform, one floor of type 1 without partitions.
    bits.write(0, 6 + 16 + 6)
    bits.write(1, 16)
    bits.write(0, 5 + 2 + 4)
    bits.write(residues - 1, 6)
    for _ in 0..<residues {
      // Type, begin, end, partition size; two classes, the first codebook, no stages.
      bits.write(0, 16 + 24 + 24 + 24)
      bits.write(1, 6)
      bits.write(0, 8 + 4 + 4)
    }
    return [5] + Array("vorbis".utf8) + bits.bytes
  }

  @Test func problem_ordinaryTables_isNone() {
    #expect(VorbisSetup.problem(packet(count: 40, entries: 1024, length: 10)) == nil)
    #expect(VorbisSetup.problem(packet(count: 1, entries: 1, length: 1)) == nil)
    let eight = packet(count: 8, entries: 256, length: 8, dimensions: 8, residues: 8)
    #expect(VorbisSetup.problem(eight) == nil)
  }

  @Test func problem_codebooksOfMillions_isNamed() {
    let packet = packet(count: 4, entries: 1 << 22, length: 22)
    #expect(packet.count < 100)
    #expect(VorbisSetup.problem(packet) == "its codebooks would take over 32 MB")
  }

  @Test func problem_moreCodewordsThanTheStackHolds_isNamed() {
    let packet = packet(count: 1, entries: 1 << 16, length: 16)
    #expect(VorbisSetup.problem(packet) == "one of its codebooks has over 32768 codewords")
  }

  /// One codebook of 1 MB, whose values 64 residues would each spell out again.
  @Test func problem_residuesOfMillions_isNamed() {
    let packet = packet(count: 1, entries: 1 << 15, length: 15, dimensions: 15, residues: 64)
    #expect(packet.count < 1200)
    #expect(VorbisSetup.problem(packet) == "its residues would take over 32 MB")
  }

  @Test func problem_codewordsThatAreNoTree_isNamed() {
    for (entries, length) in [(1000, 10), (1025, 10), (2, 2), (1, 2), (3, 1)] {
      let packet = packet(count: 1, entries: entries, length: length)
      #expect(VorbisSetup.problem(packet) == "one of its codebooks is damaged")
    }
  }

  @Test func problem_whatIsNoSetup_isNone() {
    #expect(VorbisSetup.problem([]) == nil)
    #expect(VorbisSetup.problem([5] + Array("vorbis".utf8)) == nil)
    #expect(VorbisSetup.problem(Array(repeating: 0xFF, count: 100)) == nil)
  }
}
