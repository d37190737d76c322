import TestKit
import Testing

@testable import AudioCodecs

/// Tests that the samples are equal to the samples of opusdec, and that pre-skip, the end of the stream, gain and
/// chains are handled exactly.
@Suite struct OpusTests {
  private let folder: TemporaryFolder
  private static let frames = 60_000

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8]) throws -> AudioFile { try AudioFile(MemoryByteSource(bytes)) }

  private func encode(
    _ options: [String] = [], channels: Int = 2, rate: Int = 48000, frames: Int = frames,
    seed: UInt64 = 1
  ) throws -> [UInt8] {
    let music = GeneratedMusic(channels: channels, rate: rate, frames: frames, seed: seed)
    try folder.write("in.wav", music.wav)
    try Tools.run("opusenc", ["--quiet"] + options + ["in.wav", "a.opus"], in: folder.url)
    return try folder.read("a.opus")
  }

  /// The samples of opusdec in the order of WAV, as bit patterns of floats.
  private func reference(_ bytes: [UInt8]) throws -> [UInt32] {
    try folder.write("ref.opus", bytes)
    try Tools.run(
      "opusdec", ["--quiet", "--float", "--rate", "48000", "ref.opus", "ref.wav"], in: folder.url)
    let wav = try folder.read("ref.wav")
    let header = try WAVHeader(MemoryByteSource(wav), start: 0)
    guard case .pcm(let stream) = header.sound else { return [] }
    return wav[Int(stream.range.lowerBound)..<Int(stream.range.upperBound)].withUnsafeBytes {
      Array($0.bindMemory(to: UInt32.self))
    }
  }

  @Test(arguments: 1...8)
  func decode_eachChannelCount_equalsOpusdec(channels: Int) throws {
    let bytes = try encode(channels: channels)
    let file = try open(bytes)
    #expect(file.header.codec == .opus && file.header.container == .ogg)
    #expect(file.frameCount == Int64(Self.frames))
    let decoded = file.decoder.decodeAll()
    let wave = try reference(bytes)
    let layout = file.format.layout
    let order = layout.permutation(from: layout.waveOrdered)
    let expected = (0..<wave.count / channels).flatMap { frame in
      order.map { wave[frame * channels + $0] }
    }
    #expect(decoded.samples == expected)
    #expect(decoded.frameCount == Self.frames)
    #expect(decoded.isContinuous && decoded.skipped.isEmpty && decoded.failure == nil)
  }

  @Test(arguments: [
    ["--bitrate", "6"], ["--bitrate", "24"], ["--bitrate", "256"], ["--framesize", "2.5"],
    ["--framesize", "60"], ["--hard-cbr"], ["--downmix-mono"],
  ])
  func decode_eachEncoding_equalsOpusdec(options: [String]) throws {
    let bytes = try encode(options)
    let file = try open(bytes)
    #expect(try file.decoder.decodeAll().samples == reference(bytes))
    #expect(file.frameCount == Int64(Self.frames))
  }

  @Test(arguments: [8000, 16000, 24000, 44100])
  func decode_otherRates_is48kHz(rate: Int) throws {
    let bytes = try encode(rate: rate, frames: 20_000)
    let file = try open(bytes)
    #expect(file.format.sampleRate == 48000)
    #expect(try file.decoder.decodeAll().samples == reference(bytes))
  }

  /// For a seek, decoding starts one second before the target. The samples differ from the samples of continuous
  /// playback by less than half a step of 16 bits.
  @Test func seek_anyFrame_isExact() throws {
    let bytes = try encode(frames: 300_000)
    let whole = try open(bytes).decoder.decodeAll().samples.map { Float(bitPattern: $0) }
    let file = try open(bytes)
    for target in [0, 1, 959, 960, 961, 150_000, 299_999, 3, 100_001, 200_003] {
      try file.decoder.seek(to: Int64(target))
      let decoded = file.decoder.decodeAll(limit: 2000)
      #expect(decoded.firstPosition == Int64(target))
      let samples = decoded.samples.map { Float(bitPattern: $0) }
      let expected = whole[2 * target..<2 * target + samples.count]
      let largest = zip(samples, expected).map { abs($0 - $1) }.max() ?? 0
      #expect(largest < 1.0 / 65536, "\(target): \(largest)")
    }
    try file.decoder.seek(to: 300_000)
    #expect(file.decoder.decodeAll().samples.isEmpty)
  }

  @Test func tagsAndGains_areRead() throws {
    let file = try open(
      try encode(["--title", "The title", "--comment", "R128_TRACK_GAIN=-512"]))
    #expect(file.header.metadata.title == "The title")
    #expect(Loudness(file.header.metadata.comments).trackGain == 3)
  }

  @Test func gainOfTheHeader_isApplied() throws {
    var bytes = try encode()
    let plain = try open(bytes).decoder.decodeAll().samples.map { Float(bitPattern: $0) }
    // The gain is at byte 16 of the header in 1/256 dB: 6.02 dB double the samples.
    let head = try #require(bytes.indices.first { bytes[$0...].starts(with: "OpusHead".utf8) })
    (bytes[head + 16], bytes[head + 17]) = (5, 6)
    bytes = repairedFirstPage(bytes)
    let louder = try open(bytes).decoder.decodeAll().samples.map { Float(bitPattern: $0) }
    #expect(louder.count == plain.count)
    #expect(zip(plain, louder).allSatisfy { abs($0 * 2 - $1) < 0.001 })
    #expect(try open(bytes).decoder.decodeAll().samples == reference(bytes))
  }

  /// Writes the right checksum to the first page.
  private func repairedFirstPage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let length = 27 + Int(bytes[26]) + bytes[27..<27 + Int(bytes[26])].reduce(0) { $0 + Int($1) }
    for index in 22..<26 { bytes[index] = 0 }
    var crc: UInt32 = 0
    for byte in bytes[..<length] {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc << 1 ^ (crc & 0x8000_0000 != 0 ? 0x04C1_1DB7 : 0) }
    }
    for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: crc >> (8 * index)) }
    return bytes
  }

  @Test func chainOfOpusAndVorbis_playsBoth() throws {
    let first = try encode(frames: 30_000)
    let second = try encode(frames: 20_000, seed: 2)
    try GeneratedMusic(rate: 48000, frames: 10_000).vorbis(folder, "b.ogg")
    let file = try open(first + second + (try folder.read("b.ogg")))
    #expect(file.linkCount == 3 && file.frameCount == 60_000)
    let decoded = file.decoder.decodeAll()
    #expect(decoded.frameCount == 60_000 && decoded.isContinuous)
    #expect(try Array(decoded.samples[..<60_000]) == reference(first))
    try file.decoder.seek(to: 45_000)
    #expect(file.decoder.decodeAll().frameCount == 15_000)
  }

  /// One piece of music is cut into three tracks. Each track must have exactly the frames of its part.
  @Test func toneThatWasCut_joinsWithoutAMissingFrame() throws {
    let music = GeneratedMusic(channels: 1, rate: 48000, frames: 90_000)
    var count = 0
    for (start, end) in [(0, 30_011), (30_011, 61_000), (61_000, 90_000)] {
      try folder.write("part.raw", Array(music.raw[2 * start..<2 * end]))
      try Tools.run(
        "opusenc",
        ["--quiet", "--raw", "--raw-rate", "48000", "--raw-chan", "1", "--bitrate", "256"]
          + ["part.raw", "part.opus"], in: folder.url)
      let part = try open(try folder.read("part.opus")).decoder.decodeAll().samples
      #expect(part.count == end - start)
      count += part.count
    }
    #expect(count == 90_000)
  }

  @Test func packetThatNeverEnds_endsTheTrackWithinItsLimit() throws {
    let bytes = try encode(frames: 48_000)
    var pages = bytes
    let serial = Array(bytes[14..<18])
    // 5 MB of pages. Each page contains only a part of one packet that never ends.
    for number in 1000..<1080 {
      var page: [UInt8] = Array("OggS".utf8) + [0, 1] + [UInt8](repeating: 0xFF, count: 8) + serial
      page += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + [0, 0, 0, 0, 255]
      page += [UInt8](repeating: 255, count: 255) + [UInt8](repeating: 7, count: 255 * 255)
      pages += repairedFirstPage(page)
    }
    let decoded = try open(pages).decoder.decodeAll()
    #expect(decoded.failure?.kind == .tooLarge)
    #expect(decoded.frameCount > 40_000)
  }
}
