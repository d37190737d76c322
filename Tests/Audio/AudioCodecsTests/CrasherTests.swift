import Foundation
import TestKit
import Testing

@testable import AudioCodecs

/// Inputs that caused a crash, a hang or a huge allocation in the past. Tests/Fuzz/run.sh found them.
@Suite struct CrasherTests {
  private static let folder = ProjectFile.url("Tests/Fuzz/crashers")

  private static var names: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func crashers_folder_hasFiles() {
    #expect(!Self.names.isEmpty)
  }

  @Test(arguments: names)
  func decode_crasher_ends(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    for purpose in [AudioFile.Purpose.play, .verify] {
      do throws(DecodeError) {
        let file = try AudioFile(MemoryByteSource(bytes), for: purpose)
        exercise(file, size: bytes.count, hasSamples: purpose == .play)
        _ = file.checkMD5()
      } catch {
        #expect(error.reaction == .refuseFile)
      }
    }
  }

  /// In these files a damaged FLAC frame seems to extend to the end of the file, but two intact FLAC frames follow it.
  /// In the past the decoder ended the stream at the damaged FLAC frame. Only a seek found the two intact FLAC frames.
  @Test(arguments: ["flac-frame-without-end.flac", "flac-another-frame-without-end.flac"])
  func decode_frameWithoutEnd_playsTheFramesAfterIt(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    let decoder = try AudioFile(MemoryByteSource(bytes)).decoder
    let decoded = decoder.decodeAll()
    // The file has 17 blocks of 4096 frames, and a last block of 111 frames. The sixteenth block is damaged.
    let end: Int64 = 17 * 4096 + 111
    #expect(decoded.frameCount == 16 * 4096 + 111)
    #expect(decoded.endPosition == end)
    #expect(decoded.skipped.map(\.location) == [.byte(59_705), .frame(16 * 4096)])
    try decoder.seek(to: end)
    #expect(decoder.decodeAll().frameCount == 0)
  }

  /// The first FLAC frame is damaged. In the past the decoder used the number of the damaged FLAC frame as the number
  /// of the second FLAC frame, without a notice. So each seek arrived one block too early.
  @Test func seek_firstFrameIsDamaged_arrivesAtTheTarget() throws {
    let bytes = [UInt8](
      try Data(contentsOf: Self.folder.appendingPathComponent("flac-first-frame-is-damaged.flac")))
    let decoder = try AudioFile(MemoryByteSource(bytes)).decoder
    let whole = decoder.decodeAll()
    #expect(whole.skipped.map(\.location) == [.byte(108)])
    #expect(whole.frameCount == 15 * 192 + 128)
    try decoder.seek(to: 2800)
    let rest = decoder.decodeAll()
    #expect(rest.firstPosition == 2800)
    #expect(rest.samples == Array(whole.samples[2800...]))
  }

  /// The positions that these files state contradict each other: FLAC frame numbers, granule positions, or the end mark
  /// of an Ogg page. In the past a seek to the start returned frames with a wrong position.
  @Test(arguments: [
    "flac-start-with-a-wrong-number.flac", "vorbis-position-far-behind-the-end.ogg",
    "vorbis-end-on-the-first-page.ogg",
  ])
  func seekToTheStart_returnsTheFirstFrame(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    let decoder = try AudioFile(MemoryByteSource(bytes)).decoder
    let whole = decoder.decodeAll()
    for target in [whole.endPosition! / 2, whole.endPosition! - 1, 0, 1] {
      try decoder.seek(to: target)
      _ = decoder.decodeAll(limit: 5000)
      try decoder.seek(to: 0)
      let again = decoder.decodeAll(limit: 5000)
      #expect(again.firstPosition == whole.firstPosition && again.endPosition! <= 1 << 32)
    }
  }

  /// Decodes from the start, and then from unusual positions. A seek can fail, but must not hang.
  private func exercise(_ file: AudioFile, size: Int, hasSamples: Bool) {
    let end = file.frameCount ?? 10_000
    #expect(end >= 0)
    var steps = 1000 + 4 * size
    decode(file.decoder, &steps, hasSamples: hasSamples)
    for target in [0, end / 2, end - 1, end, .max, -1, .min, 1] {
      try? file.decoder.seek(to: target)
      decode(file.decoder, &steps, hasSamples: hasSamples)
    }
    for picture in file.header.metadata.pictures { #expect(picture.byteCount <= size) }
  }

  private func decode(_ decoder: any AudioDecoder, _ steps: inout Int, hasSamples: Bool) {
    var frames = 0
    while frames < 50_000, steps > 0 {
      steps -= 1
      do throws(DecodeError) {
        switch try decoder.next() {
        case .frames(let block):
          #expect(block.position >= 0)
          #expect((block.samples != nil) == hasSamples)
          frames += block.frameCount
        case .formatChanged, .metadataChanged, .skipped, .working, .waiting: break
        case .end:
          expectEnd(decoder)
          return
        }
      } catch {
        #expect(error.reaction == .endTrack)
        expectEnd(decoder)
        return
      }
    }
    #expect(steps > 0, "decoding does not end")
  }

  /// Checks that `next` only returns the end, after the stream has ended or the decoder has thrown an error.
  private func expectEnd(_ decoder: any AudioDecoder) {
    for _ in 0..<3 {
      guard case .end? = try? decoder.next() else {
        Issue.record("data after the end")
        return
      }
    }
  }
}
