import Files
import Foundation
import LibraryDatabase
import LibraryModel
import SQLite
import TestKit
import Testing

@testable import LibraryScan

/// Tests changes of a whole volume, and folders that are difficult to read.
@Suite struct VolumeChangesTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  @Test func run_otherLabel_renamesTheFolderOfTheVolumeAndItsAlbum() throws {
    try bench.add("a.flac", "TITLE=One")
    try bench.scan()
    #expect(try bench.titles(.albums) == ["MUSIC"])
    var volume = bench.volume
    volume.label = "Holiday"
    _ = try VolumeScan(volume, into: bench.writer).run()
    #expect(try bench.titles(.volumes) == ["Holiday"])
    #expect(try bench.titles(.albums) == ["Holiday"])
    let database = try LibraryFile.reader(in: bench.folder.path("library"))
    let named = try database.statement("SELECT count(*) FROM folder WHERE shown = 'Holiday'")
    #expect(try named.integer() == 1)
  }

  @Test func run_changedAlbumTags_keepNoOldRows() throws {
    try bench.addAlbum("Moon", by: "Air", tracks: 3)
    try bench.scan()
    for number in 1...3 {
      try bench.add("Air/Moon/\(number).flac", "TITLE=\(number) new", "ALBUM=Sun", "ARTIST=Air")
    }
    try bench.scan()
    let database = try LibraryFile.reader(in: bench.folder.path("library"))
    #expect(try database.statement("SELECT count(*) FROM grouping").integer() == 1)
  }

  @Test func run_workOnTheDatabaseOnly_isNoAccessToTheMedium() throws {
    try bench.addAlbum("Moon", by: "Air", tracks: 3)
    var accesses: [(access: VolumeScan.Access, revision: Int64)] = []
    let scan = VolumeScan(
      bench.volume, into: bench.writer, willRead: { accesses.append(($0, bench.writer.revision)) })
    #expect(try scan.run().ending == .complete)
    // No commit happens during an access to the medium.
    for (before, after) in zip(accesses, accesses.dropFirst()) where before.access != .none {
      #expect(before.revision == after.revision)
    }
    let last = try #require(accesses.last)
    #expect(last.access == .none && last.revision < bench.writer.revision)
    // The scan reports an access for each name, so a large folder is not taken for a medium that does not answer.
    let album = Array(bench.path("Air/Moon").utf8)
    #expect(accesses.count { $0.access == .folder(album) } >= 3)
  }

  @Test(arguments: [1, 3])
  func run_fileThatIsDeletedMeanwhile_isNoRemovedMedium(files: Int) throws {
    for number in 0..<files { try bench.add("\(number).flac", "TITLE=\(number)") }
    var isDeleted = false
    let scan = VolumeScan(
      bench.volume, into: bench.writer,
      willRead: { access in
        guard case .file(let path, _) = access, !isDeleted else { return }
        isDeleted = unlink(FileName.cString(path)) == 0
      })
    #expect(try scan.run().ending == .complete)
    #expect(isDeleted)
    #expect(try bench.titles(.songs).count == files - 1)
  }

  @Test func run_riskyFile_isReadAfterACommit_andARefusedOneIsAProblem() throws {
    for number in 0..<3 { try bench.add("\(number).flac", "TITLE=\(number)", "ALBUM=A") }
    // The scan reads the files in the order of the medium, so the test counts the files that were read before `1.flac`.
    var (read, stored) = (0, -1)
    let scan = VolumeScan(
      bench.volume, into: bench.writer,
      reading: { path, _ in
        switch path.suffix(6).first {
        case UInt8(ascii: "1"): .risky
        case UInt8(ascii: "2"): .refused
        default: .usual
        }
      },
      willRead: { [bench] access in
        guard case .file(let path, _) = access else { return }
        if path.suffix(6).first == UInt8(ascii: "1") {
          stored = ((try? bench.titles(.songs).count) ?? -1) - read
        }
        read += 1
      })
    #expect(try scan.run().ending == .complete)
    #expect(read == 2 && stored == 0)
    #expect(try bench.titles(.songs) == ["0", "1"])
  }

  @Test func removeVolume_thatIsStopped_keepsWholeRows_andGoesOnLater() throws {
    for album in ["Moon", "Park"] { try bench.addAlbum(album, by: "Air", tracks: 4) }
    try bench.scan()
    func remove(files: Int) throws -> Bool {
      var (left, isGone) = (files, false)
      try bench.writer.transaction { () throws(DatabaseError) in
        isGone = try bench.writer.removeVolume(identity: bench.volume.identity) {
          left -= 1
          return left >= 0
        }
      }
      return isGone
    }
    #expect(try !remove(files: 5))
    #expect(try bench.rows(.albums).map(\.title) == ["Park"])
    #expect(try bench.rows(.albums).map(\.count) == [3])
    #expect(try bench.titles(.songs).count == 3)
    #expect(try remove(files: 3))
    for node in [LibraryNode.songs, .albums, .artists, .volumes] {
      #expect(try bench.titles(node).isEmpty)
    }
    // After the removal, the next scan of the volume reads all files again.
    #expect(try bench.scan().read == 8)
  }

  @Test func run_namesOfFoldersInFolders_areLimitedTogether() throws {
    for outer in 0..<10 { try bench.add("\(outer)/1/2/a.flac", "TITLE=\(outer)") }
    // The ten names of the outer folders need 650 bytes. With the first name of an inner folder, 700 bytes are
    // exceeded.
    let result = try bench.scan(limits: .init(nameBytes: 700))
    #expect(result.wasCut)
    #expect(
      try bench.scan(limits: .init(nameBytes: 1000))
        == .init(
          ending: .complete, files: 10, read: 10))
  }

  @Test func run_folderWithTwoPaths_isReadOnce() throws {
    try bench.addAlbum("Moon", by: "Air")
    try bench.addAlbum("Park", by: "Blur")
    try bench.scan()
    // `Blur` becomes a link to the folder `Air`.
    try bench.remove("Blur")
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("Blur"), withDestinationPath: bench.path("Air"))
    let result = try bench.scan()
    #expect(result.ending == .complete && result.files == 2)
    #expect(try bench.titles(.songs) == ["Moon 1", "Moon 2"])
    #expect(try bench.scan().read == 0)
    // Without `Air`, the link `Blur` leads nowhere.
    try bench.remove("Air")
    try bench.add("b.flac", "TITLE=Other")
    try bench.scan()
    #expect(try bench.titles(.songs) == ["Other"])
  }
}
