internal import NowPlaying
internal import ScreenLayout

/// Invented pages of the menu.
enum SamplePages {
  private static func art(_ cover: SampleCover, _ symbol: Symbol = .disc, isRound: Bool = false)
    -> MenuPicture
  {
    MenuPicture(symbol, thumbnail: cover.rawValue, isRound: isRound)
  }

  private static func cover(
    _ title: String, _ cover: SampleCover?, _ condition: MenuCondition = .usual,
    heard: Double? = nil
  ) -> MenuCover {
    var result = MenuCover(
      id: title, title, cover.map { art($0) } ?? MenuPicture(.disc))
    result.condition = condition
    result.heard = heard
    return result
  }

  private static func row(
    _ title: String, _ line: String?, _ lead: MenuRow.Lead,
    _ condition: MenuCondition = .usual
  ) -> MenuRow {
    var result = MenuRow(id: title, lead, title, line: line)
    result.condition = condition
    return result
  }

  private static func page(
    _ title: String?, line: String? = nil, key: MenuPage.HeaderKey? = .search,
    _ content: MenuPage.Content
  ) -> MenuPage {
    MenuPage(
      .library, heading: title.map { MenuPage.Heading($0, line: line) }, key: key, content)
  }

  // MARK: The library

  static func home(_ words: LocalizedWords) -> MenuPage {
    page(
      nil,
      .home(
        MenuHome(
          recent: [
            cover("Tessellations", .tiles, heard: 0.62),
            cover("Sunday Radius", .arcs, heard: 0.2), cover("Understory", .fern, .absent),
            cover("Carrier", .rings, heard: 0.85), cover("Plateau", .tide, heard: 0.3),
          ], tiles: tiles(words))))
  }

  static func scanningHome(_ words: LocalizedWords) -> MenuPage {
    page(
      nil,
      .home(
        MenuHome(
          recent: [], tiles: tiles(words), line: "\(words.menu.reading) 312 / 1840")))
  }

  private static func tiles(_ words: LocalizedWords) -> [MenuTile] {
    let menu = words.menu
    return [
      MenuTile(id: "artists", .person, menu.artists),
      MenuTile(id: "albums", .disc, menu.albums),
      MenuTile(id: "songs", .note, menu.songs),
      MenuTile(id: "genres", .tag, menu.genres),
      MenuTile(id: "folders", .folder, menu.folders),
      MenuTile(id: "playlists", .playlist, menu.playlists),
    ]
  }

  static let letters: MenuPage = {
    let present = Set("ABCDEFGHIKLMNOPRSTUVW#")
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ#".map {
      MenuLetter(String($0), isPresent: present.contains($0))
    }
    return page("Artists", line: "418", .letters(letters))
  }()

  static let secondLetters: MenuPage = page(
    "Songs", line: "S · 612",
    .letters(
      ["Sa", "Sc", "Se", "Sh", "Si", "Sk", "Sl", "Sm", "Sn", "So", "Sp", "St", "Su", "Sw", "Sy"]
        .map { MenuLetter($0) }))

  static let artists: MenuPage = {
    let artists: [(String, String)] = [
      ("Kestrel & Vane", "3 albums"), ("Kilo Harbour", "1 album"),
      ("Lene Aasgaard Trio", "5 albums"), ("Low Meridian", "2 albums"), ("Lumen Post", "1 album"),
      ("Lysander Okoro & the Ninth Street Brass Ensemble of Old Harbour", "4 albums"),
    ]
    let rows = artists.map { title, line in
      row(
        title, line, .picture(MenuPicture(.person, isRound: true)),
        title == "Low Meridian" ? .current : .usual)
    }
    return page(
      "Artists", line: "L · page 2 of 3",
      .rows(rows, MenuPaging(canGoBack: true, canGoForward: true, letter: "L")))
  }()

  static let songs: MenuPage = {
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
      .rows(rows, MenuPaging(canGoBack: false, canGoForward: true, letter: "T")))
  }()

  static let albums: MenuPage = page(
    "Albums", line: "S · page 1 of 2",
    .covers(
      [
        cover("Saltlight", .dusk, .current), cover("Second Courtyard", .tiles),
        cover("Signal Flags", .arcs), cover("Sleepers, and Other Trains at Night", nil, .absent),
        cover("Small Machines", nil), cover("Sunday Radius", .rings),
      ], MenuPaging(canGoBack: true, canGoForward: true, letter: "S")))

  static let album: MenuPage = {
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
        MenuCollection(
          art(.dusk), rows: rows, paging: MenuPaging(canGoBack: false, canGoForward: true))))
  }()

  static let artist: MenuPage = page(
    "Lene Aasgaard Trio", line: "5 albums",
    .collection(
      MenuCollection(
        MenuPicture(.person, isRound: true),
        rows: [
          row("Ferns in January", "2024 · 9 songs", .picture(art(.fern))),
          row("Plateau", "2021 · 8 songs", .picture(art(.tide)), .current),
          row("Harmonium", "2018 · 11 songs", .picture(art(.arcs))),
          row(
            "Live at the Boathouse, First Night", "Not plugged in", .picture(art(.rings)), .absent),
        ], paging: MenuPaging(canGoBack: false, canGoForward: true))))

  static let folders: MenuPage = {
    var folder = row("Summer, south coast", "38 songs", .picture(MenuPicture(.folder)))
    folder.opensPage = true
    var file = row("01 harbour fog.flac", nil, .picture(MenuPicture(.note)))
    file.duration = .seconds(302)
    return page(
      "Mixtapes", line: "12 folders and files",
      .rows(
        [
          folder, file,
          row("02 unknown.wma", "WMA", .picture(MenuPicture(.warning)), .inert),
          row(
            "More when parked", "12 of 94 are shown while driving", .picture(MenuPicture(.info)),
            .inert),
        ], MenuPaging(canGoBack: true, canGoForward: false)))
  }()

  // MARK: Search

  private static let keys = ["#", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"]

  static let search: MenuPage = page(
    "Search", key: nil, .search(MenuSearch(text: "", keys: keys, canType: true, rows: [])))

  static let results: MenuPage = page(
    "Search", key: nil,
    .search(
      MenuSearch(
        text: "low mo", keys: keys, canType: false,
        rows: [
          row("Low Motors", "Artist · 1 album", .picture(MenuPicture(.person, isRound: true))),
          row("Low Moon over Lindy", "Song · Kilo Harbour", .picture(art(.rings, .note))),
          row("More when parked", nil, .picture(MenuPicture(.info)), .inert),
        ])))

  static func unavailable(_ words: LocalizedWords) -> MenuPage {
    page(
      words.menu.artists, key: nil,
      .message(
        MenuMessage(
          .library, words.menu.unavailable, words.menu.unavailableDetail,
          key: MenuTile(id: "again", .repeatAll, words.menu.search))))
  }

  // MARK: Sources and phones

  private static func things(_ tab: MenuPage.Tab, _ rows: [MenuRow], key: MenuPage.HeaderKey?)
    -> MenuPage
  {
    MenuPage(tab, key: key, .rows(rows, nil))
  }

  private static func thing(
    _ title: String, _ line: String, _ symbol: Symbol, _ tone: MenuRow.Tone = .usual,
    _ condition: MenuCondition = .usual, progress: Double? = nil
  ) -> MenuRow {
    var row = row(title, line, .picture(MenuPicture(symbol)), condition)
    row.tone = tone
    row.progress = progress
    return row
  }

  private static func source(
    _ title: String, _ line: String, _ symbol: Symbol, _ tone: MenuRow.Tone = .usual,
    _ condition: MenuCondition = .usual, progress: Double? = nil
  ) -> MenuRow {
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

  static let phones: MenuPage = {
    var rows = [
      thing("Ana’s Pixel 8", "Plays · Fathom", .phone, .good, .current),
      thing("Bartholomew’s work phone", "Connected", .phone),
      thing("Wheel remote", "Not connected · Remote", .remote),
    ]
    for index in rows.indices { rows[index].opensPage = true }
    return things(.phone, rows, key: .add)
  }()

  static func phone(_ words: LocalizedWords) -> MenuPage {
    let menu = words.menu
    return MenuPage(
      .phone, heading: MenuPage.Heading("Ana’s Pixel 8", line: "Plays · Fathom"),
      .keys([
        MenuKey(id: "play", .play, menu.play, menu.playLine, isPrimary: true),
        MenuKey(id: "disconnect", .bluetoothOff, menu.disconnect, menu.disconnectLine),
        MenuKey(id: "first", .bookmark, menu.firstChoice, menu.firstChoiceLine),
        MenuKey(id: "forget", .cross, menu.forget, menu.forgetLine, isActive: false),
      ]))
  }

  static func forget(_ words: LocalizedWords) -> MenuPage {
    let menu = words.menu
    return MenuPage(
      .phone, heading: MenuPage.Heading(menu.forget),
      .question(
        MenuQuestion(
          menu.forgetQuestion("Bartholomew’s work phone"), menu.forgetDetail, no: menu.keep,
          yes: menu.forget)))
  }

  static func noPhone(_ words: LocalizedWords) -> MenuPage {
    let menu = words.menu
    return MenuPage(
      .phone,
      .message(
        MenuMessage(
          .phone, menu.noPhoneYet, menu.noPhoneDetail,
          key: MenuTile(id: "add", .plus, menu.addPhone))))
  }

  static func adding(_ words: LocalizedWords, isOpen: Bool = true) -> MenuPage {
    var rows = [
      thing("Wheel remote", words.menu.remote, .remote),
      thing("Clicker 2", words.menu.pairs, .remote, .good),
      thing("Living room", words.menu.isNoRemote, .phone, .usual, .inert),
    ]
    if !isOpen { rows = [] }
    return MenuPage(
      .phone, heading: MenuPage.Heading(words.menu.addPhone),
      .adding(
        MenuAdding(
          "Blue Harp", until: isOpen ? SampleScene.now.advanced(by: .seconds(112)) : nil,
          total: .seconds(120), rows: rows, again: "add")))
  }
}
