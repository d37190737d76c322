public import NowPlaying
internal import ScreenLayout

/// Translates the invented texts of the sample pages into the language and script of `words`.
struct SampleTranslation {
  private let words: LocalizedWords
  private let texts: [String: String]
  private let letters: [String]

  init(_ language: LanguageTag) {
    words = LocalizedWords(language)
    let code = String(language.description.prefix { $0 != "-" })
    var texts = SampleTitles.all[code] ?? [:]
    // The pages of the samples also contain words of the screen, so these words are translated too.
    for (own, other) in zip(Self.texts(LocalizedWords("en")), Self.texts(words)) {
      texts[own.text] = other.text
    }
    self.texts = texts
    letters = (SampleTitles.letters[code] ?? "").map(String.init)
  }

  private static func texts(_ words: LocalizedWords) -> [(label: String, text: String)] {
    [Mirror(reflecting: words.menu), Mirror(reflecting: words.settings)].flatMap { mirror in
      mirror.children.compactMap { child in
        (child.value as? String).map { (child.label ?? "", $0) }
      }
    }
  }

  /// Translates a text that consists of parts, such as `Low Meridian · 9 songs`.
  private func text(_ text: String) -> String {
    text.split(separator: " · ").map { part(String($0)) }.joined(separator: " · ")
  }

  private func part(_ text: String) -> String {
    if let known = texts[text] { return known }
    let pieces = text.split(separator: " ")
    guard pieces.count == 2, let count = Int(pieces[0]) else { return text }
    switch pieces[1] {
    case "song", "songs": return words.menu.songCount(count)
    case "album", "albums": return words.menu.albumCount(count)
    default: return text
    }
  }

  // MARK: Pages

  func page(_ page: MenuPage) -> MenuPage {
    var page = page
    page.heading = page.heading.map {
      MenuPage.Heading(text($0.title), line: $0.line.map(text))
    }
    page.content = content(page.content)
    return page
  }

  func list(_ list: MenuList) -> MenuList {
    var list = list
    list.title = text(list.title)
    list.line = list.line.map(text)
    if case .rows(let rows, let paging) = list.content {
      list.content = .rows(rows.map(row), paging)
    }
    return list
  }

  private func content(_ content: MenuPage.Content) -> MenuPage.Content {
    switch content {
    case .home(var home):
      home.recent = home.recent.map(cover)
      home.tiles = home.tiles.map(tile)
      home.line = home.line.map(text)
      return .home(home)
    case .letters(let all): return .letters(translated(all))
    case .rows(let rows, let paging): return .rows(rows.map(row), translated(paging))
    case .covers(let covers, let paging): return .covers(covers.map(cover), translated(paging))
    case .collection(var collection):
      collection.rows = collection.rows.map(row)
      return .collection(collection)
    case .search(var search):
      search.rows = search.rows.map(row)
      return .search(search)
    case .message(let message):
      return .message(
        MenuMessage(
          message.symbol, text(message.title), text(message.detail), key: message.key.map(tile)))
    case .keys(let keys):
      return .keys(
        keys.map { key in
          var key = key
          (key.title, key.line) = (text(key.title), text(key.line))
          return key
        })
    case .question(let question):
      return .question(
        MenuQuestion(
          text(question.text), text(question.detail), no: text(question.no),
          yes: text(question.yes)))
    case .form(let form):
      return .form(MenuForm(form.controls.map(control), page: form.page))
    case .code(let code):
      return .code(
        MenuCode(code.text, title: text(code.title), detail: text(code.detail), line: code.line))
    case .adding(var adding):
      adding.rows = adding.rows.map(row)
      return .adding(adding)
    }
  }

  private func control(_ control: MenuControl) -> MenuControl {
    var control = control
    control.title = text(control.title)
    control.note = control.note.map(text)
    switch control.kind {
    case .choice(let options, let selected):
      control.kind = .choice(
        options.map { MenuControl.Option($0.id, text($0.text)) }, selected: selected)
    case .row(let row): control.kind = .row(self.row(row))
    case .key(let tile, let isPrimary): control.kind = .key(self.tile(tile), isPrimary: isPrimary)
    case .steps, .bar, .text, .space: break
    }
    return control
  }

  private func translated(_ all: [MenuLetter]) -> [MenuLetter] {
    guard !letters.isEmpty, all.allSatisfy({ $0.text.first?.isLetter == true || $0.text == "#" })
    else { return all }
    return all.enumerated().map { index, letter in
      var letter = letter
      let first = letters[index % letters.count]
      letter.text = letter.text.count == 1 ? first : first + letters[(index + 7) % letters.count]
      return letter
    }
  }

  private func translated(_ paging: MenuPaging?) -> MenuPaging? {
    var paging = paging
    if let letter = letters.dropFirst(11).first, paging?.letter?.first?.isLetter == true {
      paging?.letter = letter
    }
    return paging
  }

  private func row(_ row: MenuRow) -> MenuRow {
    var row = row
    row.title = text(row.title)
    row.line = row.line.map(text)
    return row
  }

  private func cover(_ cover: MenuCover) -> MenuCover {
    var cover = cover
    cover.title = text(cover.title)
    return cover
  }

  private func tile(_ tile: MenuTile) -> MenuTile {
    MenuTile(id: tile.id, tile.symbol, text(tile.title))
  }
}

extension SampleScene {
  /// Returns the sample with the texts of its page in another language.
  public func translated(to language: LanguageTag) -> SampleScene {
    var sample = self
    sample.context.language = language
    let translation = SampleTranslation(language)
    switch context.page {
    case .menu(let page): sample.context.page = .menu(translation.page(page))
    case .list(let list): sample.context.page = .list(translation.list(list))
    case .nowPlaying, .buttons: break
    }
    return sample
  }
}
