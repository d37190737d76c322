import TestKit
import Testing

@testable import AudioCodecs

/// Tests WAV and AIFF files of sox, and files with unusual chunks.
@Suite struct PCMFilesTests {
  private let folder: TemporaryFolder
  private static let frames = 10_000

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8]) throws -> AudioFile { try AudioFile(MemoryByteSource(bytes)) }

  /// Writes a file with sox and returns its bytes.
  private func sox(_ music: GeneratedMusic, _ name: String, _ options: [String]) throws -> [UInt8] {
    try folder.write("in.wav", music.wav)
    try Tools.run("sox", ["-D", "in.wav"] + options + [name], in: folder.url)
    return try folder.read(name)
  }

  /// The samples that sox reads from a file, in the order of WAV.
  private func reference(_ name: String, _ encoding: String) throws -> [UInt32] {
    try Tools.run(
      "sox", ["-D", name, "-t", "raw", "-e", encoding, "-b", "32", "out.raw"], in: folder.url)
    return try folder.read("out.raw").withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  private func number(_ value: Int, _ bytes: Int = 4) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func chunk(_ name: String, _ content: [UInt8], length: Int? = nil) -> [UInt8] {
    Array(name.utf8) + number(length ?? content.count) + content
  }

  private func riff(_ chunks: [UInt8], _ kind: String = "RIFF") -> [UInt8] {
    Array(kind.utf8) + number(chunks.count + 4) + Array("WAVE".utf8) + chunks
  }

  private static let stereo16: [UInt8] = [
    1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0,
  ]

  private var format: [UInt8] { chunk("fmt ", Self.stereo16) }

  private func refusal(_ bytes: [UInt8]) -> DecodeError? {
    do throws(DecodeError) {
      _ = try AudioFile(MemoryByteSource(bytes))
      return nil
    } catch {
      return error
    }
  }

  // MARK: Samples

  @Test(arguments: [
    ("wav", "unsigned-integer", 8), ("wav", "signed-integer", 16), ("wav", "signed-integer", 24),
    ("wav", "signed-integer", 32), ("wav", "floating-point", 32), ("wav", "floating-point", 64),
    ("aiff", "signed-integer", 8), ("aiff", "signed-integer", 16), ("aiff", "signed-integer", 24),
    ("aiff", "signed-integer", 32),
  ])
  func fileOfSox_hasTheSamplesThatSoxReads(_ kind: String, _ encoding: String, _ bits: Int) throws {
    for channels in [1, 2] {
      let music = GeneratedMusic(channels: channels, bits: 24, rate: 48000, frames: Self.frames)
      let bytes = try sox(music, "a.\(kind)", ["-e", encoding, "-b", "\(bits)"])
      let file = try open(bytes)
      let isFloat = encoding == "floating-point"
      #expect(file.format.sampleRate == 48000 && file.format.channels == channels)
      #expect(file.format.encoding == (isFloat ? .float : .integer(bits: bits)))
      #expect(file.frameCount == Int64(Self.frames))
      #expect(file.header.declaredSeconds == Double(Self.frames) / 48000)
      let decoded = file.decoder.decodeAll()
      #expect(
        try decoded.samples
          == reference("a.\(kind)", isFloat ? "floating-point" : "signed-integer"))
      #expect(decoded.isContinuous && decoded.skipped.isEmpty && decoded.failure == nil)
    }
  }

  @Test func samplesOfFewerBitsThanTheirBytes_areLeftJustified() throws {
    let music = GeneratedMusic(channels: 2, bits: 20, frames: 1000)
    let file = try open(music.wav)
    #expect(file.format.encoding == .integer(bits: 20))
    #expect(file.decoder.decodeAll().integers(bits: 20) == music.samples)
  }

  @Test(arguments: 1...8) func channels_haveALSAsOrder(_ channels: Int) throws {
    let music = GeneratedMusic(channels: channels, bits: 16, frames: 1000)
    let file = try open(music.wav)
    let wave = file.format.layout.waveOrdered
    #expect(file.format.layout == wave.alsaOrdered)
    let order = file.format.layout.permutation(from: wave)
    let expected = (0..<1000).flatMap { frame in
      order.map { music.samples[frame * channels + $0] }
    }
    #expect(file.decoder.decodeAll().integers(bits: 16) == expected)
  }

  @Test func littleEndianAIFF_isRead() throws {
    let music = GeneratedMusic(frames: 100)
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(content.count).reversed() + content
    }
    let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    let common: [UInt8] =
      [0, 2, 0, 0, 0, 100, 0, 16] + rate + Array("sowt".utf8) + [0, 0]
    let body =
      chunk("COMM", common) + chunk("NAME", Array("A title ".utf8))
      + chunk("SSND", [0, 0, 0, 4, 0, 0, 0, 0, 9, 9, 9, 9] + music.raw)
    let file = try open(Array("FORM".utf8) + [0, 0, 0, 0] + Array("AIFC".utf8) + body)
    #expect(file.header.container == .aiff && file.header.codec == .pcm)
    #expect(file.header.metadata.title == "A title")
    #expect(file.format.sampleRate == 44100)
    #expect(file.decoder.decodeAll().integers(bits: 16) == music.samples)
  }

  @Test func floatsThatAreNotNumbers_areSilence() throws {
    let values: [Float] = [0.5, .nan, .infinity, -.infinity, -2]
    let float: [UInt8] = [3, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 32, 0]
    let data = values.flatMap { number(Int($0.bitPattern)) }
    let decoded = try open(riff(chunk("fmt ", float) + chunk("data", data))).decoder.decodeAll()
    #expect(decoded.samples.map { Float(bitPattern: $0) } == [0.5, 0, 0, 0, -2])
  }

  @Test func seeks_areExact() throws {
    let music = GeneratedMusic(channels: 2, bits: 24, frames: 50_000)
    let file = try open(music.wav)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let frame = Int.random(in: 0..<50_000, using: &random)
      try file.decoder.seek(to: Int64(frame))
      guard case .frames(let block) = try file.decoder.next(), let samples = block.samples else {
        Issue.record("no frames at \(frame)")
        return
      }
      #expect(block.position == Int64(frame))
      #expect(samples.load(as: Int32.self) >> 8 == music.samples[frame * 2])
    }
    try file.decoder.seek(to: .max)
    #expect(file.decoder.decodeAll().frameCount == 0)
    try file.decoder.seek(to: -5)
    #expect(file.decoder.decodeAll().frameCount == 50_000)
  }

  @Test func fileThatBecomesShorter_endsWithTheNumberOfMissingFrames() throws {
    let music = GeneratedMusic(frames: 50_000)
    let bytes = riff(format + chunk("data", music.raw))
    let file = try AudioFile(ShortenedByteSource(bytes, to: 100_000))
    let decoded = file.decoder.decodeAll()
    let missing = Int64(50_000 - decoded.frameCount)
    #expect(decoded.skipped.map(\.kind) == [.missingFrames(missing)] && missing > 20_000)
    #expect(decoded.failure == nil)
  }

  // MARK: Chunks

  @Test func chunksOfOddLength_withAndWithoutTheirZero_areSkipped() throws {
    let music = GeneratedMusic(frames: 200)
    for gap in [[], [0]] as [[UInt8]] {
      let file = try open(
        riff(chunk("junk", [1, 2, 3]) + gap + format + chunk("data", music.raw)))
      #expect(file.decoder.decodeAll().integers(bits: 16) == music.samples)
    }
  }

  @Test func chunkOfOddLength_withAnotherFillingByte_isSkipped() throws {
    let music = GeneratedMusic(frames: 200)
    let file = try open(
      riff(chunk("junk", [1, 2, 3]) + [0xA5] + format + chunk("data", music.raw)))
    #expect(file.decoder.decodeAll().integers(bits: 16) == music.samples)
  }

  @Test func emptySound_isRefused_andTheNextChunkIsNotPlayed() throws {
    let info = Array("INFO".utf8) + chunk("INAM", Array("Title\0".utf8))
    #expect(
      refusal(riff(format + chunk("data", []) + chunk("LIST", info)))?.reaction == .refuseFile)
  }

  @Test func mediumThatFailsAfterTheSound_leavesTheFilePlayable() throws {
    let music = GeneratedMusic(frames: 20_000)
    let head = riff(format + chunk("data", music.raw))
    let bytes = head + chunk("LIST", [UInt8](repeating: 0x49, count: 20_000))
    let file = try AudioFile(FailingByteSource(bytes, failsAt: Int64(head.count)))
    #expect(file.header.damage.map(\.kind) == [.unreadable])
    #expect(file.decoder.decodeAll().integers(bits: 16) == music.samples)
  }

  @Test func thousandsOfTagChunks_needLittleTimeAndMemory() throws {
    func frame(_ number: Int) -> [UInt8] {
      Array("TXXX".utf8) + [0, 0, 0, 6, 0, 0, 3] + Array("N\(number % 10)\0x".utf8) + [0]
    }
    let frames = (0..<200).flatMap(frame)
    let size = [
      UInt8(frames.count >> 14 & 127), UInt8(frames.count >> 7 & 127), UInt8(frames.count & 127),
    ]
    let tag = Array("ID3".utf8) + [3, 0, 0, 0] + size + frames
    let list = Array("INFO".utf8) + (0..<500).flatMap { _ in chunk("INAM", [0x41, 0]) }
    let repeated = (0..<400).flatMap { _ in chunk("id3 ", tag) + chunk("LIST", list) }
    let metadata = try open(riff(format + chunk("data", [1, 2, 3, 4]) + repeated)).header.metadata
    let names = metadata.comments.entries.count { $0.name.hasPrefix("N") }
    #expect(names <= 200 && metadata.title == "A")
  }

  @Test func tagThatIsLongerThanItsChunk_isNotRead() throws {
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 60]
    let frame = Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 0, 0x41]
    let file = try open(
      riff(
        format + chunk("data", [1, 2, 3, 4]) + chunk("id3 ", tag)
          + chunk("junk", frame + [UInt8](repeating: 0, count: 100))))
    #expect(file.header.metadata.title == nil)
  }

  @Test func monoWithTheMaskOfTheLeftLoudspeaker_isMono() throws {
    let guid: [UInt8] = [1, 0, 0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113]
    let mono: [UInt8] =
      [0xFE, 0xFF, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0, 22, 0, 16, 0, 1, 0, 0, 0]
      + guid
    #expect(try open(riff(chunk("fmt ", mono) + chunk("data", [1, 2]))).format.layout == .mono)
  }

  @Test func unusedBytesAfterTheFramesOfAIFF_areNotPlayed() throws {
    let music = GeneratedMusic(frames: 100)
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(content.count).reversed() + content
    }
    let common: [UInt8] = [0, 2, 0, 0, 0, 60, 0, 16, 0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    let sound = chunk("SSND", [0, 0, 0, 0, 0, 0, 0, 0] + music.raw)
    let file = try open(
      Array("FORM".utf8) + [0, 0, 0, 0] + Array("AIFF".utf8) + chunk("COMM", common) + sound)
    #expect(file.frameCount == 60 && file.decoder.decodeAll().frameCount == 60)
  }

  @Test func tagsOfTheInfoList_areRead_alsoAfterTheSound() throws {
    let info =
      Array("INFO".utf8) + chunk("INAM", Array("Ein Stück\0".utf8))
      + chunk("IART", [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x92, 0])
      + chunk("IPRD", Array("Album".utf8) + [0])
      + chunk("ITRK", Array("3/9\0".utf8))
    let file = try open(riff(format + chunk("data", [1, 2, 3, 4]) + chunk("LIST", info)))
    let metadata = file.header.metadata
    #expect(metadata.title == "Ein Stück" && metadata.album == "Album" && metadata.trackNumber == 3)
    // The bytes are not valid UTF-8, so they are read as Windows-1252.
    #expect(metadata.artist == "Müller’")
  }

  @Test func lengthsOf64Bits_areReadFromTheirTable() throws {
    let music = GeneratedMusic(frames: 300)
    let data = music.raw
    let table = number(0, 8) + number(data.count, 8) + number(300, 8) + number(0)
    for kind in ["RF64", "BW64"] {
      let file = try open(
        riff(
          chunk("ds64", table) + format + chunk("data", data, length: 0xFFFF_FFFF)
            + chunk("junk", [1, 2]), kind))
      #expect(file.decoder.decodeAll().integers(bits: 16) == music.samples)
      #expect(file.header.damage.isEmpty)
    }
  }

  @Test func soundOfUnknownLength_isPlayedToTheEndOfTheFile() throws {
    let music = GeneratedMusic(frames: 300)
    for length in [0, 0x7FFF_F000, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      let file = try open(riff(format + chunk("data", music.raw, length: length)))
      #expect(file.decoder.decodeAll().integers(bits: 16) == music.samples)
      #expect(file.header.damage.isEmpty)
    }
  }

  @Test func cutFile_isPlayed_andTheMissingBytesAreReported() throws {
    let music = GeneratedMusic(frames: 300)
    // The last frame is incomplete.
    let bytes = riff(format + chunk("data", music.raw)).dropLast(402)
    let file = try open(Array(bytes))
    #expect(file.frameCount == 199)
    #expect(file.decoder.decodeAll().integers(bits: 16) == Array(music.samples.prefix(398)))
    #expect(file.header.damage.map(\.kind) == [.missingData])
  }

  @Test func filesThatCannotBePlayed_areRefusedWithAReason() throws {
    let music = GeneratedMusic(frames: 500)
    for encoding in ["ms-adpcm", "ima-adpcm", "a-law", "mu-law"] {
      #expect(refusal(try sox(music, "\(encoding).wav", ["-e", encoding]))?.kind == .otherFormat)
    }
    let data = chunk("data", music.raw)
    var channels9 = Self.stereo16
    (channels9[2], channels9[12]) = (9, 18)
    var noRate = Self.stereo16
    noRate.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    for bytes in [
      riff(data), riff(format), riff([]), riff(format + chunk("data", [1])),
      riff(chunk("fmt ", channels9) + data), riff(chunk("fmt ", noRate) + data),
      riff(chunk("fmt ", Array(Self.stereo16.prefix(9))) + data),
      riff(chunk("fmt ", Self.stereo16.map { _ in 0 }) + data), Array(riff(format).prefix(20)),
    ] {
      #expect(refusal(bytes)?.reaction == .refuseFile)
    }
  }

  @Test func mediumThatFails_endsTheTrackAfterItsReadableFrames() throws {
    let music = GeneratedMusic(frames: 100_000)
    let bytes = riff(format + chunk("data", music.raw))
    let file = try AudioFile(FailingByteSource(bytes, failsAt: 200_000))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.failure?.kind == .unreadable && decoded.failure?.reaction == .endTrack)
    // The frames of one block of 64 KB are lost.
    #expect(decoded.frameCount > 30_000 && decoded.frameCount < 50_000)
    #expect(decoded.integers(bits: 16) == Array(music.samples.prefix(2 * decoded.frameCount)))
    guard case .end = try file.decoder.next() else {
      Issue.record("the decoder continues")
      return
    }
  }
}

/// A file that has become shorter since its size was read.
private final class ShortenedByteSource: ByteSource {
  private let bytes: MemoryByteSource
  let size: Int64

  init(_ bytes: [UInt8], to count: Int) {
    self.bytes = MemoryByteSource(Array(bytes.prefix(count)))
    size = Int64(bytes.count)
  }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    try bytes.read(at: offset, into: buffer)
  }
}
