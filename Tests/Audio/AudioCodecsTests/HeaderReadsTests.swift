import Foundation
import TestKit
import Testing

@testable import AudioCodecs

/// Counts the reads of the medium. The number of reads matters, because the first scan of a stick reads the header of
/// each file, and each read of a USB stick takes about a millisecond.
private final class CountingSource: ByteSource {
  private let bytes: MemoryByteSource
  private(set) var reads = 0
  private(set) var bytesRead = 0

  init(_ bytes: [UInt8]) { self.bytes = MemoryByteSource(bytes) }

  var size: Int64 { bytes.size }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    let count = try bytes.read(at: offset, into: buffer)
    reads += 1
    bytesRead += count
    return count
  }
}

@Suite struct HeaderReadsTests {
  /// Tags as a tagger writes them: about 1500 bytes.
  private static let tags =
    [
      "--tag=TITLE=A title of usual length", "--tag=ARTIST=An Artist", "--tag=ALBUM=The Album",
      "--tag=ALBUMARTIST=An Artist", "--tag=TRACKNUMBER=7", "--tag=DATE=2019-03-01",
      "--tag=REPLAYGAIN_TRACK_GAIN=-7.25 dB", "--tag=REPLAYGAIN_TRACK_PEAK=0.987654",
    ] + (0..<20).map { "--tag=MUSICBRAINZ_\($0)=0f6e4ac8-6a8c-4c1f-9a7e-\(100_000_000_000 + $0)" }

  private func flac(_ options: [String] = []) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try GeneratedMusic(frames: 44100).flac(folder, "a.flac", Self.tags + options)
    return Array(try Data(contentsOf: folder.url.appendingPathComponent("a.flac")))
  }

  private func picture(_ kilobytes: Int) throws -> (TemporaryFolder, option: String) {
    let folder = try TemporaryFolder()
    let noise = [UInt8](repeating: 0x55, count: kilobytes << 10)
    try folder.write("cover.jpg", GeneratedPictures.jpeg() + noise)
    return (folder, "--picture=3|image/jpeg||600x600x24|\(folder.path("cover.jpg"))")
  }

  @Test func header_ofAFLACFile_needsOneRead() throws {
    let source = CountingSource(try flac())
    let header = try AudioFile.header(source)
    #expect(header.metadata.title == "A title of usual length")
    #expect(source.reads == 1 && source.bytesRead == BufferedByteSource.firstBytes)
  }

  @Test func header_withAPicture_seeksOverIt() throws {
    let (folder, option) = try picture(500)
    let source = CountingSource(try flac([option]))
    let header = try AudioFile.header(source)
    #expect(header.metadata.pictures.count == 1 && header.metadata.trackNumber == 7)
    #expect(source.reads <= 4 && source.bytesRead <= 32 << 10)
    withExtendedLifetime(folder) {}
  }

  @Test func header_ofAnOggVorbisFile_needsOneRead() throws {
    let folder = try TemporaryFolder()
    try GeneratedMusic(frames: 20 * 44100).vorbis(folder, "a.ogg", ["-t", "The title"])
    let source = CountingSource(
      Array(try Data(contentsOf: folder.url.appendingPathComponent("a.ogg"))))
    let header = try AudioFile.header(source)
    #expect(header.metadata.title == "The title" && header.oggStream != nil)
    #expect(source.reads == 1 && source.bytesRead == BufferedByteSource.firstBytes)
  }

  /// Reads the beginning with the tag, the first MPEG frame after the picture, and the end of the file with its tags.
  @Test func header_ofAnMP3FileWithAPicture_needsFourReads() throws {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", GeneratedMusic(frames: 10 * 44100).wav)
    let noise = [UInt8](repeating: 0x55, count: 100 << 10)
    try folder.write("cover.jpg", GeneratedPictures.jpeg() + noise)
    try Tools.run(
      "lame",
      ["--quiet", "-b", "192", "--tt", "The title", "--add-id3v2", "--ti", "cover.jpg"]
        + ["in.wav", "a.mp3"], in: folder.url)
    let source = CountingSource(try folder.read("a.mp3"))
    let header = try AudioFile.header(source)
    #expect(header.metadata.title == "The title" && header.metadata.pictures.count == 1)
    #expect(header.declaredSeconds == 10)
    #expect(source.reads <= 4 && source.bytesRead <= 32 << 10)
  }

  /// A `BufferedByteSource` returns the bytes of its source at every position.
  @Test func buffer_equalsItsSource_atRandomOffsets() throws {
    var state: UInt64 = 22
    /// A linear congruential generator, with the constants of Knuth's MMIX.
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let bytes = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: below(256)) }
    let source = BufferedByteSource(MemoryByteSource(bytes))
    var offset = 0
    for _ in 0..<5000 {
      offset = below(3) == 0 ? below(bytes.count + 10) : offset
      let count = [1, 4, 30, 1000, 5000, 20_000, 70_000][below(7)]
      let read = try source.prefix(at: Int64(offset), count: count)
      #expect(read == Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)]))
      offset += read.count
    }
  }
}
