import Files
import Foundation
import LibraryDatabase
import LibraryModel
import NameKeys
import TestKit
import Testing

@testable import LibraryScan

/// Tests the lists and the search of a library that was scanned from real files.
@Suite struct LibraryBatchesTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  @Test(arguments: [1, 3, 100]) func batch_forwardAndBackward_hasEachRowOnce(limit: Int) throws {
    let titles = (1...25).map { "Song \($0)" }
    try bench.scanSongs(titles)
    #expect(try bench.rows(.songs, limit: limit).map(\.title) == titles)
    var batch = try bench.reader.batch(.songs, limit: limit)
    while let next = batch.next {
      batch = try bench.reader.batch(.songs, cursor: next, limit: limit)
    }
    var backward = batch.rows
    #expect(batch.count == 25)
    while let previous = batch.previous {
      batch = try bench.reader.batch(.songs, cursor: previous, limit: limit)
      backward = batch.rows + backward
    }
    #expect(backward.map(\.title) == titles)
    #expect(batch.position == 0)
  }

  @Test func batch_listChangesInBetween_neitherRepeatsNorLeavesOut() throws {
    try bench.scanSongs((1...9).map { "Song \($0)" })
    let first = try bench.reader.batch(.songs, limit: 3)
    try bench.add("x.flac", "TITLE=A new one")
    try bench.remove("1.flac")
    try bench.scan()
    let second = try bench.reader.batch(.songs, cursor: first.next, limit: 3)
    #expect(second.rows.map(\.title) == ["Song 4", "Song 5", "Song 6"])
  }

  @Test func batch_folder_hasFoldersThenSongs() throws {
    try bench.add("b.flac", "TITLE=Song")
    try bench.add("Z/a.flac", "TITLE=Inside")
    try bench.add("Folder 10/a.flac")
    try bench.add("Folder 9/a.flac")
    try bench.scan()
    let root = LibraryNode.folder(try bench.rows(.volumes)[0].id)
    #expect(try bench.rows(root, limit: 2).map(\.title) == ["Folder 9", "Folder 10", "Z", "Song"])
    let inside = LibraryNode.folder(try bench.id("Z", in: root))
    #expect(try bench.titles(inside) == ["Inside"])
  }

  @Test(arguments: [1, 2, 100]) func batch_songsBelow_hasTheOrderInWhichTheFolderPlays(
    limit: Int
  ) throws {
    try bench.add("b.flac", "TITLE=Top")
    try bench.add("Z/a.flac", "TITLE=Z a")
    try bench.add("Z/Inner 10/a.flac", "TITLE=Z Inner 10")
    try bench.add("Z/Inner 9/a.flac", "TITLE=Z Inner 9 a")
    try bench.add("Z/Inner 9/Deep/a.flac", "TITLE=Z Deep")
    try bench.add("Z/Inner 9/b.flac", "TITLE=Z Inner 9 b")
    try bench.add("Folder/a.flac", "TITLE=Folder")
    try bench.add("Zz/a.flac", "TITLE=Zz")
    try bench.scan()
    let root = LibraryNode.folder(try bench.rows(.volumes)[0].id)
    func list(_ node: LibraryNode) throws -> LibraryNode {
      .songsBelow(try #require(node.row).id)
    }
    let inside = ["Z a", "Z Inner 9 a", "Z Inner 9 b", "Z Deep", "Z Inner 10"]
    #expect(
      try bench.rows(list(root), limit: limit).map(\.title) == ["Top", "Folder"] + inside + ["Zz"])
    let folder = LibraryNode.folder(try bench.id("Z", in: root))
    #expect(try bench.rows(list(folder), limit: limit).map(\.title) == inside)
    #expect(try bench.reader.batch(list(folder), limit: limit).count == 5)
    #expect(
      try bench.reader.tracks(of: list(folder)) == bench.reader.tracks(of: folder))
    #expect(
      try bench.reader.neighbour(of: list(folder), in: nil, isNext: true)
        == .folder(bench.id("Zz", in: root)))
  }

  @Test func letters_songsBelow_areRanges() throws {
    for number in 1...14 { try bench.add("A/\(number).flac") }
    try bench.scan()
    let root = try bench.rows(.volumes)[0].id
    let list = LibraryNode.songsBelow(root)
    #expect(try bench.reader.letters(of: list).map(\.heading) == ["1–12", "13–14"])
    #expect(
      try bench.reader.batch(list, limit: 12, heading: "13–14").rows.map(\.title) == ["13", "14"])
  }

  @Test(arguments: [
    "", "x", "f.0.0.x1", "f.9.0", "f.0.-1", "f.0.0;", "f.0.0;;", "f.0.0;9;", "b.0.0.i1;0.i1;x",
    "b.0.0.i1.i2", "f.0.0.i1",
  ])
  func batch_textThatIsNoCursor_isAnswered(cursor: String) throws {
    try bench.scanSongs(["One"])
    _ = try bench.reader.batch(.songs, cursor: cursor, limit: 3)
    _ = try bench.reader.batch(.folder(1), cursor: cursor, limit: 3)
    _ = try bench.reader.batch(.recentAlbums, cursor: cursor, limit: 3, heading: "1–12")
  }

  @Test func batch_recentAlbums_beginsWithTheLatest() throws {
    try bench.addAlbum("First", by: "A")
    try bench.scan()
    try bench.addAlbum("Second", by: "B")
    try bench.scan()
    #expect(try bench.titles(.recentAlbums) == ["Second", "First"])
  }

  @Test func batch_volumeIsNotPresent_rowsAreAbsentAndKeepTheirPlace() throws {
    try bench.addAlbum("Moon", by: "Air")
    try bench.scan()
    bench.reader.presentVolumes = 0
    for node in [LibraryNode.artists, .albums, .songs, .volumes] {
      #expect(try bench.rows(node).allSatisfy(\.isAbsent))
    }
    bench.reader.presentVolumes = 1
    #expect(try bench.rows(.songs).allSatisfy { !$0.isAbsent })
  }

  @Test func find_words_inAnyFieldAndOrder() throws {
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 1)
    try bench.addAlbum("Ágætis byrjun", by: "Sigur Rós", tracks: 1)
    try bench.addAlbum("Blue Moon", by: "Billie", tracks: 1)
    try bench.scan()
    #expect(
      try bench.find("moon") == [
        "album Moon Safari", "album Blue Moon", "song Moon Safari 1", "song Blue Moon 1",
        "folder Moon Safari", "folder Blue Moon",
      ])
    #expect(try bench.find("air mo") == ["album Moon Safari", "song Moon Safari 1"])
    #expect(try bench.find("sigur ros").first == "artist Sigur Rós")
    #expect(try bench.find("AGAE").first == "album Ágætis byrjun")
    #expect(try bench.find("oon") == [])
  }

  @Test func find_whatIsPresent_comesBeforeWhatIsAbsent() throws {
    for number in 1...8 { try bench.add("\(number).flac", "TITLE=Moon \(number)") }
    try bench.scan()
    let other = bench.folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    for title in ["Moon Z", "My Moon"] {
      let name = try bench.add("here.flac", "TITLE=\(title)")
      try FileManager.default.moveItem(
        atPath: bench.path(name), toPath: "\(other)/\(title).flac")
    }
    let volume = LibraryVolume(identity: "test 2", label: "OTHER", path: FileName.bytes(other))
    _ = try VolumeScan(volume, into: bench.writer, report: { _ in true }).run()
    bench.reader.presentVolumes = 1 << (try #require(bench.reader.volumeBits()["test 2"]))
    let query = try #require(SearchQuery(text: "moon"))
    let songs = try bench.reader.find(query).rows.filter { $0.kind == .song }
    #expect(songs.first?.title == "Moon Z")
    #expect(songs.map(\.isAbsent) == [false] + Array(repeating: true, count: 5))
  }

  @Test func find_keys_oneForEachLetter() throws {
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 1)
    try bench.scan()
    func found(_ keys: String) throws -> [String] {
      guard let query = SearchQuery(keys: keys) else { return [] }
      return try bench.reader.find(query).rows.map(\.title)
    }
    #expect(try found("2").first == "Air")
    #expect(try found("66660723") == ["Moon Safari", "Moon Safari 1", "Moon Safari"])
    #expect(try found("67") == [])
  }

  @Test func find_zeroInAName_isFoundByKeys() throws {
    try bench.scanSongs(["10cc", "30 Seconds", "マイケル・ジャクソン", "हिन्दी"])
    for (keys, title) in [("1022", "10cc"), ("3007", "30 Seconds")] {
      let query = try #require(SearchQuery(keys: keys))
      #expect(try bench.reader.find(query).rows.map(\.title) == [title])
    }
    #expect(try bench.find("マイケル ジャクソン") == ["song マイケル・ジャクソン"])
    #expect(try bench.find("ह") == ["song हिन्दी"])
  }

  @Test func find_chineseInTheMiddleOfAName() throws {
    try bench.scanSongs(["我爱北京天安门", "北海道"])
    #expect(try bench.find("北京") == ["song 我爱北京天安门"])
    #expect(try bench.find("北") == ["song 北海道", "song 我爱北京天安门"])
  }

  @Test func find_afterTheIndexWasOrdered_isInTheOrderOfNames() throws {
    for number in (1...60).reversed() { try bench.add("\(number).flac", "TITLE=Song \(number)") }
    try bench.scan()
    #expect(
      try bench.find("song").prefix(6)
        == [
          "song Song 1", "song Song 2", "song Song 3", "song Song 4", "song Song 5", "song Song 6",
        ])
    let more = try bench.reader.find(try #require(SearchQuery(text: "song"))).more
    #expect(more == [.song])
  }

  @Test(arguments: ["\"", "*", "NEAR(", "a\" OR \"b", "^", "-", "\u{0}"])
  func find_grammarOfTheIndex_isNoGrammar(text: String) throws {
    try bench.scanSongs(["a b"])
    _ = try bench.find(text)
  }
}
