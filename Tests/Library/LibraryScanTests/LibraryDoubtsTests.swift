import LibraryModel
import TestKit
import Testing

@testable import LibraryDatabase
@testable import LibraryScan

/// Tests what the console command `library check` finds in real files.
@Suite struct LibraryDoubtsTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  private func doubts() throws -> [LibraryDoubts.Part] {
    try bench.scan()
    return try bench.reader.doubts().parts
  }

  @Test func doubts_ofACollectionWithoutFaults_areEmpty() throws {
    try bench.addAlbum("Moon", by: "Air", tracks: 3, "ALBUMARTIST=Air", "ALBUMARTISTSORT=Air")
    try bench.addAlbum("Park", by: "Blur")
    // Albums with the same title in two folders are normal, so they are not reported.
    try bench.addAlbum("Moon", by: "Blur")
    try bench.folder.write("music/a.m3u", Array("Air/Moon/1.flac".utf8))
    #expect(try doubts() == LibraryDoubts.Kind.allCases.map { LibraryDoubts.Part($0) })
  }

  @Test func doubts_haveAPartForEachKind() throws {
    for number in 1...4 {
      try bench.add(
        "Various/Hits/\(number).flac",
        ["TITLE=\(number)", "ARTIST=A", "ALBUM=Hits", "ALBUMARTIST=\(number < 3 ? "A" : "B")"])
    }
    try bench.add("rec/0001.flac")
    try bench.add("rec/0002.flac", "TITLE=Only a title")
    try bench.add("rec/0003.flac", "ARTIST=Known")
    try bench.folder.write(
      "music/Trip.m3u", Array("#EXTINF:9,The missing one\nx.flac\nrec/0001.flac\ny/z.flac\n".utf8))
    for (album, name) in [("One", "Beatles, The"), ("Two", "Beatles"), ("Three", "Beatles")] {
      try bench.addAlbum(
        album, by: "x", tracks: 1, "ALBUMARTIST=The Beatles", "ALBUMARTISTSORT=\(name)")
    }
    let parts = try doubts()
    #expect(parts.map(\.kind) == [.dividedAlbums, .songsWithoutTags, .missingEntries, .sortNames])
    #expect(parts.map(\.count) == [1, 2, 2, 1])
    #expect(parts[0].examples == [.init(name: "Hits", detail: "MUSIC/Various/Hits/")])
    #expect(
      parts[1].examples.sorted { $0.name < $1.name }
        == [.init(name: "MUSIC/rec/0001.flac"), .init(name: "MUSIC/rec/0002.flac")])
    #expect(
      parts[2].examples
        == [.init(name: "The missing one", detail: "Trip"), .init(name: "z", detail: "Trip")])
    #expect(
      parts[3].examples == [.init(name: "The Beatles", detail: "Beatles / Beatles, The")])
  }

  @Test func doubts_ofManySongs_haveAllInTheirNumber() throws {
    for number in 0..<30 { try bench.add("\(number).flac", "TITLE=\(number)") }
    let part = try #require(try doubts().first { $0.kind == .songsWithoutTags })
    #expect(part.count == 30 && part.examples.count == 12)
  }
}
