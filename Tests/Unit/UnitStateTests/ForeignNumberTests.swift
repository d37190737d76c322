import LibraryModel
import TestKit
import Testing

@testable import UnitState

/// Tests how saved files are read if they are not damaged, but contain numbers that the unit never writes.
@Suite struct ForeignNumberTests {
  // MARK: Times

  @Test func songTime_numbers_areWithinTheLimit() {
    #expect(SongTime(milliseconds: 4_000_000_000)?.milliseconds == 4_000_000_000)
    #expect(SongTime(milliseconds: 4_000_000_001) == nil)
    #expect(SongTime(milliseconds: -1) == nil && SongTime(milliseconds: UInt64.max) == nil)
    // The header of a FLAC file can state 2^36 - 1 samples at 8 kHz.
    #expect(SongTime(seconds: 68_719_476_735 / 8000) == nil)
    for seconds in [-1, -0.001, 4_000_001, 1e300, .infinity, -.infinity, .nan] {
      #expect(SongTime(seconds: seconds) == nil)
      let nearest = SongTime(nearestSeconds: seconds)
      #expect(nearest == (seconds > 0 ? SongTime(milliseconds: 4_000_000_000) : .zero))
    }
    #expect(SongTime(seconds: 1.5)?.milliseconds == 1500)
    #expect(SongTime(seconds: 4_000_000)?.seconds == 4_000_000)
  }

  // MARK: Playlists

  @Test(arguments: ["4294967295", "4294966796", "4000000001", "-1", "9223372036854775807", "1e9"])
  func playlist_durationOutOfRange_isNotKnown_andTheSongStays(number: String) throws {
    let text = """
      #EXTM3U
      #AUTOHARP-LIST:1
      #AUTOHARP-AT:\(number)
      #AUTOHARP:red,7,\(number)
      /media/x.flac
      #AUTOHARP-END:1

      """
    let list = OwnPlaylist(decoding: Array(text.utf8))
    #expect(
      list.entries == [
        .init(SongReference(volume: "red", path: Array("x.flac".utf8)), root: Array("/media".utf8))
      ]
    )
    #expect(!list.isWhole)
    #expect(OwnPlaylist(decoding: list.encoded()).entries == list.entries)
    #expect(OwnPlaylist.read(Array(text.utf8)) { _ in } == .damaged)
  }

  @Test func playlist_longestTimes_areWrittenAndRead() throws {
    var entry = OwnPlaylist.Entry(
      SongReference(volume: "red", path: [65]), duration: .test(4_000_000_000))
    entry.bookmark = .test(4_000_000_000)
    #expect(OwnPlaylist(decoding: OwnPlaylist([entry]).encoded()) == OwnPlaylist([entry]))
  }

  // MARK: Queue

  /// Encodes a queue with the given numbers, even if the unit never writes such numbers.
  private func queue(
    number: UInt64 = 1, current: UInt64 = 1, keys: [(UInt64, UInt64)] = [],
    entries: [(id: UInt64, milliseconds: UInt64, stamp: UInt64)]
  ) -> [UInt8] {
    var writer = QueueWriter()
    writer.bytes = [2]
    for number in [number, current, 0, 1, 5, 6, UInt64(keys.count)] { writer.put(number) }
    for (id, key) in keys {
      writer.put(id)
      writer.put(key)
    }
    for number in [0, UInt64(entries.count)] { writer.put(number) }
    for (index, entry) in entries.enumerated() {
      for number in [entry.id, 0, 0] { writer.put(number) }
      writer.put([0x2F, 0x61 + UInt8(index)])
      for number in [0, 0, 0, entry.milliseconds, entry.stamp] { writer.put(number) }
    }
    return writer.bytes
  }

  @Test func queue_doubledNumbersAndNumbersOutOfRange_areReplaced() throws {
    let saved = try SavedQueue(
      decoding: queue(
        keys: [(3, 7), (0, 1), (.max, 2)],
        entries: [(3, 5, 5), (3, 5, 5), (.max, 5, 5), (0, 5, 5), (1 << 30, 5, 5), (1, 5, 5)]))
    #expect(saved.entries.map(\.id?.number) == [3, 2, 4, 5, 1 << 30, 1])
    #expect(saved.entries.map(\.reference.path.last) == Array("abcdef".utf8))
    #expect(saved.shuffle == .init(seed: 5) && saved.order.first == 0, "the lowest key is 7")
    #expect(saved.order.sorted() == Array(0...5))
    #expect(saved.damage.values == ["order", "number of an entry"])
  }

  @Test func queue_orderAndWishesOutOfRange_areLeftOut() throws {
    var writer = QueueWriter()
    writer.bytes = [3]
    for number in [1, 1, 0, 1, 5, 4, 1, .max, 0, 7] as [UInt64] { writer.put(number) }
    for number in [3, .max, 3] as [UInt64] { writer.put(number) }
    for (id, wish) in [(1, 2), (.max, 1), (2, 9)] as [(UInt64, UInt64)] {
      writer.put(id)
      writer.put(wish)
    }
    for number in [0, 2] as [UInt64] { writer.put(number) }
    for id in [1, 2] as [UInt64] {
      for number in [id, 0, 0] { writer.put(number) }
      writer.put([0x2F])
      for number in [0, 0, 0, 5, 5] as [UInt64] { writer.put(number) }
    }
    let saved = try SavedQueue(decoding: writer.bytes)
    #expect(saved.order == [1, 0] && saved.entries.count == 2)
    #expect(saved.isEmptied && saved.hasEnded && saved.lastList == nil)
    #expect(saved.wishes == [.test(1): .last] && saved.damage.values == ["wish"])
  }

  @Test func queue_timesAndStampsOutOfRange_areNotKnown() throws {
    let saved = try SavedQueue(
      decoding: queue(
        current: .max, entries: [(1, .max, .max), (2, UInt64(UInt32.max), 1 << 32), (3, 5, 5)]))
    #expect(saved.entries.map(\.duration) == [.zero, .zero, .test(5)])
    #expect(saved.entries.map(\.stamp) == [0, 0, 5])
    #expect(saved.current == nil)
    #expect(saved.damage.values == ["time", "stamp"])
  }

  @Test(arguments: [UInt64.max, SavedQueue.maximumNumber + 1])
  func queue_numberOutOfRange_isRefused(number: UInt64) {
    #expect(throws: UnitStateError.outOfRange(1)) {
      try SavedQueue(decoding: queue(number: number, entries: [(1, 5, 5)]))
    }
  }

  @Test func queue_numberAfterTheLastOne_isTheFirst() {
    #expect(SavedQueue.number(after: 7) == 8)
    #expect(SavedQueue.number(after: SavedQueue.maximumNumber) == 1)
    #expect(SavedQueue.number(after: .max) == 1)
  }

  // MARK: Lists that were left

  @Test func recentLists_numbersOutOfRange_areLeftOut_andTheOthersStay() throws {
    var writer = QueueWriter()
    writer.bytes = [2]
    for numbers in [[UInt64.max, .max], [5, 1002], [5, 1001], [5, 0]] {
      for text in ["all", "All", "", "red"] { writer.put(text) }
      writer.put([65])
      writer.put("a")
      for number in numbers { writer.put(number) }
    }
    let read = try RecentLists(decoding: writer.bytes + [0x80])
    #expect(read.entries.map(\.elapsed.milliseconds) == [0, 5, 5, 5])
    #expect(read.entries.map(\.heard) == [nil, nil, 1000, nil])
    #expect(read.damage.values == ["time", "heard part"])
    #expect(read.damage.end == .incompleteField(34))
    #expect(try RecentLists(decoding: read.encoded(limit: 1000)).entries == read.entries)
  }
}

extension SongTime {
  static func test(_ milliseconds: Int) -> SongTime { SongTime(milliseconds: milliseconds)! }
}

extension EntryID {
  static func test(_ number: Int) -> EntryID { EntryID(number)! }
}
