import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing
import UnitState

/// What a listener expects of the queue: shuffle that remembers, edits that stay where they were put, *undo*, the end
/// of a list, and places in long files. Daemon and library are processes, and the storage is real.
@Suite struct ListenerTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws { home = try ServeProcess.Home() }

  /// Creates silent songs in a folder for the album.
  private func write(_ album: String, _ artist: String, _ songs: [String], seconds: Int) throws {
    let folder = "music/\(album)"
    try FileManager.default.createDirectory(
      atPath: home.folder.path(folder), withIntermediateDirectories: true)
    try home.folder.write("raw", [UInt8](repeating: 0, count: 16_000 * seconds))
    for (index, title) in songs.enumerated() {
      try Tools.run(
        "flac",
        [
          "--silent", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=1",
          "--bps=16", "--sample-rate=8000", "--tag=TITLE=\(title)", "--tag=ALBUM=\(album)",
          "--tag=ARTIST=\(artist)", "--tag=TRACKNUMBER=\(index + 1)",
          "-o", "\(folder)/\(index + 1).flac", "raw",
        ], in: home.folder.url)
    }
  }

  private func start(
    _ lines: [String] = ["queue-end = stop"]
  ) throws -> (daemon: ServeProcess, client: ControlClient) {
    try home.configure(
      ["library = yes", "library-folder = \(home.folder.path("library"))", "start = stop"] + lines)
    try write("Moon", "Air", (1...10).map { "Moon \($0)" }, seconds: 30)
    try write("Park", "Blur", (1...10).map { "Park \($0)" }, seconds: 30)
    try write("Fashion", "Cake", (1...5).map { "Cake \($0)" }, seconds: 30)
    try write("Book", "Reader", ["Chapter 1", "Chapter 2"], seconds: 900)
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 27)
    return (daemon, client)
  }

  private func queue(_ client: ControlClient) throws -> QueueReport {
    try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 100), $0) }.get()
  }

  private func titles(_ client: ControlClient) throws -> [String] {
    try queue(client).entries.map(\.title)
  }

  private func state(_ client: ControlClient) throws -> NowPlayingState {
    try answer { client.call(NowPlaying1.state.get, $0) }.get()
  }

  private func elapsed(_ client: ControlClient) throws -> Duration {
    try state(client).elapsed(at: .now()) ?? .zero
  }

  private func send(_ client: ControlClient, _ request: MediaRequest) throws {
    #expect(try code(client, request) == nil)
  }

  private func code(_ client: ControlClient, _ request: MediaRequest) throws -> Refusal.Code? {
    try answer { client.call(Commands1.send, SentCommand(.media(request)), $0) }.get().answer
      .refusal?.code
  }

  /// Waits until this song plays, and returns its title.
  @discardableResult
  private func wait(
    _ client: ControlClient, _ isWanted: (String) -> Bool = { _ in true }
  ) throws -> String {
    var title = ""
    try loop.turn {
      guard let state = try? state(client), state.status == .playing else { return false }
      title = state.lines.title ?? ""
      return isWanted(title)
    }
    return title
  }

  private func node(_ client: ControlClient, _ album: String) throws -> LibraryNode {
    let rows = try answer { client.call(Library1.getRows, RowsRequest(.albums), $0) }.get().batch
    return try #require(rows.rows.first { $0.title == album }?.node)
  }

  private func play(
    _ client: ControlClient, _ album: String, _ mode: PlayMode = .now
  ) throws {
    let request = PlayRequest(.node(try node(client, album)), mode)
    try done { client.call(Library1.play, request, $0) }
  }

  /// Puts one song of an album into the queue.
  private func add(_ client: ControlClient, _ title: String, _ mode: PlayMode) throws {
    let rows = try answer {
      client.call(Library1.getRows, RowsRequest(.songs, limit: 100), $0)
    }.get().batch.rows
    let row = try #require(rows.first { $0.title == title })
    try done {
      client.call(
        Library1.play, PlayRequest(.node(.songs), row: .init(kind: .song, id: row.id), mode), $0)
    }
  }

  private func jump(_ client: ControlClient, _ index: Int) throws -> String {
    let entry = try queue(client).entries[index]
    try send(client, .playQueueItem("queue:\(entry.id)"))
    return try wait(client) { $0 == entry.title }
  }

  // MARK: Shuffle

  @Test func shuffledList_thatIsChosenWithoutASong_beginsWithAnySong() throws {
    let (daemon, client) = try start()
    try play(client, "Park")
    try wait(client)
    try send(client, .changeShuffleMode(.items))
    var firsts: Set<String> = []
    for _ in 0..<8 {
      try play(client, "Park")
      firsts.insert(try wait(client) { $0.hasPrefix("Park") })
      try play(client, "Moon")
      firsts.insert(try wait(client) { $0.hasPrefix("Moon") })
    }
    #expect(firsts.count > 3, "\(firsts)")
    try add(client, "Moon 3", .now)
    #expect(try wait(client) { $0 == "Moon 3" } == "Moon 3", "a song that is chosen plays first")
    #expect(daemon.end() == 0)
  }

  @Test func shuffle_remembersWhatWasHeard_overAJumpAndAPowerCut() throws {
    var (daemon, client) = try start()
    try play(client, "Moon")
    try wait(client) { $0 == "Moon 1" }
    try send(client, .changeShuffleMode(.items))
    try send(client, .next)
    let second = try wait(client) { $0 != "Moon 1" }
    let target = try jump(client, 8)
    let rest = try titles(client).suffix(7)
    #expect(
      Set(rest) == Set((1...10).map { "Moon \($0)" }).subtracting(["Moon 1", second, target]))
    try send(client, .previous)
    #expect(try wait(client) { $0 != target } == second)
    try send(client, .next)
    try wait(client) { $0 == target }
    #expect(try SavedUnitState(home).waits { $0.heard.count == 2 && $0.elapsed.milliseconds > 0 })
    daemon.end(SIGKILL)
    daemon = try ServeProcess(home)
    client = try self.client()
    #expect(daemon.waits(for: .queueRestored) != nil)
    #expect(try queue(client).entries.suffix(7).map(\.title) == Array(rest))
    try send(client, .play)
    try wait(client) { $0 == target }
    try send(client, .previous)
    #expect(try wait(client) { $0 != target } == second)
    try send(client, .previous)
    #expect(try wait(client) { $0 != second } == "Moon 1")
    #expect(daemon.end() == 0)
  }

  /// The list of all songs is in the order of titles, and an album can have another order.
  @Test func shuffleByAlbums_keepsAlbumsWhole_andEachInItsOwnOrder() throws {
    let (daemon, client) = try start()
    try write("Zoo", "Dog", ["Zebra", "Ape", "Lion"], seconds: 30)
    try waitForSongs(client, 30)
    try done { client.call(Library1.play, PlayRequest(.node(.songs), .shuffled), $0) }
    try wait(client)
    try send(client, .changeShuffleMode(.collections))
    let current = try #require(try state(client).lines.detail)
    let albums = try queue(client).entries.map { $0.album ?? "" }
    var blocks: [String] = []
    for album in albums where album != blocks.last { blocks.append(album) }
    #expect(blocks.count == 5, "\(albums)")
    #expect(blocks.contains(current))
    #expect(try state(client).shuffleMode == .collections)
    let songs = try queue(client).entries
    #expect(songs.filter { $0.album == "Zoo" }.map(\.title) == ["Zebra", "Ape", "Lion"])
    let second = try #require(songs.first { $0.album == blocks[1] })
    if current == blocks[0] {
      let jump = SentCommand(.list(.jump(.nextAlbum)))
      #expect(try answer { client.call(Commands1.send, jump, $0) }.get().answer == .success)
      try wait(client) { $0 == second.title }
    }
    #expect(daemon.end() == 0)
  }

  // MARK: Edits

  @Test func songs_areWhereTheyWerePut_andAReplacedQueueComesBack() throws {
    let (daemon, client) = try start()
    try play(client, "Moon")
    try wait(client) { $0 == "Moon 1" }
    for song in 1...3 { try add(client, "Cake \(song)", .next) }
    #expect(
      try titles(client).prefix(5) == ["Moon 1", "Cake 1", "Cake 2", "Cake 3", "Moon 2"])
    try send(client, .changeShuffleMode(.items))
    for song in 1...3 { try add(client, "Park \(song)", .last) }
    #expect(try titles(client).suffix(3) == ["Park 1", "Park 2", "Park 3"])
    try send(client, .changeShuffleMode(.off))
    try send(client, .next)
    try wait(client) { $0 == "Cake 1" }
    try send(client, .seekToPosition(.seconds(12)))
    let former = try titles(client)
    try play(client, "Park")
    try wait(client) { $0 == "Park 1" }
    let revision = try queue(client).revision
    try send(client, .undoQueue(revision: revision))
    try wait(client) { $0 == "Cake 1" }
    #expect(try titles(client) == former && elapsed(client) >= .seconds(11))
    #expect(daemon.end() == 0)
  }

  @Test func clearedQueue_staysEmpty_alsoIfItsSongsAreRemovedOneByOne() throws {
    let (daemon, client) = try start(["queue-end = next"])
    try play(client, "Fashion")
    try wait(client) { $0 == "Cake 1" }
    try send(client, .clearQueue(revision: try queue(client).revision))
    // The unit would add the next list as soon as the last song plays.
    try send(client, .seekToPosition(.seconds(28)))
    try loop.turn { (try? state(client).status) == .stopped }
    #expect(try titles(client) == ["Cake 1"])
    try play(client, "Fashion")
    try wait(client) { $0 == "Cake 1" }
    for _ in 0..<4 {
      let report = try queue(client)
      try done {
        client.call(
          Library1.removeQueueItem, QueueRemoval(report.entries[1].id, revision: report.revision),
          $0)
      }
    }
    try send(client, .seekToPosition(.seconds(28)))
    try loop.turn { (try? state(client).status) == .stopped }
    #expect(try titles(client) == ["Cake 1"])
    #expect(daemon.end() == 0)
  }

  @Test func playAfterTheEnd_beginsTheListAgain_andAfterAStopTheSong() throws {
    var (daemon, client) = try start()
    try play(client, "Fashion")
    try wait(client) { $0 == "Cake 1" }
    _ = try jump(client, 4)
    try send(client, .seekToPosition(.seconds(29)))
    try loop.turn { (try? state(client).status) == .stopped }
    let next = try code(client, .next)
    #expect(next == .disabled)
    // The end is remembered over a restart.
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    client = try self.client()
    #expect(daemon.waits(for: .queueRestored) != nil)
    try send(client, .play)
    #expect(try wait(client) == "Cake 1")
    try send(client, .next)
    try wait(client) { $0 == "Cake 2" }
    try send(client, .stop)
    try send(client, .play)
    #expect(try wait(client) == "Cake 2")
    #expect(daemon.end() == 0)
  }

  // MARK: Long files

  /// The next list is in the queue as soon as the last song of a list plays.
  @Test func theLastSongOfAList_isLeftUnderTheNameOfItsList_andUndoKeepsAPlace() throws {
    let (daemon, client) = try start(["queue-end = next"])
    func recent() throws -> [RecentReport] {
      try answer { client.call(Library1.getRecent, 16, $0) }.get()
    }
    try play(client, "Book")
    try wait(client) { $0 == "Chapter 1" }
    try send(client, .next)
    try wait(client) { $0 == "Chapter 2" }
    try loop.turn { (try? queue(client).count) == 7 }
    #expect(try queue(client).title == "Book")
    try send(client, .seekToPosition(.seconds(600)))
    try loop.turn { (try? elapsed(client)) ?? .zero >= .seconds(600) }
    try play(client, "Park")
    try wait(client) { $0 == "Park 1" }
    var rows = try recent()
    #expect(rows.first?.title == "Book" && rows.first?.song == "Chapter 2")
    #expect(!rows.contains { $0.title == "Fashion" })
    try play(client, "Book")
    try wait(client) { $0 == "Chapter 1" }
    try send(client, .seekToPosition(.seconds(700)))
    try loop.turn { (try? elapsed(client)) ?? .zero >= .seconds(700) }
    try send(client, .undoQueue(revision: try queue(client).revision))
    try wait(client) { $0 == "Park 1" }
    rows = try recent()
    #expect(
      rows.first?.song == "Chapter 1" && rows.first.map { $0.elapsed >= .seconds(700) } == true)
    #expect(daemon.end() == 0)
  }

  @Test func aWrongTouch_doesNotLoseThePlaceInABook() throws {
    let (daemon, client) = try start()
    func place() throws -> Duration? {
      try answer { client.call(Library1.getRecent, 16, $0) }.get().first { $0.title == "Book" }?
        .elapsed
    }
    try play(client, "Book")
    try wait(client) { $0 == "Chapter 1" }
    try send(client, .seekToPosition(.seconds(600)))
    try loop.turn { (try? elapsed(client)) ?? .zero >= .seconds(600) }
    try send(client, .next)
    try wait(client) { $0 == "Chapter 2" }
    try send(client, .previous)
    try wait(client) { $0 == "Chapter 1" }
    #expect(try elapsed(client) >= .seconds(600))
    try play(client, "Park")
    try wait(client) { $0 == "Park 1" }
    let far = try #require(try place())
    #expect(far >= .seconds(600))
    try play(client, "Book")
    try wait(client) { $0 == "Chapter 1" }
    try play(client, "Park")
    try wait(client) { $0 == "Park 1" }
    #expect(try place() == far)
    // A touch on the chapter.
    let book = try node(client, "Book")
    let rows = try answer { client.call(Library1.getRows, RowsRequest(book), $0) }.get().batch.rows
    let chapter = RowReference(kind: .song, id: rows[0].id)
    try done { client.call(Library1.play, PlayRequest(.node(book), row: chapter, .now), $0) }
    try wait(client) { $0 == "Chapter 1" }
    try play(client, "Park")
    try wait(client) { $0 == "Park 1" }
    #expect(try place() == far)
    try play(client, "Book", .resume)
    try wait(client) { $0 == "Chapter 1" }
    #expect(try elapsed(client) >= .seconds(600))
    #expect(daemon.end() == 0)
  }
}
