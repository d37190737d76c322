import Foundation
import TestKit
import Testing

@testable import AudioCodecs

/// Seeks to random positions in files of each format. The environment variable `AUTOHARP_SEEKS` changes the number of
/// seeks.
@Suite struct SeekTests {
  private let folder: TemporaryFolder
  private static let seeks =
    ProcessInfo.processInfo.environment["AUTOHARP_SEEKS"].flatMap { Int($0) } ?? 60
  /// After a seek, the state of the Opus decoder converges to the state of continuous playback. The samples then differ
  /// by less than this value.
  private static let opusTolerance: Float = 1 / 65536

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ["flac", "-s", "in.wav", "-o", "out.flac"],
    ["flac", "-s", "--ogg", "in.wav", "-o", "out.oga"],
    ["oggenc", "-Q", "in.wav", "-o", "out.ogg"],
    ["opusenc", "--quiet", "in.wav", "out.opus"],
    ["lame", "--quiet", "-V", "2", "in.wav", "out.mp3"],
    ["lame", "--quiet", "-b", "160", "in.wav", "out.mp3"],
    ["lame", "--quiet", "-V", "5", "-t", "in.wav", "out.mp3"],
    ["twolame", "--quiet", "in.wav", "out.mp2"],
    ["sox", "in.wav", "out.aiff"],
    ["sox", "in.wav", "-b", "24", "out.wav"],
  ])
  func seek_randomPosition_returnsTheSamplesOfPlayback(command: [String]) throws {
    try folder.write("in.wav", GeneratedMusic(rate: 48000, frames: 40 * 48000).wav)
    try Tools.run(command[0], Array(command.dropFirst()), in: folder.url)
    let bytes = try folder.read(command.last!)
    let file = try AudioFile(MemoryByteSource(bytes))
    let whole = file.decoder.decodeAll()
    let channels = file.format.channels
    #expect(file.frameCount == Int64(whole.frameCount))
    let fresh = try AudioFile(MemoryByteSource(bytes)).decoder
    for _ in 0..<Self.seeks {
      let target = Int.random(in: 0..<whole.frameCount)
      try fresh.seek(to: Int64(target))
      let part = fresh.decodeAll(limit: 600)
      #expect(part.firstPosition == Int64(target) && part.skipped.isEmpty, "\(target)")
      let expected = whole.samples[target * channels..<target * channels + part.samples.count]
      if file.header.codec == .opus {
        let difference = zip(part.samples, expected).map {
          abs(Float(bitPattern: $0) - Float(bitPattern: $1))
        }.max()
        #expect(try #require(difference) < Self.opusTolerance, "\(target)")
      } else {
        #expect(part.samples[...].elementsEqual(expected), "\(target)")
      }
    }
  }
}
