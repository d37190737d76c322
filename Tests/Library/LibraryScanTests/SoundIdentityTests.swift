import Foundation
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

/// Tests how a scan recognises the sound of files that were moved, or whose tags have changed. Common encoders create
/// the files.
@Suite struct SoundIdentityTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  /// Encodes two songs of an album.
  private func encodeAlbum(_ title: String, _ suffix: String, seed: UInt64) throws {
    try FileManager.default.createDirectory(
      atPath: bench.path(title), withIntermediateDirectories: true)
    for number in 1...2 {
      let music = GeneratedMusic(
        rate: 48000, frames: 9000 + 1000 * number, seed: seed + UInt64(number))
      let tags = ["--title=\(title) \(number)", "--album=\(title)", "--artist=A"]
      switch suffix {
      case ".ogg": try music.vorbis(bench.folder, "encoded", tags)
      case ".opus":
        try bench.folder.write("encoded.raw", music.raw)
        try Tools.run(
          "opusenc", ["--quiet", "--raw"] + tags + ["encoded.raw", "encoded"],
          in: bench.folder.url)
      default: try encodeMP3(music, title: "\(title) \(number)", album: title)
      }
      try bench.move("../encoded", to: "\(title)/\(number)\(suffix)")
    }
  }

  /// Encodes an MP3. With `-t`, LAME omits the MPEG frame that describes the sound, so the scan recognises the sound by
  /// the MPEG frames with sound.
  private func encodeMP3(
    _ music: GeneratedMusic, title: String, album: String, _ options: [String] = ["-t"]
  ) throws {
    try bench.folder.write("encoded.wav", music.wav)
    try Tools.run(
      "lame",
      ["--quiet", "-b", "128", "--add-id3v2", "--tt", title, "--tl", album, "--ta", "A"] + options
        + ["encoded.wav", "encoded"], in: bench.folder.url)
  }

  @Test(arguments: [".ogg", ".opus", ".mp3"]) func run_movedAlbum_keepsItsPlace(suffix: String)
    throws
  {
    for (number, title) in ["First", "Second", "Third"].enumerated() {
      try encodeAlbum(title, suffix, seed: UInt64(10 * number))
      try bench.scan()
    }
    try bench.move("First", to: "moved")
    try bench.scan()
    #expect(try bench.titles(.recentAlbums) == ["Third", "Second", "First"])
  }

  @Test func run_movedVorbisWithOtherTags_keepsItsPlace() throws {
    for (number, title) in ["First", "Second"].enumerated() {
      try encodeAlbum(title, ".ogg", seed: UInt64(10 * number))
      try bench.scan()
    }
    for number in 1...2 {
      try Tools.run(
        "vorbiscomment",
        [
          "--write", "--tag", "TITLE=\(number)", "--tag", "ALBUM=Renamed", "--tag", "ARTIST=B",
          "--tag", "COMMENT=" + String(repeating: "long ", count: 100),
          bench.path("First/\(number).ogg"),
        ])
    }
    try bench.move("First", to: "moved")
    try bench.scan()
    #expect(try bench.titles(.recentAlbums) == ["Second", "Renamed"])
  }

  @Test(arguments: [["-t"], ["-T"]]) func run_movedMP3WithOtherTags_keepsItsPlace(
    options: [String]
  ) throws {
    func encode(_ folder: String, title: String, album: String) throws {
      let path = bench.path(folder)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for number in 1...2 {
        // The files of both albums have the same size, so that only their sound distinguishes them.
        let music = GeneratedMusic(
          rate: 44100, frames: 50_000, seed: UInt64(number + 10 * folder.utf8.count))
        try encodeMP3(music, title: "\(title) \(number)", album: album, options)
        try bench.move("../encoded", to: "\(folder)/\(number).mp3")
      }
    }
    for folder in ["1", "22"] {
      try encode(folder, title: folder, album: folder)
      try bench.scan()
    }
    try bench.remove("1")
    try bench.remove("22")
    try encode("1", title: String(repeating: "long ", count: 20), album: "Renamed")
    try bench.move("1", to: "moved")
    try encode("22", title: "22", album: "22")
    try bench.scan()
    #expect(try bench.titles(.recentAlbums) == ["22", "Renamed"])
  }

  @Test func run_newAlbumWithACopiedSong_isNew() throws {
    for title in ["First", "Second"] {
      try bench.addAlbum(title, by: "A", tracks: 4)
      try bench.scan()
    }
    // An album of favourites with a copy of a song of the first album.
    try bench.add("Mix/1.flac", "TITLE=Copy", "ALBUM=Mix", "ARTIST=A", sound: 1)
    for number in 2...3 {
      try bench.add("Mix/\(number).flac", "TITLE=\(number)", "ALBUM=Mix", "ARTIST=A")
    }
    try bench.add("One/1.flac", "TITLE=Copy", "ALBUM=One", "ARTIST=A", sound: 2)
    try bench.scan()
    #expect(try bench.titles(.recentAlbums).suffix(2) == ["Second", "First"])
  }
}
