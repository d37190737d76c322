import LibraryModel
import TestKit
import Testing

@testable import UnitState

@Suite struct SavedQueueTests {
  static func queue(_ count: Int, seed: UInt64 = 1) -> SavedQueue {
    var random = SeededRandom(seed)
    var queue = SavedQueue()
    queue.number = 1 << 40
    queue.context = .init(list: "album:1f", title: "Ágætis byrjun", parent: "artist:5")
    queue.current = EntryID(count / 2)
    for number in 0..<count {
      queue.entries.append(
        SavedQueue.Entry(
          id: EntryID(number + 1),
          SongReference(
            volume: ["", "vfat 1234-ABCD 8000", "folder /music"][number % 3],
            path: Array("Air/Moon Safari \(number / 12)/\(number % 12) – Track.flac".utf8) + [0xFF]),
          title: "Track \(number)", artist: number % 5 == 0 ? "" : "Air",
          album: "Moon Safari \(number / 12)", duration: .test(random.below(600_000)),
          stamp: number % 7 == 0 ? 0 : UInt32.max - UInt32(number),
          numberInAlbum: number % 3 == 0 ? 0 : UInt32.max - UInt32(number)))
    }
    return queue
  }

  private func roundTrip(_ queue: SavedQueue) throws -> SavedQueue {
    let (bytes, left) = queue.encoded(limit: StateLayout.queue.maximumPayload)
    #expect(left == 0)
    return try SavedQueue(decoding: bytes)
  }

  @Test func queue_encodedAndDecoded_isEqual() throws {
    #expect(try roundTrip(SavedQueue()) == SavedQueue())
    var queue = Self.queue(100)
    #expect(try roundTrip(queue) == queue)
    queue.shuffle = .init(seed: .max, isByAlbums: true)
    queue.order = Array((0..<100).reversed())
    queue.wishes = [.test(1): .next, .test(7): .last, .test(1 << 30): .next]
    queue.lastList = .test(50)
    (queue.isEmptied, queue.hasEnded) = (true, true)
    queue.context?.isReduced = true
    #expect(try roundTrip(queue) == queue)
  }

  @Test func tenThousandEntries_fitIntoASlot() throws {
    var queue = Self.queue(SavedQueue.maximumEntries)
    queue.shuffle = .init(seed: 1)
    queue.order = Array((0..<SavedQueue.maximumEntries).reversed())
    let bytes = queue.encoded(limit: StateLayout.queue.maximumPayload).bytes
    #expect(bytes.count < 650_000)
    #expect(try SavedQueue(decoding: bytes) == queue)
  }

  @Test func entriesThatDoNotFit_areLeftOutAtTheEnd() throws {
    let queue = Self.queue(100)
    let (bytes, left) = queue.encoded(limit: 2000)
    #expect(bytes.count <= 2000 && (1...99).contains(left))
    #expect(try SavedQueue(decoding: bytes).entries == Array(queue.entries.dropLast(left)))
    let many = Self.queue(SavedQueue.maximumEntries + 3)
    #expect(many.encoded(limit: .max).left == 3)
  }

  @Test func longTexts_areCutBetweenCharacters() throws {
    var queue = Self.queue(1)
    queue.entries[0].title = String(repeating: "é", count: 500)
    #expect(try roundTrip(queue).entries[0].title == String(repeating: "é", count: 128))
  }

  @Test func recentLists_encodedAndDecoded_areEqual_andTheOldestAreLeftOut() throws {
    var lists = RecentLists()
    for number in 0..<20 {
      lists.add(
        .init(
          context: .init(list: "album:\(number % 18)", title: "Ágætis \(number)", parent: "albums"),
          SongReference(volume: "vfat 1", path: [0xFF, 0x2F, UInt8(number)]), title: "Starálfur",
          elapsed: .test(number << 24), heard: number % 2 == 0 ? UInt16(number) * 50 : nil))
    }
    #expect(lists.entries.count == RecentLists.maximumEntries)
    // The lists `album:0` and `album:1` were added twice, but each of the two lists is kept only once.
    #expect(lists.entries.map(\.context.list).prefix(3) == ["album:1", "album:0", "album:17"])
    let bytes = lists.encoded(limit: 8000)
    #expect(try RecentLists(decoding: bytes) == lists)
    let half = try RecentLists(decoding: lists.encoded(limit: bytes.count / 2))
    #expect((6...8).contains(half.entries.count))
    #expect(half.entries == Array(lists.entries.prefix(half.entries.count)))
    for count in 1..<bytes.count {
      let cut = try RecentLists(decoding: Array(bytes.prefix(count)))
      #expect(cut.entries == Array(lists.entries.prefix(cut.entries.count)))
    }
    #expect(throws: UnitStateError.unknownVersion(9)) { try RecentLists(decoding: [9]) }
  }

  @Test func recentListsOfTheFirstVersion_areRead() throws {
    var lists = RecentLists()
    lists.add(
      .init(
        context: .init(list: "songs", title: "", parent: ""),
        SongReference(volume: "red", path: [1]),
        title: "Song", elapsed: .test(5)))
    var bytes = lists.encoded(limit: 1000)
    // The first version of the encoding does not contain the last field, `heard`.
    bytes[0] = 1
    bytes.removeLast()
    #expect(try RecentLists(decoding: bytes) == lists)
  }

  /// The first two versions have another shuffled order, and the first version has no stamps.
  @Test(arguments: [1, 2] as [UInt8]) func aQueueOfAnOlderVersion_isRead(version: UInt8) throws {
    var writer = QueueWriter()
    writer.bytes = [version]
    // Number, current entry, no context; a shuffled order with seed and start, and the keys of two entries.
    for number in [9, 2, 0, 1, 5, 0, 2, 3, 0, 1, .max] as [UInt64] { writer.put(number) }
    for number in [0, 3] as [UInt64] { writer.put(number) }
    for id in [1, 2, 3] as [UInt64] {
      for number in [id, 0, 0] { writer.put(number) }
      writer.put([0x2F, UInt8(id)])
      for number in [0, 0, 0, 5] as [UInt64] { writer.put(number) }
      if version > 1 { writer.put(7 as UInt64) }
    }
    let queue = try SavedQueue(decoding: writer.bytes)
    #expect(queue.number == 9 && queue.current == .test(2) && queue.shuffle == .init(seed: 5))
    #expect(queue.entries.map(\.id) == [.test(1), .test(2), .test(3)])
    #expect(queue.entries.map(\.stamp) == (version > 1 ? [7, 7, 7] : [0, 0, 0]))
    #expect(
      queue.order == [2, 1, 0], "the key of the third entry is 0, that of the first is the largest")
    #expect(queue.damage.isEmpty)
  }

  @Test func bytesThatAreNoQueue_areRefusedOrRead_andUseNoMemoryWithoutBound() throws {
    #expect(throws: UnitStateError.empty) { try SavedQueue(decoding: []) }
    #expect(throws: UnitStateError.unknownVersion(9)) { try SavedQueue(decoding: [9]) }
    let bytes = Self.queue(20).encoded(limit: .max).bytes
    var queues = 0
    for count in 0..<bytes.count {
      guard let cut = try? SavedQueue(decoding: Array(bytes.prefix(count))) else { continue }
      queues += 1
      #expect(cut.damage.end != nil)
      #expect(cut.entries == Array(Self.queue(20).entries.prefix(cut.entries.count)))
    }
    #expect(queues > bytes.count / 2)
    var random = SeededRandom(5)
    for _ in 0..<5000 {
      var damaged = bytes
      for _ in 0...random.below(3) {
        damaged[random.below(damaged.count)] = UInt8(random.below(256))
      }
      if let read = try? SavedQueue(decoding: damaged) {
        #expect(read.entries.allSatisfy { $0.reference.path.count <= FileLocation.maximumBytes })
      }
    }
  }

  /// If the power is cut at any byte of a write, the previous queue or the new queue can be read.
  @Test func aCutAtAnyByte_leavesTheOldOrTheNewQueue() throws {
    let layout = StateLayout(slotBytes: 2 * Slot.sector, slots: 3)
    var file = [UInt8](repeating: 0, count: layout.fileBytes)
    var queues: [SavedQueue] = []
    for number in 0..<6 {
      let queue = Self.queue(40 + number, seed: UInt64(number))
      let scan = SlotScan(file, layout)
      let payload = queue.encoded(limit: layout.maximumPayload).bytes
      let slot = Slot(sequence: scan.nextSequence, payload: payload).encoded
      let start = scan.nextIndex * layout.slotBytes
      for cut in stride(from: 0, through: slot.count, by: 61) {
        var torn = file
        torn.replaceSubrange(start..<start + cut, with: slot[..<cut])
        let found = try SlotScan(torn, layout).newest.map { try SavedQueue(decoding: $0.payload) }
        #expect(found == queues.last || found == queue)
      }
      file.replaceSubrange(start..<start + slot.count, with: slot)
      queues.append(queue)
    }
  }
}
