import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

/// Playing and finding the playlists of the unit. Daemon, library and storage are real.
@Suite struct PlaylistPlayingTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws { home = try ServeProcess.Home() }

  private func useLibrary() throws {
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
  }

  /// Writes a playlist with songs of the music folder.
  private func write(_ name: String, _ songs: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.path("data/playlists"), withIntermediateDirectories: true)
    let lines = songs.map { "#EXTINF:-1,\($0)\n\(home.folder.path("music/\($0).flac"))\n" }
    try home.folder.write("data/playlists/\(name).m3u8", Array(lines.joined().utf8))
  }

  private func start() throws -> (ServeProcess, ControlClient) {
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound) != nil, "\(daemon.log)")
    return (daemon, try client())
  }

  private func rows(_ client: ControlClient, _ request: RowsRequest) throws -> [LibraryRow] {
    try answer { client.call(Library1.getRows, request, $0) }.get().batch.rows
  }

  private func list(_ client: ControlClient, _ name: String) throws -> LibraryNode {
    var row: LibraryRow?
    try loop.turn {
      row = try? rows(client, RowsRequest(.playlists, limit: 100)).first { $0.title == name }
      return row != nil
    }
    return try #require(row?.node)
  }

  private func queue(_ client: ControlClient) throws -> QueueReport {
    try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 100), $0) }.get()
  }

  private func song(_ client: ControlClient, _ number: Int, of list: LibraryNode) throws
    -> RowReference
  {
    let row = try rows(client, RowsRequest(list, limit: 100))[number]
    return RowReference(kind: .song, id: row.id)
  }

  // MARK: Restart

  @Test func aQueueOfAList_withItsOrderAndPlace_isThereAtTheNextStart() throws {
    for name in ["a", "b", "c", "d"] { try home.music(name, seconds: 60) }
    try write("Road", ["d", "b", "a", "b", "c"])
    var (daemon, client) = try start()
    let road = try list(client, "Road")
    let chosen = try song(client, 3, of: road)
    try done { client.call(Library1.play, PlayRequest(.node(road), row: chosen, .now), $0) }
    #expect(daemon.waits(for: .trackStarted, "4/5") != nil)
    var report = try queue(client)
    #expect(report.entries.map(\.title) == ["d", "b", "a", "b", "c"] && report.position == 3)
    // An edit makes the order of the queue different from the order of the playlist.
    try done {
      client.call(
        Library1.moveQueueItem,
        QueueMove(report.entries[4].id, before: report.entries[0].id, revision: report.revision), $0
      )
    }
    report = try queue(client)
    #expect(report.entries.map(\.title) == ["c", "d", "b", "a", "b"] && report.position == 4)
    #expect(daemon.end() == 0)
    // While the daemon does not run, the playlist is replaced. The queue must stay the same.
    try write("Road", ["a"])
    (daemon, client) = try start()
    #expect(daemon.waits(for: .queueRestored) != nil)
    let restored = try queue(client)
    #expect(restored.entries == report.entries && restored.position == 4)
    #expect(restored.list == road.text && restored.title == "Road")
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    // The queue can be saved over the playlist from which it was made.
    try done { client.call(Library1.savePlaylist, "Road", $0) }
    #expect(
      try rows(client, RowsRequest(road)).map(\.title) == ["c", "d", "b", "a", "b"])
    #expect(daemon.end() == 0)
  }

  @Test func aShuffledList_hasTheSameOrderAtTheNextStart() throws {
    for name in ["a", "b", "c", "d"] { try home.music(name, seconds: 60) }
    try write("Road", ["a", "b", "c", "d"])
    var (daemon, client) = try start()
    let road = try list(client, "Road")
    try done { client.call(Library1.play, PlayRequest(.node(road), .shuffled), $0) }
    let order = try queue(client).entries.map(\.title)
    #expect(order.sorted() == ["a", "b", "c", "d"])
    #expect(daemon.end() == 0)
    (daemon, client) = try start()
    let restored = try queue(client)
    #expect(restored.entries.map(\.title) == order && restored.isShuffled)
    #expect(restored.list == road.text)
    #expect(daemon.end() == 0)
  }

  // MARK: The end of a list

  @Test func theEndOfAList_leadsToTheNextOneOfTheUnit_andThenToThoseOfTheLibrary() throws {
    try useLibrary()
    for name in ["a", "b", "c"] { try home.music(name, seconds: 1) }
    try home.music("d", seconds: 60)
    try write("Favourites", ["a"])
    try write("Empty", [])
    try write("Zz", ["b", "c"])
    // The name `Aa` sorts first, but the playlists of sticks come after the playlists of the unit.
    try home.folder.write("music/Aa.m3u8", Array("d.flac\n".utf8))
    let (daemon, client) = try start()
    try waitForSongs(client, 4)
    _ = try list(client, "Zz")
    try done { client.call(Library1.play, PlayRequest(.node(.favourites), .now), $0) }
    for name in ["a", "b", "c", "d"] {
      #expect(daemon.waits(for: .trackStarted, "\(name).flac") != nil)
    }
    let report = try queue(client)
    let last = try list(client, "Aa")
    #expect(report.title == "Aa" && report.list == last.text)
    #expect(report.entries.map(\.title) == ["a", "b", "c", "d"])
    #expect(daemon.end() == 0)
  }

  @Test func theEndOfAList_withoutTheLibrary_leadsToTheNextOne() throws {
    try home.music("a", seconds: 1)
    try home.music("b", seconds: 60)
    try write("One", ["a"])
    try write("Two", ["b"])
    let (daemon, client) = try start()
    let one = try list(client, "One")
    try done { client.call(Library1.play, PlayRequest(.node(one), .now), $0) }
    #expect(daemon.waits(for: .trackStarted, "b.flac") != nil)
    #expect(try queue(client).title == "Two")
    #expect(daemon.end() == 0)
  }

  // MARK: Ranges and letters

  @Test func aLongList_andTheQueue_openAsRanges() throws {
    try home.music("a", seconds: 60)
    try write("Long", Array(repeating: "a", count: 30))
    let (daemon, client) = try start()
    let long = try list(client, "Long")
    try done { client.call(Library1.play, PlayRequest(.node(long), .now), $0) }
    let ranges = [
      LetterGroup(heading: "1–12", count: 12), LetterGroup(heading: "13–24", count: 12),
      LetterGroup(heading: "25–30", count: 6),
    ]
    #expect(
      try answer { client.call(Library1.getLetters, LettersRequest(.node(long)), $0) }.get()
        == ranges)
    #expect(
      try answer { client.call(Library1.getLetters, LettersRequest(.queue), $0) }.get() == ranges)
    #expect(
      try answer { client.call(Library1.getLetters, LettersRequest(.queue, under: "13–30"), $0) }
        .get().map(\.count) == [12, 6])
    #expect(
      try answer {
        client.call(Library1.getLetters, LettersRequest(.node(long), under: "13–24"), $0)
      }.get() == [])
    let all = try rows(client, RowsRequest(long, limit: 100))
    let range = try answer {
      client.call(Library1.getRows, RowsRequest(long, heading: "13–24", limit: 100), $0)
    }.get().batch
    #expect(range.rows == Array(all[12..<24]) && range.count == 12 && range.position == 0)
    #expect(try rows(client, RowsRequest(long, heading: "S")) == [])
    #expect(throws: ControlError.self) {
      try answer { client.call(Library1.getLetters, LettersRequest(.node(.own(99))), $0) }.get()
    }
    #expect(daemon.end() == 0)
  }

  @Test func listsOfTheUnit_areUnderTheirLetters_withThoseOfTheLibrary() throws {
    try useLibrary()
    try home.music("a", seconds: 60)
    for number in 1...8 { try write("Star \(number)", ["a"]) }
    try write("Ärger", ["a"])
    for number in 1...8 {
      try home.folder.write("music/Star S\(number).m3u8", Array("a.flac\n".utf8))
    }
    try home.folder.write("music/Blue.m3u8", Array("a.flac\n".utf8))
    let (daemon, client) = try start()
    try waitForSongs(client, 1)
    func letters(_ heading: String?) throws -> [String] {
      try answer {
        client.call(Library1.getLetters, LettersRequest(.node(.playlists), under: heading), $0)
      }.get()
        .map { "\($0.heading) \($0.count)" }
    }
    try loop.turn { (try? letters(nil)) == ["★ 1", "A 1", "B 1", "S 16"] }
    #expect(try letters("S") == ["St 16"] && letters("St") == ["Sta 16"])
    #expect(try letters("Sta") == ["Sta 1–12 12", "Sta 13–16 4"])
    #expect(try letters("★") == [])
    let expected =
      (1...8).map { "Star \($0)" } + (1...8).map { "Star S\($0)" }
    for (heading, titles) in [
      ("★", ["Favourites"]), ("A", ["Ärger"]), ("B", ["Blue"]), ("Sta", expected),
      ("Sta 1–12", Array(expected[..<12])), ("Sta 13–16", Array(expected[12...])),
      ("Sta 7–10", Array(expected[6..<10])), ("Sta 17–20", []), ("1–12", []),
    ] {
      for limit in [1, 3, 100] {
        var shown: [String] = []
        var request = RowsRequest(.playlists, heading: heading, limit: limit)
        while true {
          let batch = try answer { client.call(Library1.getRows, request, $0) }.get().batch
          #expect(batch.position == shown.count && batch.count == titles.count)
          shown += batch.rows.map(\.title)
          request.cursor = batch.next
          if batch.next == nil || shown.count > titles.count { break }
        }
        #expect(shown == titles)
      }
    }
    #expect(daemon.end() == 0)
  }

  // MARK: Search

  @Test func aSearch_findsListsAsTheLibraryDoes_alsoWithoutIt() throws {
    try home.music("a", seconds: 60)
    let names = [
      "Ágætis lög", "Straße", "80s mix", "漢字の歌", "Road trip", "The trip", "Ελλάδα", "Ёлка", "أغاني",
      "שירים",
    ]
    for name in names { try write(name, ["a"]) }
    let (daemon, client) = try start()
    _ = try list(client, "Straße")
    func found(_ query: String, _ isByKeys: Bool = false) throws -> [String] {
      let request = SearchRequest(query, isByKeys: isByKeys, kind: .playlist, limit: 9)
      return try answer { client.call(Library1.search, NumberedSearch(request), $0) }.get().found
        .rows.map(\.title)
    }
    for (query, name) in [
      ("agaetis", "Ágætis lög"), ("LOG", "Ágætis lög"), ("strasse", "Straße"), ("字の", "漢字の歌"),
      ("ελλαδα", "Ελλάδα"), ("елка", "Ёлка"), ("اغاني", "أغاني"), ("שיר", "שירים"),
      ("8", "80s mix"),
    ] {
      #expect(try found(query) == [name])
    }
    // One key for each letter, in five scripts.
    for (keys, name) in [
      ("2423847", "Ágætis lög"), ("787277", "Straße"), ("355", "Ελλάδα"), ("3442", "Ёлка"),
      ("3937", "أغاني"), ("757", "שירים"),
    ] {
      #expect(try found(keys, true).contains(name), "\(keys)")
    }
    #expect(try found("tr") == ["Road trip", "The trip"])
    #expect(try found("the") == ["The trip"])
    #expect(try found("oad") == [])
    #expect(
      try code {
        client.call(Library1.search, NumberedSearch(SearchRequest("-")), Self.discarding($0))
      } == .invalidArguments)
    #expect(daemon.end() == 0)
  }

  /// A completion that only needs to know whether a call was refused.
  private static func discarding(
    _ completion: @escaping ControlClient.Completion<Void>
  ) -> ControlClient.Completion<SearchAnswer> {
    { completion($0.map { _ in }) }
  }
}
