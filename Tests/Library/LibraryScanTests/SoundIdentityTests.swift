import Foundation
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

/// How a scan recognises the sound of files that were moved or whose tags have changed. The files are made by
/// the encoders that people use.
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
      if suffix == ".ogg" {
        try music.vorbis(bench.folder, "encoded", tags)
      } else {
        try bench.folder.write("encoded.raw", music.raw)
        try Tools.run(
          "opusenc", ["--quiet", "--raw"] + tags + ["encoded.raw", "encoded"],
          in: bench.folder.url)
      }
      try bench.move("../encoded", to: "\(title)/\(number)\(suffix)")
    }
  }

  @Test(arguments: [".ogg", ".opus"]) func run_movedAlbumInOgg_keepsItsPlace(suffix: String) throws
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

  @Test func run_newAlbumWithACopiedSong_isNew() throws {
    for title in ["First", "Second"] {
      try bench.addAlbum(title, by: "A", tracks: 4)
      try bench.scan()
    }
    // A list of favourites with a song of the first album.
    try bench.add("Mix/1.flac", "TITLE=Copy", "ALBUM=Mix", "ARTIST=A", sound: 1)
    for number in 2...3 {
      try bench.add("Mix/\(number).flac", "TITLE=\(number)", "ALBUM=Mix", "ARTIST=A")
    }
    try bench.add("One/1.flac", "TITLE=Copy", "ALBUM=One", "ARTIST=A", sound: 2)
    try bench.scan()
    #expect(try bench.titles(.recentAlbums).suffix(2) == ["Second", "First"])
  }
}
