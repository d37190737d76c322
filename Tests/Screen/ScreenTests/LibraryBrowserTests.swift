import LibraryModel
import NowPlaying
import Reports
import ScreenLayout
import Testing

@testable import Screen

/// Tests the way through the pages of the library. The answers of the library are simulated.
@Suite struct LibraryBrowserTests {
  private static let words = LocalizedWords("en")
  private var browser = LibraryBrowser(
    MenuCapacity(Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7)))

  /// The number and the question of the request. There must be exactly one request.
  private func question(_ requests: [ScreenRequest]) throws -> (Int, LibraryQuestion) {
    #expect(requests.count == 1)
    guard case .askLibrary(let number, let question)? = requests.first else { throw Unexpected() }
    return (number, question)
  }

  private struct Unexpected: Error {}

  private mutating func perform(_ action: MenuAction) -> MenuPages.Outcome {
    browser.perform(action, Self.words)
  }

  private mutating func tap(_ action: MenuAction) -> [ScreenRequest] { perform(action).requests }

  private mutating func answer(_ requests: [ScreenRequest], _ answer: LibraryAnswer) throws
    -> [ScreenRequest]
  {
    browser.receive(answer, number: try question(requests).0)
  }

  private func shownPage() -> MenuPage { browser.page(Self.words, "en", library: nil) }

  private func song(_ id: Int64, _ title: String) -> LibraryRow {
    LibraryRow(kind: .song, id: id, title: title)
  }

  private func batch(_ rows: [LibraryRow], next: String? = nil, previous: String? = nil)
    -> LibraryAnswer
  {
    var batch = RowBatch()
    batch.rows = rows
    batch.next = next
    batch.previous = previous
    batch.count = 30
    return .rows(batch)
  }

  private let letters = LibraryAnswer.letters([
    LetterGroup(heading: "A", count: 20), LetterGroup(heading: "L", count: 10),
  ])

  // MARK: Lists

  @Test(arguments: [false, true])
  mutating func folderInThirdListOfFolders_opensAsItsSongs_whileDriving(isParked: Bool) throws {
    browser.isParked = isParked
    var requests = tap(.choose("folders"))
    for level: Int64 in 1...4 {
      let (_, question) = try question(requests)
      guard case .letters(let node, under: nil) = question else { throw Unexpected() }
      switch level {
      case 1: #expect(node == .volumes)
      case 4: #expect(node == (isParked ? .folder(3) : .songsBelow(3)))
      default: #expect(node == .folder(level - 1))
      }
      let rows = try answer(requests, .letters([LetterGroup(heading: "A", count: 1)]))
      _ = try answer(rows, batch([LibraryRow(kind: .folder, id: level, title: "Folder")]))
      requests = tap(.choose("folder:\(level)"))
    }
  }

  @Test mutating func longList_opensAsLetters_andALetterAsItsRows() throws {
    let asked = tap(.choose("songs"))
    #expect(try question(asked).1 == .letters(.songs, under: nil))
    #expect(browser.steps.isEmpty, "the old page stays until the answer arrives")
    #expect(try answer(asked, letters).isEmpty)
    guard case .letters(let cells) = shownPage().content else { throw Unexpected() }
    #expect(cells.count == 27)
    #expect(cells.filter(\.isPresent).map(\.id) == ["A", "L"])

    #expect(try question(tap(.choose("A"))).1 == .letters(.songs, under: "A"))
    // A heading with 10 rows leads to these rows, and not to further letters.
    let rows = tap(.choose("L"))
    #expect(
      try question(rows).1 == .rows(RowsRequest(.songs, cursor: nil, heading: "L", limit: 4)))
    _ = try answer(rows, batch([song(1, "Lamp")], next: "n"))
    guard case .rows(let shown, let paging) = shownPage().content else { throw Unexpected() }
    #expect(shown.map(\.title) == ["Lamp"])
    #expect(paging == MenuPaging(canGoBack: false, canGoForward: true, letter: "L"))

    #expect(
      perform(.choose("song:1"))
        == .leave([.playList(.node(.songs), RowReference(kind: .song, id: 1), .now)]))
  }

  /// A page with a single key would cost the user a touch and offer no choice, so it is skipped. Here, *S* leads only
  /// to *Sa*, and *Sa* leads only to *Sal*.
  @Test mutating func pageWithASingleKey_isSkipped() throws {
    _ = try answer(tap(.choose("songs")), .letters([LetterGroup(heading: "S", count: 40)]))
    let one = try answer(
      tap(.choose("S")), .letters([LetterGroup(heading: "Sa", count: 40)]))
    #expect(try question(one).1 == .letters(.songs, under: "Sa"))
    let two = try answer(one, .letters([LetterGroup(heading: "Sal", count: 40)]))
    #expect(try question(two).1 == .letters(.songs, under: "Sal"))
    let ranges = ["Sal 1–12", "Sal 13–40"].map { LetterGroup(heading: $0, count: 20) }
    #expect(try answer(two, .letters(ranges)).isEmpty)
    guard case .letters(let cells) = shownPage().content else { throw Unexpected() }
    #expect(cells.map(\.id) == ranges.map(\.heading))
    #expect(cells.map(\.text) == ["1–12", "13–40"])
    #expect(shownPage().heading?.line == "Sal · 40")
    let parts = ["Sal 13–24", "Sal 25–40"].map { LetterGroup(heading: $0, count: 14) }
    #expect(try answer(tap(.choose("Sal 13–40")), .letters(parts)).isEmpty)
    guard case .letters(let second) = shownPage().content else { throw Unexpected() }
    #expect(second.map(\.text) == ["13–24", "25–40"])
    _ = browser.goUp()
    _ = browser.goUp()
    #expect(browser.shown?.node == .songs && browser.shown?.heading == nil)
    // The library answers with the same heading again. The browser must not repeat its request for ever.
    let again = try answer(tap(.choose("S")), .letters([LetterGroup(heading: "S", count: 40)]))
    #expect(again.isEmpty)
  }

  @Test mutating func shortList_opensAsRows() throws {
    let rows = try answer(tap(.choose("genres")), .letters([]))
    #expect(try question(rows).1 == .rows(RowsRequest(.genres, limit: 4)))
    _ = try answer(rows, batch([LibraryRow(kind: .genre, id: 3, title: "Jazz")]))
    guard case .rows(let shown, nil) = shownPage().content else { throw Unexpected() }
    #expect(shown.map(\.id) == ["genre:3"])
  }

  @Test mutating func pageIsRemembered_whenTheListIsOpenedAgain() throws {
    let rows = try answer(tap(.choose("songs")), .letters([]))
    _ = try answer(rows, batch([song(1, "a")], next: "second"))
    let turned = tap(.turnPage(.forward))
    #expect(try question(turned).1 == .rows(RowsRequest(.songs, cursor: "second", limit: 4)))
    _ = try answer(turned, batch([song(5, "e")], previous: "first"))
    _ = browser.goUp()
    let again = try answer(tap(.choose("songs")), .letters([]))
    #expect(try question(again).1 == .rows(RowsRequest(.songs, cursor: "second", limit: 4)))
    // The remembered page has no rows any more, so the list begins at its first page.
    let first = try answer(again, batch([]))
    #expect(try question(first).1 == .rows(RowsRequest(.songs, cursor: nil, limit: 4)))
  }

  @Test mutating func answerToAReplacedQuestion_isIgnored() throws {
    let old = tap(.choose("artists"))
    let new = tap(.choose("albums"))
    #expect(try answer(old, letters).isEmpty)
    #expect(browser.steps.isEmpty)
    _ = try answer(new, letters)
    #expect(browser.shown?.node == .albums)
  }

  @Test mutating func libraryThatDoesNotAnswer_isAMessage_andTheWayBackWorks() throws {
    _ = try answer(tap(.choose("artists")), .failed)
    guard case .message = shownPage().content else { throw Unexpected() }
    #expect(shownPage().heading?.title == "Artists")
    #expect(!browser.goUp().leavesMenu)
    #expect(browser.steps.isEmpty)
    #expect(browser.goUp() == .leave())
  }

  @Test mutating func rows_areAskedForAgain_whenTheLibraryIsBack() throws {
    // The list of playlists opens with its rows, although it is alphabetical and could open with its letters.
    _ = try answer(tap(.choose("playlists")), batch([]))
    for _ in 1...2 {
      _ = try answer(browser.refresh(), .failed)
      guard case .message = shownPage().content else { throw Unexpected() }
    }
    let again = browser.refresh()
    #expect(try question(again).1 == .rows(RowsRequest(.playlists, limit: 3)))
    _ = try answer(again, batch([]))
    guard case .rows = shownPage().content else { throw Unexpected() }
  }

  // MARK: Collections

  @Test mutating func album_playsAsAWhole_shuffled_orFromASong() throws {
    var album = LibraryRow(kind: .album, id: 7, title: "Saltlight")
    album.artist = "Low Meridian"
    album.count = 9
    let rows = try answer(tap(.choose("albums")), .letters([]))
    _ = try answer(rows, batch([album]))
    let opened = try answer(tap(.choose("album:7")), .letters([]))
    _ = try answer(opened, batch([song(1, "Tide Tables"), song(2, "Slow Ferry Home")]))
    #expect(shownPage().heading == MenuPage.Heading("Saltlight", line: "Low Meridian · 9 songs"))
    #expect(perform(.play) == .leave([.playList(.node(.album(7)), nil, .now)]))
    #expect(perform(.shuffle) == .leave([.playList(.node(.album(7)), nil, .shuffled)]))
    #expect(
      perform(.choose("song:2"))
        == .leave([.playList(.node(.album(7)), RowReference(kind: .song, id: 2), .now)]))
  }

  @Test mutating func longAlbum_hasRanges_unlessTheCarIsParked() throws {
    var album = LibraryRow(kind: .album, id: 7, title: "Long")
    album.count = 30
    let opened = browser.open(album)
    _ = try answer(
      opened,
      .letters([
        LetterGroup(heading: "1–12", count: 12), LetterGroup(heading: "13–24", count: 12),
        LetterGroup(heading: "25–30", count: 6),
      ]))
    guard case .collection(let collection) = shownPage().content else { throw Unexpected() }
    #expect(collection.rows.map(\.title) == ["1–12", "13–24", "25–30"])
    let range = tap(.choose("13–24"))
    #expect(
      try question(range).1 == .rows(RowsRequest(.album(7), heading: "13–24", limit: 4)))

    browser.isParked = true
    let parked = browser.open(album)
    #expect(try question(parked).1 == .rows(RowsRequest(.album(7), limit: 4)))
  }

  @Test mutating func absentAndUnplayableRows_doNothing() throws {
    var absent = song(1, "Away")
    absent.isAbsent = true
    let problem = LibraryRow(kind: .problem, id: 2, title: "x.wma")
    let rows = try answer(tap(.choose("songs")), .letters([]))
    _ = try answer(rows, batch([absent, problem]))
    #expect(tap(.choose("song:1")).isEmpty)
    #expect(tap(.choose("problem:2")).isEmpty)
    guard case .rows(let shown, _) = shownPage().content else { throw Unexpected() }
    #expect(shown.map(\.condition) == [.absent, .inert])
  }

  @Test mutating func playlists_beginWithFavouritesAndTheNewestAlbums() throws {
    let asked = tap(.choose("playlists"))
    #expect(try question(asked).1 == .rows(RowsRequest(.playlists, limit: 3)))
    let favourites = LibraryRow(kind: .playlist, id: -1, title: "")
    _ = try answer(asked, batch([favourites, LibraryRow(kind: .playlist, id: 4, title: "Road")]))
    guard case .rows(let rows, _) = shownPage().content else { throw Unexpected() }
    #expect(rows.map(\.title) == ["Favourites", "Recently added", "Road"])
    #expect(try question(tap(.choose("recent"))).1 == .letters(.recentAlbums, under: nil))
  }

  /// Each list without rows has a hint of its own, in each language.
  @Test(arguments: ["en", "de", "fr", "ar", "he"])
  mutating func listsWithoutRows_sayWhy(language: String) throws {
    let words = LocalizedWords(LanguageTag(language))
    let menu = words.menu
    func library(songs: Int) -> LibraryState {
      let report = VolumeReport(identity: "a", label: "A", condition: .ready, songs: songs)
      return LibraryState(
        LibraryReport(), volumes: [VolumeState(kind: .stick, report: report, path: "/a")])
    }
    func message(_ page: MenuPage) throws -> MenuMessage {
      guard case .message(let message) = page.content else { throw Unexpected() }
      return message
    }
    var details: [String] = []
    for (tile, expected) in [
      ("artists", menu.emptyArtists), ("genres", menu.emptyGenres), ("albums", menu.noMusicDetail),
      ("songs", menu.noMusicDetail), ("folders", menu.noMusicDetail),
    ] {
      browser.reset()
      let asked = try answer(tap(.choose(tile)), .letters([]))
      _ = try answer(asked, .rows(RowBatch()))
      let found = try message(
        browser.page(words, LanguageTag(language), library: library(songs: 7)))
      #expect(found.title == menu.emptyList && found.detail == expected, "\(tile)")
      details.append(expected)
      // Without any music, the hint says how music comes.
      let without = try message(
        browser.page(words, LanguageTag(language), library: library(songs: 0)))
      #expect(without.title == menu.noMusic && without.detail == menu.noMusicDetail, "\(tile)")
    }
    for (id, expected) in [
      (-1, menu.emptyFavourites), (-3, menu.emptyBookmarks), (-9, menu.emptyOwnList),
      (9, menu.emptyPlaylist),
    ] as [(Int64, String)] {
      browser.reset()
      let asked = browser.open(LibraryRow(kind: .playlist, id: id, title: "List"))
      _ = try answer(try answer(asked, .letters([])), .rows(RowBatch()))
      let found = try message(
        browser.page(words, LanguageTag(language), library: library(songs: 7)))
      #expect(found.detail == expected)
      details.append(expected)
    }
    browser.reset()
    let folder = browser.open(LibraryRow(kind: .folder, id: 4, title: "Empty"))
    _ = try answer(try answer(folder, .letters([])), .rows(RowBatch()))
    let found = try message(browser.page(words, LanguageTag(language), library: library(songs: 7)))
    #expect(found.detail == menu.emptyFolder)
    #expect(Set(details).count == details.count - 2)
  }

  @Test mutating func bookmarks_haveANameOfTheScreen_andTheirPositions() throws {
    let asked = tap(.choose("playlists"))
    var bookmarks = LibraryRow(kind: .playlist, id: -3, title: "Bookmarks")
    bookmarks.count = 2
    _ = try answer(asked, batch([bookmarks]))
    let german = browser.page(LocalizedWords("de"), "de", library: nil)
    guard case .rows(let lists, _) = german.content else { throw Unexpected() }
    #expect(lists.first?.title == "Lesezeichen")
    #expect(lists.first?.lead == .picture(MenuPicture(.bookmark)))
    let opened = tap(.choose("own:3"))
    var rows = [song(1, "Oilskin"), song(2, "Long story")]
    rows[0].bookmark = 61_500
    rows[1].bookmark = 3_723_000
    rows[0].artist = "Air"
    _ = try answer(opened, batch(rows))
    guard case .collection(let collection) = shownPage().content else { throw Unexpected() }
    #expect(collection.rows.map(\.line) == ["1:01 · Air", "1:02:03"])
  }

  // MARK: What was left

  @Test mutating func listThatWasLeft_continues() throws {
    let asked = browser.showFirstPage()
    #expect(try question(asked).1 == .recent)
    _ = try answer(
      asked,
      .recent([
        RecentReport(
          list: "album:7", title: "Saltlight", song: "Oilskin", elapsed: .seconds(10),
          isAbsent: false, heard: 0.25)
      ]))
    guard case .home(let home) = shownPage().content else { throw Unexpected() }
    #expect(home.recent.map(\.title) == ["Saltlight"])
    #expect(home.recent.map(\.picture.thumbnail) == ["album:7"])
    #expect(home.recent.map(\.heard) == [0.25])
    #expect(
      perform(.choose(home.recent[0].id)) == .leave([.playList(.node(.album(7)), nil, .resume)]))
  }

  @Test mutating func listThatWasLeftFarInALongFile_offersToGoOn() throws {
    for (elapsed, canGoOn) in [(Duration.seconds(1800), true), (.seconds(200), false)] {
      _ = try answer(
        browser.showFirstPage(),
        .recent([
          RecentReport(
            list: "album:7", title: "Book", song: "Chapter 1", elapsed: elapsed, isAbsent: false,
            heard: nil)
        ]))
      let rows = try answer(
        browser.open(LibraryRow(kind: .album, id: 7, title: "Book")), .letters([]))
      _ = try answer(rows, batch([song(1, "Chapter 1")]))
      guard case .collection(let collection) = shownPage().content else { throw Unexpected() }
      #expect(collection.canGoOn == canGoOn)
      #expect(perform(.goOn) == .leave([.playList(.node(.album(7)), nil, .resume)]))
    }
  }

  @Test func thumbnails_areRequestedThreeAtOnce_andAMissingOneOnlyOnce() {
    var requests = ThumbnailRequests()
    let begun = ["a", "b", "c", "d"].map { requests.begin($0) }
    #expect(begun == [true, true, true, false])
    requests.fail("a")
    requests.end("b")
    let isRepeated = requests.begin("a")
    #expect(!isRepeated)
    let isBegun = requests.begin("d")
    #expect(isBegun)
    requests.retry()
    let isRetried = requests.begin("a")
    #expect(isRetried)
  }

  // MARK: Search

  @Test mutating func search_asksWithEachKey_andPlaysAmongItsResults() throws {
    #expect(tap(.headerKey(.search)).isEmpty)
    let first = tap(.type(5))
    let second = tap(.type(6))
    #expect(try question(second).1 == .search(SearchRequest("56", isByKeys: true)))
    var found = LibraryFindings()
    found.rows = [LibraryRow(kind: .artist, id: 1, title: "Low Motors"), song(2, "Loma")]
    #expect(try answer(first, .findings(found)).isEmpty)
    guard case .search(let empty) = shownPage().content else { throw Unexpected() }
    #expect(empty.rows.isEmpty, "the answer belongs to fewer keys")
    _ = try answer(second, .findings(found))
    guard case .search(let shown) = shownPage().content else { throw Unexpected() }
    #expect(shown.text == "lo")
    #expect(shown.rows.map(\.title) == ["Low Motors", "Loma"])
    #expect(
      perform(.choose("song:2"))
        == .leave([.playList(.keys("56"), RowReference(kind: .song, id: 2), .now)]))
  }

  @Test(arguments: [false, true, nil])
  mutating func search_atTheLimitOfADrive_endsInMoreWhenParked(isParked: Bool?) throws {
    browser.isParked = isParked
    _ = tap(.headerKey(.search))
    var last: [ScreenRequest] = []
    for key in [2, 3, 4, 5] { last = tap(.type(key)) }
    var found = LibraryFindings()
    found.rows = (0..<20).map { song($0, "Song \($0)") }
    _ = try answer(last, .findings(found))
    guard case .search(let shown) = shownPage().content else { throw Unexpected() }
    #expect((shown.rows.last?.title == Self.words.listLimited) == (isParked != true))
    #expect((shown.rows.last?.line == Self.words.parkingUnknown) == (isParked == nil))
    #expect(shown.rows.first?.title == "Song 0")
  }

  @Test mutating func search_whileDriving_takesFourKeys_andErases() throws {
    _ = tap(.headerKey(.search))
    for key in [2, 3, 4, 5] { _ = tap(.type(key)) }
    #expect(tap(.type(6)).isEmpty)
    guard case .search(let full) = shownPage().content else { throw Unexpected() }
    #expect(!full.canType)
    #expect(try question(tap(.erase)).1 == .search(SearchRequest("234", isByKeys: true)))
    browser.isParked = true
    for _ in 0..<30 { _ = tap(.type(2)) }
    guard case .search(let parked)? = browser.shown?.content else { throw Unexpected() }
    #expect(parked.presses.count == 24)
  }
}
