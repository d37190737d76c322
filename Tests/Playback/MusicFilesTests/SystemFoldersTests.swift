import Foundation
import TestKit
import Testing

@testable import MusicFiles

/// Tests that a scan ignores the folders and files that operating systems create on a stick.
@Suite struct SystemFoldersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func track(_ name: String) throws {
    let path = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    if !FileManager.default.fileExists(atPath: folder.path("x.bin")) {
      try GeneratedMusic(channels: 1, frames: 200).flac(folder, "x.bin", [])
      try FileManager.default.removeItem(atPath: folder.path("x.bin.raw"))
    }
    try folder.write(name, try folder.read("x.bin"))
  }

  private func scan() throws -> MusicScan {
    try FileManager.default.removeItem(atPath: folder.path("x.bin"))
    return MusicScan(paths: [folder.url.path])
  }

  @Test(arguments: [
    "$RECYCLE.BIN", "$Recycle.Bin", "System Volume Information", "SYSTEM VOLUME INFORMATION",
    "FOUND.000", "found.017", "LOST.DIR", "lost+found", ".Trashes", ".Spotlight-V100",
    ".fseventsd", ".Trash-1000", "Music/$RECYCLE.BIN/S-1-5-21",
  ])
  func systemFolder_isNotSearched(_ name: String) throws {
    try track("a.flac")
    try track("\(name)/deleted.flac")
    try track("\(name)/broken.flac")
    let scan = try scan()
    #expect(scan.files.map(\.fileName) == ["a.flac"] && scan.unplayable.isEmpty)
  }

  @Test(arguments: [
    "FOUND", "FOUND.00", "FOUND.0000", "FOUND.abc", "Found.0٣١", "Recycled", "LOST.DIRECTION",
    "System Volume", "My $RECYCLE.BIN",
  ])
  func folderWithASimilarName_isSearched(_ name: String) throws {
    try track("\(name)/a.flac")
    #expect(try scan().files.map(\.fileName) == ["a.flac"])
  }

  /// macOS stores the attributes of the file `NAME` in the file `._NAME`, which has the same name extension.
  @Test func attributesOfMacOS_areNoMusic() throws {
    try track("a.flac")
    try folder.write("._a.flac", [0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00])
    try track("._b.flac")
    let scan = try scan()
    #expect(scan.files.map(\.fileName) == ["a.flac"] && scan.unplayable.isEmpty)
  }

  /// A folder that the user names is searched, whatever its name is.
  @Test func namedFolder_isSearched() throws {
    try track("lost+found/a.flac")
    let scan = MusicScan(paths: [folder.path("lost+found")])
    #expect(scan.files.map(\.fileName) == ["a.flac"])
  }
}
