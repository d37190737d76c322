import Foundation
import LibraryDatabase
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

/// Tests that each row of a long list can be reached, by letters or by ranges of rows.
@Suite struct LibraryHeadingsTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  /// The rows that a driver can reach through all headings. A heading with more than 12 rows leads to further headings.
  private func reached(_ node: LibraryNode, under heading: String? = nil) throws -> [LibraryRow] {
    let groups = try bench.reader.letters(of: node, under: heading)
    guard heading != nil || !groups.isEmpty else { return try bench.rows(node) }
    return try groups.flatMap { group in
      let first = try bench.reader.batch(node, limit: 4, heading: group.heading)
      #expect(first.count == group.count && first.previous == nil)
      if group.count > 12 { return try reached(node, under: group.heading) }
      return try rows(node, under: group.heading)
    }
  }

  private func rows(_ node: LibraryNode, under heading: String) throws -> [LibraryRow] {
    var rows: [LibraryRow] = []
    var batch = try bench.reader.batch(node, limit: 4, heading: heading)
    while true {
      #expect(batch.position == rows.count && batch.rows.count <= 4)
      rows += batch.rows
      guard let next = batch.next else { break }
      batch = try bench.reader.batch(node, cursor: next, limit: 4, heading: heading)
    }
    var backward = batch.rows
    while let previous = batch.previous {
      batch = try bench.reader.batch(node, cursor: previous, limit: 4, heading: heading)
      backward = batch.rows + backward
    }
    #expect(backward == rows && batch.position == 0)
    return rows
  }

  @Test func letters_divideAListUpToThreeLetters() throws {
    try bench.scanSongs([
      "Star", "Stay", "Sun", "The Sea", "2 Late", "10 Years", "Ärger", "Москва", "さくら", "かさ", "中国",
    ])
    let letters = try bench.reader.letters(of: .songs)
    #expect(letters.map(\.heading) == ["#", "A", "S", "М", "か", "さ", "漢"])
    #expect(letters.map(\.count) == [2, 1, 4, 1, 1, 1, 1])
    let second = try bench.reader.letters(of: .songs, under: "S")
    #expect(second.map(\.heading) == ["Se", "St", "Su"])
    #expect(second.map(\.count) == [1, 2, 1])
    #expect(try bench.reader.letters(of: .songs, under: "St").map(\.heading) == ["Sta"])
    #expect(try bench.reader.letters(of: .songs, under: "Sta") == [])
    #expect(try bench.reader.letters(of: .songs, under: "X") == [])
    let batch = try bench.reader.batch(.songs, limit: 12, heading: "St")
    #expect(batch.rows.map(\.title) == ["Star", "Stay"])
    #expect(batch.count == 2 && batch.next == nil && batch.previous == nil)
    #expect(try bench.reader.batch(.songs, limit: 12, heading: "か").rows.map(\.title) == ["かさ"])
    #expect(
      try bench.reader.batch(.songs, limit: 12, heading: "#").rows.map(\.title) == [
        "2 Late", "10 Years",
      ])
    #expect(try bench.reader.batch(.songs, limit: 12, heading: "Q").rows == [])
  }

  @Test func letters_namesOfOneLetter_haveAHeadingOfTheirOwn() throws {
    for (number, title) in ["U", "U2", "U Boat", "Ub", "Ubik", "Under"].enumerated() {
      try bench.add("\(number).flac", "TITLE=\(title)")
    }
    try bench.scan()
    #expect(try bench.reader.letters(of: .songs).map(\.heading) == ["U"])
    let second = try bench.reader.letters(of: .songs, under: "U")
    #expect(second.map(\.heading) == ["U_", "Ub", "Un"])
    #expect(second.map(\.count) == [3, 2, 1])
    let short = try bench.reader.batch(.songs, limit: 12, heading: "U_")
    #expect(short.rows.map(\.title) == ["U", "U Boat", "U2"])
    #expect(try bench.reader.letters(of: .songs, under: "U_") == [])
    let third = try bench.reader.letters(of: .songs, under: "Ub")
    #expect(third.map(\.heading) == ["Ub_", "Ubi"])
    #expect(
      try bench.reader.batch(.songs, limit: 12, heading: "Ub_").rows.map(\.title) == ["Ub"])
  }

  /// Names that begin with the same three letters, with other letters, and with digits. So each level of headings
  /// exists.
  private static let names =
    (1...14).map { "Star \($0)" } + (1...3).map { "Stone \($0)" } + ["Sun", "Z"]
    + (1...13).map { "\($0)" }

  @Test func eachAlphabeticalList_opensAsLetters_andReachesEachRow() throws {
    for (number, name) in Self.names.enumerated() {
      try bench.add(
        "\(name)/1.flac", "TITLE=\(name)", "ALBUM=\(name)", "ARTIST=\(name)", "GENRE=\(name)",
        "GENRE=All")
      // The names of these files begin with the same letters as the names of the folders.
      try bench.add(
        "\(name).flac", "TITLE=\(name)", "ALBUM=Others", "ARTIST=O", "TRACKNUMBER=\(number)")
      try bench.folder.write("music/\(name).m3u", Array("\(name)/1.flac\n".utf8))
    }
    try bench.scan()
    let root = LibraryNode.folder(try bench.rows(.volumes)[0].id)
    let all = LibraryNode.genre(try bench.id("All", in: .genres))
    for node in [LibraryNode.artists, .albums, .songs, .genres, .playlists, root, all] {
      let expected = try bench.rows(node)
      #expect(expected.count > 12)
      let first = try bench.reader.letters(of: node)
      #expect(first.first?.heading == "#" && first.contains { $0.heading == "S" })
      let second = try bench.reader.letters(of: node, under: "S")
      #expect(second.map(\.heading) == ["St", "Su"])
      #expect(try bench.reader.letters(of: node, under: "St").map(\.heading) == ["Sta", "Sto"])
      // More than twelve rows begin with the same three letters, and more than twelve rows begin with a digit.
      #expect(
        try bench.reader.letters(of: node, under: "Sta").first?.heading == "Sta 1–12")
      #expect(try bench.reader.letters(of: node, under: "#").first?.heading == "# 1–12")
      let found = try reached(node)
      #expect(found.count == expected.count)
      #expect(Set(found.map(\.identifier)) == Set(expected.map(\.identifier)))
    }
  }

  @Test func headingsOfFewRows_thatAreNotDivided_haveNoOthers() throws {
    try bench.scanSongs(["1", "2", "中国", "Star"])
    for heading in ["#", "漢", "Sta", "# 1–2", "# 1–12", "1–12", "S 1–12", "Q"] {
      #expect(try bench.reader.letters(of: .songs, under: heading) == [])
    }
    let batch = try bench.reader.batch(.songs, limit: 9, heading: "# 2–9")
    #expect(batch.rows.map(\.title) == ["2"] && batch.count == 1 && batch.position == 0)
    for heading in ["# 3–4", "1–12", "Q 1–2"] {
      #expect(try bench.reader.batch(.songs, limit: 9, heading: heading).rows == [])
    }
  }

  @Test func listsInTheirOwnOrder_openAsRanges() throws {
    for number in 1...30 {
      try bench.add(
        "a/\(number).flac", "TITLE=Song \(31 - number)", "ALBUM=Moon", "ARTIST=Air",
        "TRACKNUMBER=\(number)")
    }
    // Albums of one artist, and songs of this artist on an album of another artist.
    for number in 1...15 {
      try bench.add(
        "b\(number)/1.flac", "TITLE=T", "ALBUM=Album \(number)", "ARTIST=Many",
        "DATE=\(2020 - number)")
      try bench.add(
        "c/\(number).flac", "TITLE=Guest \(number)", "ALBUM=C", "ALBUMARTIST=Other",
        "ARTIST=Many", "TRACKNUMBER=\(number)")
    }
    let lines = (1...30).map { "a/\($0 % 7 + 1).flac" } + ["none.flac"]
    try bench.folder.write("music/Road.m3u", Array(lines.joined(separator: "\n").utf8))
    try bench.scan()
    for (node, ranges) in [
      (LibraryNode.album(try bench.id("Moon", in: .albums)), ["1–12", "13–24", "25–30"]),
      (.playlist(try bench.id("Road", in: .playlists)), ["1–12", "13–24", "25–31"]),
      (.artist(try bench.id("Many", in: .artists)), ["1–12", "13–24", "25–30"]),
      (.recentAlbums, ["1–12", "13–17"]),
    ] {
      #expect(try bench.reader.letters(of: node).map(\.heading) == ranges)
      #expect(try reached(node) == bench.rows(node))
      #expect(try rows(node, under: "13–14") == Array(bench.rows(node)[12..<14]))
      #expect(try bench.reader.batch(node, limit: 4, heading: "S").rows == [])
      #expect(try bench.reader.batch(node, limit: 4, heading: "99–100").rows == [])
      #expect(try bench.reader.letters(of: node, under: "13–24") == [])
      #expect(try bench.reader.letters(of: node, under: "S") == [])
    }
    try bench.addAlbum("Short", by: "Few", tracks: 12)
    try bench.scan()
    #expect(try bench.reader.letters(of: .album(bench.id("Short", in: .albums))) == [])
  }

  @Test func aLongPlaylist_hasLevelsOfRanges() throws {
    for number in 1...3 { try bench.add("\(number).flac", "TITLE=Song \(number)") }
    let lines = (0..<2000).map { "\($0 % 3 + 1).flac" }
    try bench.folder.write("music/Long.m3u", Array(lines.joined(separator: "\n").utf8))
    try bench.scan()
    let node = LibraryNode.playlist(try bench.id("Long", in: .playlists))
    func headings(_ heading: String?) throws -> [String] {
      try bench.reader.letters(of: node, under: heading).map(\.heading)
    }
    #expect(try headings(nil) == ["1–1728", "1729–2000"])
    #expect(try headings("1729–2000") == ["1729–1872", "1873–2000"])
    #expect(try headings("1873–2000").last == "1993–2000")
    #expect(try headings("1993–2000") == [])
    #expect(
      try rows(node, under: "1993–2000").map(\.title)
        == (1992..<2000).map { "Song \($0 % 3 + 1)" })
  }
}
