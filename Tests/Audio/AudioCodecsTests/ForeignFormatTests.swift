import TestKit
import Testing

@testable import AudioCodecs

/// Tests formats that are recognised but cannot be played.
@Suite struct ForeignFormatTests {
  /// The format of a file that is refused because of its format. Nil if the file is refused for another reason.
  private func format(_ bytes: [UInt8]) -> ForeignFormat? { format(MemoryByteSource(bytes)) }

  private func format(_ source: any ByteSource) -> ForeignFormat? {
    do {
      _ = try AudioFile.header(source)
      Issue.record("is not refused")
    } catch {
      #expect(error.reaction == .refuseFile)
      if case .foreignFormat(let format) = error.kind { return format }
    }
    return nil
  }

  private func padded(_ head: [UInt8]) -> [UInt8] { head + Array(repeating: 0x95, count: 500) }

  // MARK: Files of real encoders

  /// A file that ffmpeg makes from a tone and, if `video` is true, from moving pictures.
  private func encoded(_ name: String, _ options: [String], video: Bool = false) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let pictures = video ? ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=5:duration=1"] : []
    try Tools.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=duration=1:sample_rate=8000"] + pictures
        + options + [folder.path(name)])
    return try folder.read(name)
  }

  @Test(
    arguments: [
      ("a.aac", ["-c:a", "aac"], .aac),
      ("a.m4a", ["-c:a", "aac"], .aac),
      ("a.m4a", ["-c:a", "aac", "-movflags", "faststart"], .aac),
      ("a.mp4", ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"], .aac),
      ("a.m4b", ["-c:a", "aac", "-f", "mp4"], .aac),
      ("a.m4a", ["-c:a", "alac"], .alac),
      ("a.mp4", ["-c:a", "ac3", "-ar", "48000"], .ac3),
      ("a.mp4", ["-c:a", "eac3", "-ar", "48000"], .eac3),
      // MP3, FLAC and Opus in MP4 are reported as MP4, because they have no format of their own in `ForeignFormat`.
      ("a.mp4", ["-c:a", "libmp3lame", "-ar", "44100"], .mp4),
      ("a.mp4", ["-c:a", "flac", "-strict", "-2"], .mp4),
      ("a.mp4", ["-c:a", "libopus", "-ar", "48000"], .mp4),
      ("a.ac3", ["-c:a", "ac3", "-ar", "48000"], .ac3),
      ("a.eac3", ["-c:a", "eac3", "-ar", "48000"], .eac3),
      ("a.dts", ["-c:a", "dca", "-strict", "-2", "-ar", "48000", "-ac", "2"], .dts),
      ("a.wma", ["-c:a", "wmav2"], .wma),
      ("a.wma", ["-c:a", "wmav1"], .wma),
      ("a.wv", ["-c:a", "wavpack"], .wavPack),
      ("a.tta", ["-c:a", "tta"], .tta),
      ("a.mka", ["-c:a", "flac"], .matroska),
      ("a.rm", ["-c:a", "real_144"], .realAudio),
    ] as [(String, [String], ForeignFormat)])
  func file_ofAnEncoder_isRecognised(_ name: String, _ options: [String], _ expected: ForeignFormat)
    throws
  {
    #expect(format(try encoded(name, options)) == expected)
  }

  @Test(
    arguments: [
      ("a.mp4", ["-c:a", "aac", "-c:v", "mpeg4"], .video),
      ("a.wmv", ["-c:a", "wmav2", "-c:v", "wmv2"], .video),
      ("a.avi", ["-c:a", "pcm_s16le", "-c:v", "mpeg4"], .video),
      ("a.mka", ["-c:a", "flac", "-c:v", "mpeg4", "-f", "matroska"], .matroska),
      // The brand of this file says that the file is music. In such a file, the video is a picture for each chapter.
      ("a.mp4", ["-c:a", "aac", "-c:v", "mpeg4", "-brand", "M4A "], .aac),
    ] as [(String, [String], ForeignFormat)])
  func file_withMovingPictures_isVideo_exceptMusicFiles(
    _ name: String, _ options: [String], _ expected: ForeignFormat
  ) throws {
    #expect(format(try encoded(name, options, video: true)) == expected)
  }

  @Test(arguments: ["jpg", "png", "gif", "webp"]) func picture_isRecognised(_ suffix: String) throws
  {
    let folder = try TemporaryFolder()
    try Tools.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:duration=1", "-frames:v", "1",
        folder.path("a.\(suffix)"),
      ])
    #expect(format(try folder.read("a.\(suffix)")) == .picture)
  }

  @Test func file_afterAnID3Tag_isRecognised() throws {
    // The tag has 10 bytes of content.
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 10] + Array(repeating: UInt8(0), count: 10)
    for (name, codec, expected) in [
      ("a.aac", "aac", ForeignFormat.aac), ("a.wv", "wavpack", .wavPack), ("a.m4a", "alac", .alac),
    ] {
      #expect(format(tag + (try encoded(name, ["-c:a", codec]))) == expected)
    }
  }

  // MARK: Headers by their specifications

  @Test(
    arguments: [
      (Array("MAC ".utf8) + [0x96, 0x0F], .ape), (Array("MACF".utf8), .ape),
      (Array("MP+".utf8) + [7], .musepack), (Array("MPCK".utf8), .musepack),
      (Array("DSD ".utf8), .dsd), (Array("FRM8".utf8), .dsd), (Array("tBaK".utf8), .tak),
      (Array("OFR ".utf8), .optimFROG), (Array("#!AMR\n".utf8), .amr),
      (Array("#!AMR-WB\n".utf8), .amr), (Array("MThd".utf8), .midi), (Array("RIFX".utf8), .rifx),
      ([0x2E, 0x72, 0x61, 0xFD], .realAudio), (Array("ADIF".utf8), .aac),
      ([0, 0, 0, 9, 0x57, 0x90, 0x75, 0x36], .protected),
      // The length of this ADTS frame leads beyond the end of the file.
      ([0xFF, 0xF1, 0x50, 0x83, 0xFF, 0xFF, 0xFC], .aac),
    ] as [([UInt8], ForeignFormat)])
  func header_isRecognised(_ head: [UInt8], _ expected: ForeignFormat) {
    #expect(format(padded(head)) == expected)
  }

  @Test func identifiersAndNames_areUnique() {
    let all = ForeignFormat.allCases
    #expect(Set(all.map(\.rawValue)).count == all.count)
    #expect(Set(all.map(\.name)).count == all.count)
    for format in all {
      #expect(!format.rawValue.isEmpty && format.rawValue.utf8.allSatisfy { $0 >= 0x30 })
    }
  }

  @Test func page_listsAllFormats() throws {
    let rows = try ProjectFile.tableRows(
      "docs/formats.md", section: "Formats that are recognised and not played")
    func words(_ cell: String) -> [String] {
      cell.split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
    }
    let all = ForeignFormat.allCases
    #expect(rows.flatMap { words($0[0]) } == all.map(\.rawValue))
    #expect(rows.flatMap { words($0[1]) } == all.map { $0.name.filter { $0 != " " } })
  }

  // MARK: MP4 with other descriptions

  private func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) }
  }

  private func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    word(8 + body.count) + Array(type.utf8) + body
  }

  private let fileType: [UInt8] = [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0]

  /// A track of sound with one sample description.
  private func track(_ coding: String, handler: String = "soun") -> [UInt8] {
    let entry = word(36) + Array(coding.utf8) + Array(repeating: 0, count: 28)
    let description = box("stsd", word(0) + word(1) + entry)
    return box(
      "trak",
      box(
        "mdia",
        box("hdlr", word(0) + word(0) + Array(handler.utf8) + word(0))
          + box("minf", box("stbl", description))))
  }

  private func movie(_ tracks: [UInt8]) -> [UInt8] { fileType + box("moov", tracks) }

  @Test(
    arguments: [
      ("mp4a", .aac), ("alac", .alac), ("drms", .protected), ("enca", .protected),
      ("aavd", .protected), ("samr", .amr), ("sawb", .amr), ("dtsc", .dts), ("twos", .mp4),
    ] as [(String, ForeignFormat)])
  func sampleDescription_determinesTheFormat(_ coding: String, _ expected: ForeignFormat) {
    #expect(format(movie(track(coding))) == expected)
  }

  @Test func severalTracks_areProtected_ifOneIs() {
    #expect(format(movie(track("mp4a") + track("drms"))) == .protected)
    #expect(format(movie(track("alac") + track("mp4a"))) == .alac)
    #expect(format(movie(track("text", handler: "text") + track("mp4a"))) == .aac)
  }

  @Test func pictureFormatOfMP4_isAPicture() {
    #expect(format([0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0]) == .picture)
  }

  @Test func movie_afterAHugeBox_isFoundWithFewReads() {
    // The size of `mdat` has 64 bits. The sound is 5 GB.
    let sound: Int64 = 5 << 30
    let begin = Int64(fileType.count)
    let tail = box("moov", track("alac"))
    let source = SparseByteSource(size: begin + sound + Int64(tail.count))
    source.put(0, fileType)
    source.put(begin, word(1) + Array("mdat".utf8) + word(1) + word(1 << 30))
    #expect(sound == Int64(1) << 32 + Int64(1) << 30)
    source.put(begin + sound, tail)
    #expect(format(source) == .alac)
    #expect(source.bytesRead < 1 << 20)
  }

  @Test func hostileSizes_endTheSearch() {
    let sizes: [[UInt8]] = [
      // 0 means: to the end of the file.
      word(0), word(2), word(7), word(8), word(0x7FFF_FFFF), word(0xFFFF_FFFF),
    ]
    for size in sizes {
      #expect(format(fileType + size + Array("mdat".utf8) + box("moov", track("alac"))) != nil)
      #expect(format(fileType + size + Array("moov".utf8) + track("alac")) != nil)
      // Write the size at each position after the file type, so that it also replaces the sizes of all boxes.
      var file = movie(track("alac"))
      for index in stride(from: 16, to: file.count - 4, by: 1) {
        let old = file[index..<index + 4]
        file.replaceSubrange(index..<index + 4, with: size)
        _ = format(file)
        file.replaceSubrange(index..<index + 4, with: old)
      }
    }
    // Sizes of 64 bits: 0, the largest, and 2⁶³, which is negative as a signed number.
    for size in [word(0) + word(0), word(-1) + word(-1), word(0x8000_0000) + word(0)] {
      #expect(format(fileType + word(1) + Array("mdat".utf8) + size) == .mp4)
    }
  }

  @Test func truncatedMovie_isMP4OrItsFormat() {
    let file = movie(track("alac"))
    for count in fileType.count..<file.count {
      let found = format(Array(file[..<count]))
      #expect(found == .mp4 || found == .alac, "\(count) bytes")
    }
  }

  /// The file consists of very many small boxes. The number of boxes that are read is limited.
  @Test func manyBoxes_areNotAllRead() {
    let source = SparseByteSource(size: 1 << 30)
    source.put(0, fileType)
    // From here on, each box has eight bytes.
    source.fill = word(8) + Array("free".utf8)
    #expect(format(source) == .mp4)
    #expect(source.bytesRead < 1 << 20)
  }

  // MARK: ASF

  private let ending: [UInt8] = Array(repeating: 0, count: 64)

  /// An ASF file whose header contains these objects.
  private func asf(_ objects: [(identity: [UInt8], size: UInt64, body: [UInt8])]) -> [UInt8] {
    func eight(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let body = objects.flatMap { $0.identity + eight($0.size) + $0.body }
    return ASFObjects.header + eight(UInt64(30 + body.count)) + [1, 0, 0, 0, 1, 2] + body + ending
  }

  /// Converts an identity (GUID) from the text in the specification to its bytes: three little-endian numbers and eight
  /// bytes.
  private static func identity(_ text: String) -> [UInt8] {
    let digits = text.filter { $0 != "-" }
    let bytes = stride(from: 0, to: 32, by: 2).compactMap { index -> UInt8? in
      let start = digits.index(digits.startIndex, offsetBy: index)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
    }
    return Array(bytes[0..<4].reversed() + bytes[4..<6].reversed() + bytes[6..<8].reversed())
      + bytes[8...]
  }

  @Test(arguments: [
    "2211B3FB-BD23-11D2-B4B7-00A0C955FC6E", "298AE614-2622-4C17-B935-DAE07EE9289C",
    "43058533-6981-49E6-9B74-AD12CB86D58C",
  ])
  func asf_withAnEncryptionObject_isProtected(_ text: String) {
    let other = [UInt8](repeating: 3, count: 16)
    let encryption = Self.identity(text)
    #expect(format(asf([(other, 28, [1, 2, 3, 4]), (encryption, 24, [])])) == .protected)
    #expect(format(asf([(other, 28, [1, 2, 3, 4])])) == .wma)
  }

  @Test func asf_withHostileSizes_isWMA() {
    let other = [UInt8](repeating: 3, count: 16)
    for size in [0, 1, 23, 24, UInt64(Int64.max), .max] {
      #expect(format(asf([(other, size, [1, 2, 3, 4])])) == .wma)
    }
    #expect(format(ASFObjects.header) == .wma)
  }

  // MARK: Text

  @Test(arguments: [
    "Dear diary, ", "#EXTM3U\r\nsong.mp3\r\n", "Grüße, こんにちは", "a",
    String(repeating: "å", count: 40_000),
  ])
  func text_isRecognised(_ text: String) {
    #expect(format(Array(text.utf8)) == .text)
    #expect(format([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == .text)
  }

  @Test(arguments: [false, true]) func textOfWindows_isRecognised(_ isBigEndian: Bool) {
    let bytes = "song.mp3\r\nother.mp3\r\n".utf16.flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isBigEndian ? pair.reversed() : pair
    }
    #expect(format((isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]) + bytes) == .text)
  }

  @Test func page_isRecognised() {
    #expect(format(Array("<!DOCTYPE html><html>".utf8)) == .page)
    #expect(format(Array(" \n<HTML lang=en>".utf8)) == .page)
    #expect(format(Array("<htm".utf8)) == .text)
  }

  @Test func textWithControlCharactersOrWrongUTF8_isNoText() {
    for bytes in [[0x41, 0], [0x41, 0x1B], [0x41, 0x7F], [0x41, 0xC3, 0x41, 0x41, 0x41, 0x41]] {
      #expect(format(bytes.map { UInt8($0) }) == nil)
    }
  }

  /// A saved answer of a web server begins with the HTTP header, which is text. The music follows.
  @Test func musicAfterText_isPlayed() throws {
    let folder = try TemporaryFolder()
    try GeneratedMusic(frames: 5000).flac(folder, "a.flac", [])
    let bytes = Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + (try folder.read("a.flac"))
    #expect(try AudioFile(MemoryByteSource(bytes)).decoder.decodeAll().frameCount == 5000)
  }

  /// The headers of MPEG-2 AAC begin like the headers of FLAC frames. In a long file, some headers of AAC are valid
  /// FLAC headers by chance. The file must still be recognised as AAC.
  @Test func manyFramesOfADTS_areAAC() throws {
    var state: UInt64 = 1
    for version: UInt8 in [0xF1, 0xF9, 0xF8] {
      var bytes: [UInt8] = []
      while bytes.count < 80_000 {
        let length = 200 + bytes.count % 300
        bytes += [
          0xFF, version, 0x50, 0x80 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
          UInt8(length & 7) << 5 | 0x1F, 0xFC,
        ]
        for _ in 0..<length - 7 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes.append(UInt8(state >> 56))
        }
      }
      #expect {
        try AudioFile(MemoryByteSource(bytes))
      } throws: {
        ($0 as? DecodeError)?.kind == .foreignFormat(.aac)
      }
    }
  }
}
