import Files
import Foundation
import LibraryModel
import SQLite
import TestKit
import Testing

@testable import LibraryDatabase
@testable import LibraryScan

@Suite struct MovedFilesTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  /// For each moved file of a volume: its old path (key), and its new volume and path as `volume path` (value).
  private func moved(
    _ paths: [String], on volume: String = "test 1", maximumBytes: Int = 50_000
  ) throws -> [String: String] {
    let found = try bench.reader.moved(
      paths.map { FileName.bytes($0) }, on: volume, maximumBytes: maximumBytes)
    return Dictionary(
      uniqueKeysWithValues: found.files.map {
        (paths[$0.index], "\($0.track.reference.volume) \(FileName.text($0.track.reference.path))")
      })
  }

  private func scan(_ name: String, as identity: String) throws {
    let volume = LibraryVolume(
      identity: identity, label: name, path: FileName.bytes(bench.folder.path(name)))
    #expect(try VolumeScan(volume, into: bench.writer).run().ending == .complete)
  }

  @Test func renamedFilesAndFolders_areFoundUnderTheirNewNames() throws {
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 3)
    try bench.scan()
    let paths = (1...3).map { "Air/Moon Safari/\($0).flac" }
    #expect(try moved(paths) == [:])
    try bench.move("Air/Moon Safari/1.flac", to: "Air/Moon Safari/01 La femme.flac")
    try bench.move("Air", to: "Ärger")
    try bench.scan()
    #expect(
      try moved(paths) == [
        paths[0]: "test 1 Ärger/Moon Safari/01 La femme.flac",
        paths[1]: "test 1 Ärger/Moon Safari/2.flac", paths[2]: "test 1 Ärger/Moon Safari/3.flac",
      ])
    // The files are moved once more, and then back.
    try bench.move("Ärger", to: "B")
    try bench.scan()
    #expect(try moved(paths)[paths[1]] == "test 1 B/Moon Safari/2.flac")
    #expect(
      try moved(["Ärger/Moon Safari/3.flac"])
        == ["Ärger/Moon Safari/3.flac": "test 1 B/Moon Safari/3.flac"])
    try bench.move("B", to: "Air")
    try bench.scan()
    #expect(try moved(Array(paths[1...])) == [:])
  }

  @Test func aFileThatWasRemoved_isNotFound() throws {
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 2)
    try bench.scan()
    try bench.remove("Air/Moon Safari/1.flac")
    try bench.scan()
    #expect(try moved(["Air/Moon Safari/1.flac", "", "/", "never/was.flac"]) == [:])
    #expect(try moved(["Air/Moon Safari/1.flac"], on: "unknown") == [:])
  }

  @Test func filesOfAnAbsentVolume_areFoundOnAnotherOne() throws {
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 2)
    try FileManager.default.createDirectory(
      atPath: bench.folder.path("copy"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: bench.path("Air"), toPath: bench.folder.path("copy/A"))
    try bench.scan()
    try scan("copy", as: "test 2")
    let path = "Air/Moon Safari/1.flac"
    #expect(try moved([path]) == [:])
    let bits = try bench.reader.volumeBits()
    let second = try #require(bits["test 2"])
    bench.reader.presentVolumes = 1 << second
    #expect(try moved([path]) == [path: "test 2 A/Moon Safari/1.flac"])
    // No present volume contains a file with this sound.
    bench.reader.presentVolumes = 0
    #expect(try moved([path]) == [:])
  }

  @Test func aFileThatWasCutAndPasted_isFound_whenItsOldVolumeIsScannedFirst() throws {
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 2)
    try bench.scan()
    try FileManager.default.createDirectory(
      atPath: bench.folder.path("other"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: bench.path("Air/Moon Safari/1.flac"), toPath: bench.folder.path("other/1.flac"))
    try bench.scan()
    let path = "Air/Moon Safari/1.flac"
    #expect(try moved([path]) == [:])
    try scan("other", as: "test 2")
    #expect(try moved([path]) == [path: "test 2 1.flac"])
    // If a volume is forgotten, its files do not count as moved.
    try bench.writer.begin()
    try bench.writer.removeVolume(identity: "test 2")
    try bench.writer.commit()
    #expect(try moved(["1.flac"], on: "test 2") == [:])
    let count = try bench.writer.database.statement("SELECT count(*) FROM former").integer()
    #expect(count == 1)
  }

  @Test func ofFilesWithTheSameSound_theOneWithTheSameNameCounts() throws {
    for name in ["a", "b", "c"] { try bench.add("old/\(name).flac", "TITLE=\(name)", sound: 7) }
    try bench.scan()
    try bench.move("old", to: "new")
    try bench.scan()
    #expect(
      try moved(["old/b.flac", "old/c.flac"])
        == ["old/b.flac": "test 1 new/b.flac", "old/c.flac": "test 1 new/c.flac"])
  }

  @Test func fileInAnotherQuality_isFoundByItsIdInMusicBrainz() throws {
    let id = "MUSICBRAINZ_RELEASETRACKID=9A2B"
    try bench.add("old/a.flac", "TITLE=a", id)
    try bench.add("old/b.flac", "TITLE=b")
    try bench.scan()
    let paths = ["old/a.flac", "old/b.flac"]
    try bench.remove("old")
    try bench.add("new/1.flac", "TITLE=a", id)
    try bench.add("new/2.flac", "TITLE=b")
    try bench.scan()
    #expect(try moved(paths) == [paths[0]: "test 1 new/1.flac"])
    // A file with the same sound has priority over a file with the same MusicBrainz id.
    try bench.add("sound/a.flac", "TITLE=x", sound: 1)
    try bench.scan()
    #expect(try moved(paths) == [paths[0]: "test 1 sound/a.flac"])
    try bench.remove("sound")
    // If more than four files have the same MusicBrainz id, their tags are wrong, and the id does not count.
    for number in 2...4 { try bench.add("new/more \(number).flac", "TITLE=a", id) }
    try bench.scan()
    #expect(try moved(paths) == [paths[0]: "test 1 new/1.flac"])
    try bench.add("new/more 5.flac", "TITLE=a", id)
    try bench.scan()
    #expect(try moved(paths) == [:])
  }

  @Test func fileOfAnAbsentVolume_isNotReplacedByAnotherQuality() throws {
    let id = "MUSICBRAINZ_RELEASETRACKID=9A2B"
    try bench.add("a.flac", "TITLE=a", id)
    try bench.add("stays.flac", "TITLE=b")
    try bench.scan()
    try FileManager.default.createDirectory(
      atPath: bench.folder.path("other"), withIntermediateDirectories: true)
    try bench.folder.write("other/b.flac", bench.template.file(["TITLE=a", id], sound: 99))
    try scan("other", as: "test 2")
    let second = try #require(try bench.reader.volumeBits()["test 2"])
    bench.reader.presentVolumes = 1 << second
    #expect(try moved(["a.flac"]) == [:])
    bench.reader.presentVolumes = .max
    try bench.remove("a.flac")
    try bench.scan()
    #expect(try moved(["a.flac"]) == ["a.flac": "test 2 b.flac"])
  }

  @Test func anAnswerThatIsTooLong_saysHowManyPathsWereExamined() throws {
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 4)
    try bench.scan()
    try bench.move("Air", to: "B")
    try bench.scan()
    let paths = (1...4).map { FileName.bytes("Air/Moon Safari/\($0).flac") }
    let found = try bench.reader.moved(paths, on: "test 1", maximumBytes: 300)
    #expect(found.examined == found.files.count && (1...3).contains(found.examined))
    #expect(try bench.reader.moved(paths, on: "test 1", maximumBytes: 1).examined == 1)
  }

  @Test func formerPaths_haveALimit() throws {
    let database = bench.writer.database
    let limit = LibraryWriter.maximumFormerPaths
    try bench.writer.begin()
    try database.statement(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO former(place, audio) SELECT -i, i FROM n
      """
    ).execute(.integer(limit + 500))
    try bench.writer.commit()
    for name in ["a", "b"] { try bench.add("\(name).flac", sound: 1) }
    try bench.scan()
    try bench.remove("a.flac")
    try bench.scan()
    #expect(try database.statement("SELECT count(*) FROM former").integer() == limit)
    #expect(try moved(["a.flac"]) == ["a.flac": "test 1 b.flac"])
  }
}
