internal import NowPlaying
internal import ScreenLayout

/// Invented pages beside Now Playing.
enum SamplePages {
  private static func art(_ cover: SampleCover, _ symbol: Symbol = .disc, isRound: Bool = false)
    -> BrowsePicture
  {
    BrowsePicture(symbol, thumbnail: cover.rawValue, isRound: isRound)
  }

  private static func cover(
    _ title: String, _ cover: SampleCover?, _ condition: BrowseCondition = .usual,
    heard: Double? = nil
  ) -> BrowseCover {
    var result = BrowseCover(
      id: title, title, cover.map { art($0) } ?? BrowsePicture(.disc))
    result.condition = condition
    result.heard = heard
    return result
  }

  private static func row(
    _ title: String, _ line: String?, _ lead: BrowseRow.Lead,
    _ condition: BrowseCondition = .usual
  ) -> BrowseRow {
    var result = BrowseRow(id: title, lead, title, line: line)
    result.condition = condition
    return result
  }

  private static func page(
    _ title: String?, line: String? = nil, key: BrowsePage.HeaderKey? = .search,
    _ content: BrowsePage.Content
  ) -> BrowsePage {
    BrowsePage(
      .library, heading: title.map { BrowsePage.Heading($0, line: line) }, key: key, content)
  }

  // MARK: The library

  static func home(_ words: LocalizedWords) -> BrowsePage {
    page(
      nil,
      .home(
        BrowseHome(
          recent: [
            cover("Tessellations", .tiles, heard: 0.62),
            cover("Sunday Radius", .arcs, heard: 0.2), cover("Understory", .fern, .absent),
            cover("Carrier", .rings, heard: 0.85), cover("Plateau", .tide, heard: 0.3),
          ], tiles: tiles(words))))
  }

  static func scanningHome(_ words: LocalizedWords) -> BrowsePage {
    page(
      nil,
      .home(
        BrowseHome(
          recent: [], tiles: tiles(words), line: "\(words.browse.reading) 312 / 1840")))
  }

  private static func tiles(_ words: LocalizedWords) -> [BrowseTile] {
    let browse = words.browse
    return [
      BrowseTile(id: "artists", .person, browse.artists),
      BrowseTile(id: "albums", .disc, browse.albums),
      BrowseTile(id: "songs", .note, browse.songs),
      BrowseTile(id: "genres", .tag, browse.genres),
      BrowseTile(id: "folders", .folder, browse.folders),
      BrowseTile(id: "playlists", .playlist, browse.playlists),
    ]
  }

  static let letters: BrowsePage = {
    let present = Set("ABCDEFGHIKLMNOPRSTUVW#")
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ#".map {
      BrowseLetter(String($0), isPresent: present.contains($0))
    }
    return page("Artists", line: "418", .letters(letters))
  }()

  static let secondLetters: BrowsePage = page(
    "Songs", line: "S · 612",
    .letters(
      ["Sa", "Sc", "Se", "Sh", "Si", "Sk", "Sl", "Sm", "Sn", "So", "Sp", "St", "Su", "Sw", "Sy"]
        .map { BrowseLetter($0) }))

  static let artists: BrowsePage = {
    let artists: [(String, String)] = [
      ("Kestrel & Vane", "3 albums"), ("Kilo Harbour", "1 album"),
      ("Lene Aasgaard Trio", "5 albums"), ("Low Meridian", "2 albums"), ("Lumen Post", "1 album"),
      ("Lysander Okoro & the Ninth Street Brass Ensemble of Old Harbour", "4 albums"),
    ]
    let rows = artists.map { title, line in
      row(
        title, line, .picture(BrowsePicture(.person, isRound: true)),
        title == "Low Meridian" ? .current : .usual)
    }
    return page(
      "Artists", line: "L · page 2 of 3",
      .rows(rows, BrowsePaging(canGoBack: true, canGoForward: true, letter: "L")))
  }()

  static let songs: BrowsePage = {
    let songs: [(String, String, SampleCover, Int)] = [
      ("Tessellation Waltz", "Ivo Halden", .tiles, 196),
      ("The Lamp at the End of the Breakwater, Where the Ferries Turn", "Low Meridian", .dusk, 365),
      ("Thimble", "June Okafor", .fern, 140), ("Tide Tables", "Low Meridian", .dusk, 232),
    ]
    let rows = songs.map { title, line, cover, seconds in
      var result = row(title, line, .picture(art(cover, .note)))
      result.duration = .seconds(seconds)
      return result
    }
    return page(
      "Songs", line: "T · page 1 of 2",
      .rows(rows, BrowsePaging(canGoBack: false, canGoForward: true, letter: "T")))
  }()

  static let albums: BrowsePage = page(
    "Albums", line: "S · page 1 of 2",
    .covers(
      [
        cover("Saltlight", .dusk, .current), cover("Second Courtyard", .tiles),
        cover("Signal Flags", .arcs), cover("Sleepers, and Other Trains at Night", nil, .absent),
        cover("Small Machines", nil), cover("Sunday Radius", .rings),
      ], BrowsePaging(canGoBack: true, canGoForward: true, letter: "S")))

  static let album: BrowsePage = {
    let titles: [(String, Int)] = [
      ("Tide Tables", 232), ("Slow Ferry Home", 251),
      ("The Lamp at the End of the Breakwater", 365), ("Saltlight", 320), ("Oilskin", 178),
    ]
    let rows = titles.enumerated().map { index, entry in
      var result = row(entry.0, nil, .number(index + 1), index == 1 ? .current : .usual)
      result.duration = .seconds(entry.1)
      return result
    }
    return page(
      "Saltlight", line: "Low Meridian · 9 songs",
      .collection(
        BrowseCollection(
          art(.dusk), rows: rows, paging: BrowsePaging(canGoBack: false, canGoForward: true))))
  }()

  static let artist: BrowsePage = page(
    "Lene Aasgaard Trio", line: "5 albums",
    .collection(
      BrowseCollection(
        BrowsePicture(.person, isRound: true),
        rows: [
          row("Ferns in January", "2024 · 9 songs", .picture(art(.fern))),
          row("Plateau", "2021 · 8 songs", .picture(art(.tide)), .current),
          row("Harmonium", "2018 · 11 songs", .picture(art(.arcs))),
          row(
            "Live at the Boathouse, First Night", "Not plugged in", .picture(art(.rings)), .absent),
        ], paging: BrowsePaging(canGoBack: false, canGoForward: true))))

  static let folders: BrowsePage = {
    var folder = row("Summer, south coast", "38 songs", .picture(BrowsePicture(.folder)))
    folder.opensPage = true
    var file = row("01 harbour fog.flac", nil, .picture(BrowsePicture(.note)))
    file.duration = .seconds(302)
    return page(
      "Mixtapes", line: "12 folders and files",
      .rows(
        [
          folder, file,
          row("02 unknown.wma", "WMA", .picture(BrowsePicture(.warning)), .inert),
          row(
            "More when parked", "12 of 94 are shown while driving", .picture(BrowsePicture(.info)),
            .inert),
        ], BrowsePaging(canGoBack: true, canGoForward: false)))
  }()

  // MARK: Search

  private static let keys = ["#", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"]

  static let search: BrowsePage = page(
    "Search", key: nil, .search(BrowseSearch(text: "", keys: keys, canType: true, rows: [])))

  static let results: BrowsePage = page(
    "Search", key: nil,
    .search(
      BrowseSearch(
        text: "low mo", keys: keys, canType: false,
        rows: [
          row("Low Motors", "Artist · 1 album", .picture(BrowsePicture(.person, isRound: true))),
          row("Low Moon over Lindy", "Song · Kilo Harbour", .picture(art(.rings, .note))),
          row("More when parked", nil, .picture(BrowsePicture(.info)), .inert),
        ])))

  static func unavailable(_ words: LocalizedWords) -> BrowsePage {
    page(
      words.browse.artists, key: nil,
      .message(
        BrowseMessage(
          .library, words.browse.unavailable, words.browse.unavailableDetail,
          key: BrowseTile(id: "again", .repeatAll, words.browse.search))))
  }

  // MARK: Sources and phones

  private static func things(_ tab: BrowsePage.Tab, _ rows: [BrowseRow], key: BrowsePage.HeaderKey?)
    -> BrowsePage
  {
    BrowsePage(tab, key: key, .rows(rows, nil))
  }

  private static func thing(
    _ title: String, _ line: String, _ symbol: Symbol, _ tone: BrowseRow.Tone = .usual,
    _ condition: BrowseCondition = .usual, progress: Double? = nil
  ) -> BrowseRow {
    var row = row(title, line, .picture(BrowsePicture(symbol)), condition)
    row.tone = tone
    row.progress = progress
    return row
  }

  private static func source(
    _ title: String, _ line: String, _ symbol: Symbol, _ tone: BrowseRow.Tone = .usual,
    _ condition: BrowseCondition = .usual, progress: Double? = nil
  ) -> BrowseRow {
    var row = thing(title, line, symbol, tone, condition, progress: progress)
    row.key = .info
    return row
  }

  static let sources = things(
    .sources,
    [
      source("BLUE", "Plays · 1204 songs", .stick, .good, .current),
      source("ROADTRIP", "Reading 312 / 1840", .stick, progress: 0.17),
      source("WORK", "Cannot be read. Copy it again.", .stick, .warning, .inert),
      source("KIDS", "Not plugged in · comes back by itself", .stickAbsent, .usual, .absent),
    ], key: nil)

  static let phones: BrowsePage = {
    var rows = [
      thing("Ana’s Pixel 8", "Plays · Fathom", .phone, .good, .current),
      thing("Bartholomew’s work phone", "Connected", .phone),
      thing("Wheel remote", "Not connected · Remote", .remote),
    ]
    for index in rows.indices { rows[index].opensPage = true }
    return things(.phone, rows, key: .add)
  }()

  static func phone(_ words: LocalizedWords) -> BrowsePage {
    let browse = words.browse
    return BrowsePage(
      .phone, heading: BrowsePage.Heading("Ana’s Pixel 8", line: "Plays · Fathom"),
      .keys([
        BrowseKey(id: "play", .play, browse.play, browse.playLine, isPrimary: true),
        BrowseKey(id: "disconnect", .bluetoothOff, browse.disconnect, browse.disconnectLine),
        BrowseKey(id: "first", .bookmark, browse.firstChoice, browse.firstChoiceLine),
        BrowseKey(id: "forget", .cross, browse.forget, browse.forgetLine, isActive: false),
      ]))
  }

  static func forget(_ words: LocalizedWords) -> BrowsePage {
    let browse = words.browse
    return BrowsePage(
      .phone, heading: BrowsePage.Heading(browse.forget),
      .question(
        BrowseQuestion(
          browse.forgetQuestion("Bartholomew’s work phone"), browse.forgetDetail, no: browse.keep,
          yes: browse.forget)))
  }

  static func noPhone(_ words: LocalizedWords) -> BrowsePage {
    let browse = words.browse
    return BrowsePage(
      .phone,
      .message(
        BrowseMessage(
          .phone, browse.noPhoneYet, browse.noPhoneDetail,
          key: BrowseTile(id: "add", .plus, browse.addPhone))))
  }

  static func adding(_ words: LocalizedWords, isOpen: Bool = true) -> BrowsePage {
    var rows = [
      thing("Wheel remote", words.browse.remote, .remote),
      thing("Clicker 2", words.browse.pairs, .remote, .good),
      thing("Living room", words.browse.isNoRemote, .phone, .usual, .inert),
    ]
    if !isOpen { rows = [] }
    return BrowsePage(
      .phone, heading: BrowsePage.Heading(words.browse.addPhone),
      .adding(
        BrowseAdding(
          "Blue Harp", until: isOpen ? SampleScene.now.advanced(by: .seconds(112)) : nil,
          total: .seconds(120), rows: rows, again: "add")))
  }
}
