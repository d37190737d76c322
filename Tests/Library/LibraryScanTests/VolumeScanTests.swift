import Foundation
import LibraryDatabase
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

/// Tests how a scan updates the library after changes of the files of a volume.
@Suite struct VolumeScanTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  @Test func run_newFiles_listsArtistsAlbumsAndSongsInOrder() throws {
    try bench.addAlbum("Moon Safari", by: "Air", "DATE=1998")
    try bench.addAlbum("10 000 Hz", by: "Air", "DATE=2001")
    try bench.addAlbum("Abbey Road", by: "The Beatles")
    let result = try bench.scan()
    #expect(result == .init(ending: .complete, files: 6, read: 6))
    #expect(try bench.titles(.artists) == ["Air", "The Beatles"])
    #expect(try bench.titles(.albums) == ["10 000 Hz", "Abbey Road", "Moon Safari"])
    let air = LibraryNode.artist(try bench.id("Air", in: .artists))
    #expect(try bench.titles(air) == ["Moon Safari", "10 000 Hz"])
    let album = LibraryNode.album(try bench.id("Abbey Road", in: .albums))
    #expect(try bench.titles(album) == ["Abbey Road 1", "Abbey Road 2"])
    let row = try #require(try bench.rows(.albums).first { $0.title == "Moon Safari" })
    #expect(row.artist == "Air" && row.count == 2 && row.year == 1998 && !row.isAbsent)
  }

  @Test func run_nothingHasChanged_readsNoFileAndWritesNothing() throws {
    try bench.addAlbum("Moon Safari", by: "Air")
    try bench.scan()
    let revision = bench.writer.revision
    let database = bench.folder.path("library/library.db-wal")
    let before = try FileManager.default.attributesOfItem(atPath: database)
    let result = try bench.scan()
    #expect(result == .init(ending: .complete, files: 2, read: 0))
    #expect(bench.writer.revision == revision)
    let after = try FileManager.default.attributesOfItem(atPath: database)
    #expect(before[.size] as? Int == after[.size] as? Int)
    #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
  }

  @Test func run_changedTags_changesListsAndWords() throws {
    try bench.add("a.flac", "TITLE=One", "ARTIST=Old", "ALBUM=First", "GENRE=Rock")
    try bench.scan()
    try bench.add("a.flac", "TITLE=Two words", "ARTIST=New", "ALBUM=Second", "GENRE=Pop")
    let result = try bench.scan()
    #expect(result.read == 1)
    #expect(try bench.titles(.songs) == ["Two words"])
    #expect(try bench.titles(.artists) == ["New"])
    #expect(try bench.titles(.albums) == ["Second"])
    #expect(try bench.titles(.genres) == ["Pop"])
    #expect(try bench.find("one") == [])
    #expect(try bench.find("old") == [])
    #expect(try bench.find("wor") == ["song Two words"])
  }

  @Test func run_removedFilesAndFolders_removesThem() throws {
    try bench.addAlbum("Moon Safari", by: "Air", "GENRE=Pop")
    try bench.addAlbum("Abbey Road", by: "The Beatles")
    try bench.scan()
    try bench.remove("Air")
    try bench.remove("The Beatles/Abbey Road/1.flac")
    let result = try bench.scan()
    #expect(result.removed == 2)
    #expect(try bench.titles(.artists) == ["The Beatles"])
    #expect(try bench.titles(.songs) == ["Abbey Road 2"])
    #expect(try bench.titles(.genres) == [])
    #expect(try bench.rows(.albums).map(\.count) == [1])
    #expect(try bench.find("moon") == [])
    #expect(try bench.find("air") == [])
  }

  @Test func run_movedAlbum_keepsItsPlaceInTheOrderOfArrival() throws {
    for title in ["First", "Second", "Third"] {
      try bench.addAlbum(title, by: "A")
      try bench.scan()
    }
    try bench.move("A/First", to: "moved")
    try bench.scan()
    #expect(try bench.titles(.recentAlbums) == ["Third", "Second", "First"])
    #expect(try bench.titles(.albums) == ["First", "Second", "Third"])
  }

  /// Changes the modification time of each file by `seconds`.
  private func moveTimes(by seconds: Double) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: bench.folder.path("music")) {
      let date = try FileManager.default.attributesOfItem(atPath: bench.path(name))[
        .modificationDate]
      let moved = try #require(date as? Date).addingTimeInterval(seconds)
      try FileManager.default.setAttributes(
        [.modificationDate: moved], ofItemAtPath: bench.path(name))
    }
  }

  @Test(arguments: [3600.0, -7200, 20_700]) func run_otherZoneOnFAT_readsNoFile(seconds: Double)
    throws
  {
    try bench.addAlbum("Moon", by: "Air", tracks: 5)
    // Foundation rounds the times that it sets. This call rounds all times, so that the next call changes them by
    // exactly `seconds`.
    try moveTimes(by: 0)
    try bench.scan(storesLocalTime: true)
    try moveTimes(by: seconds)
    #expect(try bench.scan(storesLocalTime: true).read == 0)
    // A file whose content has also changed is read.
    try bench.add("Air/Moon/1.flac", "TITLE=Another title")
    #expect(try bench.scan(storesLocalTime: true).read == 1)
    #expect(try bench.titles(.songs).contains("Another title"))
  }

  @Test(arguments: [3601.0, 54_000]) func run_otherTimesOnFAT_readsTheFiles(seconds: Double) throws
  {
    try bench.addAlbum("Moon", by: "Air", tracks: 5)
    try bench.scan(storesLocalTime: true)
    try moveTimes(by: seconds)
    #expect(try bench.scan(storesLocalTime: true).read == 5)
  }

  @Test func run_otherTimesOnAnotherFileSystem_readsTheFiles() throws {
    try bench.addAlbum("Moon", by: "Air", tracks: 5)
    try bench.scan()
    try moveTimes(by: 3600)
    #expect(try bench.scan().read == 5)
  }

  @Test func run_emptyMountPoint_removesNothing() throws {
    try bench.addAlbum("Moon Safari", by: "Air")
    try bench.scan()
    try bench.remove("Air")
    #expect(try bench.scan().ending == .empty)
    #expect(try bench.titles(.songs).count == 2)
  }

  @Test func run_missingFolder_isEmptyAndRemovesNothing() throws {
    try bench.addAlbum("Moon Safari", by: "Air")
    try bench.scan()
    try FileManager.default.removeItem(atPath: bench.folder.path("music"))
    #expect(try bench.scan().ending == .empty)
    #expect(try bench.titles(.songs).count == 2)
    try bench.folder.write("music", [1])
    #expect(try bench.scan().ending == .lost)
    #expect(try bench.titles(.songs).count == 2)
  }

  @Test func run_stickIsPulledOutWhileTagsAreRead_keepsTheRestUnread() throws {
    for number in 0..<20 { try bench.add("\(number).flac", "TITLE=\(number)") }
    let music = bench.folder.path("music")
    let result = try bench.scan { progress in
      if progress.read == 5 {
        try? FileManager.default.moveItem(atPath: music, toPath: music + "2")
      }
      return true
    }
    #expect(result.ending == .lost)
    #expect(try bench.rows(.songs).count == 5)
    try FileManager.default.moveItem(atPath: music + "2", toPath: music)
    #expect(try bench.scan() == .init(ending: .complete, files: 20, read: 15))
    #expect(try bench.rows(.songs).count == 20)
  }

  @Test func run_stopped_continuesTheNextTime() throws {
    for number in 0..<20 { try bench.add("\(number).flac", "TITLE=\(number)") }
    #expect(try bench.scan { $0.read < 7 }.ending == .stopped)
    #expect(try bench.rows(.songs).count == 7)
    #expect(try bench.scan().read == 13)
  }

  @Test func run_folderThatBecomesAFile_removesItsSongs() throws {
    try bench.addAlbum("Moon Safari", by: "Air")
    try bench.addAlbum("Abbey Road", by: "The Beatles")
    try bench.scan()
    try bench.move("Air", to: "../Air")
    try bench.folder.write("music/Air", [1])
    try bench.scan()
    #expect(try bench.titles(.songs).count == 2)
  }

  @Test func run_unplayableFiles_areRowsWithAReasonAndOthersAreNot() throws {
    try bench.add("a.flac", "TITLE=One")
    try bench.folder.write("music/broken.flac", [1, 2, 3])
    try bench.folder.write("music/cover.jpg", [1, 2, 3])
    try bench.scan()
    let root = try bench.rows(.volumes)
    #expect(root.map(\.title) == ["MUSIC"])
    let rows = try bench.rows(.folder(root[0].id))
    #expect(rows.map(\.kind) == [.song, .problem])
    #expect(rows[1].title == "broken.flac")
    #expect(rows[1].detail?.isEmpty == false)
    #expect(try bench.scan().read == 0)
  }

  @Test func run_discsInFolders_areOneAlbum() throws {
    for disc in 1...2 {
      for number in 1...2 {
        try bench.add(
          "Set/CD \(disc)/\(number).flac", "TITLE=\(disc)-\(number)", "ALBUM=Set", "ARTIST=A",
          "DISCNUMBER=\(disc)", "TRACKNUMBER=\(number)")
      }
    }
    try bench.scan()
    #expect(try bench.titles(.albums) == ["Set"])
    let album = LibraryNode.album(try bench.id("Set", in: .albums))
    #expect(try bench.titles(album) == ["1-1", "1-2", "2-1", "2-2"])
  }

  @Test(arguments: ["COMPILATION=1", "COMMENT=none"])
  func run_compilation_isUnderNoArtistButSongsAre(tag: String) throws {
    for (number, artist) in ["A", "B", "C"].enumerated() {
      try bench.add(
        "Hits/\(number).flac", "TITLE=Song \(artist)", "ARTIST=\(artist)", "ALBUM=Hits",
        "TRACKNUMBER=\(number)", tag)
    }
    try bench.addAlbum("Own", by: "A", tracks: 1)
    try bench.scan()
    // Without a tag that says so, it is not sure that the songs are a compilation.
    #expect(try bench.titles(.artists) == (tag == "COMPILATION=1" ? ["A"] : ["A", "B", "C"]))
    #expect(try bench.rows(.albums).map(\.isVarious) == [true, false])
    let artist = LibraryNode.artist(try bench.id("A", in: .artists))
    #expect(try bench.rows(artist).map(\.kind) == [.album, .song])
    #expect(try bench.titles(artist) == ["Own", "Song A"])
    #expect(try bench.find("b") == ["artist B", "song Song B"])
  }

  @Test func run_severalValuesAndSortNames_areKept() throws {
    try bench.add(
      "a.flac", "TITLE=One", "ARTIST=Zoe", "ARTIST=AC/DC ; Bob", "ALBUM=A", "ALBUMARTIST=The Zoo",
      "ALBUMARTISTSORT=Beta", "GENRE=Rock", "GENRE=Pop")
    try bench.addAlbum("C", by: "Carl")
    try bench.scan()
    #expect(try bench.rows(.songs).first { $0.title == "One" }?.artist == "Zoe, AC/DC, Bob")
    #expect(try bench.titles(.artists) == ["The Zoo", "Carl"])
    #expect(try bench.titles(.genres) == ["Pop", "Rock"])
    #expect(try bench.find("ac dc") == ["artist AC/DC", "song One"])
  }

  @Test(arguments: [Double.nan, .infinity, -1, 1e300, 1e9]) func milliseconds_anyClaim_isSafe(
    seconds: Double
  ) {
    #expect(VolumeScan.milliseconds(seconds) == 0)
    #expect(VolumeScan.milliseconds(1.5) == 1500)
  }

  @Test func run_hostileTags_areStored() throws {
    let long = String(repeating: "x ", count: 30_000)
    try bench.add(
      "a.flac", "TITLE=\(long)", "ARTIST=\(long)", "ALBUM=\(long)", "GENRE=\(long)",
      "DATE=99999999999999999999",
      "TRACKNUMBER=9223372036854775807", "DISCNUMBER=-5")
    try bench.add("b.flac", ["TITLE=\u{0}\u{0}", "ARTIST= ; ; ", "ALBUM=\u{FEFF}"])
    try bench.add("c.flac", (0..<500).map { "ARTIST=Artist \($0)" })
    try bench.scan()
    let rows = try bench.rows(.songs)
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { $0.title.utf8.count <= 1024 && $0.artist?.utf8.count ?? 0 <= 2048 })
    for node in [LibraryNode.artists, .albums, .genres] { _ = try bench.rows(node) }
    #expect(try bench.scan().read == 0)
  }

  @Test func run_manyNewFiles_areFoundWhenTheScanHasEnded() throws {
    for number in 0..<200 { try bench.add("\(number).flac", "TITLE=Old \(number)") }
    try bench.scan()
    for number in 0..<6 { try bench.add("new/\(number).flac", "TITLE=Fresh \(number)") }
    // The first scan is stopped after it has read four of the six new files, so the second scan reads the other two.
    #expect(try bench.scan(limits: .init(bulk: 3)) { $0.read < 4 }.ending == .stopped)
    #expect(try bench.scan().read == 2)
    #expect(try bench.find("fresh").count == 6)
  }

  @Test func run_nameThatCannotBeExamined_isNotGone() throws {
    try bench.addAlbum("Moon", by: "Air")
    try bench.addAlbum("Park", by: "Blur")
    try bench.scan()
    // A link to a name of more than 255 bytes causes an error, as a damaged inode does.
    try bench.remove("Air")
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("Air"), withDestinationPath: String(repeating: "x", count: 300))
    try bench.scan()
    #expect(try bench.titles(.songs).count == 4)
    try bench.remove("Air")
    try bench.scan()
    #expect(try bench.titles(.songs).count == 2)
  }

  @Test func run_newFileAfterTheZoneHasChanged_isReadOnce() throws {
    try bench.addAlbum("Moon", by: "Air", tracks: 3)
    try moveTimes(by: 0)
    try bench.scan(storesLocalTime: true)
    try moveTimes(by: 3600)
    try bench.add("new.flac", "TITLE=New")
    #expect(try bench.scan(storesLocalTime: true).read == 1)
    #expect(try bench.scan(storesLocalTime: true).read == 0)
  }

  @Test func run_sortNameOfTheAlbumArtistOnly_countsForThePerson() throws {
    try bench.add(
      "a.flac", "TITLE=x", "ARTIST=Bob Dylan", "ALBUM=A", "ALBUMARTIST=Bob Dylan",
      "ALBUMARTISTSORT=Dylan")
    try bench.add("b.flac", "TITLE=y", "ARTIST=Carl", "ALBUM=B", "ALBUMARTIST=Carl")
    try bench.scan()
    #expect(try bench.titles(.artists) == ["Carl", "Bob Dylan"])
  }

  @Test func run_spaceAroundTags_isIgnored() throws {
    try bench.add("a/1.flac", "TITLE= x ", "ALBUM=Moon ", "ARTIST=A")
    try bench.add("a/2.flac", "TITLE=y", "ALBUM=Moon", "ARTIST=A")
    try bench.add("b/1.flac", "TITLE=z", "ALBUM= ", "ARTIST=A")
    try bench.scan()
    #expect(try bench.titles(.albums) == ["b", "Moon"])
    #expect(try bench.titles(.songs) == ["x", "y", "z"])
  }

  @Test func run_linksInCircles_ends() throws {
    try bench.addAlbum("Moon Safari", by: "Air")
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("Air/again"), withDestinationPath: bench.folder.path("music"))
    #expect(try bench.scan() == .init(ending: .complete, files: 2, read: 2))
  }

  @Test func run_moreThanTheLimits_isCutAndRemovesNothing() throws {
    for number in 0..<6 { try bench.add("\(number)/a.flac", "TITLE=\(number)") }
    try bench.add("x/x/x/x/x.flac", "TITLE=deep")
    try bench.scan()
    let result = try bench.scan(limits: .init(files: 3, depth: 64))
    #expect(result.wasCut && result.removed == 0)
    let flat = try bench.scan(limits: .init(files: 100, depth: 2))
    #expect(flat.wasCut && flat.removed == 0)
    #expect(try bench.rows(.songs).count == 7)
  }

  @Test func run_namesOfAnyBytes_areFoundAndShown() throws {
    let latin: [UInt8] = Array((bench.path("") + "/").utf8) + [0x62, 0xF6, 0x73, 0x65, 0x2E, 0x66]
    let bytes = bench.template.file([])
    let file = open(latin.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o644)
    #expect(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count)
    close(file)
    try bench.add(String(repeating: "x", count: 250) + ".flac")
    #expect(try bench.scan() == .init(ending: .complete, files: 2, read: 2))
    #expect(try bench.scan().read == 0)
    #expect(try bench.titles(.songs).contains(String(repeating: "x", count: 250)))
  }
}
