import Foundation
import TestKit
import Testing

@testable import AudioCodecs

/// Tests that the samples are equal to the samples of mpg123, and that the length is equal to the length of the encoded
/// music.
@Suite struct MPEGTests {
  private let folder: TemporaryFolder
  private static let frames = 100_000

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8]) throws -> AudioFile { try AudioFile(MemoryByteSource(bytes)) }

  /// Encodes music with LAME, or with twolame if the name ends with `.mp2`.
  private func encode(
    _ options: [String], _ name: String = "a.mp3", channels: Int = 2, rate: Int = 44100,
    frames: Int = frames
  ) throws -> [UInt8] {
    let music = GeneratedMusic(channels: channels, rate: rate, frames: frames)
    try folder.write("in.wav", music.wav)
    let program = name.hasSuffix(".mp2") ? "twolame" : "lame"
    try Tools.run(program, ["--quiet"] + options + ["in.wav", name], in: folder.url)
    return try folder.read(name)
  }

  /// The samples of mpg123, as bit patterns of floats.
  private func reference(_ bytes: [UInt8]) throws -> [UInt32] {
    try folder.write("ref.mp3", bytes)
    try Tools.run("mpg123", ["-q", "-e", "f32", "-w", "ref.wav", "ref.mp3"], in: folder.url)
    let wav = try folder.read("ref.wav")
    let header = try WAVHeader(MemoryByteSource(wav), start: 0)
    guard case .pcm(let stream) = header.sound else { return [] }
    return wav[Int(stream.range.lowerBound)..<Int(stream.range.upperBound)].withUnsafeBytes {
      Array($0.bindMemory(to: UInt32.self))
    }
  }

  // MARK: Samples

  @Test(arguments: [
    ["-b", "128"], ["-b", "320"], ["-V", "0"], ["-V", "6"], ["--abr", "140"],
    ["-b", "64", "-m", "m"],
    ["-m", "s", "-b", "192"], ["-p", "-b", "128"],
  ])
  func layerIII_equalsMpg123_andHasTheLengthOfTheMusic(options: [String]) throws {
    let bytes = try encode(options + ["--noreplaygain", "--resample", "44.1"])
    let file = try open(bytes)
    #expect(file.header.codec == .mp3 && file.header.container == .mpeg)
    #expect(file.frameCount == Int64(Self.frames))
    #expect(file.header.declaredSeconds == Double(Self.frames) / 44100)
    let decoded = file.decoder.decodeAll()
    #expect(try decoded.samples == reference(bytes))
    #expect(decoded.samples.count == Self.frames * file.format.channels)
    #expect(decoded.isContinuous && decoded.skipped.isEmpty && decoded.failure == nil)
  }

  @Test(arguments: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 48000])
  func layerIIIAtEachRate_equalsMpg123(rate: Int) throws {
    let bytes = try encode(["-V", "5"], rate: rate, frames: 30_000)
    let file = try open(bytes)
    #expect(file.format.sampleRate == rate)
    let decoded = file.decoder.decodeAll()
    #expect(try decoded.samples == reference(bytes))
    #expect(decoded.samples.count == 30_000 * 2)
  }

  @Test(arguments: [["-b", "192"], ["-b", "64", "-m", "m"], ["-b", "384"]])
  func layerII_equalsMpg123(options: [String]) throws {
    let bytes = try encode(options, "a.mp2")
    let file = try open(bytes)
    #expect(file.header.codec == .mp2)
    let decoded = file.decoder.decodeAll()
    #expect(try decoded.samples == reference(bytes))
    #expect(file.frameCount == Int64(decoded.samples.count / file.format.channels))
  }

  // MARK: Length

  /// With the option `-t`, LAME writes no info frame. At 32 kbit/s it writes none either, because the MPEG frames are
  /// too small for it.
  @Test(arguments: [
    ["-b", "128", "-t"], ["-V", "4", "-t"], ["-b", "128", "-m", "m", "-t"],
    ["-b", "32", "--resample", "44.1"],
  ])
  func fileWithoutInfoFrame_hasTheCountedLength(options: [String]) throws {
    let bytes = try encode(options)
    let file = try open(bytes)
    #expect(file.header.declaredSeconds == nil)
    let decoded = file.decoder.decodeAll()
    #expect(file.frameCount == Int64(decoded.samples.count / file.format.channels))
    #expect(try decoded.samples == reference(bytes))
  }

  /// iTunes writes into a comment how many frames a player must remove at the start and at the end. Here, the number at
  /// the start is 528 (0x210), the delay of the decoder.
  @Test func numbersOfITunes_areTrimmed() throws {
    let plain = try encode(["-b", "128", "-t"])
    let whole = try open(plain).decoder.decodeAll().samples
    let total = whole.count / 2
    let music = String(total - 0x210 - 0x86A, radix: 16, uppercase: true)
    let text = " 00000000 00000210 0000086A 0000000000\(music)"
    let file = try open(id3(comment: "iTunSMPB", text) + plain)
    let trimmed = file.decoder.decodeAll().samples
    #expect(trimmed == Array(whole[2 * 0x210..<2 * (total - 0x86A)]))
    #expect(file.frameCount == Int64(trimmed.count / 2))
    #expect(file.header.metadata.comments.entries.isEmpty)
  }

  @Test func numbersOfITunes_thatDoNotFitTheInfoFrame_areIgnored() throws {
    // Remove the numbers of LAME from the info frame. The number of MPEG frames stays in the info frame.
    var bytes = try encode(["-V", "4"])
    let name = try #require(bytes.indices.first { bytes[$0...].starts(with: "LAME".utf8) })
    for index in name..<name + 4 { bytes[index] = 0 }
    let whole = try open(bytes).decoder.decodeAll().samples
    let music = whole.count / 2 - 0x210 - 0x86A
    for (count, isUsed) in [(music, true), (music - 1152, false)] {
      let text = " 00000000 00000210 0000086A \(String(count, radix: 16))"
      let file = try open(id3(comment: "iTunSMPB", text) + bytes)
      #expect(file.frameCount == Int64(isUsed ? music : whole.count / 2))
    }
  }

  /// An editor has removed the end of the music and has not changed the info frame.
  @Test func cutFile_isPlayedToItsEnd() throws {
    let bytes = try encode(["-V", "4"])
    let cut = Array(bytes[..<(bytes.count / 2)])
    let file = try open(cut)
    #expect(file.header.damage.contains { $0.kind == .missingData })
    let decoded = file.decoder.decodeAll()
    #expect(file.frameCount == Int64(decoded.samples.count / 2))
    let whole = try open(bytes).decoder.decodeAll().samples
    #expect(decoded.samples == Array(whole[..<decoded.samples.count]))
    #expect(decoded.samples.count > whole.count * 4 / 10)
  }

  @Test func morePartsThanTheInfoFrameStates_areAllPlayed() throws {
    let bytes = try encode(["-b", "128"])
    let more = try encode(["-b", "128", "-t"], "b.mp3")
    let decoded = try open(bytes + more).decoder.decodeAll()
    let single = try open(bytes).decoder.decodeAll()
    #expect(decoded.samples.count > single.samples.count * 19 / 10)
  }

  // MARK: Seeking

  @Test(arguments: [
    ["-b", "128"], ["-V", "2"], ["-V", "4", "-t"], ["-b", "128", "-t"], ["-b", "32"],
    ["-b", "8", "--resample", "24"],
  ])
  func seek_anyFrame_isExact(options: [String]) throws {
    let bytes = try encode(options, frames: 400_000)
    let file = try open(bytes)
    let channels = file.format.channels
    let whole = file.decoder.decodeAll().samples
    let fresh = try open(bytes)
    var random = SystemRandomNumberGenerator()
    let count = whole.count / channels
    let targets = (0..<60).map { _ in Int.random(in: 0..<count, using: &random) }
    for target in [0, 1, 1151, 1152, count - 1, count / 2] + targets {
      try fresh.decoder.seek(to: Int64(target))
      let decoded = fresh.decoder.decodeAll(limit: 3000)
      #expect(decoded.firstPosition == Int64(target), "\(target)")
      let end = min(whole.count, target * channels + decoded.samples.count)
      #expect(decoded.samples[...].elementsEqual(whole[target * channels..<end]), "\(target)")
    }
    try fresh.decoder.seek(to: Int64(count))
    #expect(fresh.decoder.decodeAll().samples.isEmpty)
  }

  // MARK: Other bytes

  /// An ID3v2.3 tag with one frame, which is a comment.
  private func id3(comment: String, _ text: String) -> [UInt8] {
    let content = [0] + Array("eng\(comment)\0\(text)".utf8)
    let frame =
      Array("COMM".utf8) + [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255), 0, 0]
      + content
    return Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(frame.count >> 7), UInt8(frame.count & 127)]
      + frame
  }

  @Test func tagsAroundTheSound_areReadAndAreNoSound() throws {
    let plain = try encode(["-V", "4"])
    let ape = apeTag([("REPLAYGAIN_TRACK_GAIN", "-7.5 dB"), ("Title", "APE"), ("Artist", "Äpfel")])
    let tagged =
      try encode([
        "-V", "4", "--tt", "The title", "--ta", "Somebody", "--tl", "Album", "--id3v2-only",
      ])
      + ape + id3v1(title: "old", album: "old album")
    let file = try open(tagged)
    let metadata = file.header.metadata
    #expect(metadata.title == "The title" && metadata.artist == "Somebody")
    #expect(metadata.album == "Album")
    #expect(Loudness(metadata.comments).trackGain == -7.5)
    let decoded = file.decoder.decodeAll()
    #expect(try decoded.samples == open(plain).decoder.decodeAll().samples)
    #expect(decoded.skipped.isEmpty)
    let old = try open(plain + id3v1(title: "Naïve", album: "Album")).header.metadata
    #expect(old.title == "Naïve" && old.album == "Album")
  }

  private func id3v1(title: String, album: String) -> [UInt8] {
    func field(_ text: String, _ count: Int) -> [UInt8] {
      let bytes = text.unicodeScalars.map { UInt8($0.value) }
      return bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }
    return Array("TAG".utf8) + field(title, 30) + field("", 30) + field(album, 30)
      + field("1999", 4) + field("", 30) + [17]
  }

  private func apeTag(_ items: [(String, String)]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    var content: [UInt8] = []
    for (name, value) in items {
      content += number(value.utf8.count) + number(0) + Array(name.utf8) + [0] + Array(value.utf8)
    }
    let size = content.count + 32
    func edge(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + number(2000) + number(size) + number(items.count) + number(flags)
        + [UInt8](repeating: 0, count: 8)
    }
    return edge(0xA000_0000) + content + edge(0x8000_0000)
  }

  @Test func garbageAndWrapping_leaveTheSound() throws {
    let plain = try encode(["-V", "4"])
    let samples = try open(plain).decoder.decodeAll().samples
    let garbage = [UInt8](repeating: 0, count: 5000) + Array("some text \u{FF}".utf8)
    #expect(try open(garbage + plain).decoder.decodeAll().samples == samples)
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    let format: [UInt8] = [0x55, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x80, 0x3E, 0, 0, 1, 0, 0, 0]
    let riff =
      Array("RIFF".utf8) + number(plain.count + 36) + Array("WAVEfmt ".utf8) + number(16) + format
      + Array("data".utf8) + number(plain.count) + plain
    let file = try open(riff)
    #expect(file.header.container == .wav && file.header.codec == .mp3)
    #expect(file.decoder.decodeAll().samples == samples)
  }

  @Test func missingBytesInside_areReported_andTheRestIsPlayed() throws {
    let plain = try encode(["-b", "128"])
    let half = plain.count / 2
    for damaged in [
      Array(plain[..<half]) + Array(plain[(half + 3000)...]),
      Array(plain[..<half]) + [UInt8](repeating: 0, count: 3000) + Array(plain[(half + 3000)...]),
    ] {
      let decoded = try open(damaged).decoder.decodeAll()
      #expect(decoded.skipped.contains { $0.kind == .missingData })
      #expect(decoded.samples.count > Self.frames * 2 * 9 / 10)
      #expect(decoded.failure == nil)
    }
  }

  /// Bytes in a file of constant bit rate are overwritten. The sound after these bytes keeps its position, so that a
  /// seek and continuous playback return the same samples.
  @Test func soundAfterOverwrittenBytes_keepsItsPosition() throws {
    let plain = try encode(["-b", "128"], frames: 400_000)
    var damaged = plain
    let half = plain.count / 2
    for index in half..<half + 5000 { damaged[index] = 0 }
    let whole = try open(plain).decoder.decodeAll()
    let file = try open(damaged)
    let played = file.decoder.decodeAll()
    #expect(played.endPosition == whole.endPosition && !played.isContinuous)
    try file.decoder.seek(to: 390_000)
    let end = file.decoder.decodeAll()
    #expect(end.firstPosition == 390_000)
    #expect(end.samples == Array(whole.samples[780_000...]))
    #expect(Array(played.samples.suffix(20_000)) == Array(whole.samples.suffix(20_000)))
  }

  @Test func joinedFilesWithTheirTags_arePlayedWithoutANotice() throws {
    let first = try encode(["-V", "4"]) + id3v1(title: "First", album: "Album")
    let second = try encode(["-V", "4", "--tt", "Second", "--id3v2-only"], "b.mp3")
    let file = try open(first + second)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.skipped.isEmpty && decoded.failure == nil && decoded.isContinuous)
    #expect(decoded.frameCount > 2 * Self.frames && decoded.frameCount < 2 * Self.frames + 8000)
    let target = Int64(Self.frames * 3 / 2)
    try file.decoder.seek(to: target)
    let after = file.decoder.decodeAll(limit: 3000)
    #expect(after.firstPosition == target)
    let start = Int(target) * 2
    #expect(after.samples[...].elementsEqual(decoded.samples[start..<start + after.samples.count]))
  }

  /// The file consists of two parts with different rates. After the second part was decoded, a seek goes back to the
  /// first part.
  @Test func seekBackFromAPartWithAnotherRate_isExact() throws {
    let bytes = try encode(["-V", "4", "-t"]) + encode(["-V", "4", "-t"], "b.mp3", rate: 22050)
    let file = try open(bytes)
    let whole = file.decoder.decodeAll()
    #expect(whole.formats.map(\.sampleRate) == [22050])
    for target in [10, 50_000, 150_000, 60_000] as [Int64] {
      try file.decoder.seek(to: target)
      let part = file.decoder.decodeAll(limit: 3000)
      #expect(part.firstPosition == target)
      let start = Int(target) * 2
      #expect(part.samples[...].elementsEqual(whole.samples[start..<start + part.samples.count]))
    }
  }

  /// More than 8 MB are between the start of the file and the target, so the decoder reaches the target in several
  /// steps.
  @Test func distantSeek_reportsNoDamage() throws {
    let unit = try encode(["-V", "0", "-t"], frames: 400_000)
    let bytes = [[UInt8]](repeating: unit, count: 12_000_000 / unit.count + 1).joined()
    let file = try open(Array(bytes))
    let target = try #require(file.frameCount) - 5000
    let other = try open(Array(bytes))
    try other.decoder.seek(to: target)
    let decoded = other.decoder.decodeAll()
    #expect(decoded.skipped.isEmpty && decoded.firstPosition == target)
    #expect(decoded.frameCount == 5000)
  }

  @Test func partOfAFrameAtTheEnd_isNotDecoded() throws {
    let plain = try encode(["-b", "128", "-t"])
    let whole = try open(plain).decoder.decodeAll()
    let cut = try open(Array(plain.dropLast(100))).decoder.decodeAll()
    #expect(cut.failure == nil && cut.skipped.isEmpty)
    #expect(whole.frameCount - cut.frameCount == 1152)
    #expect(cut.samples[...].elementsEqual(whole.samples[..<cut.samples.count]))
  }

  /// The end of the file cannot be read, for example because a block of the stick is defective. The beginning is
  /// played.
  @Test func unreadablePart_leavesTheBeginning() throws {
    let plain = try encode(["-b", "128"], frames: 400_000)
    let source = FailingByteSource(plain, failsAt: Int64(plain.count * 3 / 4))
    let file = try AudioFile(source)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.failure?.reaction == .endTrack)
    #expect(decoded.frameCount > 150_000)
  }

  @Test func freeFormat_isRefusedByName() throws {
    let bytes = try encode(["--freeformat", "-b", "400"])
    #expect {
      try open(bytes)
    } throws: {
      ($0 as? DecodeError)?.kind == .otherFormat
    }
  }

  @Test func gainOfLAME_isUsedUnlessATagHasIt() throws {
    let bytes = try encode(["-V", "4", "--replaygain-accurate"])
    let gain = try #require(Loudness(try open(bytes).header.metadata.comments).trackGain)
    #expect(abs(gain) > 0 && abs(gain) < 40)
    let tagged = bytes + apeTag([("replaygain_track_gain", "+1.25 dB")])
    #expect(Loudness(try open(tagged).header.metadata.comments).trackGain == 1.25)
  }

  // MARK: Joins

  /// A tone is cut into three tracks. If one frame were missing or added at a join, all following samples would differ
  /// by up to 0.018.
  @Test func toneThatWasCut_joinsWithoutAMissingFrameAndWithoutAJump() throws {
    let tone = (0..<120_000).map { Int16((sin(Double($0) * 0.05) * 12_000).rounded()) }
    let cuts = [0, 40_321, 77_000, tone.count]
    var joined: [Float] = []
    for (start, end) in zip(cuts, cuts.dropFirst()) {
      let raw = tone[start..<end].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }
      try folder.write("part.raw", raw)
      try Tools.run(
        "lame",
        [
          "--quiet", "-r", "-s", "44.1", "--bitwidth", "16", "-m", "m", "-b", "320", "part.raw",
          "part.mp3",
        ], in: folder.url)
      let part = try open(try folder.read("part.mp3")).decoder.decodeAll().samples
      #expect(part.count == end - start)
      joined += part.map { Float(bitPattern: $0) }
    }
    let errors = zip(joined, tone).map { abs($0 - Float($1) / 32768) }
    for start in cuts.dropLast() {
      #expect(errors[(start + 1000)..<(start + 30_000)].max()! < 0.001)
    }
    for join in cuts.dropFirst().dropLast() {
      // LAME encodes each part alone, so the noise is larger at a join.
      #expect(errors[(join - 600)..<(join + 600)].max()! < 0.02)
    }
  }

  // MARK: Hostile files

  @Test func infoFrameWithHugeNumbers_isNotBelieved() throws {
    let bytes = try encode(["-V", "4"])
    let name = try #require(bytes.indices.first { bytes[$0...].starts(with: "Xing".utf8) })
    for (frames, size) in [(0xFFFF_FFFF, 1), (1, 0xFFFF_FFFF), (0xFFFF_FFFF, 0xFFFF_FFFF), (0, 0)] {
      var changed = bytes
      for index in 0..<4 {
        changed[name + 8 + index] = UInt8(truncatingIfNeeded: frames >> (24 - 8 * index))
        changed[name + 12 + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
      }
      let file = try open(changed)
      let decoded = file.decoder.decodeAll()
      #expect(decoded.failure == nil)
      #expect(decoded.frameCount >= Self.frames && decoded.frameCount < Self.frames + 4 * 1152)
      #expect(file.frameCount! < Int64(Self.frames + 4 * 1152))
    }
  }

  @Test func apeTagThatClaimsTheWholeFile_leavesTheSound() throws {
    let plain = try encode(["-V", "4"])
    var tag = apeTag([("a", "b")])
    for index in 0..<4 {
      tag[tag.count - 20 + index] = UInt8(truncatingIfNeeded: (plain.count + 40) >> (8 * index))
    }
    let decoded = try open(plain + tag).decoder.decodeAll()
    #expect(decoded.frameCount > Self.frames / 2)
  }

  @Test func apeTagWithoutItems_orWithoutItsHeader_leavesTheSound() throws {
    let plain = try encode(["-V", "4"])
    let samples = try open(plain).decoder.decodeAll().samples
    var empty = Array(apeTag([]).suffix(32))
    #expect(try open(plain + empty).decoder.decodeAll().samples == samples)
    for index in 0..<4 { empty[12 + index] = UInt8(truncatingIfNeeded: 20_000 >> (8 * index)) }
    #expect(try open(plain + empty).decoder.decodeAll().samples == samples)
    // The flags in the footer of this APE tag state that the tag has a header, but the header is missing.
    let footerOnly = Array(apeTag([("Title", "A")]).dropFirst(32))
    let file = try open(plain + footerOnly)
    #expect(file.decoder.decodeAll().samples == samples)
    #expect(file.header.metadata.title == "A")
  }

  @Test func lyricsTagWithoutItsBeginning_leavesTheSound() throws {
    let plain = try encode(["-V", "4"])
    let samples = try open(plain).decoder.decodeAll().samples
    for begin in ["", "LYRICSBEGIN"] {
      let tag = Array("\(begin)IND0000200".utf8) + Array("000021LYRICS200".utf8)
      let file = try open(plain + tag)
      #expect(file.decoder.decodeAll().samples == samples)
      let end = try TrailingTags(MemoryByteSource(plain + tag), after: 0).start
      #expect(end == Int64(plain.count + (begin.isEmpty ? tag.count : 0)))
    }
  }

  @Test func oneFrameBeforeATag_isPlayed() throws {
    let plain = try encode(["-b", "128", "-t"])
    let header = try #require(MPEGFrameHeader(plain))
    let file = try open(Array(plain[..<header.byteCount]) + id3v1(title: "Short", album: ""))
    #expect(file.header.metadata.title == "Short")
    #expect(file.decoder.decodeAll().frameCount == 1152)
  }

  @Test func megabytesOfJunkInside_endTheTrackOrAreSkipped() throws {
    let plain = try encode(["-b", "128"])
    let half = plain.count / 2
    for (byte, size) in [(0xFF as UInt8, 1 << 20), (0, 70 << 20)] {
      let junk = [UInt8](repeating: byte, count: size)
      let decoded = try open(Array(plain[..<half]) + junk + Array(plain[half...])).decoder
        .decodeAll()
      #expect(decoded.failure == nil || size > 64 << 20)
      #expect(decoded.frameCount > (size > 64 << 20 ? Self.frames / 3 : Self.frames * 9 / 10))
    }
  }
}
