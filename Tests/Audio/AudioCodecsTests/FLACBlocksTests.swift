import TestKit
import Testing

@testable import AudioCodecs

/// Tests that damage is skipped, and that each call of `next` returns after limited work.
@Suite struct FLACBlocksTests {
  private let folder: TemporaryFolder
  private let music = GeneratedMusic(frames: 40_000)
  private static let blockSize = 4096

  init() throws { folder = try TemporaryFolder() }

  /// The bytes of the file, split at the start of the FLAC frame `number`.
  private func parts(_ number: Int64, _ options: [String] = []) throws -> (
    head: [UInt8], tail: [UInt8]
  ) {
    try music.flac(folder, "a.flac", ["--no-padding"] + options)
    let bytes = try folder.read("a.flac")
    let cut = try #require(
      bytes.indices.first { index in
        bytes[index] == 0xFF
          && bytes[index...].withUnsafeBytes { FLACFrameHeader($0)?.number == number }
      })
    return (Array(bytes[..<cut]), Array(bytes[cut...]))
  }

  private func open(_ bytes: [UInt8]) throws -> AudioFile {
    try AudioFile(MemoryByteSource(bytes))
  }

  /// Checks that all frames are decoded, and that the damage was reported with its position.
  private func expectAll(_ decoded: Decoded, damageAt offset: Int) {
    #expect(decoded.failure == nil)
    #expect(isSame(decoded.integers(bits: 16), music.samples))
    #expect(decoded.isContinuous)
    #expect(decoded.skipped.first?.location == .byte(Int64(offset)))
  }

  @Test func decode_junkBetweenFrames_losesNoFrame() throws {
    let (head, tail) = try parts(4)
    let junk: [[UInt8]] = [
      [UInt8](repeating: 0, count: 100_000), [UInt8](repeating: 0xFF, count: 100_000),
      (0..<50_000).flatMap { _ in [0xFF, 0xF8] as [UInt8] }, Array("fLaC".utf8), [0xFF],
    ]
    for junk in junk {
      let decoded = try open(head + junk + tail).decoder.decodeAll()
      expectAll(decoded, damageAt: head.count)
      #expect(decoded.skipped.count == 1)
    }
  }

  @Test func decode_frameWithOnlyWastedBits_isSkipped() throws {
    let (head, tail) = try parts(4)
    let junk = Array((0..<50).map { _ in GeneratedDamage.frameOfWastedBits() }.joined())
    expectAll(try open(head + junk + tail).decoder.decodeAll(), damageAt: head.count)
  }

  /// A false frame consists of 34 bytes that look like a FLAC frame. A decoder makes half a million samples from these
  /// bytes. If `next` had no limit, one call could take hours in a file of false frames.
  @Test func next_falseFrames_returnsBetweenThem() throws {
    let (head, tail) = try parts(4)
    let junk = Array((0..<64).map { GeneratedDamage.falseFrame(UInt8($0)) }.joined())
    let decoded = try open(head + junk + tail).decoder.decodeAll()
    expectAll(decoded, damageAt: head.count)
    // One call decodes at most five false frames.
    #expect(decoded.skipped.count >= 64 / 5)
    #expect(decoded.skipped.allSatisfy { $0.reaction == .skipPacket })
  }

  @Test func next_onlyFalseFrames_endsTheTrack() throws {
    let (head, tail) = try parts(4)
    let junk = Array((0..<1000).map { GeneratedDamage.falseFrame(UInt8($0 % 128)) }.joined())
    let file = try open(head + junk + tail)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 4 * Self.blockSize)
    let failure = try #require(decoded.failure)
    #expect(failure.reaction == .endTrack)
    #expect(failure.location == .byte(Int64(head.count)))
    guard case .end = try file.decoder.next() else { return #expect(Bool(false)) }
    // A seek to a position after the damage succeeds.
    try file.decoder.seek(to: 30_000)
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), Array(music.samples[60_000...])))
  }

  @Test func seek_duringASearch_endsTheSearch() throws {
    let (head, tail) = try parts(4)
    let junk = Array((0..<64).map { GeneratedDamage.falseFrame(UInt8($0)) }.joined())
    let file = try open(head + junk + tail)
    while true { if case .skipped = try file.decoder.next() { break } }
    try file.decoder.seek(to: 100)
    let decoded = file.decoder.decodeAll(limit: 1000)
    #expect(decoded.skipped.isEmpty)
    #expect(decoded.firstPosition == 100)
    try file.decoder.seek(to: 39_000)
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), Array(music.samples[78_000...])))
  }

  @Test func next_megabytesOfZeros_returnsBetweenThem() throws {
    let (head, tail) = try parts(4)
    let decoded = try open(head + [UInt8](repeating: 0, count: 20 << 20) + tail).decoder
      .decodeAll()
    expectAll(decoded, damageAt: head.count)
    #expect(decoded.skipped.count == 2)
  }

  @Test func next_endlessZeros_endsTheTrack() throws {
    let (head, tail) = try parts(4)
    let file = try open(head + [UInt8](repeating: 0, count: 65 << 20) + tail)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 4 * Self.blockSize)
    #expect(decoded.failure?.location == .byte(Int64(head.count)))
    #expect(decoded.failure?.reaction == .endTrack)
  }

  @Test func open_junkAfterTheHeader_isSkipped() throws {
    let (head, tail) = try parts(0)
    for junk in [[UInt8](repeating: 0, count: 5000), GeneratedDamage.falseFrame()] {
      expectAll(try open(head + junk + tail).decoder.decodeAll(), damageAt: head.count)
    }
  }

  /// A FLAC frame can seem to contain all zeros that follow it, because a unary number ends only at the next bit that
  /// is 1.
  @Test func next_frameWithoutEnd_stopsAtTheLimit() throws {
    let (head, tail) = try parts(4)
    // 4096 frames, one channel, 16 bits; a fixed predictor of order 0; Rice parameter 0.
    let header: [UInt8] = [0xFF, 0xF8, 0xC9, 0x08, 4]
    let frame = header + [GeneratedDamage.crc8(header), 0x10, 0]
    let decoded = try open(head + frame + [UInt8](repeating: 0, count: 6 << 20) + tail).decoder
      .decodeAll()
    expectAll(decoded, damageAt: head.count)
  }

  @Test(arguments: [[], ["--ogg"]])
  func decode_missingFrame_countsTheMissingSamples(options: [String]) throws {
    let isOgg = !options.isEmpty
    try music.flac(folder, "a.flac", ["--no-padding", "--blocksize=1024"] + options)
    var bytes = try folder.read("a.flac")
    if isOgg {
      // Removes the page before the last page. The removed page contains sound.
      var pages = OggTestPage.pages(bytes)
      pages.remove(at: pages.count - 2)
      bytes = Array(pages.map(\.bytes).joined())
    } else {
      let starts = bytes.indices.filter { index in
        bytes[index] == 0xFF && bytes[index...].withUnsafeBytes { FLACFrameHeader($0) != nil }
      }
      bytes.removeSubrange(starts[20]..<starts[22])
    }
    let decoded = try open(bytes).decoder.decodeAll()
    let missing = 40_000 - decoded.frameCount
    #expect(missing > 0)
    #expect(decoded.endPosition == 40_000)
    #expect(decoded.skipped.map(\.kind) == [.missingFrames(Int64(missing))])
  }

  @Test func decode_damagedOggPage_continuesAfterIt() throws {
    try music.flac(folder, "a.oga", ["--ogg", "--no-padding", "--blocksize=1024"])
    var bytes = try folder.read("a.oga")
    bytes[bytes.count / 2] ^= 0xFF
    let decoded = try open(bytes).decoder.decodeAll()
    #expect(decoded.failure == nil)
    #expect(decoded.frameCount < 40_000)
    #expect(decoded.endPosition == 40_000)
    #expect(isSame(decoded.integers(bits: 16).suffix(4000), music.samples.suffix(4000)))
    #expect(!decoded.skipped.isEmpty)
  }

  /// For each false page, a checksum over up to 64 KB is computed. The next false page can begin a few bytes later. So
  /// a small file can cause much work.
  @Test func next_falseOggPages_returnsBetweenThem() throws {
    try music.flac(folder, "a.oga", ["--ogg", "--no-padding", "--blocksize=1024"])
    let pages = OggTestPage.pages(try folder.read("a.oga")).map(\.bytes)
    let head = Array(pages[..<(pages.count - 2)].joined())
    let tail = Array(pages[(pages.count - 2)...].joined())
    // A checksum is computed only if the file has as many bytes as the header of the page states.
    let room = [UInt8](repeating: 0, count: 66_000)
    for (count, comesThrough) in [(400, true), (1500, false)] {
      let junk = Array((0..<count).map { _ in GeneratedDamage.falsePage(300) }.joined())
      let decoded = try open(head + junk + room + tail).decoder.decodeAll()
      #expect(decoded.skipped.count >= 2)
      #expect((decoded.failure == nil) == comesThrough)
      #expect((decoded.frameCount == 40_000) == comesThrough)
    }
  }

  // MARK: The checksum of all samples

  private func verify(_ bytes: [UInt8]) throws -> Bool? {
    let file = try AudioFile(MemoryByteSource(bytes), for: .verify)
    _ = file.decoder.decodeAll()
    return file.checkMD5()
  }

  @Test func checkMD5_junkAfterTheLastFrame_matches() throws {
    let (head, tail) = try parts(4)
    #expect(try verify(head + tail + Array("APETAGEX".utf8)) == true)
  }

  @Test func checkMD5_lostFrame_differs() throws {
    let (head, tail) = try parts(4)
    #expect(try verify(Array(head.dropLast(100)) + tail) == false)
  }

  @Test func checkMD5_junkBetweenFrames_isUnknown() throws {
    let (head, tail) = try parts(4)
    #expect(try verify(head + [UInt8](repeating: 0, count: 1000) + tail) == nil)
  }

  @Test func checkMD5_notDecodedToTheEnd_isUnknown() throws {
    let (head, tail) = try parts(4)
    let file = try AudioFile(MemoryByteSource(head + tail), for: .verify)
    _ = file.decoder.decodeAll(limit: 1)
    #expect(file.checkMD5() == nil)
  }
}
