import Foundation
import TestKit
import Testing

@testable import AudioCodecs

/// Tests that the set-up headers of real encoders need much less memory than the limit permits.
@Suite struct VorbisEncodersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The memory that the tables of a set-up header are expected to need at most: a quarter of the limit, in bytes.
  private static let expectedLimit = VorbisSetup.maximumTableBytes / 4

  /// Opens the file, plays it, and checks its set-up header.
  private func check(_ bytes: [UInt8], frames: Int?, _ name: String) throws {
    let source = MemoryByteSource(bytes)
    let link = try #require(try OggLinks(source, start: 0).links.first)
    var packets = OggPacketWalker(source, stream: link.range, serial: link.serial)
    let first = try #require(try packets.next()).prefix(at: 0, count: 30)
    _ = try packets.next()
    let setup = try #require(try packets.next())
    let packet = try setup.prefix(at: 0, count: Int(setup.size))
    let stream = VorbisMemory.Stream(identification: first)
    #expect(VorbisSetup.problem(packet, stream: stream) == nil, "\(name)")
    let cost = VorbisSetup.bytes(packet, stream: stream)
    #expect(cost < Self.expectedLimit, "\(name)")
    let file = try AudioFile(source)
    if let frames { #expect(file.decoder.decodeAll().frameCount == frames, "\(name)") }
  }

  @Test(arguments: 1...8)
  func problem_eachQualityOfOggenc_isNil(channels: Int) throws {
    let music = GeneratedMusic(channels: channels, frames: 3000)
    for quality in -1...10 {
      try music.vorbis(folder, "a.ogg", ["--quality=\(quality)"])
      try check(try folder.read("a.ogg"), frames: 3000, "\(channels) channels, -q \(quality)")
    }
  }

  @Test(arguments: [8000, 11025, 16000, 22050, 32000, 48000, 96000, 192_000])
  func problem_eachRateOfOggenc_isNil(rate: Int) throws {
    let music = GeneratedMusic(rate: rate, frames: 3000)
    for options in [["--quality=0"], ["--quality=10"], ["--managed", "--bitrate=96"]] {
      // oggenc does not support every bitrate at every rate.
      guard (try? music.vorbis(folder, "a.ogg", options)) != nil else { continue }
      try check(try folder.read("a.ogg"), frames: 3000, "\(rate) Hz, \(options)")
    }
  }

  @Test(arguments: [["-C", "-1"], ["-C", "3"], ["-C", "10"]])
  func problem_sox_isNil(options: [String]) throws {
    for channels in [1, 2, 6] {
      try GeneratedMusic(channels: channels, frames: 3000).flac(folder, "a.flac")
      try Tools.run("sox", ["a.flac"] + options + ["a.ogg"], in: folder.url)
      try check(try folder.read("a.ogg"), frames: 3000, "sox \(options), \(channels) channels")
    }
  }

  /// Tests the two Vorbis encoders of ffmpeg: libvorbis, and ffmpeg's own encoder.
  @Test(arguments: ["libvorbis", "vorbis"])
  func problem_ffmpeg_isNil(encoder: String) throws {
    // ffmpeg's own encoder supports only two channels.
    for channels in encoder == "vorbis" ? [2] : Array(1...8) {
      try GeneratedMusic(channels: channels, frames: 3000).flac(folder, "a.flac")
      for quality in ["0", "3", "10"] {
        try Tools.run(
          "ffmpeg",
          ["-v", "error", "-y", "-i", "a.flac", "-c:a", encoder, "-strict", "experimental"]
            + ["-q:a", quality, "a.ogg"], in: folder.url)
        try check(
          try folder.read("a.ogg"), frames: nil, "\(encoder), \(channels) channels, -q \(quality)")
      }
    }
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["AUTOHARP_CORPUS"].map { !$0.isEmpty } ?? false,
      "needs AUTOHARP_CORPUS"))
  func problem_corpus_isNil() throws {
    let corpus = URL(fileURLWithPath: ProcessInfo.processInfo.environment["AUTOHARP_CORPUS"] ?? "")
      .appendingPathComponent("vorbis")
    let names = try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted()
    #expect(!names.isEmpty)
    // The excluded file has an ordered codebook with one codeword. libvorbis 1.3.7 refuses such a codebook.
    for name in names where name != "single-code-ordered.ogg" {
      let bytes = [UInt8](try Data(contentsOf: corpus.appendingPathComponent(name)))
      try check(bytes, frames: nil, name)
    }
  }
}
