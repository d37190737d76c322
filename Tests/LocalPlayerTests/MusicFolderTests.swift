import AudioCodecs
import Foundation
import TestKit
import Testing

@testable import LocalPlayer

/// What is found on a stick, and in which order it plays.
@Suite struct MusicFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  private func track(_ name: String, _ tags: String...) throws {
    try MadeMusic(channels: 1, frames: 200).flac(folder, "x.flac", tags.map { "--tag=\($0)" })
    try folder.write(name, try folder.read("x.flac"))
    for scrap in ["x.flac", "x.flac.raw"] {
      try FileManager.default.removeItem(atPath: folder.path(scrap))
    }
  }

  private func names(_ scan: MusicScan) -> [String] {
    scan.files.map { String($0.path.dropFirst(folder.url.path.count + 1)) }
  }

  @Test(arguments: [
    ("Track 2", "track 10"), ("a", "B"), ("A 09", "a 10"), ("1", "01a"), ("", "a"), ("x", "x1"),
    ("99999999999999999999998", "99999999999999999999999"), ("Über", "Übung 1"),
  ])
  func naturallyPrecedes_ordersAsPeopleDo(pair: (String, String)) {
    #expect(naturallyPrecedes(pair.0, pair.1))
    #expect(!naturallyPrecedes(pair.1, pair.0))
  }

  @Test func naturallyPrecedes_isAnOrderAlsoForEquals() {
    #expect(!naturallyPrecedes("a", "a"))
    #expect(naturallyPrecedes("A", "a") != naturallyPrecedes("a", "A"))
    #expect(naturallyPrecedes("01", "1") != naturallyPrecedes("1", "01"))
  }

  @Test func scan_folder_ordersByTagsThenByName() throws {
    try track("z.flac", "ALBUM=A", "TRACKNUMBER=1")
    try track("a.flac", "ALBUM=A", "TRACKNUMBER=2", "DISCNUMBER=2")
    try track("m.flac", "ALBUM=A", "TRACKNUMBER=10")
    try track("b.flac", "ALBUM=A", "TRACKNUMBER=1", "DISCNUMBER=2")
    try track("song 10.flac")
    try track("song 9.flac")
    let scan = MusicScan(paths: [folder.url.path])
    #expect(
      names(scan) == ["z.flac", "m.flac", "b.flac", "a.flac", "song 9.flac", "song 10.flac"])
    #expect(scan.unplayable.isEmpty)
  }

  @Test func scan_twoAlbumsInOneFolder_areNotMixed() throws {
    try track("1.flac", "ALBUM=B", "TRACKNUMBER=1")
    try track("2.flac", "ALBUM=A", "TRACKNUMBER=1")
    try track("3.flac", "ALBUM=B", "TRACKNUMBER=2")
    #expect(names(MusicScan(paths: [folder.url.path])) == ["1.flac", "3.flac", "2.flac"])
  }

  @Test func scan_folders_areEnteredInNaturalOrder() throws {
    for name in ["Disc 10", "Disc 2", ".hidden"] {
      try makeFolder(name)
      try track("\(name)/a.flac")
    }
    #expect(
      names(MusicScan(paths: [folder.url.path + "/"])) == ["Disc 2/a.flac", "Disc 10/a.flac"])
  }

  @Test func scan_whatIsNoMusic_isNamedOnlyWhereItClaimsToBe() throws {
    try track("a.flac")
    try folder.write("cover.jpg", [1, 2, 3])
    try folder.write("broken.flac", [1, 2, 3])
    // Content decides: a name without an ending plays.
    try track("no ending")
    let scan = MusicScan(paths: [folder.url.path])
    #expect(names(scan) == ["a.flac", "no ending"])
    #expect(scan.unplayable.map { lastComponent($0.path) } == ["broken.flac"])
    let named = MusicScan(paths: [folder.path("cover.jpg"), folder.path("missing.flac")])
    #expect(named.unplayable.count == 2)
    #expect(named.unplayable.last?.reason == "No such file or directory")
  }

  @Test func scan_linksInACircle_end() throws {
    try makeFolder("a")
    try track("a/a.flac")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a/loop"), withDestinationPath: folder.url.path)
    #expect(names(MusicScan(paths: [folder.url.path])).count == 1)
  }

  @Test func scan_pipe_isRefusedAndDoesNotBlock() throws {
    try Tools.run("mkfifo", ["p.flac"], in: folder.url)
    let scan = MusicScan(paths: [folder.path("p.flac")])
    #expect(scan.unplayable.map(\.reason) == ["byte 0: is not a regular file"])
  }

  @Test func scan_namedFiles_keepTheirOrder() throws {
    try track("b.flac", "TRACKNUMBER=2")
    try track("a.flac", "TRACKNUMBER=1")
    let scan = MusicScan(paths: [folder.path("b.flac"), folder.path("a.flac")])
    #expect(names(scan) == ["b.flac", "a.flac"])
  }
}
