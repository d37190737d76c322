import TestKit
import Testing

@testable import AudioCodecs

/// Tests ID3v2 tags in files of ffmpeg, and tags that the tests build byte by byte.
@Suite struct ID3Tests {
  private func number(_ value: Int, shift: Int = 8, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map {
      UInt8(truncatingIfNeeded: value >> (shift * $0)) & (shift == 7 ? 0x7F : 0xFF)
    }
  }

  private func frame(_ id: String, _ content: [UInt8], _ version: UInt8 = 3, flags: UInt8 = 0)
    -> [UInt8]
  {
    let name = Array(id.utf8)
    if version == 2 { return name + number(content.count, bytes: 3) + content }
    return name + number(content.count, shift: version == 4 ? 7 : 8) + [0, flags] + content
  }

  private func text(_ id: String, _ text: String, _ version: UInt8 = 3) -> [UInt8] {
    frame(id, [3] + Array(text.utf8), version)
  }

  private func tag(_ frames: [UInt8], _ version: UInt8 = 3, flags: UInt8 = 0) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags] + number(frames.count, shift: 7) + frames
  }

  private func unsynchronised(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
  }

  private func read(_ bytes: [UInt8]) throws -> ID3Tag {
    let source = MemoryByteSource(bytes)
    return try ID3Tag(source, try #require(try ID3Tag.Header(source, at: 0)))
  }

  private func picture(_ tag: ID3Tag, _ bytes: [UInt8]) throws -> [UInt8] {
    let picture = try #require(tag.pictures.first)
    let source = try AudioFile.picture(picture, in: MemoryByteSource(bytes))
    return try source.prefix(at: 0, count: bytes.count)
  }

  @Test(arguments: [3, 4]) func fileOfFFmpeg_hasItsTagsAndItsCover(_ version: Int) throws {
    let folder = try TemporaryFolder()
    let cover = GeneratedPNG.halves(40, 30).bytes
    try folder.write("in.wav", GeneratedMusic(frames: 2000).wav)
    try folder.write("cover.png", cover)
    try Tools.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-i", "in.wav", "-i", "cover.png", "-map", "0", "-map", "1", "-c:v",
        "copy", "-write_id3v2", "1", "-id3v2_version", "\(version)", "-metadata",
        "title=Żółw и あ", "-metadata", "artist=One", "-metadata", "album_artist=Two",
        "-metadata", "track=3/7", "-metadata", "REPLAYGAIN_TRACK_GAIN=-6.5 dB", "out.aiff",
      ], in: folder.url)
    let source = MemoryByteSource(try folder.read("out.aiff"))
    let metadata = try AudioFile.header(source).metadata
    #expect(metadata.title == "Żółw и あ" && metadata.artist == "One")
    #expect(metadata.albumArtist == "Two" && metadata.trackNumber == 3)
    #expect(metadata.loudness.trackGain == -6.5)
    let picture = try #require(metadata.pictures.first)
    #expect(picture.mimeType == "image/png" && picture.byteCount == cover.count)
    let bytes = try AudioFile.picture(picture, in: source).prefix(at: 0, count: cover.count + 9)
    #expect(bytes == cover)
  }

  @Test(arguments: [2, 3, 4] as [UInt8]) func frames_areReadInEachVersion(_ version: UInt8) throws {
    let old = version == 2
    let tag = try read(
      tag(
        text(old ? "TT2" : "TIT2", "Title", version)
          + text(old ? "TP1" : "TPE1", version == 4 ? "One\0Two" : "One", version)
          + text(old ? "TCO" : "TCON", "(17)", version)
          + frame(old ? "TXX" : "TXXX", [3] + Array("MusicBrainz Album Id\0abc\0".utf8), version)
          + frame(
            old ? "COM" : "COMM", [0] + Array("engiTunSMPB\0 00000000 00000210".utf8), version)
          + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], version))
    #expect(tag.comments.first("TITLE") == "Title" && tag.comments.first("GENRE") == "Rock")
    #expect(tag.comments.all("ARTIST") == (version == 4 ? ["One", "Two"] : ["One"]))
    #expect(tag.comments.first("MUSICBRAINZ_ALBUMID") == "abc")
    #expect(tag.comments.first("ITUNSMPB") == " 00000000 00000210")
    #expect(tag.damage.isEmpty)
  }

  @Test func encodings_areDecoded() throws {
    let utf16: [UInt8] = [0x42, 0x04, 0x3E, 0x04]
    for (encoding, bytes, expected) in [
      (1, [0xFF, 0xFE] + utf16, "то"), (1, [0xFE, 0xFF, 0x04, 0x42, 0x04, 0x3E], "то"),
      (1, utf16, "то"), (2, [0x04, 0x42, 0x04, 0x3E], "то"), (3, Array("тo".utf8), "тo"),
      (0, [0x4D, 0xFC, 0x6C, 0x92], "Mül’"), (0, Array("Mü".utf8), "Mü"),
      (1, [0xFF, 0xFE, 0x41, 0, 0, 0], "A"), (1, [0xFF, 0xFE, 0x41], ""),
    ] as [(UInt8, [UInt8], String)] {
      let title = try read(tag(frame("TIT2", [encoding] + bytes))).comments.first("TITLE")
      #expect(title == (expected.isEmpty ? nil : expected))
    }
  }

  /// Texts in a Windows code page. Old programs write such texts into a frame that declares Latin-1.
  @Test(
    arguments: [
      (
        "Кино — Группа крови",
        [
          0xCA, 0xE8, 0xED, 0xEE, 0x20, 0x97, 0x20, 0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA,
          0xF0, 0xEE, 0xE2, 0xE8,
        ]
      ),
      ("Ένα τραγούδι", [0xB8, 0xED, 0xE1, 0x20, 0xF4, 0xF1, 0xE1, 0xE3, 0xEF, 0xFD, 0xE4, 0xE9]),
      (
        "שיר של יום חדש",
        [0xF9, 0xE9, 0xF8, 0x20, 0xF9, 0xEC, 0x20, 0xE9, 0xE5, 0xED, 0x20, 0xE7, 0xE3, 0xF9]
      ),
      (
        "Déjà vu à la crème brûlée",
        [
          0x44, 0xE9, 0x6A, 0xE0, 0x20, 0x76, 0x75, 0x20, 0xE0, 0x20, 0x6C, 0x61, 0x20, 0x63, 0x72,
          0xE8, 0x6D, 0x65, 0x20, 0x62, 0x72, 0xFB, 0x6C, 0xE9, 0x65,
        ]
      ),
    ] as [(String, [UInt8])])
  func textsOfAWindowsCodePage_areRecognized(_ text: String, _ bytes: [UInt8]) throws {
    #expect(try read(tag(frame("TIT2", [0] + bytes))).comments.first("TITLE") == text)
  }

  @Test func capitals_ofAWindowsCodePage_areRecognized() throws {
    for (text, bytes) in [
      ("ЗЕМЛЯ", [0xC7, 0xC5, 0xCC, 0xCB, 0xDF]), ("ДДТ", [0xC4, 0xC4, 0xD2]),
      ("ΑΓΑΠΗ", [0xC1, 0xC3, 0xC1, 0xD0, 0xC7]),
    ] as [(String, [UInt8])] {
      #expect(try read(tag(frame("TIT2", [0] + bytes))).comments.first("TITLE") == text)
    }
  }

  @Test func genres_haveNumbersAndTexts() {
    for (text, genre) in [
      ("17", "Rock"), ("(17)", "Rock"), ("(51)(39)", "Techno-Industrial"), ("(17)Own", "Own"),
      ("((Own)", "(Own)"), ("(RX)", "Remix"), ("(999)", "(999)"), ("191", "Psybient"),
      ("Own", "Own"),
    ] {
      #expect(ID3Names.genre(text) == genre)
    }
  }

  @Test func comments_areNoTitles() throws {
    let comment = frame("COMM", [0] + Array("engTITLE\0Wrong".utf8))
    #expect(try read(tag(comment)).comments.entries.isEmpty)
  }

  @Test func unsynchronisedTags_haveTheirTextsAndPictures() throws {
    let image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 0xFF, 0, 0xFF, 0xFF, 7]
    let content = [0] + Array("image/jpeg\0".utf8) + [3, 0] + image
    // In ID3v2.3, the size of a frame does not count the zero bytes that unsynchronisation adds.
    let whole = tag(
      unsynchronised(text("TIT2", "ÿÿ") + frame("APIC", content) + text("TALB", "Album")), 3,
      flags: 0x80)
    var result = try read(whole)
    #expect(result.comments.first("TITLE") == "ÿÿ" && result.comments.first("ALBUM") == "Album")
    #expect(try picture(result, whole) == image)
    let single = tag(
      text("TIT2", "ÿÿ", 4) + frame("APIC", unsynchronised(content), 4, flags: 0x02)
        + text("TALB", "Album", 4), 4, flags: 0x80)
    result = try read(single)
    #expect(result.pictures.first?.byteCount == image.count)
    #expect(result.comments.first("TITLE") == "ÿÿ" && result.comments.first("ALBUM") == "Album")
    #expect(try picture(result, single) == image)
  }

  @Test func version4WithPlainSizes_isRead() throws {
    let long = String(repeating: "x", count: 300)
    var bytes = text("TIT2", long, 3) + text("TALB", "Album", 3)
    bytes += [0, 0, 0, 0]
    let result = try read(tag(bytes, 4))
    #expect(result.comments.first("TITLE") == long && result.comments.first("ALBUM") == "Album")
  }

  @Test func relativeVolume_isAGain() throws {
    let gain = Int16(-6 * 512 - 128)
    let value = number(Int(gain), bytes: 2)
    let content = Array("track\0".utf8) + [1] + value + [16, 0x80, 0]
    let comments = try read(tag(frame("RVA2", content, 4), 4)).comments
    #expect(Loudness(comments).trackGain == -6.25)
  }

  @Test(
    arguments: [
      (1, "1"), (31, "1"), (64, "2"), (128, "3"), (196, "4"), (255, "5"), (0, nil),
    ] as [(UInt8, String?)])
  func popularimeter_isTheRating(value: UInt8, stars: String?) throws {
    let content = Array("who@example.org\0".utf8) + [value, 0, 0, 0, 9]
    for (name, version) in [("POPM", 4), ("POPM", 3), ("POP", 2)] as [(String, UInt8)] {
      let comments = try read(tag(frame(name, content, version), version)).comments
      #expect(comments.first("RATING") == stars, "\(version)")
    }
    for broken in [[], [0], Array("no end".utf8), Array("end\0".utf8)] as [[UInt8]] {
      #expect(try read(tag(frame("POPM", broken, 4), 4)).comments.entries.isEmpty)
    }
  }

  @Test func groupedFrames_areRead_andCompressedOrEncryptedFramesAreNot() throws {
    let group = frame("TIT2", [9, 3] + Array("Title".utf8), 4, flags: 0x40)
    let length = frame("TALB", [0, 0, 0, 6, 3] + Array("Album".utf8), 4, flags: 0x01)
    let other =
      frame("TPE1", [3, 0x41], 4, flags: 0x08) + frame("TCOM", [3, 0x41], 4, flags: 0x04)
    let comments = try read(tag(group + length + other, 4)).comments
    #expect(comments.entries.map(\.name) == ["TITLE", "ALBUM"])
  }

  @Test func hostileTags_useLimitedMemory() throws {
    let values = (0..<4000).flatMap { _ in [0x41, 0] as [UInt8] }
    let long = frame("TIT2", [3] + Array(repeating: 0x42, count: 100_000))
    let value = String(repeating: "v", count: 900)
    let tags = (0..<5000).flatMap { (number: Int) -> [UInt8] in text("TXXX", "N\(number)\0\(value)")
    }
    let result = try read(tag(frame("TPE1", [3] + values) + long + tags))
    #expect(result.comments.all("ARTIST").count == TagCollector.maximumValuesOfName)
    #expect(result.comments.first("TITLE")?.count == TagCollector.maximumValueBytes)
    let total = result.comments.entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    #expect(total <= TagCollector.maximumTotalBytes)
    #expect(result.comments.cutValues > 1000)
    // A frame that is longer than the tag ends the tag.
    let cut = try read(tag(text("TIT2", "A") + Array("TALB".utf8) + [0x7F, 0, 0, 0, 0, 0]))
    #expect(cut.comments.first("TITLE") == "A" && cut.damage.count == 1)
  }

  @Test func arbitraryBytes_areNoFault() throws {
    var random = SystemRandomNumberGenerator()
    let valid = tag(
      text("TIT2", "Title", 4)
        + frame("APIC", [0] + Array("image/png\0".utf8) + [3, 0, 1, 2, 3], 4)
        + frame("COMM", [1] + Array("engx\0\0y".utf8), 4), 4)
    for _ in 0..<5000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 3..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let source = MemoryByteSource(bytes)
      guard let header = try ID3Tag.Header(source, at: 0) else { continue }
      for picture in try ID3Tag(source, header).pictures {
        _ = try AudioFile.picture(picture, in: source).prefix(at: 0, count: 1000)
      }
    }
  }
}
