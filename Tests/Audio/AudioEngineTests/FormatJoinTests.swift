import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Plays files of real encoders in all formats, one after the other, through the whole engine.
@Suite struct FormatJoinTests {
  private let folder: TemporaryFolder

  private struct Encoder {
    let suffix: String
    let program: String
    let arguments: [String]
  }

  private static let encoders = [
    Encoder(suffix: "mp3", program: "lame", arguments: ["--quiet", "-V", "4", "in.wav"]),
    Encoder(suffix: "flac", program: "flac", arguments: ["-s", "in.wav", "-o"]),
    Encoder(suffix: "opus", program: "opusenc", arguments: ["--quiet", "in.wav"]),
    Encoder(suffix: "aiff", program: "sox", arguments: ["in.wav"]),
    Encoder(suffix: "ogg", program: "oggenc", arguments: ["-Q", "in.wav", "-o"]),
    Encoder(suffix: "wav", program: "sox", arguments: ["in.wav"]),
  ]

  init() throws { folder = try TemporaryFolder() }

  private func encode(_ encoder: Encoder, rate: Int, frames: Int) throws -> [UInt8] {
    try folder.write(
      "in.wav", GeneratedMusic(rate: rate, frames: frames, seed: UInt64(frames)).wav)
    let name = "\(frames).\(encoder.suffix)"
    try Tools.run(encoder.program, encoder.arguments + [name], in: folder.url)
    return try folder.read(name)
  }

  private func track(_ id: Int, _ bytes: [UInt8]) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) in
      let file = try AudioFile(MemoryByteSource(bytes))
      return OpenedTrack(
        decoder: file.decoder,
        description: TrackDescription(
          codec: file.header.codec.rawValue, format: file.format, durationSeconds: nil,
          metadata: AudioMetadata()),
        gain: 1)
    }
  }

  private func play(_ files: [[UInt8]], _ bench: EngineBench) {
    let tracks = files.enumerated().map { track($0.offset + 1, $0.element) }
    bench.queue = Array(tracks.dropFirst())
    bench.play(tracks[0])
    bench.run()
    #expect(bench.started == Array(1...files.count))
    #expect(bench.hasEnded)
  }

  /// Decodes a file and returns its samples as floats. The decoder itself returns floats or left-justified integers.
  private func samples(_ bytes: [UInt8]) throws -> [Float] {
    let file = try AudioFile(MemoryByteSource(bytes))
    let decoded = file.decoder.decodeAll().samples
    return decoded.map {
      file.format.encoding == .float
        ? Float(bitPattern: $0) : Float(Int32(bitPattern: $0)) / 0x1p31
    }
  }

  private func floats(_ take: CapturingSink.Take) -> [Float] {
    take.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test func filesOfOneRate_joinSampleBySample() throws {
    let files = try Self.encoders.enumerated().map { number, encoder in
      try encode(encoder, rate: 48000, frames: 10_007 + 100 * number)
    }
    let bench = EngineBench(sink: CapturingSink(samples: .float))
    play(files, bench)
    #expect(bench.sink.takes.count == 1)
    let played = floats(bench.sink.takes[0])
    #expect(try played == files.flatMap { try samples($0) })
    let expected = (0..<files.count).map { 10_007 + 100 * $0 }.reduce(0, +)
    #expect(played.count == 2 * expected)
  }

  @Test func filesOfSeveralRates_setTheDeviceUpAgain_andLoseNoFrame() throws {
    let files = try [
      encode(Self.encoders[0], rate: 44100, frames: 10_001),
      encode(Self.encoders[2], rate: 48000, frames: 9001),
      encode(Self.encoders[1], rate: 44100, frames: 8001),
    ]
    let bench = EngineBench(sink: CapturingSink(samples: .float))
    play(files, bench)
    #expect(bench.sink.takes.map(\.device.sampleRate) == [44100, 48000, 44100])
    for (take, file) in zip(bench.sink.takes, files) {
      #expect(try floats(take) == samples(file))
    }
  }

  @Test func filesOfSeveralRates_onAFixedDevice_joinWithoutAGap() throws {
    // Each file lasts a fifth of a second.
    let files = try [
      encode(Self.encoders[0], rate: 44100, frames: 8820),
      encode(Self.encoders[2], rate: 48000, frames: 9600),
      encode(Self.encoders[1], rate: 96000, frames: 19_200),
      encode(Self.encoders[0], rate: 22050, frames: 4410),
    ]
    let bench = EngineBench(
      sink: CapturingSink(samples: .float), fixed: StreamFormat.test(32, rate: 48000))
    play(files, bench)
    #expect(bench.sink.takes.map(\.device.sampleRate) == [48000])
    #expect(abs(floats(bench.sink.takes[0]).count / 2 - 4 * 9600) <= 3)
    #expect(bench.renderer.starvedFrameCount == 0)
  }
}
