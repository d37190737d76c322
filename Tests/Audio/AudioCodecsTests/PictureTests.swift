import TestKit
import Testing

@testable import AudioCodecs

/// Pictures are read only on request, and their bytes are exactly those that were embedded.
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
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[value >> (18 - 6 * place) & 63] : "=")
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
    #expect(try AudioFile.pictureBytes(picture, in: source) == image)
  }

  /// If the medium fails while a picture is read, playback can continue without the picture.
  @Test func pictureBytes_mediumFails_skipsOnlyThePicture() throws {
    try folder.write("a.png", image)
    let options = ["--no-padding", "--picture=3|image/png||640x480x24|a.png"]
    for (name, container) in [("a.flac", []), ("a.oga", ["--ogg"])] {
      try GeneratedMusic(frames: 1000).flac(folder, name, options + container)
      let bytes = try folder.read(name)
      let picture = try #require(
        try AudioFile.header(MemoryByteSource(bytes)).metadata.pictures.first)
      do {
        _ = try AudioFile.pictureBytes(picture, in: FailingByteSource(bytes, failsAt: 30_000))
        #expect(Bool(false), "no error of the medium")
      } catch {
        #expect(error.reaction == .skipPacket)
        #expect(error.kind == .unreadable)
      }
    }
  }

  @Test func pictureBytes_nativeFLAC_areTheImage() throws {
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

  @Test func pictureBytes_oggVorbisAcrossPages_areTheImage() throws {
    try GeneratedMusic(frames: 1000).vorbis(folder, "a.ogg")
    try folder.write("tags", Array("METADATA_BLOCK_PICTURE=\(base64(block))\n".utf8))
    try Tools.run("vorbiscomment", ["-w", "-R", "-c", "tags", "a.ogg"], in: folder.url)
    try check(MemoryByteSource(try folder.read("a.ogg")))
  }

  @Test func pictureBytes_oggFLAC_areTheImage() throws {
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
}
