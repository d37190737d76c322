import FileReading
import Foundation
import Glibc
import LibraryDatabase
import LibraryModel
import MusicFiles
import TestKit
import Testing

@testable import LibraryScan

/// Tests how the scan of a medium handles symbolic links.
@Suite(.enabled(if: MemoryFileSystem.obstacle == nil)) struct MediumEdgeScanTests {
  private let bench: LibraryBench
  private let medium: MemoryFileSystem

  init() throws {
    bench = try LibraryBench()
    medium = try MemoryFileSystem(at: bench.folder.path("music"))
    try bench.add("album/1.flac", "TITLE=One", "ARTIST=A", "ALBUM=B")
    try bench.add(".store/2.flac", "TITLE=Two", "ARTIST=A", "ALBUM=B")
    try bench.folder.write("outside.flac", bench.template.file(["TITLE=Outside"], sound: 99))
  }

  private func scan() throws -> VolumeScan.Result {
    var volume = bench.volume
    volume.isMedium = true
    return try VolumeScan(volume, into: bench.writer).run()
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: bench.path(name), withDestinationPath: target)
  }

  private func problems() throws -> [String] {
    try bench.reader.problems(first: 0, maximumBytes: 1 << 20).filter { $0.cause == "link" }
      .map { String(decoding: $0.path, as: UTF8.self) }.sorted()
  }

  @Test func linksThatLeadOffTheMedium_areNamedAndNotFollowed() throws {
    try link("out.flac", to: bench.folder.path("outside.flac"))
    try link("album/root", to: "/")
    try link("processes", to: "/proc")
    try link("list.m3u", to: "/etc/passwd")
    let result = try scan()
    #expect(result.ending == .complete && result.files == 5)
    #expect(try bench.titles(.songs) == ["One"])
    #expect(try bench.titles(.playlists).isEmpty)
    #expect(try problems() == ["album/root", "list.m3u", "out.flac", "processes"])
    let counts = try bench.reader.volumes().map { $0.problems["link"] }
    #expect(counts == [4])
    // A second scan reads nothing.
    #expect(try scan() == .init(ending: .complete, files: 5))
    try bench.remove("processes")
    #expect(try scan().removed == 1)
  }

  @Test func linksWithinTheMedium_areFollowedOnce() throws {
    try link("album/loop", to: "..")
    try link("again", to: "album")
    try link("again.flac", to: "album/1.flac")
    try link("a.flac", to: ".store/2.flac")
    try link("b.flac", to: ".store/2.flac")
    try link("c", to: ".store")
    for _ in 0..<2 {
      #expect(try scan().files == 2)
      #expect(try bench.titles(.songs) == ["One", "Two"])
    }
    #expect(try problems().isEmpty)
  }

  @Test func linksThatWereFollowed_areGoneAfterTheNextScan() throws {
    // `bench.scan()` follows the link `out`, as an earlier version of the program did on sticks. `scan()` does not
    // follow it.
    try FileManager.default.createDirectory(
      atPath: bench.folder.path("machine"), withIntermediateDirectories: true)
    try bench.folder.write(
      "machine/3.flac", bench.template.file(["TITLE=Three"], sound: 98))
    try link("out", to: bench.folder.path("machine"))
    try bench.scan()
    #expect(try bench.titles(.songs) == ["One", "Three"])
    _ = try scan()
    #expect(try bench.titles(.songs) == ["One"])
    #expect(try problems() == ["out"])
  }

  @Test func aFolderThatIsNoMedium_followsLinks() throws {
    try link("out.flac", to: bench.folder.path("outside.flac"))
    try link("again.flac", to: "album/1.flac")
    try bench.scan()
    #expect(try bench.titles(.songs) == ["One", "One", "Outside"])
  }

  @Test func aFolderThatWasReplacedByALink_isNotRead() throws {
    try FileManager.default.moveItem(
      atPath: bench.path("album"), toPath: bench.folder.path("moved"))
    let listing = FolderListing(
      Array(bench.path("album").utf8), edge: MediumEdge(bench.folder.path("music")))
    #expect(listing.failure == ENOENT)
    try link("album", to: bench.folder.path("moved"))
    let outside = FolderListing(
      Array(bench.path("album").utf8), edge: MediumEdge(bench.folder.path("music")))
    #expect(outside.isOutside && outside.isEmpty && !outside.isComplete)
  }

  @Test func aProgram_isNoSong() throws {
    var random = SeededRandom(5)
    var bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for frame in 0..<3 {
      bytes.replaceSubrange(frame * 417..<frame * 417 + 4, with: [0xFF, 0xFB, 0x90, 0x64])
    }
    for name in ["program", "noise.mp3"] { try bench.folder.write("music/\(name)", bytes) }
    _ = try scan()
    #expect(try bench.titles(.songs) == ["noise", "One"])
  }
}
