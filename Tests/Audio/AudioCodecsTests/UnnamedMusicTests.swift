import Foundation
import TestKit
import Testing

@testable import AudioCodecs

/// Tests the detection of music in files whose names do not show that they are music.
@Suite struct UnnamedMusicTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func isMusic(_ bytes: [UInt8], isNamed: Bool = false) -> Bool {
    (try? AudioFile.header(MemoryByteSource(bytes), isNamed: isNamed)) != nil
  }

  private func noise(_ count: Int, seed: UInt64 = 6) -> [UInt8] {
    var random = SeededRandom(seed)
    return (0..<count).map { _ in .random(in: 0...255, using: &random) }
  }

  /// MPEG frames of layer III with 128 kbit/s at 44 100 Hz.
  private func frames(_ count: Int) -> [UInt8] {
    (0..<count).flatMap {
      [0xFF, 0xFB, 0x90, 0x64] + noise(413, seed: UInt64($0)).map { $0 & 0x7F }
    }
  }

  private func encoded(_ options: [String], seconds: Int, _ name: String = "a.mp3") throws
    -> [UInt8]
  {
    try folder.write("in.wav", GeneratedMusic(frames: seconds * 44100).wav)
    let program = name.hasSuffix(".mp2") ? "twolame" : "lame"
    try Tools.run(program, ["--quiet"] + options + ["in.wav", name], in: folder.url)
    return try folder.read(name)
  }

  @Test(arguments: [0, 5000, 40_000])
  func threeFramesInAProgram_areNoMusic(offset: Int) {
    var bytes = noise(500_000)
    bytes.replaceSubrange(offset..<offset + 3 * 417, with: frames(3))
    // Put the header of a fourth MPEG frame after the third MPEG frame.
    bytes.replaceSubrange(offset + 3 * 417..<offset + 3 * 417 + 4, with: frames(1).prefix(4))
    #expect(isMusic(bytes, isNamed: true))
    #expect(!isMusic(bytes))
  }

  @Test func framesThatAreLessThanHalf_areNoMusic_andMoreAre() {
    #expect(!isMusic(frames(400) + noise(400_000)))
    #expect(!isMusic(noise(60_000) + frames(100)))
    #expect(isMusic(frames(1200) + noise(200_000)))
    #expect(isMusic(noise(20_000) + frames(400)))
  }

  @Test func aHeaderInOtherData_isNoMusic() throws {
    try GeneratedMusic(frames: 44100).vorbis(folder, "a.ogg")
    let music = try folder.read("a.ogg")
    let program = noise(999) + music
    let found = [
      isMusic(music), isMusic(program), isMusic(program, isNamed: true),
      isMusic(Array(GeneratedMusic(frames: 1000).wav)),
    ]
    #expect(found == [true, false, true, true])
  }

  @Test func FLACFramesWithoutTheirHeader_areMusicIfTheyAreMost() throws {
    try GeneratedMusic(frames: 10 * 44100).flac(
      folder, "a.flac", ["--no-padding", "--no-seektable"])
    let music = Array(try folder.read("a.flac").dropFirst(1000))
    #expect(isMusic(music))
    #expect(!isMusic(music.prefix(60_000) + noise(1_000_000)))
  }

  @Test(arguments: [
    ["-b", "128"], ["-b", "320"], ["-V", "2"], ["-V", "9"], ["-V", "5", "-t"],
    ["-b", "8", "-m", "m"],
    ["--abr", "150", "--tt", "Title", "--add-id3v2"], ["-b", "64", "--resample", "22.05"],
  ])
  func MP3FilesOfAnyKind_areMusic(options: [String]) throws {
    for seconds in [1, 20] { #expect(isMusic(try encoded(options, seconds: seconds))) }
  }

  @Test func MP2Files_areMusic() throws {
    #expect(isMusic(try encoded(["-b", "384"], seconds: 5, "a.mp2")))
    #expect(isMusic(try encoded(["-b", "32", "-m", "m"], seconds: 5, "b.mp2")))
  }

  @Test func MP3Files_withLargeTagsAndDamage_areMusic() throws {
    let music = try encoded(["-V", "2"], seconds: 20)
    // The size of the tag is 1 MB. Each byte of the size has seven bits.
    let tag: [UInt8] =
      Array("ID3".utf8) + [3, 0, 0, 0, 0x40, 0, 0] + [UInt8](repeating: 0, count: 1 << 20)
    let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    #expect(isMusic(tag + music + old))
    // The beginning is missing, so the file begins within an MPEG frame.
    #expect(isMusic(Array(music.dropFirst(3000))))
    var damaged = music
    let middle = music.count * 2 / 5..<music.count * 3 / 5
    damaged.replaceSubrange(middle, with: noise(middle.count))
    #expect(isMusic(damaged))
    // The file consists of only one MPEG frame.
    #expect(isMusic(Array(frames(1))))
  }

  @Test func check_ofALargeFile_readsLittle() {
    let source = SparseByteSource(size: 4 << 30)
    source.put(0, frames(20))
    #expect((try? AudioFile.header(source, isNamed: false)) == nil)
    #expect(source.bytesRead < 1 << 20)
  }

  /// Tests the programs of the machine that runs the tests, and the test program itself.
  @Test func programs_areNoMusic() throws {
    var paths = [CommandLine.arguments[0]]
    for folder in ["/usr/bin", "/usr/lib/x86_64-linux-gnu"] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      paths += names.sorted().prefix(150).map { "\(folder)/\($0)" }
    }
    for path in paths {
      guard let source = FileSource(path) else { continue }
      #expect((try? AudioFile.header(source, isNamed: false)) == nil, "\(path)")
    }
  }
}

/// Reads a file in pieces, because the file of a test program has a size of 100 MB.
private final class FileSource: ByteSource {
  private let file: FileHandle
  let size: Int64

  init?(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int64, let file = FileHandle(forReadingAtPath: path)
    else { return nil }
    self.file = file
    self.size = size
  }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  { max(0, pread(file.fileDescriptor, buffer.baseAddress, buffer.count, Int(offset))) }
}
