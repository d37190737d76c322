import TestKit
import Testing

@testable import AudioCodecs

/// Tests chained Ogg files. A chain consists of several streams (*links*). In the files of these tests, the boundaries
/// between the links are hard to find.
@Suite struct ChainDecoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func vorbis(_ music: GeneratedMusic, _ options: [String]) throws -> [UInt8] {
    try music.vorbis(folder, "a.ogg", options)
    return try folder.read("a.ogg")
  }

  private func flac(_ music: GeneratedMusic, _ options: [String]) throws -> [UInt8] {
    try music.flac(folder, "a.oga", ["--ogg", "--no-padding"] + options)
    return try folder.read("a.oga")
  }

  /// The pages of the Ogg file `bytes`, after their serial number was replaced by `serial`.
  private func pages(of bytes: [UInt8], serial: Int) -> [UInt8] {
    OggTestPage.pages(bytes).flatMap { page in
      var page = page
      page.serial = UInt32(serial)
      return page.bytes
    }
  }

  /// The last page of the file has the serial number of the first page, although a link with another serial number is
  /// between these pages.
  @Test func decode_lastLinkWithTheSerialOfTheFirst_playsAllLinks() throws {
    let first = try vorbis(GeneratedMusic(frames: 5000), ["--serial=1"])
    let second = try vorbis(
      GeneratedMusic(channels: 6, frames: 90_000, seed: 2), ["--serial=2", "--quality=8"])
    let third = try vorbis(GeneratedMusic(channels: 1, frames: 7000, seed: 3), ["--serial=1"])
    #expect(second.count > 2 * 65536)
    let file = try AudioFile(MemoryByteSource(first + second + third))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.failure == nil)
    #expect(decoded.skipped.isEmpty)
    #expect(decoded.formats.map(\.channels) == [6, 1])
    #expect(decoded.frameCount == 5000 + 90_000 + 7000)
    // The decoding to the end has found all links, so a seek to each link is possible.
    for (target, left) in [(101_999, 1), (94_999, 7001), (4999, 97_001), (60_000, 42_000)] {
      try file.decoder.seek(to: Int64(target))
      #expect(file.decoder.decodeAll().frameCount == left)
    }
  }

  // MARK: Repeated serial numbers

  /// The lengths of the links, in frames of sound. As bytes, the links have 10 KB … 300 KB. The lengths determine which
  /// boundary between two links a search finds first.
  static let lengths = [
    [2000, 3000], [9000, 200_000], [200_000, 9000], [90_000, 70_000, 120_000],
  ]

  @Test(arguments: lengths)
  func seek_unplayedLinksOfOneSerial_isExact(lengths: [Int]) throws {
    var chain: [UInt8] = []
    var samples: [UInt32] = []
    for (index, length) in lengths.enumerated() {
      let link = try vorbis(
        GeneratedMusic(frames: length, seed: UInt64(index)), ["--serial=7", "--quality=6"])
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

  /// Both links have the same serial number, and their page numbers and granule positions increase as in a single link.
  /// So a search does not find the boundary between the links. The decoder detects the boundary only when it reads the
  /// beginning of the second link.
  @Test func decode_linksThatLookLikeOne_playsBoth() throws {
    let first = try vorbis(GeneratedMusic(frames: 60_000), ["--serial=1", "--quality=10"])
    #expect(first.count > 70_000 && first.count < 120_000)
    var number = UInt32(1000)
    let second = try vorbis(
      GeneratedMusic(channels: 1, frames: 1_400_000, seed: 2), ["--serial=1", "--quality=-1"])
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

  // MARK: FLAC

  @Test(arguments: [[1, 2, 3], [5, 5, 5], [1, 2, 1]])
  func decode_chainOfFLAC_playsAllLinks(serials: [Int]) throws {
    let music = [40_000, 90_000, 30_000].enumerated().map { index, frames in
      GeneratedMusic(frames: frames, seed: UInt64(index))
    }
    var chain: [UInt8] = []
    for (index, link) in music.enumerated() {
      chain += try flac(link, ["--serial-number=\(serials[index])", "--tag=TITLE=\(index)"])
    }
    let samples = music.flatMap(\.samples)
    let file = try AudioFile(MemoryByteSource(chain))
    #expect(file.linkCount == 3)
    #expect(file.frameCount == 160_000)
    #expect(file.header.metadata.title == "0")
    let decoded = file.decoder.decodeAll()
    #expect(isSame(decoded.integers(bits: 16), samples))
    #expect(decoded.isContinuous && decoded.endPosition == 160_000)
    #expect(decoded.skipped.isEmpty)
    #expect(decoded.metadata.map(\.title) == ["1", "2"])
    let sought = try AudioFile(MemoryByteSource(chain))
    for target in [159_999, 130_000, 129_999, 40_000, 39_999, 70_000, 5] {
      try sought.decoder.seek(to: Int64(target))
      let found = sought.decoder.decodeAll(limit: 500)
      #expect(found.firstPosition == Int64(target))
      let wanted = samples[(2 * target)...].prefix(found.samples.count)
      #expect(isSame(found.integers(bits: 16), wanted))
    }
  }

  @Test func seconds_chainOfFLACWithSeveralRates_countFromTheStartOfTheFile() throws {
    let first = try flac(GeneratedMusic(frames: 44_100), ["--serial-number=1"])
    let second = try flac(GeneratedMusic(rate: 48000, frames: 24_000), ["--serial-number=2"])
    let file = try AudioFile(MemoryByteSource(first + second))
    #expect(file.durationSeconds == 1.5)
    for pass in 0..<2 {
      #expect(file.decoder.seconds(atFrame: 22_050) == 0.5)
      #expect(file.decoder.seconds(atFrame: 44_100 + 12_000) == 1.25)
      #expect(file.decoder.frame(atSeconds: 1.25) == 44_100 + 12_000)
      #expect(file.decoder.frame(atSeconds: 0.5) == 22_050)
      // The first pass computes the times before a frame is decoded, and then decodes the file to its end. The second
      // pass computes the same times after the end.
      if pass == 0 { #expect(file.decoder.decodeAll().formats.map(\.sampleRate) == [48000]) }
    }
  }

  @Test func decode_FLACWithoutTotal_usesTheTotalOfItsLastPage() throws {
    let music = GeneratedMusic(frames: 50_000)
    try folder.write("a.raw", music.raw)
    // If the encoder reads from a pipe, it does not know the length and writes no total number of frames.
    try Tools.run(
      "sh",
      [
        "-c",
        "cat a.raw | flac --silent --ogg --serial-number=1 --force-raw-format --endian=little "
          + "--sign=signed --channels=2 --bps=16 --sample-rate=44100 --stdout - > b.oga",
      ], in: folder.url)
    let link = try folder.read("b.oga")
    let file = try AudioFile(MemoryByteSource(link + pages(of: link, serial: 2)))
    #expect(file.header.streamInfo?.totalFrames == 0)
    #expect(file.frameCount == 100_000)
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), music.samples + music.samples))
    try file.decoder.seek(to: 99_990)
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), music.samples.suffix(20)))
  }

  @Test func decode_vorbisAndFLAC_playsBoth() throws {
    let first = try vorbis(GeneratedMusic(frames: 10_000), ["--serial=1"])
    let second = try flac(GeneratedMusic(channels: 1, frames: 9000), ["--serial-number=2"])
    let file = try AudioFile(MemoryByteSource(first + second))
    #expect(file.header.codec == .vorbis)
    #expect(file.frameCount == 19_000)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.formats.map(\.encoding) == [.integer(bits: 16)])
    #expect(decoded.frameCount == 19_000)
    #expect(decoded.skipped.isEmpty)
  }

  @Test func decode_damageInTheSecondLink_hasTheFrameNumberOfTheWholeFile() throws {
    let first = try flac(GeneratedMusic(frames: 30_000), ["--serial-number=1"])
    let music = GeneratedMusic(frames: 60_000, seed: 2)
    var pages = OggTestPage.pages(try flac(music, ["--serial-number=2", "--blocksize=1024"]))
    pages.remove(at: pages.count - 2)
    let file = try AudioFile(MemoryByteSource(first + pages.flatMap(\.bytes)))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.endPosition == 90_000)
    #expect(decoded.skipped.count == 1)
    guard case .frame(let frame)? = decoded.skipped.first?.location else {
      return #expect(Bool(false), "no frame position in \(decoded.skipped)")
    }
    #expect(frame > 30_000 + 1024)
    #expect(decoded.skipped.first?.kind == .missingFrames(Int64(90_000 - decoded.frameCount)))
  }

  @Test func checkMD5_chainOfFLAC_checksEachLink() throws {
    let first = try flac(GeneratedMusic(frames: 30_000), ["--serial-number=1"])
    let second = try flac(GeneratedMusic(frames: 20_000, seed: 2), ["--serial-number=2"])
    func verify(_ bytes: [UInt8]) throws -> Bool? {
      let file = try AudioFile(MemoryByteSource(bytes), for: .verify)
      #expect(file.decoder.decodeAll().frameCount <= 50_000)
      return file.checkMD5()
    }
    #expect(try verify(first + second) == true)
    // The second link has lost frames, so the MD5 of its sound differs from the MD5 in its header.
    #expect(try verify(first + second.dropLast(1000)) == false)
    #expect(try verify(first + vorbis(GeneratedMusic(frames: 3000), ["--serial=3"])) == nil)
  }

  // MARK: Damage and junk

  @Test func decode_megabytesOfJunkAfterAChain_areSkipped() throws {
    let first = try vorbis(GeneratedMusic(frames: 120_000), ["--serial=1", "--quality=8"])
    let second = try vorbis(GeneratedMusic(channels: 1, frames: 7000, seed: 2), ["--serial=2"])
    #expect(first.count > 65536)
    let junk = Array(repeating: UInt8(0), count: 1_500_000)
    let file = try AudioFile(MemoryByteSource(first + second + junk))
    #expect(file.frameCount == 127_000)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 127_000)
    #expect(decoded.skipped.isEmpty)
    #expect(decoded.failure == nil)
  }

  @Test func decode_moreLinksThanTheIndexHolds_playsAllLinks() throws {
    let link = try vorbis(GeneratedMusic(channels: 1, frames: 100), ["--quality=-1"])
    let count = OggLinks.maximumLinks + 50
    let file = try AudioFile(
      MemoryByteSource((0..<count).flatMap { pages(of: link, serial: $0) }))
    #expect(file.linkCount == OggLinks.maximumLinks)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 100 * count)
    #expect(decoded.skipped.isEmpty)
  }

  @Test func decode_damagedLinkFoundWhilePlaying_isSkipped() throws {
    let link = try vorbis(GeneratedMusic(frames: 3000), ["--serial=1"])
    // The middle link has only one page, which is the first page of `link`. The other headers of `link` are on later
    // pages, so the middle link lacks these headers.
    let segments = Int(link[26])
    let firstPage = 27 + segments + link[27..<(27 + segments)].reduce(0) { $0 + Int($1) }
    let file = try AudioFile(MemoryByteSource(link + link[..<firstPage] + link))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.failure == nil)
    #expect(decoded.frameCount >= 3000)
    #expect(decoded.skipped.allSatisfy { $0.reaction == .skipPacket })
  }

  /// A false page looks like an Ogg page, but is not valid. For each false page, the decoder computes a checksum over
  /// up to 64 KB. After limited work, `next` returns a notice. After too many false pages, the decoder ends the stream.
  @Test func next_manyFalsePages_returnsAfterLimitedWork() throws {
    let pages = OggTestPage.pages(
      try vorbis(GeneratedMusic(frames: 200_000), ["--serial=1", "--quality=8"])
    ).map(\.bytes)
    let head = Array(pages[..<(pages.count - 8)].joined())
    let tail = Array(pages[(pages.count - 8)...].joined())
    // A checksum is computed only if the file has as many bytes as the header of the page states.
    let room = [UInt8](repeating: 0, count: 66_000)
    for (count, comesThrough) in [(400, true), (1500, false)] {
      let junk = Array((0..<count).map { _ in GeneratedDamage.falsePage(300) }.joined())
      let decoded = try AudioFile(MemoryByteSource(head + junk + room + tail)).decoder.decodeAll()
      #expect(decoded.skipped.count >= 2)
      #expect((decoded.failure == nil) == comesThrough)
      #expect((decoded.frameCount == 200_000) == comesThrough)
    }
  }

  @Test func decode_twoFirstPagesOfOneStream_continues() throws {
    let link = try flac(GeneratedMusic(frames: 5000), ["--serial-number=1"])
    let first = OggTestPage.pages(link)[0].bytes
    let file = try AudioFile(MemoryByteSource(first + link))
    #expect(file.decoder.decodeAll().frameCount == 5000)
  }
}
