import TestKit
import Testing

@testable import AudioCodecs

/// Tests that the samples are equal to the samples of `oggdec`, and that chains, ends and seeks are exact to the frame.
@Suite struct VorbisDecoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> AudioFile {
    try AudioFile(MemoryByteSource(try folder.read(name)))
  }

  /// The output of oggdec, as 16-bit samples in Vorbis channel order.
  private func reference(_ name: String) throws -> [Int16] {
    try Tools.run("oggdec", ["--quiet", "--raw", "-o", name + ".ref", name], in: folder.url)
    let bytes = try folder.read(name + ".ref")
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  /// Converts as libvorbisfile does: rounds to the nearest value, ties to even, and clamps.
  private func to16(_ samples: [UInt32]) -> [Int16] {
    samples.map { word in
      let value = (Float(bitPattern: word) * 32768).rounded(.toNearestOrEven)
      return Int16(min(max(value, -32768), 32767))
    }
  }

  @Test(arguments: 1...8)
  func decode_eachChannelCount_equalsOggdecInALSAsOrder(channels: Int) throws {
    let music = GeneratedMusic(channels: channels, frames: 20_000)
    try music.vorbis(folder, "a.ogg", ["-q3"])
    let file = try open("a.ogg")
    #expect(file.frameCount == 20_000)
    let source = ChannelLayout.vorbis(channels: channels)
    let order = source.alsaOrdered.permutation(from: source)
    let reference = try reference("a.ogg")
    let expected = (0..<20_000).flatMap { frame in
      order.map { reference[frame * channels + $0] }
    }
    #expect(to16(file.decoder.decodeAll().samples) == expected)
  }

  @Test(arguments: [["-q-1"], ["-q10"], ["--resample", "8000"]])
  func decode_eachQuality_equalsOggdec(options: [String]) throws {
    try GeneratedMusic(frames: 30_000).vorbis(folder, "a.ogg", options)
    let decoded = try open("a.ogg").decoder.decodeAll()
    #expect(to16(decoded.samples) == (try reference("a.ogg")))
    #expect(decoded.skipped.isEmpty)
  }

  @Test func seek_anyFrame_isExact() throws {
    try GeneratedMusic(frames: 50_000).vorbis(folder, "a.ogg")
    let whole = try open("a.ogg").decoder.decodeAll().samples
    let file = try open("a.ogg")
    for target in [0, 1, 127, 128, 1023, 1024, 1025, 25_000, 49_998, 49_999, 3, 44_100] {
      try file.decoder.seek(to: Int64(target))
      let decoded = file.decoder.decodeAll(limit: 200)
      #expect(decoded.firstPosition == Int64(target))
      #expect(!decoded.samples.isEmpty)
      let end = 2 * target + decoded.samples.count
      #expect(decoded.samples == Array(whole[(2 * target)..<end]))
    }
  }

  // MARK: Chains

  @Test func decode_chain_isGaplessAndReportsTheNewTags() throws {
    let first = GeneratedMusic(frames: 20_000, seed: 1)
    let second = GeneratedMusic(frames: 15_000, seed: 2)
    try first.vorbis(folder, "a.ogg", ["-t", "First", "--serial=1"])
    try second.vorbis(folder, "b.ogg", ["-t", "Second", "--serial=2"])
    try folder.write("c.ogg", try folder.read("a.ogg") + (try folder.read("b.ogg")))
    let file = try open("c.ogg")
    #expect(file.linkCount == 2)
    #expect(file.frameCount == 35_000)
    #expect(file.header.metadata.title == "First")
    let decoded = file.decoder.decodeAll()
    #expect(to16(decoded.samples) == (try reference("a.ogg")) + (try reference("b.ogg")))
    #expect(decoded.metadata.map(\.title) == ["Second"])
    #expect(decoded.skipped.isEmpty)
  }

  @Test func seek_inAChain_isExactBeforeAndAfterTheJoin() throws {
    try GeneratedMusic(frames: 20_000, seed: 1).vorbis(folder, "a.ogg", ["--serial=1"])
    try GeneratedMusic(frames: 15_000, seed: 2).vorbis(folder, "b.ogg", ["--serial=2"])
    try folder.write("c.ogg", try folder.read("a.ogg") + (try folder.read("b.ogg")))
    let whole = try open("c.ogg").decoder.decodeAll().samples
    let file = try open("c.ogg")
    for target in [19_999, 20_000, 20_001, 34_999, 5] {
      try file.decoder.seek(to: Int64(target))
      let decoded = file.decoder.decodeAll(limit: 50)
      #expect(decoded.firstPosition == Int64(target))
      let end = 2 * target + decoded.samples.count
      #expect(decoded.samples == Array(whole[(2 * target)..<end]))
    }
  }

  @Test func decode_manyLinks_areAllFound() throws {
    var bytes: [UInt8] = []
    for serial in 1...20 {
      try GeneratedMusic(channels: 1, frames: 3000, seed: UInt64(serial))
        .vorbis(folder, "a.ogg", ["--serial=\(serial)"])
      bytes += try folder.read("a.ogg")
    }
    let file = try AudioFile(MemoryByteSource(bytes))
    #expect(file.linkCount == 20)
    #expect(file.decoder.decodeAll().frameCount == 60_000)
  }

  @Test func decode_chainOfOneSerial_playsBothLinks() throws {
    try GeneratedMusic(frames: 10_000, seed: 1).vorbis(folder, "a.ogg", ["-t", "A", "--serial=7"])
    try GeneratedMusic(frames: 12_000, seed: 2).vorbis(folder, "b.ogg", ["-t", "B", "--serial=7"])
    try folder.write("c.ogg", try folder.read("a.ogg") + (try folder.read("b.ogg")))
    let decoded = try open("c.ogg").decoder.decodeAll()
    #expect(to16(decoded.samples) == (try reference("a.ogg")) + (try reference("b.ogg")))
    #expect(decoded.metadata.map(\.title) == ["B"])
  }

  @Test func decode_chainOfTwoFormats_announcesTheSecond() throws {
    try GeneratedMusic(frames: 10_000).vorbis(folder, "a.ogg", ["--serial=1"])
    try GeneratedMusic(channels: 1, rate: 48000, frames: 24_000).vorbis(
      folder, "b.ogg", ["--serial=2"])
    try folder.write("c.ogg", try folder.read("a.ogg") + (try folder.read("b.ogg")))
    let file = try open("c.ogg")
    let duration = try #require(file.durationSeconds)
    #expect(abs(duration - (10_000.0 / 44100 + 0.5)) < 1e-9)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.formats.map(\.sampleRate) == [48000])
    #expect(decoded.frameCount == 34_000)
    #expect(file.decoder.frame(atSeconds: duration) == 34_000)
  }

  // MARK: Memory

  /// libvorbisfile would store a packet of any size. The decoder ends the track if a packet has more than 1 MB.
  @Test func decode_packetOverOneMegabyte_endsTheTrack() throws {
    func decode(_ padding: Int) throws -> Decoded {
      try AudioFile(MemoryByteSource(GeneratedVorbisSetup().file(padding: padding))).decoder
        .decodeAll()
    }
    let whole = try decode(900_000)
    #expect(whole.failure == nil)
    #expect(whole.frameCount == 8192)
    #expect(try decode(1_200_000).failure?.kind == .tooLarge)
  }

  /// libvorbis would allocate 220 MB for these five million empty tags. So the decoder does not pass them to libvorbis.
  @Test func open_millionsOfTags_playsAll() throws {
    let comments = GeneratedVorbisSetup.comments(empty: 5_000_000)
    let file = try AudioFile(MemoryByteSource(GeneratedVorbisSetup().file(comments: comments)))
    #expect(file.decoder.decodeAll().frameCount == 8192)
    #expect(file.header.metadata.comments.entries.isEmpty)
  }

  @Test func open_setupHeaderOverOneMegabyte_isRefused() throws {
    var setup = GeneratedVorbisSetup()
    setup.padding = VorbisSetup.maximumBytes - setup.packet.count
    #expect(try AudioFile(MemoryByteSource(setup.file())).frameCount == 8192)
    setup.padding += 1
    let error = #expect(throws: DecodeError.self) {
      try AudioFile(MemoryByteSource(setup.file()))
    }
    #expect(error?.kind == .tooLarge)
  }

  /// The set-up header contains a whole Vorbis file. When libvorbisfile searches for the last page of the stream, it
  /// could take the pages of the inner file for a second link.
  @Test func open_fileInsideTheSetupHeader_isIgnored() throws {
    var inner = GeneratedVorbisSetup()
    inner.books = [.init(entries: 32768, dimensions: 39, lookup: 1)]
    let hidden = inner.file(serial: 2)
    let outer = GeneratedVorbisSetup()
    let file = try AudioFile(MemoryByteSource(outer.file(behindSetup: hidden)))
    #expect(file.linkCount == 1)
    #expect(file.decoder.decodeAll().frameCount == 8192)
  }

  // MARK: Damage

  @Test func decode_damagedPage_isReportedAndTheRestKeepsItsPosition() throws {
    try GeneratedMusic(frames: 200_000).vorbis(folder, "a.ogg")
    let whole = try open("a.ogg").decoder.decodeAll().samples
    var bytes = try folder.read("a.ogg")
    bytes[bytes.count / 2] ^= 0xFF
    let decoded = try AudioFile(MemoryByteSource(bytes)).decoder.decodeAll()
    #expect(decoded.skipped.contains { $0.kind == .missingData })
    #expect(decoded.frameCount < 200_000)
    #expect(decoded.samples.suffix(2000) == whole.suffix(2000))
  }

  @Test func decode_truncatedFile_playsToTheCutAndReportsDamage() throws {
    try GeneratedMusic(frames: 200_000).vorbis(folder, "a.ogg")
    let whole = try open("a.ogg").decoder.decodeAll().samples
    let bytes = try folder.read("a.ogg")
    let decoded = try AudioFile(MemoryByteSource(Array(bytes[..<(bytes.count / 2)]))).decoder
      .decodeAll()
    #expect(decoded.frameCount > 50_000)
    #expect(decoded.samples == Array(whole.prefix(decoded.samples.count)))
    #expect(decoded.skipped.map(\.kind) == [.missingLastPage])
  }
}
