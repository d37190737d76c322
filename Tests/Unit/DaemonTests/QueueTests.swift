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

/// The queue of the daemon, also across restarts. Daemon and library are processes. The storage is real.
@Suite struct QueueTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    try configure()
    for name in ["a", "b", "c", "d"] { try home.music(name, seconds: 60) }
  }

  private func configure(_ lines: [String] = []) throws {
    try home.configure(
      ["library = yes", "library-folder = \(home.folder.path("library"))"] + lines)
  }

  private func queue(_ client: ControlClient) throws -> QueueReport {
    try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 100), $0) }.get()
  }

  private func titles(_ client: ControlClient) throws -> String {
    try queue(client).entries.map(\.title).joined()
  }

  /// Plays all songs, beginning with song `b`.
  private func playSongs(_ client: ControlClient, of count: Int = 4) throws {
    try waitForSongs(client, count)
    let rows = try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }.get().batch
      .rows
    let song = try #require(rows.first { $0.title == "b" })
    let row = RowReference(kind: .song, id: song.id)
    _ = try answer { client.call(Library1.play, PlayRequest(.node(.songs), row: row, .now), $0) }
      .get()
  }

  @Test func aChosenQueue_withItsEdits_isThereAtTheNextStart() throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    try playSongs(client)
    #expect(daemon.waits(for: .trackStarted, "2/4") != nil)
    var report = try queue(client)
    #expect(report.entries.map(\.title) == ["a", "b", "c", "d"])
    #expect(report.position == 1 && report.list == "songs")
    let entries = report.entries.map(\.id)
    _ = try answer {
      client.call(
        Library1.moveQueueItem,
        QueueMove(entries[3], before: entries[0], revision: report.revision), $0)
    }.get()
    let old = try answer {
      client.call(Library1.removeQueueItem, QueueRemoval(entries[0], revision: report.revision), $0)
    }
    #expect(throws: ControlError.self) { try old.get() }
    report = try queue(client)
    #expect(report.entries.map(\.title) == ["d", "a", "b", "c"] && report.canUndo)
    _ = try answer {
      client.call(Library1.removeQueueItem, QueueRemoval(entries[0], revision: report.revision), $0)
    }.get()
    #expect(try titles(client) == "dbc")
    // The edits are normal commands, so the trace contains them with their answers.
    let trace = try answer { client.call(Unit1.getTrace, 100, $0) }.get()
    let edits = trace.compactMap { entry -> String? in
      guard case .command(let command) = entry, command.name.hasSuffix("QueueItem") else {
        return nil
      }
      return "\(command.name) \(command.code?.rawValue ?? command.answer ?? "-")"
    }
    #expect(
      edits == [
        "moveQueueItem success", "removeQueueItem queue-changed",
        "removeQueueItem success",
      ])
    // The daemon ends right after the edit.
    try loop.turn { (try? titles(client)) == "dbc" }
    #expect(daemon.end(SIGTERM) == 0)
    daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .queueRestored) != nil)
    client = try self.client()
    try loop.turn { (try? titles(client)) == "dbc" }
    report = try queue(client)
    #expect(report.position == 1 && report.list == "songs")
    #expect(report.entries.map(\.id) == [entries[3], entries[1], entries[2]])
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "c.flac") != nil)
    // The files that are found do not replace the chosen queue.
    #expect(daemon.waits(for: .musicFound) != nil)
    #expect(try titles(client) == "dbc")
    #expect(daemon.end() == 0)
  }

  private func contentID(_ client: ControlClient) throws -> String? {
    try answer { client.call(NowPlaying1.state.get, $0) }.get().content?.id
  }

  /// The title of the current song.
  private func current(_ client: ControlClient) throws -> String? {
    let report = try queue(client)
    return report.position.flatMap {
      report.entries.indices.contains($0) ? report.entries[$0] : nil
    }?
    .title
  }

  @Test func theIdentityOfAContent_isThatOfItsFile_inEachRunAndFromEachList() throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    // The library can find any of the files first. This file is then the current song.
    try loop.turn { (try? queue(client))?.count == 4 && (try? contentID(client)) != nil }
    let (found, song) = (try contentID(client), try #require(try current(client)))
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.play)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "\(song).flac") != nil, "\(daemon.log)")
    #expect(try contentID(client) == found)
    try waitForSongs(client, 4)
    _ = try answer { client.call(Library1.play, PlayRequest(.node(.songs), .now), $0) }.get()
    try loop.turn { (try? queue(client))?.list == "songs" }
    while try current(client) != song {
      _ = try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    }
    try loop.turn { (try? contentID(client)) == found }
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    client = try self.client()
    #expect(daemon.waits(for: .trackStarted, "\(song).flac") != nil)
    #expect(try contentID(client) == found)
    let other = try #require(try queue(client).entries.first { $0.title != song })
    _ = try answer {
      client.call(Commands1.send, SentCommand(.media(.playQueueItem("queue:\(other.id)"))), $0)
    }.get()
    #expect(daemon.waits(for: .trackStarted, "\(other.title).flac") != nil)
    #expect(try contentID(client) != found)
    #expect(daemon.end() == 0)
  }

  @Test func previous_afterARestart_isTheTrackHeardBefore_inAllFilesShuffled() throws {
    for name in ["e", "f", "g", "h"] { try home.music(name, seconds: 60) }
    var daemon = try ServeProcess(home)
    var client = try client()
    func title() throws -> String {
      try answer { client.call(NowPlaying1.state.get, $0) }.get().lines.title ?? ""
    }
    try loop.turn { (try? title())?.isEmpty == false }
    try waitForSongs(client, 8)
    _ = try answer {
      client.call(Commands1.send, SentCommand(.media(.changeShuffleMode(.items))), $0)
    }.get()
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.play)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted) != nil)
    let first = try title()
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    try loop.turn { (try? title()) != first }
    let second = try title()
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    client = try self.client()
    #expect(daemon.waits(for: .trackStarted, "\(second).flac") != nil)
    try waitForSongs(client, 8)
    try loop.turn { (try? queue(client))?.count == 8 }
    #expect(try title() == second)
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.previous)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "\(first).flac") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func shuffle_hasTheSameOrderAtTheNextStart() throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    try waitForSongs(client, 4)
    _ = try answer { client.call(Library1.play, PlayRequest(.node(.songs), .shuffled), $0) }.get()
    let order = try titles(client)
    #expect(order.sorted() == ["a", "b", "c", "d"])
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .queueRestored) != nil)
    client = try self.client()
    try loop.turn { (try? queue(client))?.count == 4 }
    #expect(try titles(client) == order)
    #expect(try queue(client).isShuffled)
    #expect(daemon.end() == 0)
  }

  @Test func songThatIsChosenWithShuffle_playsFirst() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 4)
    let rows = try answer { client.call(Library1.getRows, RowsRequest(.songs, limit: 10), $0) }
      .get().batch.rows
    #expect(rows.count == 4)
    for _ in 0..<2 {
      for row in rows {
        let song = RowReference(kind: .song, id: row.id)
        let request = PlayRequest(.node(.songs), row: song, .shuffled)
        try done { client.call(Library1.play, request, $0) }
        #expect(try titles(client).hasPrefix(row.title))
        #expect(try titles(client).count == 4 && queue(client).isShuffled)
      }
    }
    #expect(daemon.end() == 0)
  }

  @Test func aKilledDaemon_losesNothingOfTheQueue() throws {
    for round in 0..<3 {
      let daemon = try ServeProcess(home)
      let client = try client()
      try playSongs(client)
      var report = try queue(client)
      let gone = report.entries[round]
      _ = try answer {
        client.call(Library1.removeQueueItem, QueueRemoval(gone.id, revision: report.revision), $0)
      }.get()
      report = try queue(client)
      // The edit is on the medium at the latest when the daemon has ended.
      try loop.turn { FileManager.default.fileExists(atPath: home.folder.path("data/queue")) }
      #expect(daemon.end() == 0)
      let next = try ServeProcess(home)
      let again = try self.client()
      try loop.turn { (try? queue(again))?.count == 3 }
      #expect(try queue(again).entries == report.entries)
      next.end(SIGKILL)
    }
  }

  @Test func aDamagedQueue_leavesTheFileOfTheLastRun() throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    try playSongs(client)
    #expect(daemon.waits(for: .trackStarted, "2/4") != nil)
    #expect(daemon.end() == 0)
    let path = home.folder.path("data/queue")
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    try Data(repeating: 0x5A, count: size).write(to: URL(fileURLWithPath: path))
    daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    client = try self.client()
    // The queue consists of all files again.
    #expect(daemon.waits(for: .musicFound) != nil)
    try loop.turn { (try? titles(client)) == "abcd" }
    #expect(try queue(client).list.isEmpty)
    #expect(daemon.end() == 0)
  }

  /// Creates albums with one song each. The songs are short, so that the albums end soon. Only the last song is long.
  private func makeAlbums(seconds: Int = 1) throws {
    for (number, name) in ["Aa", "Bb", "Cc"].enumerated() {
      try FileManager.default.createDirectory(
        atPath: home.folder.path("music/\(name)"), withIntermediateDirectories: true)
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * (number == 2 ? 60 : seconds)).flac(
        home.folder, "music/\(name)/song.flac",
        ["--tag=TITLE=Song \(name)", "--tag=ALBUM=\(name)", "--tag=ARTIST=X"])
    }
  }

  private func album(_ client: ControlClient, _ title: String) throws -> LibraryNode {
    let rows = try answer { client.call(Library1.getRows, RowsRequest(.albums), $0) }.get().batch
      .rows
    let row = try #require(rows.first { $0.title == title })
    return try #require(row.node)
  }

  @Test func theEndOfAnAlbum_leadsToTheNextOne() throws {
    // The album `Cc` must be the last album. A later album would join the queue as soon as `Cc` plays.
    for name in ["a", "b", "c", "d"] {
      try FileManager.default.removeItem(atPath: home.folder.path("music/\(name).flac"))
    }
    try makeAlbums()
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 3)
    let first = try album(client, "Aa")
    let row = try #require(RowReference(identifier: first.text))
    _ = try answer { client.call(Library1.play, PlayRequest(.node(.albums), row: row, .now), $0) }
      .get()
    #expect(daemon.waits(for: .trackStarted, "Aa/song.flac") != nil)
    #expect(daemon.waits(for: .trackStarted, "Bb/song.flac") != nil)
    #expect(daemon.waits(for: .trackStarted, "Cc/song.flac") != nil)
    let report = try queue(client)
    #expect(
      report.title == "Cc" && report.entries.map(\.title) == ["Song Aa", "Song Bb", "Song Cc"])
    // After the end of the last album, *play* begins this album again.
    func status() throws -> PlaybackStatus {
      try answer { client.call(NowPlaying1.state.get, $0) }.get().status
    }
    _ = try answer {
      client.call(Commands1.send, SentCommand(.media(.seekToPosition(.seconds(59)))), $0)
    }.get()
    try loop.turn { (try? status()) == .stopped }
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.play)), $0) }.get()
    try loop.turn { (try? status()) == .playing }
    #expect(try current(client) == "Song Cc")
    #expect(daemon.end() == 0)
  }

  @Test func theEndOfAnAlbum_stopsIfTheConfigurationSaysSo() throws {
    try makeAlbums()
    try configure(["queue-end = stop"])
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 7)
    let node = try album(client, "Aa")
    _ = try answer { client.call(Library1.play, PlayRequest(.node(node), .now), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "Aa/song.flac") != nil)
    try loop.turn {
      (try? answer { client.call(NowPlaying1.state.get, $0) }.get())?.status == .stopped
    }
    #expect(try queue(client).count == 1)
    #expect(daemon.end() == 0)
  }

  @Test func aStartInTheLastSongOfAnAlbum_leadsToTheNextOne() throws {
    for name in ["a", "b", "c", "d"] {
      try FileManager.default.removeItem(atPath: home.folder.path("music/\(name).flac"))
    }
    try makeAlbums(seconds: 10)
    // With this setting, the next album does not join the queue in the first run.
    try configure(["queue-end = stop"])
    var daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 3)
    let node = try album(client, "Bb")
    _ = try answer { client.call(Library1.play, PlayRequest(.node(node), .now), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "Bb/song.flac") != nil)
    #expect(try SavedUnitState(home).waits { $0.wasPlaying && $0.elapsed.milliseconds > 1000 })
    #expect(daemon.end() == 0)
    try configure()
    // The song plays before the library answers.
    daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted, "Bb/song.flac") != nil)
    #expect(daemon.waits(for: .trackStarted, "Cc/song.flac") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func whatPlays_isMarkedInTheLists() throws {
    try makeAlbums(seconds: 60)
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 7)
    func current(_ node: LibraryNode) throws -> [String] {
      try answer { client.call(Library1.getRows, RowsRequest(node, limit: 100), $0) }.get().batch
        .rows
        .filter(\.isCurrent).map(\.title)
    }
    #expect(try current(.songs) == [])
    let node = try album(client, "Bb")
    _ = try answer { client.call(Library1.play, PlayRequest(.node(node), .now), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "Bb/song.flac") != nil)
    #expect(try current(.songs) == ["Song Bb"])
    #expect(try current(.albums) == ["Bb"])
    try done { client.call(Library1.savePlaylist, "Road", $0) }
    let list = try #require(
      try answer { client.call(Library1.getRows, RowsRequest(.playlists), $0) }.get().batch.rows
        .first { $0.title == "Road" }?.node)
    #expect(try current(list) == ["Song Bb"])
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "Cc/song.flac") != nil)
    try loop.turn { (try? current(.songs)) == ["Song Cc"] }
    #expect(try current(.albums) == ["Cc"])
    #expect(try current(list) == ["Song Cc"])
    #expect(daemon.end() == 0)
  }

  @Test func newSongsOfTheListThatPlays_followItsOthers_butRemovedOnesDoNotReturn() throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    try playSongs(client)
    #expect(try titles(client) == "abcd")
    try home.music("aa", seconds: 61)
    try waitForSongs(client, 5)
    try loop.turn { (try? titles(client)) != "abcd" }
    var report = try queue(client)
    // The current song and the songs before it keep their positions.
    #expect(report.entries.map(\.title) == ["a", "b", "c", "d", "aa"] && report.position == 1)
    let gone = report.entries[3].id
    _ = try answer {
      client.call(Library1.removeQueueItem, QueueRemoval(gone, revision: report.revision), $0)
    }.get()
    try home.music("e", seconds: 62)
    try waitForSongs(client, 6)
    #expect(try titles(client) == "abcaa")
    // If the last song is removed, it does not return either, not even at the next start.
    report = try queue(client)
    _ = try answer {
      client.call(
        Library1.removeQueueItem, QueueRemoval(report.entries[3].id, revision: report.revision), $0)
    }.get()
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    client = try self.client()
    try waitForSongs(client, 6)
    try home.music("f", seconds: 63)
    try waitForSongs(client, 7)
    #expect(try titles(client) == "abc")
    // If the list is chosen again, the queue contains all its songs.
    _ = try answer { client.call(Library1.play, PlayRequest(.node(.songs), .now), $0) }.get()
    report = try queue(client)
    #expect(report.entries.map(\.title) == ["a", "aa", "b", "c", "d", "e", "f"])
    #expect(daemon.end() == 0)
  }

  @Test func aListThatWasLeft_continuesThere_alsoAtTheNextStart() throws {
    try makeAlbums()
    var daemon = try ServeProcess(home)
    var client = try client()
    try playSongs(client, of: 7)
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    _ = try answer {
      client.call(Commands1.send, SentCommand(.media(.seekToPosition(.seconds(40)))), $0)
    }.get()
    func elapsed() throws -> Duration {
      let state = try answer { client.call(NowPlaying1.state.get, $0) }.get()
      return state.elapsed(at: .now()) ?? .zero
    }
    try loop.turn { (try? elapsed()).map { $0 > .seconds(39) } ?? false }
    let node = try album(client, "Cc")
    _ = try answer { client.call(Library1.play, PlayRequest(.node(node), .now), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "Cc/song.flac") != nil)
    let recent = try answer { client.call(Library1.getRecent, RecentReport.limit, $0) }.get()
    #expect(recent.map(\.list) == ["songs"] && recent.map(\.song) == ["b"])
    #expect(recent[0].elapsed > .seconds(39) && !recent[0].isAbsent)
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    client = try self.client()
    try waitForSongs(client, 7)
    try loop.turn {
      (try? answer { client.call(Library1.getRecent, RecentReport.limit, $0) }.get())?.count == 1
    }
    _ = try answer { client.call(Library1.play, PlayRequest(.node(.songs), .resume), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    #expect(try elapsed() > .seconds(39))
    #expect(try queue(client).count == 7)
    let source = try answer { client.libraryState($0) }.get().volumes[0].report.identity
    _ = try answer { client.call(Sources1.choose, source, $0) }.get()
    #expect(throws: ControlError.self) {
      try answer { client.call(Sources1.choose, "none", $0) }.get()
    }
    #expect(daemon.end() == 0)
  }

  /// The daemon expects that the service manager starts the library, but no service manager runs here. So the library
  /// never answers.
  @Test func firstStart_playsBeforeTheLibraryAnswers_andFindsAllFilesWithoutIt() throws {
    try configure(["start = play"])
    let daemon = try ServeProcess(home, environment: ["AUTOHARP_LIBRARY": "service"])
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
    try home.configure(["start = play"])
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted) != nil)
    let client = try client()
    let refused = try answer { client.call(Library1.play, PlayRequest(.node(.songs), .now), $0) }
    guard case .failure(let error) = refused else {
      Issue.record("not refused")
      return
    }
    #expect(error.refusal.code == .noLibrary)
    #expect(daemon.end() == 0)
  }
}
