import Files
import Foundation
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

@Suite struct UpperFoldersTests {
  let bench: LibraryBench

  init() throws {
    bench = try LibraryBench()
    try bench.addAlbum("Moon Safari", by: "Air")
    try bench.addAlbum("Kid A", by: "Radiohead", tracks: 1)
    try bench.add("Air/Moon Safari/Extra/1.flac", "TITLE=Deep")
    try bench.add("Top.flac", "TITLE=Top")
    for name in [".Trashes/x", "$RECYCLE.BIN/y"] {
      try FileManager.default.createDirectory(
        atPath: bench.path(name), withIntermediateDirectories: true)
    }
  }

  /// The titles of all rows that the library contains when the scan begins to list all folders.
  private func rowsBeforeTheListing(_ options: VolumeScan.Options = .init()) throws -> [String] {
    var found: [String]?
    var failure: (any Error)?
    let scan = VolumeScan(
      bench.volume, into: bench.writer, options: options,
      willList: { [bench] _, _ in
        guard found == nil else { return }
        do { found = try Self.tree(bench, .volumes) } catch { failure = error }
      })
    #expect(try scan.run().ending == .complete)
    if let failure { throw failure }
    return found ?? []
  }

  private static func tree(_ bench: LibraryBench, _ node: LibraryNode) throws -> [String] {
    try bench.rows(node).flatMap { row in
      [row.title] + (row.kind == .folder ? try tree(bench, .folder(row.id)) : [])
    }
  }

  @Test func run_newVolume_twoLevelsOfFoldersAndAnAlbumAreListedBeforeAllNames() throws {
    #expect(
      try rowsBeforeTheListing() == [
        "MUSIC", "Air", "Moon Safari", "Moon Safari 1", "Moon Safari 2", "Radiohead", "Kid A",
      ])
    #expect(
      try Self.tree(bench, .volumes) == [
        "MUSIC", "Air", "Moon Safari", "Extra", "Deep", "Moon Safari 1", "Moon Safari 2",
        "Radiohead", "Kid A", "Kid A 1", "Top",
      ])
  }

  @Test func run_newVolumeWithAPreferredFolder_hasEachFolderOnce() throws {
    var options = VolumeScan.Options()
    options.preferredFolder = FileName.bytes(bench.path("Radiohead/Kid A"))
    #expect(
      try rowsBeforeTheListing(options) == [
        "MUSIC", "Air", "Moon Safari", "Radiohead", "Kid A", "Kid A 1",
      ])
  }

  @Test func run_newVolumeWithAnotherVolumeInIt_leavesItOut() throws {
    var options = VolumeScan.Options()
    options.otherVolumes = [FileName.bytes(bench.path("Air"))]
    #expect(try rowsBeforeTheListing(options) == ["MUSIC", "Radiohead", "Kid A", "Kid A 1"])
  }

  @Test func run_newVolumeThatBeginsWithManyPictures_readsFewOfThemFirst() throws {
    try FileManager.default.createDirectory(
      atPath: bench.path("0 Photos"), withIntermediateDirectories: true)
    for number in 0..<40 {
      try bench.folder.write("music/0 Photos/\(number).jpg", [0xFF, 0xD8])
    }
    var read: [String]?
    var files: [String] = []
    let scan = VolumeScan(
      bench.volume, into: bench.writer,
      willRead: { if case .file(let path, _) = $0 { files.append(FileName.text(path)) } },
      willList: { _, _ in read = read ?? files.filter { $0.hasSuffix(".jpg") } })
    #expect(try scan.run() == .init(ending: .complete, files: 45, read: 45))
    #expect(read?.count == 30)
  }

  @Test func run_knownVolume_listsNoFolderTwice() throws {
    try bench.scan()
    var read: [[UInt8]] = []
    let scan = VolumeScan(
      bench.volume, into: bench.writer, willList: { path, _ in read.append(path) })
    #expect(try scan.run().read == 0)
    #expect(read.count == 6 && Set(read).count == 6)
  }
}
