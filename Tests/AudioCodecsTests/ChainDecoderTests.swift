import TestKit
import Testing

@testable import AudioCodecs

/// Chained Ogg files that are hard to take apart.
@Suite struct ChainDecoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func vorbis(_ music: MadeMusic, _ options: [String]) throws -> [UInt8] {
    try music.vorbis(folder, "a.ogg", options)
    return try folder.read("a.ogg")
  }

  /// The pages of `bytes` with another serial number.
  private func pages(of bytes: [UInt8], serial: Int) -> [UInt8] {
    OggTestPage.pages(bytes).flatMap { page in
      var page = page
      page.serial = UInt32(serial)
      return page.bytes
    }
  }

  /// The last page has the serial number of the first.
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

  // MARK: Serial numbers that are there twice

  /// Links of 10 KB … 300 KB; which boundary a search meets first depends on their lengths.
  static let lengths = [
    [2000, 3000], [9000, 200_000], [200_000, 9000], [90_000, 70_000, 120_000],
  ]

  @Test(arguments: lengths)
  func seek_linksOfOneSerialBeforeTheyWerePlayed_isExact(lengths: [Int]) throws {
    var chain: [UInt8] = []
    var samples: [UInt32] = []
    for (index, length) in lengths.enumerated() {
      let link = try vorbis(
        MadeMusic(frames: length, seed: UInt64(index)), ["--serial=7", "--quality=6"])
      chain += link
      samples += try AudioFile(MemoryByteSource(link)).decoder.decodeAll().samples
    }
    let total = lengths.reduce(0, +)
    let file = try AudioFile(MemoryByteSource(chain))
    #expect(file.linkCount == lengths.count)
    #expect(file.frameCount == Int64(total))
    for target in [total - 1, lengths[0], lengths[0] - 1, lengths[0] + lengths[1] / 2, 10] {
      try file.decoder.seek(to: Int64(target))
      let decoded = file.decoder.decodeAll(limit: 500)
      #expect(decoded.firstPosition == Int64(target))
      #expect(isSame(decoded.samples, samples[(2 * target)...].prefix(decoded.samples.count)))
    }
  }

  /// Page numbers and positions that go on as if it were one link: nobody finds out before the
  /// second one begins.
  @Test func decode_linksThatPassForOne_playsBoth() throws {
    let first = try vorbis(MadeMusic(frames: 60_000), ["--serial=1", "--quality=10"])
    #expect(first.count > 70_000 && first.count < 120_000)
    var number = UInt32(1000)
    let second = try vorbis(
      MadeMusic(channels: 1, frames: 1_400_000, seed: 2), ["--serial=1", "--quality=-1"])
    let renumbered = OggTestPage.pages(second).flatMap { page in
      var page = page
      page.number = number
      number += 1
      return page.bytes
    }
    let file = try AudioFile(MemoryByteSource(first + renumbered))
    #expect(file.linkCount == 1)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.failure == nil)
    #expect(decoded.formats.map(\.channels) == [1])
    #expect(decoded.frameCount == 1_460_000)
  }

  // MARK: Damage and junk

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

  /// What looks like a page has its checksum computed, and the next may begin a few bytes on.
  @Test func next_falsePagesInVorbis_comesBackBetweenThem() throws {
    let pages = OggTestPage.pages(
      try vorbis(MadeMusic(frames: 200_000), ["--serial=1", "--quality=8"])
    ).map(\.bytes)
    let head = Array(pages[..<(pages.count - 8)].joined())
    let tail = Array(pages[(pages.count - 8)...].joined())
    let room = [UInt8](repeating: 0, count: 66_000)
    for (count, comesThrough) in [(400, true), (1500, false)] {
      let junk = Array((0..<count).map { _ in MadeDamage.falsePage(300) }.joined())
      let decoded = try AudioFile(MemoryByteSource(head + junk + room + tail)).decoder.decodeAll()
      #expect(decoded.skipped.count >= 2)
      #expect((decoded.failure == nil) == comesThrough)
      #expect((decoded.frameCount == 200_000) == comesThrough)
    }
  }
}
