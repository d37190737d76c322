import TestKit
import Testing

@testable import AudioCodecs

/// Chained Ogg files that are hard to take apart.
@Suite struct ChainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func vorbis(_ music: MadeMusic, _ options: [String]) throws -> [UInt8] {
    try music.vorbis(folder, "a.ogg", options)
    return try folder.read("a.ogg")
  }

  /// The pages of `bytes` with another serial number.
  private func pages(of bytes: [UInt8], serial: Int) -> [UInt8] {
    var bytes = bytes
    var start = 0
    while start < bytes.count {
      let segments = Int(bytes[start + 26])
      let body = bytes[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
      let end = start + 27 + segments + body
      for index in 0..<4 {
        bytes[start + 14 + index] = UInt8(truncatingIfNeeded: serial >> (8 * index))
        bytes[start + 22 + index] = 0
      }
      // RFC 3533, section 6.
      var crc: UInt32 = 0
      for index in start..<end {
        crc ^= UInt32(bytes[index]) << 24
        for _ in 0..<8 { crc = crc << 1 ^ (crc >> 31) &* 0x04C1_1DB7 }
      }
      for index in 0..<4 {
        bytes[start + 22 + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index))
      }
      start = end
    }
    return bytes
  }

  /// The search for links looks at the last page, and finds the serial number of the first.
  /// The link between them is longer than what libvorbisfile reads at once.
  @Test func decode_lastLinkWithTheSerialOfTheFirst_playsAllThree() throws {
    let first = try vorbis(MadeMusic(frames: 5000), ["--serial=1"])
    let second = try vorbis(
      MadeMusic(channels: 6, frames: 90_000, seed: 2), ["--serial=2", "--quality=8"])
    let third = try vorbis(MadeMusic(channels: 1, frames: 7000, seed: 3), ["--serial=1"])
    #expect(second.count > 2 * 65536)
    let file = try AudioFile(MemoryByteSource(first + second + third))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.failure == nil)
    #expect(decoded.skipped.isEmpty)
    #expect(decoded.formats.map(\.channels) == [6, 1])
    #expect(decoded.frameCount == 5000 + 90_000 + 7000)
    // Now that all links are known, each can be sought.
    for (target, left) in [(101_999, 1), (94_999, 7001), (4999, 97_001), (60_000, 42_000)] {
      try file.decoder.seek(to: Int64(target))
      #expect(file.decoder.decodeAll().frameCount == left)
    }
  }

  @Test func decode_megabytesOfJunkBehindAChain_isLeftOut() throws {
    let first = try vorbis(MadeMusic(frames: 120_000), ["--serial=1", "--quality=8"])
    let second = try vorbis(MadeMusic(channels: 1, frames: 7000, seed: 2), ["--serial=2"])
    #expect(first.count > 65536)
    let junk = Array(repeating: UInt8(0), count: 1_500_000)
    let file = try AudioFile(MemoryByteSource(first + second + junk))
    #expect(file.frameCount == 127_000)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 127_000)
    #expect(decoded.skipped.isEmpty)
    #expect(decoded.failure == nil)
  }

  @Test func decode_moreLinksThanTheIndexHolds_playsThemAll() throws {
    let link = try vorbis(MadeMusic(channels: 1, frames: 100), ["--quality=-1"])
    let count = OggLinks.maximumLinks + 50
    let file = try AudioFile(
      MemoryByteSource((0..<count).flatMap { pages(of: link, serial: $0) }))
    #expect(file.linkCount == OggLinks.maximumLinks)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 100 * count)
    #expect(decoded.skipped.isEmpty)
  }

  @Test func decode_damagedLinkThatWasMetWhilePlaying_isLeftOut() throws {
    let link = try vorbis(MadeMusic(frames: 3000), ["--serial=1"])
    // Its first page only: a link, but none with headers.
    let segments = Int(link[26])
    let firstPage = 27 + segments + link[27..<(27 + segments)].reduce(0) { $0 + Int($1) }
    let file = try AudioFile(MemoryByteSource(link + link[..<firstPage] + link))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.failure == nil)
    #expect(decoded.frameCount >= 3000)
    #expect(decoded.skipped.allSatisfy { $0.reaction == .skipPacket })
  }
}
