import TestKit
import Testing

@testable import AudioCodecs

/// Tests that pictures are read only on request and piece by piece, and that the bytes are equal to the embedded image.
@Suite struct PictureTests {
  private let folder: TemporaryFolder
  /// These bytes are not a real image. The tests only compare them with the bytes that are read.
  private let image: [UInt8] = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  init() throws { folder = try TemporaryFolder() }

  private var block: [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let mime = Array("image/png".utf8)
    let words = Array("Front".utf8)
    return number(3) + number(mime.count) + mime + number(words.count) + words + number(640)
      + number(480) + number(24) + number(0) + number(image.count) + image
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? alphabet[value >> (18 - 6 * index) & 63] : "=")
      }
    }
    return text
  }

  private func check(_ source: MemoryByteSource) throws {
    let pictures = try AudioFile.header(source).metadata.pictures
    let picture = try #require(pictures.first)
    #expect(pictures.count == 1)
    #expect(picture.typeName == "front cover")
    #expect(picture.mimeType == "image/png")
    #expect(picture.description == "Front")
    #expect(picture.width == 640 && picture.height == 480)
    #expect(picture.byteCount == image.count)
    let bytes = try AudioFile.picture(picture, in: source)
    #expect(bytes.size == Int64(image.count))
    #expect(try bytes.prefix(at: 0, count: image.count) == image)
    // Each piece can be read alone.
    for offset in [1, 2, 3, 4095, 49_151, 49_152, 65_535, image.count - 1, image.count] {
      for count in [0, 1, 2, 3, 4, 5000, image.count] {
        let piece = Array(image[offset..<min(offset + count, image.count)])
        #expect(try bytes.prefix(at: Int64(offset), count: count) == piece)
      }
    }
  }

  /// If the medium fails while a picture is read, playback can continue without the picture.
  @Test func picture_mediumFails_skipsOnlyThePicture() throws {
    try folder.write("a.png", image)
    let options = ["--no-padding", "--picture=3|image/png||640x480x24|a.png"]
    for (name, container) in [("a.flac", []), ("a.oga", ["--ogg"])] {
      try GeneratedMusic(frames: 1000).flac(folder, name, options + container)
      let bytes = try folder.read(name)
      let picture = try #require(
        try AudioFile.header(MemoryByteSource(bytes)).metadata.pictures.first)
      do {
        let image = try AudioFile.picture(picture, in: FailingByteSource(bytes, failsAt: 30_000))
        _ = try image.prefix(at: 0, count: picture.byteCount)
        #expect(Bool(false), "no error of the medium")
      } catch let error as DecodeError {
        #expect(error.reaction == .skipPacket)
        #expect(error.kind == .unreadable)
      } catch {
        #expect((error as? ByteSourceError)?.reason == "pulled")
      }
    }
  }

  @Test func picture_nativeFLAC_areTheImage() throws {
    try GeneratedMusic(frames: 1000).flac(folder, "a.flac", ["--no-padding"])
    var bytes = try folder.read("a.flac")
    // Insert a metadata block after STREAMINFO: type 6 (picture), length, contents.
    let block = block
    let header = [
      6, UInt8(block.count >> 16), UInt8(block.count >> 8 & 255), UInt8(block.count & 255),
    ]
    bytes.insert(contentsOf: header + block, at: 42)
    try check(MemoryByteSource(bytes))
  }

  @Test func picture_oggVorbisAcrossPages_areTheImage() throws {
    try GeneratedMusic(frames: 1000).vorbis(folder, "a.ogg")
    try folder.write("tags", Array("METADATA_BLOCK_PICTURE=\(base64(block))\n".utf8))
    try Tools.run("vorbiscomment", ["-w", "-R", "-c", "tags", "a.ogg"], in: folder.url)
    try check(MemoryByteSource(try folder.read("a.ogg")))
  }

  @Test func picture_oggFLAC_areTheImage() throws {
    try GeneratedMusic(frames: 1000).flac(folder, "a.flac")
    let block = block
    var bytes = try folder.read("a.flac")
    let header = [
      6, UInt8(block.count >> 16), UInt8(block.count >> 8 & 255), UInt8(block.count & 255),
    ]
    bytes.insert(contentsOf: header + block, at: 42)
    try folder.write("b.flac", bytes)
    // If the input is a FLAC file, `flac` copies its metadata blocks to the output.
    try Tools.run("flac", ["--silent", "--ogg", "-o", "b.oga", "b.flac"], in: folder.url)
    try check(MemoryByteSource(try folder.read("b.oga")))
  }

  @Test func header_wrongPictureLength_isDamageAndTheMusicPlays() throws {
    try GeneratedMusic(frames: 1000).flac(folder, "a.flac", ["--no-padding"])
    var bytes = try folder.read("a.flac")
    let block: [UInt8] = [0, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4]
    bytes.insert(contentsOf: [6, 0, 0, UInt8(block.count)] + block, at: 42)
    let file = try AudioFile(MemoryByteSource(bytes))
    #expect(file.header.metadata.pictures.isEmpty)
    #expect(file.header.damage.map(\.location) == [.byte(46)])
    #expect(file.decoder.decodeAll().frameCount == 1000)
  }

  @Test func decodeBase64_allLengths_returnTheEncodedBytes() {
    for count in 0...40 {
      let bytes = Array(image.prefix(count))
      #expect(decodeBase64(base64(bytes).utf8) == bytes)
    }
  }

  @Test func base64_anotherCharacter_endsTheData() throws {
    let text = base64(image)
    for index in [0, 1, 2, 3, 4, 5, 1000, 65_535, 65_536, 65_537, text.utf8.count - 1] {
      for character in [UInt8(ascii: "="), UInt8(ascii: "\n"), 0, 0xFF] {
        var bytes = Array(text.utf8)
        bytes[index] = character
        let expected = Array(image.prefix(index * 6 / 8))
        #expect(decodeBase64(bytes) == expected)
        let source = Base64ByteSource(MemoryByteSource(bytes))
        #expect(try source.prefix(at: 0, count: .max) == expected, "character \(index)")
        #expect(source.size == expected.count)
      }
    }
  }

  @Test func base64_shortReadsOfTheText_changeNothing() throws {
    let text = MemoryByteSource(Array(base64(image).utf8))
    for largestRead in [1, 2, 3, 5, 255, 65_025] {
      let source = Base64ByteSource(CountingSource(text, largestRead: largestRead))
      #expect(try source.prefix(at: 0, count: image.count) == image)
    }
  }

  // MARK: Cost

  /// Counts the reads of a source.
  private final class CountingSource: ByteSource {
    private let source: any ByteSource
    private let largestRead: Int
    private(set) var reads = 0
    private(set) var bytes = 0

    init(_ source: any ByteSource, largestRead: Int = .max) {
      self.source = source
      self.largestRead = largestRead
    }

    var size: Int64 { source.size }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
      throws(ByteSourceError) -> Int
    {
      let count = try source.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(largestRead)))
      reads += 1
      bytes += count
      return count
    }
  }

  /// The decoder reads the packet with the tags once to find its Ogg pages. For each complete reading of the picture,
  /// it reads the packet once more, and not once per piece.
  @Test func picture_oggInPieces_readsEachByteOnce() throws {
    let block = block
    let picture = Array("METADATA_BLOCK_PICTURE=".utf8) + Array(base64(block).utf8)
    let file = GeneratedVorbisSetup().file(
      comments: GeneratedVorbisSetup.comments(
        long: picture + Array(repeating: UInt8(ascii: "="), count: 1_000_000)))
    let source = CountingSource(MemoryByteSource(file))
    let reference = try #require(try AudioFile.header(source).metadata.pictures.first)
    let before = (source.reads, source.bytes)
    let bytes = try AudioFile.picture(reference, in: source)
    #expect(source.bytes - before.1 <= file.count)
    let found = (source.reads, source.bytes)
    var read: [UInt8] = []
    while true {
      let piece = try bytes.prefix(at: Int64(read.count), count: 4096)
      if piece.isEmpty { break }
      read += piece
    }
    #expect(read == image)
    let text = base64(block).utf8.count
    let pieces = image.count / 4096 + 1
    // If a piece ends within a group of four base64 characters, this group is read again. Each Ogg page has at least
    // 4096 bytes.
    #expect(source.bytes - found.1 <= text + 8 * pieces)
    #expect(source.reads - found.0 <= 2 * pieces + text / 4096 + 1)
  }
}
