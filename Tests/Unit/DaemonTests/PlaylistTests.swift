import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// The playlists and favourites of the daemon, also across restarts. Daemon and storage are real.
@Suite struct PlaylistTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    for name in ["a", "b", "c"] { try home.music(name, seconds: 60) }
  }

  private func useLibrary() throws {
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
  }

  private func rows(_ client: ControlClient, _ node: LibraryNode) throws -> [LibraryRow] {
    try answer { client.call(Library1.getRows, RowsRequest(node, limit: 100), $0) }.get().batch.rows
  }

  private func lists(_ client: ControlClient) throws -> [String] {
    try rows(client, .playlists).map { "\($0.title) \($0.count)" }
  }

  private func list(_ client: ControlClient, _ name: String) throws -> LibraryNode {
    try #require(try rows(client, .playlists).first { $0.title == name }?.node)
  }

  private func songs(_ client: ControlClient, _ name: String) throws -> [String] {
    try rows(client, try list(client, name)).map(\.title)
  }

  private func like(_ client: ControlClient, _ isLiked: Bool) throws {
    let outcome = try answer {
      client.call(Commands1.send, SentCommand(.media(.like(isLiked))), $0)
    }.get()
    #expect(outcome.answer == .success)
  }

  /// True if the current song is liked. Nil if it cannot be liked.
  private func isLiked(_ client: ControlClient) throws -> Bool? {
    let state = try answer { client.call(NowPlaying1.state.get, $0) }.get()
    let offer = state.commands.first { $0.kind == .like }
    guard case .feedback(let isLiked, _)? = offer?.parameters else { return nil }
    return isLiked
  }

  /// Starts the daemon, and waits until it has found the files `a`, `b` and `c`.
  private func start() throws -> (ServeProcess, ControlClient) {
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound) != nil, "\(daemon.log)")
    return (daemon, try client())
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: home.folder.path("data/playlists")))
      ?? []).sorted()
  }

  @Test func lists_areSavedEditedAndPlayed_withoutTheLibrary_andAreThereAgain() throws {
    var (daemon, client) = try start()
    #expect(try lists(client) == ["Favourites 0"])
    #expect(files.isEmpty)
    try done { client.call(Library1.savePlaylist, "Road trip", $0) }
    #expect(try lists(client) == ["Favourites 0", "Road trip 3"])
    #expect(try songs(client, "Road trip") == ["a", "b", "c"])
    #expect(files == ["Road trip.m3u8"])
    #expect(try code { client.call(Library1.savePlaylist, "ROAD TRIP", $0) } == .playlistExists)
    let trip = try list(client, "Road trip")
    let second = try rows(client, trip)[1]
    let song = RowReference(kind: .song, id: second.id)
    try done {
      client.call(Library1.addToPlaylist, PlaylistAddition("Work", .node(trip), row: song), $0)
    }
    try done { client.call(Library1.addToPlaylist, PlaylistAddition("Work"), $0) }
    // A song that the list has already is added only on request. Of a list, the other songs are added.
    let same = PlaylistAddition("Work", .node(trip), row: song)
    #expect(try code { client.call(Library1.addToPlaylist, same, $0) } == .playlistHasSong)
    #expect(
      try code { client.call(Library1.addToPlaylist, PlaylistAddition("WORK"), $0) }
        == .playlistHasSong)
    #expect(try songs(client, "Work") == ["b", "a"])
    try done {
      client.call(Library1.addToPlaylist, PlaylistAddition("Part", .node(trip), row: song), $0)
    }
    try done { client.call(Library1.addToPlaylist, PlaylistAddition("Part", .node(trip)), $0) }
    #expect(try songs(client, "Part") == ["b", "a", "c"])
    #expect(
      try code { client.call(Library1.addToPlaylist, PlaylistAddition("Part", .node(trip)), $0) }
        == .playlistHasSong)
    try done { client.call(Library1.deletePlaylist, "Part", $0) }
    try done {
      client.call(
        Library1.addToPlaylist, PlaylistAddition("work", .node(trip), again: true), $0)
    }
    #expect(try songs(client, "Work") == ["b", "a", "a", "b", "c"])
    let row = try rows(client, try list(client, "Work"))[2]
    let third = RowReference(kind: .song, id: row.id)
    try done { client.call(Library1.removeFromPlaylist, PlaylistRemoval("Work", third), $0) }
    #expect(try songs(client, "Work") == ["b", "a", "b", "c"])
    try done { client.call(Library1.renamePlaylist, Renaming("Work", to: "Office"), $0) }
    #expect(
      try code {
        client.call(Library1.renamePlaylist, Renaming("Office", to: "road trip"), $0)
      } == .playlistExists)
    try done { client.call(Library1.play, PlayRequest(.node(trip), row: song, .now), $0) }
    #expect(daemon.waits(for: .trackStarted, "2/3") != nil)
    let queue = try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 9), $0) }
      .get()
    #expect(queue.list == trip.text && queue.title == "Road trip" && queue.position == 1)
    let favourites = RowReference(
      kind: .playlist, id: try #require(try rows(client, .playlists).first).id)
    let refused = try code {
      client.call(Library1.play, PlayRequest(.node(.playlists), row: favourites, .next), $0)
    }
    #expect(refused == .noSuchContent)
    let office = try list(client, "Office")
    try done { client.call(Library1.play, PlayRequest(.node(office), .next), $0) }
    #expect(
      try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 9), $0) }.get().count
        == 7)
    #expect(daemon.end() == 0)
    (daemon, client) = try start()
    #expect(try lists(client) == ["Favourites 0", "Office 4", "Road trip 3"])
    #expect(try songs(client, "Office") == ["b", "a", "b", "c"])
    try done { client.call(Library1.deletePlaylist, "office", $0) }
    #expect(try lists(client) == ["Favourites 0", "Road trip 3"])
    #expect(daemon.end() == 0)
  }

  @Test func badNamesAndLists_areRefused() throws {
    let (daemon, client) = try start()
    for name in ["", "a/b", ".a", "a\n", String(repeating: "x", count: 101)] {
      #expect(try code { client.call(Library1.savePlaylist, name, $0) } == .invalidPlaylistName)
    }
    #expect(try code { client.call(Library1.savePlaylist, "Favourites", $0) } == .playlistExists)
    #expect(
      try code { client.call(Library1.deletePlaylist, "Favourites", $0) } == .playlistReserved)
    #expect(
      try code { client.call(Library1.renamePlaylist, Renaming("Favourites", to: "a"), $0) }
        == .playlistReserved)
    #expect(try code { client.call(Library1.deletePlaylist, "none", $0) } == .noSuchPlaylist)
    #expect(
      try code { client.call(Library1.renamePlaylist, Renaming("none", to: "a"), $0) }
        == .noSuchPlaylist)
    #expect(
      try code { client.call(Library1.addToPlaylist, PlaylistAddition("a", .node(.songs)), $0) }
        == .noLibrary)
    #expect(
      try code { client.call(Library1.addToPlaylist, PlaylistAddition("a", .node(.own(99))), $0) }
        == .noSuchItem)
    #expect(
      try code { client.call(Library1.play, PlayRequest(.node(.own(99)), .now), $0) } == .noSuchItem
    )
    #expect(
      try code { client.call(Library1.play, PlayRequest(.node(.favourites), .now), $0) }
        == .noSuchContent)
    #expect(throws: ControlError.self) {
      try answer { client.call(Library1.getRows, RowsRequest(.own(99)), $0) }.get().batch
    }
    try done { client.call(Library1.savePlaylist, "a", $0) }
    let row = RowReference(kind: .song, id: 12345)
    #expect(
      try code { client.call(Library1.removeFromPlaylist, PlaylistRemoval("a", row), $0) }
        == .noSuchItem)
    #expect(files == ["a.m3u8"])
    #expect(daemon.end() == 0)
  }

  @Test func likes_areKept_forEachSong_overAKill() throws {
    var (daemon, client) = try start()
    #expect(try isLiked(client) == false)
    try like(client, true)
    #expect(try isLiked(client) == true)
    #expect(try songs(client, "Favourites") == ["a"])
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.play)), $0) }.get()
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    try loop.turn { (try? isLiked(client)) == false }
    try like(client, true)
    // The daemon has answered, so the change is on the storage.
    daemon.end(SIGKILL)
    (daemon, client) = try start()
    try loop.turn { (try? lists(client)) == ["Favourites 2"] }
    #expect(try songs(client, "Favourites") == ["a", "b"])
    try loop.turn { (try? isLiked(client)) == true }
    try like(client, false)
    #expect(try isLiked(client) == false)
    try like(client, false)
    #expect(try songs(client, "Favourites").count == 1)
    #expect(daemon.end() == 0)
  }

  @Test func marks_areKept_overAKill_andBookmarksAreAListThatPlaysAtItsTime() throws {
    var (daemon, client) = try start()
    func send(_ request: MediaRequest) throws {
      let outcome = try answer { client.call(Commands1.send, SentCommand(.media(request)), $0) }
        .get()
      #expect(outcome.answer == .success, "\(request)")
    }
    func parameters(_ kind: CommandKind) throws -> CommandOffer.Parameters? {
      try answer { client.call(NowPlaying1.state.get, $0) }.get().command(kind)?.parameters
    }
    try send(.play)
    #expect(daemon.waits(for: .trackStarted, "a.flac") != nil)
    try send(.pause)
    try send(.seekToPosition(.seconds(30)))
    try loop.turn {
      let state = try? answer { client.call(NowPlaying1.state.get, $0) }.get()
      return (state?.elapsed(at: .now()) ?? .zero) > .seconds(29)
    }
    try send(.bookmark(true))
    try send(.stars(4.5))
    try send(.dislike(true))
    #expect(try lists(client) == ["Favourites 0", "Bookmarks 1"])
    daemon.end(SIGKILL)
    (daemon, client) = try start()
    try loop.turn { (try? parameters(.stars)) == .rating(maximum: 5, current: 4.5) }
    #expect(try parameters(.bookmark) == .feedback(isActive: true, title: nil))
    #expect(try parameters(.dislike) == .feedback(isActive: true, title: nil))
    try like(client, true)
    #expect(try parameters(.dislike) == .feedback(isActive: false, title: nil))
    let row = try #require(try rows(client, .bookmarks).first)
    #expect(abs((row.bookmark ?? 0) - 30_000) < 1000 && row.title == "a")
    try done {
      client.call(
        Library1.play,
        PlayRequest(.node(.bookmarks), row: RowReference(kind: .song, id: row.id), .now), $0)
    }
    try loop.turn {
      let state = try? answer { client.call(NowPlaying1.state.get, $0) }.get()
      return state?.status == .playing && (state?.elapsed(at: .now()) ?? .zero) > .seconds(29)
    }
    try send(.bookmark(false))
    #expect(try rows(client, .bookmarks).isEmpty)
    #expect(daemon.end() == 0)
  }

  @Test func aKillAtAnyMoment_leavesTheOldOrTheNewList() throws {
    let many = PlaylistAddition("many", again: true)
    var count = 0
    for _ in 0..<5 {
      let (daemon, client) = try start()
      try loop.turn {
        let row = try? rows(client, .playlists).first { $0.title == "many" }
        let known = row?.count ?? 0
        guard count...count + 1 ~= known else { return false }
        count = known
        return true
      }
      for _ in 0..<Int.random(in: 1...20) {
        try done { client.call(Library1.addToPlaylist, many, $0) }
        count += 1
      }
      var isAnswered = false
      client.call(Library1.addToPlaylist, many) { _ in isAnswered = true }
      // The daemon is killed before, while or after it carries out the request.
      for _ in 0..<Int.random(in: 0...3) where !isAnswered {
        try loop.step(timeout: .milliseconds(1))
      }
      if isAnswered { count += 1 }
      daemon.end(SIGKILL)
    }
    let (daemon, client) = try start()
    let songs = try songs(client, "many")
    #expect((count...count + 1).contains(songs.count) && songs.allSatisfy { $0 == "a" })
    #expect(!files.contains { $0.contains("before") })
    #expect(daemon.end() == 0)
  }

  @Test func theHeart_isAButtonOfTheScreen_andToggles() throws {
    let (daemon, client) = try start()
    client.register(as: "painter", showsTemplate: true) { client.confirmShown($0) }
    func heart() throws -> TemplateState.Button? {
      try answer { client.call(NowPlaying1.state.get, $0) }.get().template.buttons
        .first { $0.kind == .image("heart") }
    }
    try loop.turn { (try? heart())?.isEnabled == true }
    #expect(try heart()?.isSelected == false)
    for isOn in [true, false] {
      let outcome = try answer {
        client.call(Commands1.send, SentCommand(.template(.button(2))), $0)
      }.get()
      #expect(outcome.answer == .success)
      #expect(try heart()?.isSelected == isOn)
      #expect(try songs(client, "Favourites") == (isOn ? ["a"] : []))
    }
    #expect(daemon.end() == 0)
  }

  @Test func storageThatCannotBeWritten_isSaid_andTheMusicGoesOn() throws {
    try home.folder.write("data/playlists", [])
    let (daemon, client) = try start()
    #expect(try code { client.call(Library1.savePlaylist, "a", $0) } == .playlistsNotSaved)
    let outcome = try answer { client.call(Commands1.send, SentCommand(.media(.like(true))), $0) }
      .get()
    #expect(outcome.answer.refusal?.code == .playlistsNotSaved)
    #expect(daemon.waits(for: .playlistsNotSaved) != nil)
    #expect(try isLiked(client) == false)
    #expect(try lists(client) == ["Favourites 0"])
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.play)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "a.flac") != nil)
    try FileManager.default.removeItem(atPath: home.folder.path("data/playlists"))
    try like(client, true)
    #expect(try isLiked(client) == true)
    #expect(daemon.end() == 0)
  }

  @Test func songsOfAnAbsentStick_stay_andPlayWhenItIsBack() throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.path("data/playlists"), withIntermediateDirectories: true)
    let music = home.folder.path("music")
    let lines = [
      "#EXTM3U", "#AUTOHARP-LIST:1", "#AUTOHARP:vfat 1234-ABCD 67108864,0,1000",
      "#EXTINF:1,gone", "gone.flac",
      "#AUTOHARP:folder \(music),\(music.utf8.count + 1),60000", "#EXTINF:60,c",
      "\(music)/c.flac", "#AUTOHARP-END:2", "",
    ]
    try home.folder.write(
      "data/playlists/trip.m3u8", Array(lines.joined(separator: "\n").utf8))
    let (daemon, client) = try start()
    try loop.turn { (try? lists(client)) == ["Favourites 0", "trip 2"] }
    let trip = try list(client, "trip")
    let songs = try rows(client, trip)
    #expect(songs.map(\.isAbsent) == [true, false])
    #expect(try rows(client, .playlists)[1].isAbsent == false)
    try done { client.call(Library1.play, PlayRequest(.node(trip), .now), $0) }
    #expect(daemon.waits(for: .trackStarted, "c.flac") != nil)
    let queue = try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 9), $0) }
      .get()
    #expect(queue.entries.map(\.title) == ["gone", "c"] && queue.absent == 1)
    try done { client.call(Library1.savePlaylist, "again", $0) }
    #expect(try self.songs(client, "again") == ["gone", "c"])
    try done {
      client.call(
        Library1.removeFromPlaylist,
        PlaylistRemoval("trip", RowReference(kind: .song, id: songs[1].id)), $0)
    }
    #expect(try rows(client, .playlists)[2].isAbsent)
    #expect(
      try code { client.call(Library1.play, PlayRequest(.node(trip), .now), $0) } == .sourceAbsent)
    let text = String(decoding: try home.folder.read("data/playlists/trip.m3u8"), as: UTF8.self)
    #expect(text.contains("#AUTOHARP:vfat 1234-ABCD 67108864,0,1000\n#EXTINF:1,gone\ngone.flac\n"))
    #expect(daemon.end() == 0)
  }

  @Test func listsOfSticks_comeBehindThoseOfTheUnit() throws {
    try useLibrary()
    try home.folder.write("music/Party.m3u8", Array("b.flac\nnone.flac\n".utf8))
    let (daemon, client) = try start()
    try waitForSongs(client, 3)
    let before = try answer { client.libraryState($0) }.get().revision
    try done {
      client.call(Library1.addToPlaylist, PlaylistAddition("All of it", .node(.songs)), $0)
    }
    let found = try answer { client.call(Library1.search, NumberedSearch(SearchRequest("b")), $0) }
      .get().found
    let hit = try #require(found.rows.first { $0.kind == .song })
    try done {
      client.call(
        Library1.addToPlaylist,
        PlaylistAddition("Party", .words("b"), row: .init(kind: .song, id: hit.id)), $0)
    }
    #expect(try lists(client) == ["Favourites 0", "All of it 3", "Party 1", "Party 2"])
    #expect(try answer { client.libraryState($0) }.get().revision == before + 2)
    let letters = try answer {
      client.call(Library1.getLetters, LettersRequest(.node(.playlists)), $0)
    }.get()
    #expect(letters.map(\.heading) == ["★", "A", "P"] && letters.map(\.count) == [1, 1, 2])
    var titles: [String] = []
    for letter in letters {
      let batch = try answer {
        client.call(Library1.getRows, RowsRequest(.playlists, heading: letter.heading), $0)
      }.get().batch
      #expect(batch.count == letter.count)
      titles += batch.rows.map(\.title)
    }
    #expect(titles == ["Favourites", "All of it", "Party", "Party"])
    let parties = try answer {
      client.call(Library1.search, NumberedSearch(SearchRequest("par")), $0)
    }.get().found.rows
    #expect(parties.map(\.kind) == [.playlist, .playlist])
    #expect(parties.map { $0.id < 0 } == [true, false])
    // The songs of a stick's playlist are copied into a playlist of the unit.
    let party = try #require(parties[1].node)
    try done { client.call(Library1.addToPlaylist, PlaylistAddition("Copy", .node(party)), $0) }
    #expect(try songs(client, "Copy") == ["b"])
    // If the library does not answer, only the playlists of the sticks are missing.
    let library = try libraryProcess()
    kill(library, SIGSTOP)
    defer { kill(library, SIGCONT) }
    let own = ["Favourites 0", "All of it 3", "Copy 1", "Party 1"]
    try loop.turn { (try? lists(client)) == own }
    let ownParty = try answer {
      client.call(Library1.search, NumberedSearch(SearchRequest("party")), $0)
    }.get().found
    #expect(ownParty.rows.map(\.title) == ["Party"] && ownParty.rows[0].id < 0)
    let ownLetters = try answer {
      client.call(Library1.getLetters, LettersRequest(.node(.playlists)), $0)
    }.get()
    #expect(ownLetters.map(\.heading) == ["★", "A", "C", "P"])
    try like(client, true)
    #expect(try songs(client, "Favourites").count == 1)
    kill(library, SIGCONT)
    #expect(daemon.end() == 0)
  }
}
