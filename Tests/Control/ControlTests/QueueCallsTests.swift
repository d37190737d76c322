import Control
import EventLoop
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

@Suite struct QueueCallsTests {
  private let bench: Bench
  private var queue: FakeQueue { bench.unit.fakeQueue }

  init() throws { bench = try Bench() }

  @Test func queue_encodedAndDecoded_isEqual() throws {
    let client = try bench.client()
    #expect(
      try bench.answer { client.call(Library1.getQueue, QueuePart(first: 30, limit: 3), $0) }.get()
        == FakeQueue.report)
    queue.full = QueueReport()
    #expect(
      try bench.answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 9999), $0) }
        .get() == QueueReport())
    #expect(queue.done == ["report 30 3", "report 0 \(QueueReport.limit)"])
  }

  @Test func play_namesTheListTheRowAndTheMode() throws {
    let client = try bench.client()
    let row = RowReference(kind: .song, id: 31)
    _ = try bench.answer {
      client.call(Library1.play, PlayRequest(.node(.album(15)), row: row, .now), $0)
    }.get()
    _ = try bench.answer {
      client.call(Library1.play, PlayRequest(.words("moon: safari"), .shuffled), $0)
    }.get()
    _ = try bench.answer { client.call(Library1.play, PlayRequest(.keys("666"), .last), $0) }.get()
    #expect(
      queue.done == [
        "play album:f song:1f now", "play words:moon: safari - shuffled", "play keys:666 - last",
      ])
    queue.refusal = Refusal(.sourceAbsent, "not there")
    let refused = try bench.answer {
      client.call(Library1.play, PlayRequest(.node(.songs), .next), $0)
    }
    #expect(refused.refusal?.code == .sourceAbsent)
  }

  @Test func recentListsAndSources_arrive() throws {
    let client = try bench.client()
    #expect(
      try bench.answer { client.call(Library1.getRecent, RecentReport.limit, $0) }.get()
        == queue.recent)
    _ = try bench.answer { client.call(Sources1.choose, "id 3", $0) }.get()
    #expect(queue.done == ["choose id 3"])
    queue.refusal = Refusal(.sourceAbsent, "not there")
    #expect(
      try bench.answer { client.call(Sources1.choose, "x", $0) }.refusal?.code == .sourceAbsent)
  }

  @Test func edits_nameTheRevision() throws {
    let client = try bench.client()
    _ = try bench.answer {
      client.call(Library1.moveQueueItem, QueueMove(5, before: 9, revision: 7), $0)
    }.get()
    _ = try bench.answer {
      client.call(Library1.moveQueueItem, QueueMove(5, before: nil, revision: 8), $0)
    }.get()
    _ = try bench.answer { client.call(Library1.removeQueueItem, QueueRemoval(5, revision: 9), $0) }
      .get()
    _ = try bench.answer { client.call(Library1.clearQueue, 10, $0) }.get()
    _ = try bench.answer { client.call(Library1.undoQueue, 11, $0) }.get()
    #expect(
      bench.source.performed == [
        "move queue:5 before queue:9 at 7", "move queue:5 before - at 8", "remove queue:5 at 9",
        "clear at 10", "undo at 11",
      ])
    #expect(
      bench.center.trace.records.suffix(2).map(\.request) == [
        .media(.clearQueue(revision: 10)), .media(.undoQueue(revision: 11)),
      ])
    bench.source.failure = .failed(Refusal(.queueChanged, "changed"))
    let refusal = try bench.answer { client.call(Library1.undoQueue, 1, $0) }.refusal
    #expect(refusal == Refusal(.queueChanged, "changed"))
  }

  @Test func unknownListsRowsAndModes_areRefused() throws {
    let peer = try bench.peer()
    let cases: [(String, String, String)] = [
      ("composers", "", "now"), ("albums", "album", "now"), ("albums", "album:zz", "now"),
      ("albums", "", "soon"), ("", "", "now"),
    ]
    for (list, row, mode) in cases {
      let answer = try bench.call(
        peer, Library1.interface.name, "Play", [.string(list), .string(row), .string(mode)])
      #expect(throws: (any Error).self) { try answer.get() }
    }
    #expect(queue.done.isEmpty)
  }
}
