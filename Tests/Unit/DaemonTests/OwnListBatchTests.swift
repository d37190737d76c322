import LibraryModel
import NameKeys
import TestKit
import Testing
import UnitState

@testable import Daemon

/// Compares the batches of the list of all playlists with a model: first the playlists of the unit, and then the
/// playlists of the library.
@Suite struct OwnListBatchTests {
  /// Simulates the playlists of the library. Its cursors contain a direction and the title of a row.
  private struct Others {
    var titles: [String]
    /// The maximum number of rows in an answer. The library can return fewer rows than requested.
    var maximumRows = 100

    func rows(_ request: RowsRequest) -> RowBatch {
      let parts = (request.cursor ?? "f.0").split(separator: ".")
      let index = titles.firstIndex { $0 == parts.dropFirst().joined(separator: ".") }
      let limit = min(request.limit, maximumRows)
      let range: Range<Int>
      if parts.first == "b" {
        let end = index ?? 0
        range = max(0, end - limit)..<end
      } else {
        let start = index.map { $0 + 1 } ?? 0
        range = start..<min(titles.count, start + limit)
      }
      var batch = RowBatch()
      batch.rows = titles[range].map { LibraryRow(kind: .playlist, id: 7, title: $0) }
      batch.count = titles.count
      batch.position = range.lowerBound
      guard let first = batch.rows.first, let last = batch.rows.last else { return batch }
      if range.upperBound < titles.count { batch.next = "f.\(last.title)" }
      if range.lowerBound > 0 { batch.previous = "b.\(first.title)" }
      return batch
    }
  }

  private static let articles = Articles(languages: ["en"])

  private static func own(_ names: [String]) throws -> [OwnListRow] {
    try names.map { name in
      let name = try #require(PlaylistName(name))
      return (
        OwnListKey(name, articles),
        LibraryRow(kind: .playlist, id: -name.identity, title: name.text)
      )
    }.sorted { $0.key < $1.key }
  }

  private func batch(
    _ own: [OwnListRow], _ others: Others, _ cursor: String?, _ limit: Int
  ) -> RowBatch {
    let merged = MergedPlaylists(
      PlaylistPart(own, under: nil), Self.articles, cursor: cursor, limit: limit)
    return merged.batch(merged.request.map(others.rows) ?? RowBatch())
  }

  @Test(arguments: [0, 1, 3, 7], [0, 1, 4, 9])
  func forwardsAndBackwards_showEachRowOnce(_ own: Int, _ other: Int) throws {
    let rows = try Self.own((0..<own).map { "own \($0)" })
    for maximum in [2, 100] {
      let others = Others(titles: (0..<other).map { "other \($0)" }, maximumRows: maximum)
      let all = rows.map(\.row.title) + others.titles
      for limit in 1...all.count + 1 {
        var shown: [String] = []
        var cursor: String?
        var last = RowBatch()
        repeat {
          last = batch(rows, others, cursor, limit)
          #expect(last.position == shown.count && last.count == all.count)
          #expect(last.rows.count <= limit)
          shown += last.rows.map(\.title)
          cursor = last.next
        } while cursor != nil && shown.count <= all.count
        #expect(shown == all)
        // From the last batch back to the first batch.
        var before = last.rows.map(\.title)
        var previous = last.previous
        while let cursor = previous, before.count <= all.count {
          let batch = batch(rows, others, cursor, limit)
          #expect(batch.position + batch.rows.count + before.count == all.count)
          #expect(batch.next != nil)
          before = batch.rows.map(\.title) + before
          previous = batch.previous
        }
        #expect(before == all)
      }
    }
  }

  @Test func listsThatComeAndGo_hideAndRepeatNoOther() throws {
    let others = Others(titles: ["x"])
    let first = batch(try Self.own(["a", "c", "e", "g"]), others, nil, 2)
    #expect(first.rows.map(\.title) == ["a", "c"])
    // The last shown playlist is gone, and new playlists were added before and after it.
    let second = batch(try Self.own(["A0", "a", "d", "e", "g"]), others, first.next, 2)
    #expect(second.rows.map(\.title) == ["d", "e"])
    let third = batch(try Self.own(["a"]), others, second.next, 2)
    #expect(third.rows.map(\.title) == ["x"] && third.next == nil)
    let back = batch(try Self.own(["b", "f"]), others, third.previous, 2)
    #expect(back.rows.map(\.title) == ["b", "f"])
    // All playlists before the batch are gone, so the first batch is returned.
    let start = batch(try Self.own(["z"]), others, second.previous, 2)
    #expect(start.rows.map(\.title) == ["z", "x"] && start.previous == nil)
  }

  @Test(arguments: ["", "a", "f", "q:1", "b:", "a:\0", "r:", "f:other"])
  func cursorsOfOthers_areHarmless(_ cursor: String) throws {
    let batch = batch(try Self.own(["a", "b"]), Others(titles: ["x"]), cursor, 9)
    #expect(batch.rows.count <= 3 && batch.count == 3)
  }
}

/// The batches of the songs of a playlist.
@Suite struct OwnSongBatchTests {
  private func list(_ songs: [Int]) -> OwnPlaylist {
    OwnPlaylist(
      songs.map {
        OwnPlaylist.Entry(SongReference(volume: "stick", path: Array("\($0)".utf8)), title: "\($0)")
      })
  }

  private func titles(_ batch: RowBatch) -> [Int] { batch.rows.compactMap { Int($0.title) } }

  private func batch(_ songs: [Int], _ cursor: String?, _ limit: Int) -> RowBatch {
    OwnSongBatch(list(songs), cursor: cursor, limit: limit).rows(PresentVolumes())
  }

  @Test func forwardsAndBackwards_showEachSongOnce_alsoThoseThatAreThereTwice() {
    let songs = [1, 2, 1, 3, 3, 3, 4, 1]
    for limit in 1...9 {
      var shown: [Int] = []
      var batch = batch(songs, nil, limit)
      while true {
        #expect(batch.position == shown.count && batch.count == songs.count)
        shown += titles(batch)
        guard let next = batch.next, shown.count <= songs.count else { break }
        batch = self.batch(songs, next, limit)
      }
      #expect(shown == songs)
      var before = titles(batch)
      while let previous = batch.previous, before.count <= songs.count {
        batch = self.batch(songs, previous, limit)
        before = titles(batch) + before
      }
      #expect(before == songs)
      #expect(Set(self.batch(songs, nil, 100).rows.map(\.id)).count == songs.count)
    }
  }

  @Test func changesBetweenPages_hideAndRepeatNoSong() {
    let first = batch([1, 2, 3, 4, 5, 6], nil, 3)
    #expect(titles(batch([1, 3, 4, 5, 6], first.next, 3)) == [4, 5, 6])
    // The last shown song is gone.
    #expect(titles(batch([1, 2, 4, 5, 6], first.next, 3)) == [4, 5, 6])
    #expect(titles(batch([1, 2], first.next, 3)) == [])
    #expect(titles(batch([1, 2, 3], "a:zz:9", 2)) == [1, 2])
  }

  @Test func longTexts_makeShortPages() {
    let text = String(repeating: "x", count: 256)
    let list = OwnPlaylist(
      (0..<300).map {
        OwnPlaylist.Entry(
          SongReference(volume: "stick", path: Array("\($0)".utf8)), title: text, artist: text,
          album: text)
      })
    var count = 0
    var cursor: String?
    repeat {
      let batch = OwnSongBatch(list, cursor: cursor, limit: 100).rows(PresentVolumes())
      #expect(batch.rows.count < 100 && batch.position == count)
      count += batch.rows.count
      cursor = batch.next
    } while cursor != nil && count <= 300
    #expect(count == 300)
    let last = OwnSongBatch(list, cursor: "b:0:300", limit: 100).rows(PresentVolumes())
    #expect(last.rows.count < 100 && last.position + last.rows.count == 300)
  }

  private func range(
    _ songs: [Int], _ range: Range<Int>, _ cursor: String? = nil, _ limit: Int = 4
  ) -> RowBatch {
    OwnSongBatch(list(songs), cursor: cursor, limit: limit, range: RowRange(range))
      .rows(PresentVolumes())
  }

  @Test func aRange_hasItsSongs_forwardsAndBackwards() {
    let songs = Array(1...30)
    for limit in 1...13 {
      var batch = range(songs, 12..<24, nil, limit)
      var shown: [Int] = []
      while true {
        #expect(batch.position == shown.count && batch.count == 12)
        shown += titles(batch)
        guard let next = batch.next, shown.count <= 12 else { break }
        batch = range(songs, 12..<24, next, limit)
      }
      #expect(shown == Array(13...24))
      var before = titles(batch)
      while let previous = batch.previous, before.count <= 12 {
        batch = range(songs, 12..<24, previous, limit)
        before = titles(batch) + before
      }
      #expect(before == shown && batch.position == 0)
    }
    #expect(titles(range(songs, 24..<36, nil, 100)) == Array(25...30))
    #expect(titles(range(songs, 36..<48)) == [] && range(songs, 36..<48).next == nil)
    #expect(titles(range([], 0..<12)) == [])
  }

  @Test func aRangeThatChanges_keepsItsFirstAndItsLastSong() {
    let first = range(Array(1...30), 12..<24)
    #expect(titles(first) == [13, 14, 15, 16])
    // Songs before the range are gone, and one song in the range is gone.
    var songs = Array(5...30).filter { $0 != 18 }
    var shown = titles(first)
    var batch = first
    while let next = batch.next {
      batch = range(songs, 12..<24, next)
      shown += titles(batch)
    }
    #expect(shown == Array(13...17) + Array(19...24))
    // The first or the last song of the range is gone.
    songs = Array(1...30).filter { $0 != 13 }
    batch = range(songs, 12..<24, batch.previous, 100)
    #expect(titles(batch).first == 14 && batch.previous == nil)
    songs = Array(1...30).filter { $0 != 24 }
    #expect(titles(range(songs, 12..<24, first.next, 100)) == Array(17...23))
  }

  @Test(arguments: [
    "a:1:2:3", "a:1:2:3:4:5:6:7", "a:1:2:x:4:5:6", "a:1:-2", "b:1:9:1:9:1:0", "a:1:5:1:9:1:2",
    "c:1:2",
  ])
  func cursorsOfOthers_areHarmless(_ cursor: String) {
    let batch = range(Array(1...20), 3..<9, cursor)
    #expect(titles(batch).count <= 6)
  }
}
