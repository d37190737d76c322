import EventLoop
import HeadUnit
import LibraryModel
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon

/// The songs of a chosen list arrive from the library in parts.
@Suite struct ListArrivalTests {
  private final class Bench: QueueBench {
    var answers: [CommandAnswer] = []

    init() throws { try super.init([]) }

    var titles: String { entries.map(\.title).joined() }
    var current: String? { unit.player.state.file?.shownTitle }
    /// The identity of the volume whose songs are present.
    var here: String { "folder \(context.folder.path("music"))" }

    /// Simulates a user who chooses a list. Returns the object that receives the songs.
    func choose(shuffled: Bool = false) -> ListArrival {
      let owner = KeptReply(unit.source, context.turns)
      unit.center.add(listOwner: owner, prefix: "app:test")
      let port = unit.center.connect(SurfaceDescription(id: "test"), at: .now()) { _ in }
      port.send(.list(.playSource("app:test/list")), on: .text, at: .now()) { [self] in
        answers.append($0)
      }
      return ListArrival(
        parts.queue, mounted, shuffled: shuffled, isSongChosen: !shuffled, at: 0, parent: "",
        owner.reply!)
    }

    /// A part of a list with six songs.
    func part(_ songs: String, chosen: Int = 1, on volume: String? = nil) -> TrackBatch {
      var batch = TrackBatch(.node(.album(1)))
      (batch.title, batch.revision, batch.count, batch.chosen) = ("The list", 7, 6, chosen)
      batch.tracks = songs.map { song in
        LibraryTrack(
          SongReference(volume: volume ?? here, path: Array("\(song).flac".utf8)),
          title: String(song))
      }
      return batch
    }
  }

  /// Keeps the reply to a request.
  private final class KeptReply: ListOwner {
    let listSession = LocalSource.sessionID
    let source: LocalSource
    let turns: Turns
    var reply: ListReply?

    init(_ source: LocalSource, _ turns: Turns) { (self.source, self.turns) = (source, turns) }

    func perform(_ request: ListRequest, _ command: CommandReply) {
      reply = ListReply(command, source, turns.loop) { _ in }
      reply?.begin()
    }
  }

  @Test func list_plays_whenTheChosenSongIsThere_andTheRestFollows() throws {
    let bench = try Bench()
    let arrival = bench.choose()
    arrival.receive(bench.part("ab", chosen: 2), isFirst: true)
    #expect(bench.titles == "" && bench.answers == [])
    arrival.receive(bench.part("cd", chosen: 2), isFirst: false)
    #expect(bench.titles == "abcd" && bench.current == "c" && bench.answers == [.success])
    #expect(bench.parts.queue.arrival != nil)
    arrival.receive(bench.part("ef", chosen: 2), isFirst: false)
    arrival.end(.success(bench.part("", chosen: 2)))
    #expect(bench.titles == "abcdef" && bench.current == "c" && bench.answers == [.success])
    #expect(bench.parts.queue.arrival == nil && bench.parts.queue.songsRevision == 7)
    #expect(!bench.unit.player.queue.canUndo)
  }

  @Test func editWhileTheListArrives_canBeUndone_andTheRestStays() throws {
    let bench = try Bench()
    let arrival = bench.choose()
    arrival.receive(bench.part("abcd"), isFirst: true)
    let last = try #require(bench.unit.player.queue.ids.last)
    #expect(bench.unit.player.remove(entry: last) && bench.titles == "abc")
    arrival.receive(bench.part("ef"), isFirst: false)
    arrival.end(.success(bench.part("")))
    #expect(bench.titles == "abcef")
    #expect(bench.unit.player.undoQueue() && bench.titles == "abcdef")
  }

  @Test func queueThatIsCleared_staysClear() throws {
    let bench = try Bench()
    let arrival = bench.choose()
    arrival.receive(bench.part("abcd"), isFirst: true)
    bench.unit.player.clearQueue()
    arrival.receive(bench.part("ef"), isFirst: false)
    arrival.end(.success(bench.part("")))
    #expect(bench.titles == "b")
  }

  /// If a list changes while it arrives, the library sends it again from the start.
  @Test func newSongsOfAListThatChangesMeanwhile_follow() throws {
    let bench = try Bench()
    let arrival = bench.choose()
    arrival.receive(bench.part("abcd"), isFirst: true)
    arrival.receive(bench.part("axb"), isFirst: true)
    arrival.receive(bench.part("cyd"), isFirst: false)
    arrival.end(.success(bench.part("")))
    #expect(bench.titles == "abcdxy" && bench.current == "b")
    #expect(bench.parts.queue.arrival == nil && bench.parts.queue.songsRevision == 7)
  }

  @Test func libraryThatFailsMeanwhile_leavesWhatPlays() throws {
    let bench = try Bench()
    let arrival = bench.choose()
    arrival.receive(bench.part("abcd"), isFirst: true)
    arrival.end(.failure(.unavailable))
    #expect(bench.titles == "abcd" && bench.answers == [.success])
    #expect(bench.parts.queue.arrival == nil && bench.parts.queue.songsRevision != 7)
  }

  /// If the chosen song is absent, a later song plays, and not an earlier song.
  @Test func chosenSongThatIsAway_isPassedOver_whenALaterOneHasArrived() throws {
    let bench = try Bench()
    let arrival = bench.choose()
    arrival.receive(bench.part("a"), isFirst: true)
    arrival.receive(bench.part("bc", on: "a stick"), isFirst: false)
    #expect(bench.titles == "")
    arrival.receive(bench.part("de"), isFirst: false)
    #expect(bench.titles == "abcde" && bench.current == "d")
  }

  @Test func endOfAListThatWasReplaced_leavesTheNewOneComing() throws {
    let bench = try Bench()
    let first = bench.choose()
    first.receive(bench.part("ab"), isFirst: true)
    let second = bench.choose()
    second.receive(bench.part("cd"), isFirst: true)
    first.end(.failure(.unavailable))
    second.receive(bench.part("ef"), isFirst: false)
    #expect(bench.titles == "cdef")
  }

  /// The screen sends *undo* with the revision of the queue that it has read. Songs that have arrived since then must
  /// not prevent *undo*.
  @Test func undoOfAnEdit_isDone_afterMoreSongsHaveArrived() throws {
    let bench = try Bench()
    let arrival = bench.choose()
    arrival.receive(bench.part("abcd"), isFirst: true)
    try bench.context.loop.turn {
      _ = bench.unit.turn()
      return bench.unit.center.state.session != nil
    }
    let queue = bench.unit.player.queue
    let port = bench.unit.center.connect(SurfaceDescription(id: "screen"), at: .now()) { _ in }
    var answers: [CommandAnswer] = []
    port.send(
      .media(.removeQueueItem("queue:\(queue.ids[3])", revision: queue.revision)), on: .text,
      at: .now()
    ) { answers.append($0) }
    let revision = bench.unit.player.queue.revision
    arrival.receive(bench.part("ef"), isFirst: false)
    port.send(.media(.undoQueue(revision: revision)), on: .text, at: .now()) {
      answers.append($0)
    }
    #expect(answers == [.success, .success])
    #expect(bench.titles == "abcdef")
    port.send(.media(.undoQueue(revision: revision)), on: .text, at: .now()) {
      answers.append($0)
    }
    #expect(answers.last?.refusal != nil)
  }

  @Test func ofTwoLists_theLatestPlays_whicheverArrivesFirst() throws {
    let bench = try Bench()
    let first = bench.choose()
    let second = bench.choose()
    second.receive(bench.part("cde"), isFirst: true)
    first.receive(bench.part("ab"), isFirst: true)
    #expect(bench.titles == "cde")
    first.end(.success(bench.part("")))
    #expect(bench.answers.map(\.refusal?.code) == [nil, .superseded])
    second.receive(bench.part("f"), isFirst: false)
    #expect(bench.titles == "cdef")
  }

  /// Any song of a shuffled list can come first, so the list plays only after all its songs have arrived.
  @Test func shuffledList_plays_whenItIsThereAsAWhole() throws {
    let bench = try Bench()
    let arrival = bench.choose(shuffled: true)
    arrival.receive(bench.part("abcd", chosen: 0), isFirst: true)
    #expect(bench.titles == "")
    arrival.receive(bench.part("ef", chosen: 0), isFirst: false)
    arrival.end(.success(bench.part("", chosen: 0)))
    #expect(bench.titles.sorted() == ["a", "b", "c", "d", "e", "f"])
    #expect(bench.unit.player.queue.isShuffled)
  }
}
