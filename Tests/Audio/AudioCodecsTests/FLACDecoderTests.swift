import TestKit
import Testing

@testable import AudioCodecs

/// The decoder returns the samples that `flac` encoded, bit for bit.
@Suite struct FLACDecoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String, for purpose: AudioFile.Purpose = .play) throws -> AudioFile {
    try AudioFile(MemoryByteSource(try folder.read(name)), for: purpose)
  }

  /// The expected samples, in ALSA's channel order.
  private func expected(_ music: GeneratedMusic) -> [Int32] {
    let source = ChannelLayout.flac(channels: music.channels)
    let order = source.alsaOrdered.permutation(from: source)
    return (0..<music.frameCount).flatMap { frame in
      order.map { music.samples[frame * music.channels + $0] }
    }
  }

  @Test(arguments: [8, 12, 16, 20, 24])
  func decode_eachDepth_returnsTheEncodedSamples(bits: Int) throws {
    let music = GeneratedMusic(bits: bits, frames: 10_000)
    try music.flac(folder, "a.flac", ["--lax"])
    let file = try open("a.flac")
    #expect(file.format.encoding == .integer(bits: bits))
    #expect(file.frameCount == 10_000)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.integers(bits: bits) == music.samples)
    #expect(decoded.skipped.isEmpty)
  }

  @Test(arguments: 1...8)
  func decode_eachChannelCount_isInALSAsOrder(channels: Int) throws {
    let music = GeneratedMusic(channels: channels, frames: 5000)
    try music.flac(folder, "a.flac")
    let file = try open("a.flac")
    #expect(file.format.channels == channels)
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), expected(music)))
  }

  @Test func decode_surround_hasTheCentreAfterTheRears() throws {
    let file = try { () throws in
      try GeneratedMusic(channels: 6, frames: 100).flac(folder, "a.flac")
      return try open("a.flac")
    }()
    let names = file.format.layout.positions.map(\.alsaName)
    #expect(names == ["FL", "FR", "RL", "RR", "FC", "LFE"])
  }

  @Test func decode_oggFLAC_returnsTheEncodedSamples() throws {
    let music = GeneratedMusic(frames: 30_000)
    try music.flac(folder, "a.oga", ["--ogg"])
    let file = try open("a.oga")
    #expect(file.header.container == .ogg)
    #expect(file.header.codec == .flac)
    let decoded = file.decoder.decodeAll()
    #expect(isSame(decoded.integers(bits: 16), music.samples))
    #expect(decoded.skipped.isEmpty)
  }

  @Test func decode_unknownTotal_playsToTheEndWithoutNotice() throws {
    let music = GeneratedMusic(frames: 20_000)
    try music.flac(folder, "a.flac", ["--no-seektable"])
    var bytes = try folder.read("a.flac")
    // The lower 36 bits of bytes 13 … 17 of STREAMINFO are the total number of frames.
    bytes[8 + 13] &= 0xF0
    for index in 14...17 { bytes[8 + index] = 0 }
    let file = try AudioFile(MemoryByteSource(bytes))
    #expect(file.frameCount == nil)
    #expect(file.durationSeconds == nil)
    let decoded = file.decoder.decodeAll()
    #expect(isSame(decoded.integers(bits: 16), music.samples))
    #expect(decoded.skipped.isEmpty)
  }

  @Test func decode_betweenID3Tags_isComplete() throws {
    let music = GeneratedMusic(frames: 9000)
    try music.flac(folder, "a.flac")
    let id3v2: [UInt8] =
      Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + Array(repeating: 0x41, count: 128)
    let id3v1: [UInt8] = Array("TAG".utf8) + Array(repeating: 0x20, count: 125)
    let file = try AudioFile(MemoryByteSource(id3v2 + (try folder.read("a.flac")) + id3v1))
    let decoded = file.decoder.decodeAll()
    #expect(isSame(decoded.integers(bits: 16), music.samples))
    #expect(decoded.skipped.isEmpty)
  }

  // MARK: Seeking

  @Test(arguments: [[], ["--no-seektable"], ["--ogg"], ["--blocksize=192", "--no-seektable"]])
  func seek_anyFrame_isExact(options: [String]) throws {
    let music = GeneratedMusic(frames: 50_000)
    try music.flac(folder, "a.flac", options)
    let file = try open("a.flac")
    for target in [0, 1, 191, 192, 4095, 4096, 4097, 25_000, 49_998, 49_999, 3, 44_100] {
      try file.decoder.seek(to: Int64(target))
      let decoded = file.decoder.decodeAll(limit: 300)
      #expect(decoded.firstPosition == Int64(target))
      let found = decoded.integers(bits: 16)
      #expect(found == Array(music.samples[(2 * target)..<(2 * target + found.count)]))
      #expect(!found.isEmpty)
    }
  }

  @Test func seek_lastFrame_returnsOnlyThatFrame() throws {
    let music = GeneratedMusic(frames: 12_345)
    try music.flac(folder, "a.flac")
    let file = try open("a.flac")
    try file.decoder.seek(to: 12_344)
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), Array(music.samples.suffix(2))))
  }

  @Test func seek_outOfRange_isClampedToStartAndEnd() throws {
    let music = GeneratedMusic(frames: 6000)
    try music.flac(folder, "a.flac")
    let file = try open("a.flac")
    try file.decoder.seek(to: 6000)
    #expect(file.decoder.decodeAll().frameCount == 0)
    try file.decoder.seek(to: -5)
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), music.samples))
  }

  @Test func seek_streamWithoutHeader_isExact() throws {
    let music = GeneratedMusic(frames: 40_000)
    try music.flac(folder, "a.flac", ["--no-padding"])
    let bytes = try folder.read("a.flac")
    let start = try #require(FLACFrameHeader.firstIndex(in: bytes))
    let file = try AudioFile(MemoryByteSource(Array(bytes[start...])))
    #expect(file.header.streamInfo == nil)
    for target in [0, 5000, 39_999, 17] {
      try file.decoder.seek(to: Int64(target))
      let found = file.decoder.decodeAll(limit: 100).integers(bits: 16)
      #expect(found == Array(music.samples[(2 * target)..<(2 * target + found.count)]))
    }
  }

  @Test func seek_longFile_readsLittle() throws {
    let music = GeneratedMusic(frames: 1_500_000)
    try music.flac(folder, "a.flac", ["--no-padding", "--no-seektable"])
    let source = CountingByteSource(try folder.read("a.flac"))
    #expect(source.size > 3 << 20)
    let file = try AudioFile(source)
    for target in [1_499_999, 700_017, 4096, 500_000] {
      source.bytesRead = 0
      try file.decoder.seek(to: Int64(target))
      let decoded = file.decoder.decodeAll(limit: 10)
      #expect(decoded.firstPosition == Int64(target))
      #expect(source.bytesRead < 1 << 19)
    }
  }

  // MARK: Wrong headers

  /// The shortest and the longest block size that STREAMINFO states. The blocks really have 576 frames.
  static let wrongBlockSizes = [
    (16, 16), (192, 192), (1152, 1152), (65535, 65535), (576, 4096), (16, 576), (0, 0),
  ]

  private func fileWithBlockSizes(_ music: GeneratedMusic, _ sizes: (Int, Int)) throws -> [UInt8] {
    try music.flac(folder, "a.flac", ["--blocksize=576", "--no-seektable"])
    var bytes = try folder.read("a.flac")
    for (offset, size) in [(8, sizes.0), (10, sizes.1)] {
      bytes[offset] = UInt8(size >> 8)
      bytes[offset + 1] = UInt8(size & 0xFF)
    }
    return bytes
  }

  @Test(arguments: wrongBlockSizes)
  func decode_wrongBlockSizeInTheHeader_returnsExactlyAllFrames(shortest: Int, longest: Int)
    throws
  {
    let music = GeneratedMusic(frames: 40_000)
    let bytes = try fileWithBlockSizes(music, (shortest, longest))
    let decoded = try AudioFile(MemoryByteSource(bytes)).decoder.decodeAll()
    #expect(isSame(decoded.integers(bits: 16), music.samples))
    #expect(decoded.isContinuous && decoded.endPosition == 40_000)
    #expect(decoded.skipped.isEmpty)
    let file = try AudioFile(MemoryByteSource(bytes), for: .verify)
    _ = file.decoder.decodeAll()
    #expect(file.checkMD5() == true)
  }

  @Test(arguments: wrongBlockSizes)
  func seek_wrongBlockSizeInTheHeader_isExact(shortest: Int, longest: Int) throws {
    let music = GeneratedMusic(frames: 40_000)
    let bytes = try fileWithBlockSizes(music, (shortest, longest))
    let file = try AudioFile(MemoryByteSource(bytes))
    for target in [20_000, 0, 575, 576, 39_999, 17] {
      try file.decoder.seek(to: Int64(target))
      let decoded = file.decoder.decodeAll(limit: 1000)
      let found = decoded.integers(bits: 16)
      #expect(decoded.firstPosition == Int64(target))
      let isRight = found.elementsEqual(music.samples[(2 * target)...].prefix(found.count))
      #expect(isRight && !found.isEmpty)
    }
  }

  @Test func decode_missingFrameWithWrongBlockSize_countsTheMissingSamples() throws {
    let bytes = try fileWithBlockSizes(GeneratedMusic(frames: 40_000), (16384, 16384))
    let starts = bytes.indices.filter { index in
      bytes[index] == 0xFF && bytes[index...].withUnsafeBytes { FLACFrameHeader($0) != nil }
    }
    let cut = Array(bytes[..<starts[10]] + bytes[starts[13]...])
    let decoded = try AudioFile(MemoryByteSource(cut)).decoder.decodeAll()
    #expect(decoded.skipped.map(\.kind) == [.missingFrames(3 * 576)])
    #expect(decoded.endPosition == 40_000)
  }

  // MARK: Damage

  @Test func decode_truncatedFile_playsToTheCutAndReportsTheEnd() throws {
    let music = GeneratedMusic(frames: 60_000)
    try music.flac(folder, "a.flac")
    let bytes = try folder.read("a.flac")
    let file = try AudioFile(MemoryByteSource(Array(bytes[..<(bytes.count / 2)])))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount > 20_000 && decoded.frameCount < 40_000)
    #expect(isSame(decoded.integers(bits: 16), Array(music.samples.prefix(2 * decoded.frameCount))))
    #expect(decoded.failure == nil)
    let last = try #require(decoded.skipped.last)
    #expect(last.location == .frame(Int64(decoded.frameCount)))
    #expect(last.reaction == .skipPacket)
  }

  @Test func decode_damageInTheMiddle_continuesAtTheRightPosition() throws {
    let music = GeneratedMusic(frames: 60_000)
    try music.flac(folder, "a.flac")
    var bytes = try folder.read("a.flac")
    for index in (bytes.count / 2)..<(bytes.count / 2 + 3000) { bytes[index] = 0 }
    let file = try AudioFile(MemoryByteSource(bytes))
    let decoded = file.decoder.decodeAll()
    #expect(!decoded.skipped.isEmpty)
    #expect(decoded.failure == nil)
    // The last frames are intact.
    #expect(isSame(decoded.integers(bits: 16).suffix(4000), music.samples.suffix(4000)))
  }

  @Test func verify_wholeFile_matchesTheMD5() throws {
    try GeneratedMusic(bits: 24, frames: 20_000).flac(folder, "a.flac")
    let file = try open("a.flac", for: .verify)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 20_000)
    #expect(decoded.samples.isEmpty)
    #expect(file.checkMD5() == true)
  }

  @Test func verify_wrongMD5_isDetected() throws {
    try GeneratedMusic(frames: 20_000).flac(folder, "a.flac")
    var bytes = try folder.read("a.flac")
    bytes[8 + 20] ^= 1
    let file = try AudioFile(MemoryByteSource(bytes), for: .verify)
    _ = file.decoder.decodeAll()
    #expect(file.checkMD5() == false)
  }

  @Test func decode_wrongStreamInfo_usesTheFramesAndReportsTheDifference() throws {
    let music = GeneratedMusic(channels: 1, frames: 10_000)
    try music.flac(folder, "a.flac", ["--no-md5-sum"])
    var bytes = try folder.read("a.flac")
    // STREAMINFO states 24 bits per sample, but the FLAC frames have 16. STREAMINFO stores the number of bits in five
    // bits, which begin at bit 0 of byte 12.
    bytes[8 + 12] |= 1
    bytes[8 + 13] = bytes[8 + 13] & 0x0F | 0x70
    let file = try AudioFile(MemoryByteSource(bytes))
    #expect(file.format.encoding == .integer(bits: 16))
    let decoded = file.decoder.decodeAll()
    #expect(isSame(decoded.integers(bits: 16), music.samples))
    #expect(decoded.skipped.first?.kind == .headerMismatch)
    #expect(decoded.skipped.first?.reason.contains("24 bits") == true)
  }

  @Test func decode_formatChangeWithinTheStream_isReportedBeforeItsFirstFrame() throws {
    let first = GeneratedMusic(frames: 8192)
    let second = GeneratedMusic(channels: 1, rate: 32000, frames: 4096, seed: 2)
    try first.flac(folder, "a.flac")
    try second.flac(folder, "b.flac")
    let a = try folder.read("a.flac")
    let b = try folder.read("b.flac")
    let frames = try #require(FLACFrameHeader.firstIndex(in: b))
    let file = try AudioFile(MemoryByteSource(a + b[frames...]))
    let decoded = file.decoder.decodeAll()
    #expect(decoded.formats.map(\.sampleRate) == [32000])
    #expect(decoded.formats.map(\.channels) == [1])
    #expect(isSame(decoded.integers(bits: 16), first.samples + second.samples))
    // After the change of the rate, times are computed with the new rate.
    let seconds = file.decoder.seconds(atFrame: 8192 + 32000)
    #expect(abs(seconds - (8192.0 / 44100 + 1)) < 1e-9)
  }

  @Test func decode_wrongLengthOfAMetadataBlock_playsTheFrames() throws {
    let music = GeneratedMusic(frames: 20_000)
    try music.flac(folder, "a.flac", ["--no-seektable"])
    var bytes = try folder.read("a.flac")
    // Makes the metadata block after STREAMINFO claim to be longer than the file.
    bytes[43] = 0xFF
    let file = try AudioFile(MemoryByteSource(bytes))
    #expect(file.header.damage.map(\.location) == [.byte(42)])
    #expect(isSame(file.decoder.decodeAll().integers(bits: 16), music.samples))
  }

  /// Two concatenated files. The numbers of the FLAC frames begin at 0 again in the second file.
  @Test func seek_frameNumbersRestart_isExact() throws {
    let first = GeneratedMusic(frames: 30_000)
    let second = GeneratedMusic(frames: 20_000, seed: 2)
    try first.flac(folder, "a.flac", ["--no-md5-sum"])
    try second.flac(folder, "b.flac")
    var a = try folder.read("a.flac")
    // Sets the total number of frames to "unknown".
    a[8 + 13] &= 0xF0
    for index in 14...17 { a[8 + index] = 0 }
    let file = try AudioFile(MemoryByteSource(a + (try folder.read("b.flac"))))
    let decoded = file.decoder.decodeAll()
    let samples = first.samples + second.samples
    #expect(isSame(decoded.integers(bits: 16), samples))
    #expect(decoded.isContinuous)
    for target in [40_000, 29_999, 30_000, 100] {
      try file.decoder.seek(to: Int64(target))
      let found = file.decoder.decodeAll(limit: 500)
      #expect(found.firstPosition == Int64(target))
      let range = (2 * target)..<(2 * target + found.samples.count)
      #expect(isSame(found.integers(bits: 16), Array(samples[range])))
    }
  }

  @Test func decode_mediumFails_endsTheTrackWithTheReasonOfTheMedium() throws {
    try GeneratedMusic(frames: 60_000).flac(folder, "a.flac")
    let source = FailingByteSource(try folder.read("a.flac"), failsAt: 70_000)
    let decoded = try AudioFile(source).decoder.decodeAll()
    #expect(decoded.frameCount > 0)
    let failure = try #require(decoded.failure)
    #expect(failure.reaction == .endTrack)
    #expect(failure.kind == .unreadable)
  }
}

/// Counts the bytes that are read.
private final class CountingByteSource: ByteSource {
  private let contents: MemoryByteSource
  var bytesRead = 0

  init(_ bytes: [UInt8]) { contents = MemoryByteSource(bytes) }

  var size: Int64 { contents.size }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    bytesRead += buffer.count
    return try contents.read(at: offset, into: buffer)
  }
}
