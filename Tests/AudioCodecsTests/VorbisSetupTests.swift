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

  /// A set-up header of `count` ordered codebooks, each of a single run of entries.
  private func packet(count: Int, entries: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(count - 1, 8)
    let width = Int.bitWidth - entries.leadingZeroBitCount
    for _ in 0..<count {
      bits.write(0x564342, 24)
      bits.write(1, 16)
      bits.write(entries, 24)
      bits.write(1, 1)
      bits.write(20, 5)
      bits.write(entries, width)
      bits.write(0, 4)
    }
    return [5] + Array("vorbis".utf8) + bits.bytes
  }

  @Test func problem_ordinaryCodebooks_isNone() {
    #expect(VorbisSetup.problem(packet(count: 40, entries: 1000)) == nil)
  }

  @Test func problem_codebooksOfMillions_isNamed() {
    let packet = packet(count: 4, entries: (1 << 22) - 1)
    #expect(packet.count < 100)
    #expect(VorbisSetup.problem(packet) == "its codebooks would take over 32 MB")
  }

  @Test func problem_whatIsNoSetup_isNone() {
    #expect(VorbisSetup.problem([]) == nil)
    #expect(VorbisSetup.problem([5] + Array("vorbis".utf8)) == nil)
    #expect(VorbisSetup.problem(Array(repeating: 0xFF, count: 100)) == nil)
  }
}
