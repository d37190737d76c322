import LibraryDatabase
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

/// Reads a list in batches while the list changes. Each row that is not removed is read exactly once, and in order.
@Suite struct ChangingListTests {
  @Test(arguments: [1, 2, 3, 4]) func pages_underChange_haveEachStayingRowOnce(seed: UInt64) throws
  {
    let bench = try LibraryBench()
    var random = SeededRandom(seed)
    var names: Set<Int> = []
    func add(_ number: Int) throws {
      try bench.add("\(number % 9)/\(number).flac", "TITLE=Song \(number)", "ALBUM=A\(number % 9)")
      names.insert(number)
    }
    for number in 0..<60 { try add(number) }
    try bench.scan()
    for _ in 0..<6 {
      var staying = names
      var seen: [Int] = []
      var cursor: String?
      repeat {
        let batch = try bench.reader.batch(
          .songs, cursor: cursor, limit: Int.random(in: 1...9, using: &random))
        seen += batch.rows.compactMap { Int($0.title.dropFirst("Song ".count)) }
        cursor = batch.next
        for _ in 0..<3 {
          let number = Int.random(in: 0..<120, using: &random)
          if names.contains(number), Bool.random(using: &random) {
            try bench.remove("\(number % 9)/\(number).flac")
            names.remove(number)
            staying.remove(number)
          } else if !names.contains(number) {
            try add(number)
          }
        }
        try bench.scan()
      } while cursor != nil
      #expect(seen == seen.sorted())
      #expect(Set(seen).count == seen.count)
      #expect(staying.subtracting(seen) == [])
    }
    #expect(try bench.titles(.songs) == names.sorted().map { "Song \($0)" })
  }

  /// Reads the range `13–24` of a list in batches while the list changes. The rows that were number 13 and number 24 at
  /// the beginning limit the range until the end, even if the numbers of the rows change.
  @Test(arguments: [1, 2, 3, 4]) func range_underChange_hasEachStayingRowOnce(seed: UInt64) throws {
    let bench = try LibraryBench()
    var random = SeededRandom(seed)
    var names: Set<Int> = []
    func add(_ number: Int) throws {
      try bench.add(
        "\(number).flac", "TITLE=\(number)", "ALBUM=A", "ARTIST=B", "TRACKNUMBER=\(number)")
      names.insert(number)
    }
    for number in 0..<40 { try add(3 * number) }
    try bench.scan()
    let album = LibraryNode.album(try bench.id("A", in: .albums))
    for _ in 0..<5 {
      let part = names.sorted()[12..<24]
      var staying = Set(part)
      func read(_ cursor: String?) throws -> RowBatch {
        let batch = try bench.reader.batch(
          album, cursor: cursor, limit: Int.random(in: 1...5, using: &random), heading: "13–24")
        for _ in 0..<3 {
          let number = Int.random(in: 0..<120, using: &random)
          if names.contains(number), names.count > 30 {
            try bench.remove("\(number).flac")
            names.remove(number)
            staying.remove(number)
          } else if !names.contains(number) {
            try add(number)
          }
        }
        try bench.scan()
        return batch
      }
      func check(_ seen: [Int]) {
        #expect(seen == seen.sorted() && Set(seen).count == seen.count)
        #expect(staying.subtracting(seen) == [])
        #expect(seen.allSatisfy { (part[12]...part[23]).contains($0) })
      }
      var batch = try read(nil)
      var seen = batch.rows.compactMap { Int($0.title) }
      while let next = batch.next {
        batch = try read(next)
        seen += batch.rows.compactMap { Int($0.title) }
      }
      check(seen)
      seen = batch.rows.compactMap { Int($0.title) }.filter { names.contains($0) }
      while let previous = batch.previous {
        batch = try read(previous)
        seen = batch.rows.compactMap { Int($0.title) } + seen
      }
      check(seen)
    }
  }
}
