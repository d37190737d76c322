import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

/// The queue of the daemon over its runs. Daemon and library are processes, the storage is real.
@Suite(.timeLimit(.minutes(3))) struct QueueTests {
  private let place: ServeProcess.Place
  private let loop = EventLoop()

  init() throws {
    place = try ServeProcess.Place()
    try configure()
    for name in ["a", "b", "c", "d"] { try place.music(name, seconds: 60) }
  }

  private func configure(_ lines: [String] = []) throws {
    try place.configure(
      ["library = yes", "library-folder = \(place.folder.path("library"))"] + lines)
  }

  private func client() throws -> ControlClient {
    var policy = ClientPolicy()
    policy.serviceName = nil
    let client = ControlClient(loop, path: place.socket, policy: policy)
    client.start()
    try loop.turn { client.state == .connected }
    return client
  }

  private func answer<Value>(
    _ ask: (@escaping ControlClient.Completion<Value>) -> Void
  ) throws -> Result<Value, ControlError> {
    var result: Result<Value, ControlError>?
    ask { result = $0 }
    try loop.turn { result != nil }
    return try #require(result)
  }

  private func queue(_ client: ControlClient) throws -> QueueReport {
    try answer { client.queue(first: 0, limit: 100, $0) }.get()
  }

  private func titles(_ client: ControlClient) throws -> String {
    try queue(client).entries.map(\.title).joined()
  }

  private func waitForLibrary(_ client: ControlClient) throws {
    try loop.turn {
      let state = try? answer { client.libraryState($0) }.get()
      return state?.songs == 4 && state?.condition == .ready
    }
  }

  /// Plays all songs from the second one on.
  private func playSongs(_ client: ControlClient) throws {
    try waitForLibrary(client)
    let song = try answer { client.page(PageRequest(.songs), $0) }.get().rows[1]
    let row = RowReference(kind: .song, id: song.id)
    _ = try answer { client.play(.node(.songs), row: row, .now, $0) }.get()
  }

  @Test func aChosenQueue_withItsEdits_isThereAtTheNextStart() throws {
    var daemon = try ServeProcess(place)
    var client = try client()
    try playSongs(client)
    #expect(daemon.waits(for: .trackStarted, "2/4") != nil)
    var report = try queue(client)
    #expect(report.entries.map(\.title) == ["a", "b", "c", "d"])
    #expect(report.position == 1 && report.list == "songs" && !report.canUndo)
    let entries = report.entries.map(\.id)
    _ = try answer {
      client.moveQueueItem(entries[3], before: entries[0], revision: report.revision, $0)
    }.get()
    let old = try answer { client.removeQueueItem(entries[0], revision: report.revision, $0) }
    #expect(throws: ControlError.self) { try old.get() }
    report = try queue(client)
    #expect(report.entries.map(\.title) == ["d", "a", "b", "c"] && report.canUndo)
    _ = try answer {
      client.removeQueueItem(entries[0], revision: report.revision, $0)
    }.get()
    #expect(try titles(client) == "dbc")
    // A power cut right after the edit.
    try loop.turn { (try? titles(client)) == "dbc" }
    #expect(daemon.end(SIGTERM) == 0)
    daemon = try ServeProcess(place)
    #expect(daemon.waits(for: .queueRestored) != nil)
    client = try self.client()
    try loop.turn { (try? titles(client)) == "dbc" }
    report = try queue(client)
    #expect(report.position == 1 && report.list == "songs")
    #expect(report.entries.map(\.id) == [entries[3], entries[1], entries[2]])
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    _ = try answer { client.send(.media(.next), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "c.flac") != nil)
    // The files that are found do not replace the chosen queue.
    #expect(daemon.waits(for: .musicFound) != nil)
    #expect(try titles(client) == "dbc")
    #expect(daemon.end() == 0)
  }

  @Test func shuffle_hasTheSameOrderAtTheNextStart() throws {
    var daemon = try ServeProcess(place)
    var client = try client()
    try waitForLibrary(client)
    _ = try answer { client.play(.node(.songs), .shuffled, $0) }.get()
    let order = try titles(client)
    #expect(order.sorted() == ["a", "b", "c", "d"])
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(place)
    #expect(daemon.waits(for: .queueRestored) != nil)
    client = try self.client()
    try loop.turn { (try? queue(client))?.count == 4 }
    #expect(try titles(client) == order)
    #expect(try queue(client).isShuffled)
    #expect(daemon.end() == 0)
  }

  @Test func aKilledDaemon_losesNothingOfTheQueue() throws {
    for round in 0..<3 {
      let daemon = try ServeProcess(place)
      let client = try client()
      try playSongs(client)
      var report = try queue(client)
      let gone = report.entries[round]
      _ = try answer { client.removeQueueItem(gone.id, revision: report.revision, $0) }.get()
      report = try queue(client)
      // The edit is on the medium when the daemon has said so in its state file, or at the end.
      try loop.turn { FileManager.default.fileExists(atPath: place.folder.path("data/queue")) }
      #expect(daemon.end() == 0)
      let next = try ServeProcess(place)
      let again = try self.client()
      try loop.turn { (try? queue(again))?.count == 3 }
      #expect(try queue(again).entries == report.entries)
      next.end(SIGKILL)
    }
  }

  @Test func aDamagedQueue_leavesTheFileOfTheLastRun() throws {
    var daemon = try ServeProcess(place)
    var client = try client()
    try playSongs(client)
    #expect(daemon.waits(for: .trackStarted, "2/4") != nil)
    #expect(daemon.end() == 0)
    let path = place.folder.path("data/queue")
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    try Data(repeating: 0x5A, count: size).write(to: URL(fileURLWithPath: path))
    daemon = try ServeProcess(place)
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    client = try self.client()
    // All files are the queue again.
    #expect(daemon.waits(for: .musicFound) != nil)
    try loop.turn { (try? titles(client)) == "abcd" }
    #expect(try queue(client).list.isEmpty)
    #expect(daemon.end() == 0)
  }

  /// The service manager that would start the library does not exist here.
  @Test func firstStart_playsBeforeTheLibraryAnswers_andFindsAllFilesWithoutIt() throws {
    try configure(["start = play"])
    let daemon = try ServeProcess(place, environment: ["AUTOHARP_LIBRARY": "service"])
    #expect(daemon.waits(for: .trackStarted, "a.flac") != nil)
    #expect(!daemon.logged(.libraryFailed))
    let client = try client()
    #expect(try titles(client) == "a")
    #expect(daemon.waits(for: .libraryFailed) != nil)
    #expect(daemon.waits(for: .musicFound, "4 files") != nil)
    #expect(try titles(client) == "abcd")
    #expect(daemon.end() == 0)
  }

  @Test func play_withoutTheLibrary_isRefused() throws {
    try place.configure(["start = play"])
    let daemon = try ServeProcess(place)
    #expect(daemon.waits(for: .trackStarted) != nil)
    let client = try client()
    let refused = try answer { client.play(.node(.songs), .now, $0) }
    guard case .failure(let error) = refused else {
      Issue.record("not refused")
      return
    }
    #expect(error.refusal.code == .noLibrary)
    #expect(daemon.end() == 0)
  }
}
