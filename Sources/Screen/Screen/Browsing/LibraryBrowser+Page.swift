internal import LibraryModel
internal import NameKeys
internal import NowPlaying
internal import Reports
internal import ScreenLayout

// What is known, as a page.
extension LibraryBrowser {
  /// The page that is shown.
  func page(_ words: LocalizedWords, _ language: LanguageTag, library: LibraryState?) -> BrowsePage
  {
    guard let step = shown else { return home(words, library) }
    let heading: BrowsePage.Heading
    let content: BrowsePage.Content
    switch step.content {
    case .unavailable:
      heading = BrowsePage.Heading(title(of: step, words))
      content = .message(unavailable(words))
    case .search(let search):
      heading = BrowsePage.Heading(words.browse.search)
      content = .search(self.search(search, words, language))
    case .letters(let groups):
      if case .collection(let row) = step.place {
        heading = collectionHeading(row, words)
        content = .collection(
          BrowseCollection(
            Self.picture(of: row), isPlayable: row.isPlayable,
            rows: divided(groups, words), paging: nil))
      } else {
        heading = lettersHeading(step, groups, words)
        content = .letters(letters(groups, step))
      }
    case .rows(let page):
      (heading, content) = rows(page, step, words)
    }
    let key: BrowsePage.HeaderKey? = if case .search = step.place { nil } else { .search }
    return BrowsePage(.library, heading: heading, key: key, content)
  }

  private func title(of step: LibraryStep, _ words: LocalizedWords) -> String {
    switch step.place {
    case .search: words.browse.search
    case .collection(let row): Self.title(of: row, words)
    case .list, .furtherLetters: step.title
    }
  }

  private func unavailable(_ words: LocalizedWords) -> BrowseMessage {
    BrowseMessage(.library, words.browse.unavailable, words.browse.unavailableDetail)
  }

  // MARK: The first page

  /// The lists of the first page: the identity of the tile, the list, the icon and the title.
  static func lists(_ words: LocalizedWords) -> [(LibraryNode, Symbol, String)] {
    [
      (.artists, .person, words.browse.artists), (.albums, .disc, words.browse.albums),
      (.songs, .note, words.browse.songs), (.genres, .tag, words.browse.genres),
      (.volumes, .folder, words.browse.folders), (.playlists, .playlist, words.browse.playlists),
    ]
  }

  private func home(_ words: LocalizedWords, _ library: LibraryState?) -> BrowsePage {
    var line: String?
    switch library?.condition {
    case nil: break
    case .unavailable?:
      return BrowsePage(.library, .message(unavailable(words)))
    case .scanning(let read, let all)?:
      line = all > 0 ? "\(words.browse.reading) \(read) / \(all)" : words.browse.reading
    case .ready?:
      if library?.songs == 0, recent.isEmpty {
        return BrowsePage(
          .library,
          .message(BrowseMessage(.note, words.browse.noMusic, words.browse.noMusicDetail)))
      }
    }
    let tiles = Self.lists(words).map { node, symbol, title in
      BrowseTile(id: node.text, symbol, title)
    }
    let covers = recent.prefix(capacity.recent).map { Self.cover(of: $0, words) }
    return BrowsePage(
      .library, key: .search, .home(BrowseHome(recent: covers, tiles: tiles, line: line)))
  }

  private static func cover(of recent: RecentReport, _ words: LocalizedWords) -> BrowseCover {
    let node = LibraryNode(text: recent.list)
    var picture = BrowsePicture(.note)
    switch node {
    case .album(let id)?:
      picture = BrowsePicture(
        .disc, thumbnail: RowReference(kind: .album, id: id).identifier)
    case .artist?: picture = BrowsePicture(.person, isRound: true)
    case .genre?: picture = BrowsePicture(.tag)
    case .playlist?, .own?, .playlists?: picture = BrowsePicture(.playlist)
    case .folder?, .songsBelow?, .volumes?: picture = BrowsePicture(.folder)
    default: break
    }
    var title = recent.title
    if let own = ownTitle(of: node, words) { title = own }
    if title.isEmpty { title = lists(words).first { $0.0 == node }?.2 ?? words.browse.songs }
    var cover = BrowseCover(id: leftPrefix + recent.list, title, picture)
    cover.heard = recent.heard
    if recent.isAbsent { cover.condition = .absent }
    return cover
  }

  // MARK: Letters

  private func lettersHeading(
    _ step: LibraryStep, _ groups: [LetterGroup], _ words: LocalizedWords
  ) -> BrowsePage.Heading {
    let total = groups.reduce(0) { $0 + $1.count }
    let line = [step.heading, "\(total)"].compactMap(\.self).joined(separator: " · ")
    return BrowsePage.Heading(step.title, line: line)
  }

  /// The cells of a page of letters. The first page of a list in Latin letters has all 26 letters, so that
  /// each letter has the same place in all lists.
  private func letters(_ groups: [LetterGroup], _ step: LibraryStep) -> [BrowseLetter] {
    // The letters of a range are in the heading of the page, and a key has no room for them.
    var letters = groups.map {
      BrowseLetter($0.heading, text: ListHeading($0.heading).range?.heading)
    }
    let latin = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init))
    let isFirst = step.heading == nil
    if isFirst, groups.filter({ latin.contains($0.heading) }).count * 2 >= groups.count,
      groups.contains(where: { latin.contains($0.heading) })
    {
      let present = Set(groups.map(\.heading))
      let others = groups.map(\.heading).filter { !latin.contains($0) }
      let before = others.filter { $0 < "A" && $0 != "#" }
      let after = others.filter { !before.contains($0) && $0 != "#" }
      let order = before + latin.sorted() + ["#"] + after
      letters = order.map { BrowseLetter($0, isPresent: present.contains($0)) }
    }
    if case .furtherLetters = step.place {
      return Array(letters.dropFirst(capacity.letters - 1).filter(\.isPresent))
    }
    if letters.count > capacity.letters {
      let further = letters.dropFirst(capacity.letters - 1)
      let first = further.first?.text ?? ""
      let last = further.last?.text ?? ""
      return letters.prefix(capacity.letters - 1) + [
        BrowseLetter(
          Self.furtherLetters, text: "\(first)–\(last)",
          isPresent: further.contains(where: \.isPresent))
      ]
    }
    return letters
  }

  /// The rows of a collection with more than 12 entries: its ranges, or one row that opens its letters.
  private func divided(_ groups: [LetterGroup], _ words: LocalizedWords) -> [BrowseRow] {
    let areRanges = groups.allSatisfy {
      $0.heading.first?.isNumber == true && $0.heading.contains("–")
    }
    guard areRanges else {
      let total = groups.reduce(0) { $0 + $1.count }
      var row = BrowseRow(
        id: Self.allLetters, .picture(BrowsePicture(.disc)), words.browse.allLetters,
        line: words.browse.albumCount(total))
      row.opensPage = true
      return [row]
    }
    return groups.map { group in
      var row = BrowseRow(id: group.heading, .number(nil), group.heading)
      row.opensPage = true
      return row
    }
  }

  /// The identity of the row that opens the letters of a collection.
  static let allLetters = "…letters"

  // MARK: Rows

  private func rows(_ page: LibraryPage, _ step: LibraryStep, _ words: LocalizedWords)
    -> (BrowsePage.Heading, BrowsePage.Content)
  {
    let isPaged = page.next != nil || page.previous != nil
    var paging: BrowsePaging?
    if isPaged || step.heading != nil {
      paging = BrowsePaging(
        canGoBack: page.previous != nil, canGoForward: page.next != nil,
        letter: step.heading.map { ListHeading($0).range?.heading ?? $0 })
    }
    if step.place == .list(.playlists, heading: nil), page.count > Self.undivided {
      paging?.letter = words.browse.allLetters
    }
    if case .collection(let row) = step.place {
      let rows = page.rows.map { Self.row($0, in: step, words) }
      return (
        collectionHeading(row, words),
        .collection(
          BrowseCollection(
            Self.picture(of: row), isPlayable: row.isPlayable, rows: rows, paging: paging))
      )
    }
    var heading = BrowsePage.Heading(step.title)
    let capacity = max(
      1,
      Self.isCovers(step.node) && self.capacity.covers > 0
        ? self.capacity.covers : self.capacity.rows)
    let pages = (page.count + capacity - 1) / capacity
    let place = pages > 1 ? words.browse.page(min(page.position / capacity + 1, pages), pages) : nil
    let line = [step.heading, place].compactMap(\.self)
    heading.line = line.isEmpty ? nil : line.joined(separator: " · ")
    if page.rows.isEmpty, step.node != .playlists {
      return (
        heading,
        .message(
          BrowseMessage(.note, words.browse.emptyList, words.browse.emptyListDetail))
      )
    }
    if Self.isCovers(step.node), self.capacity.covers > 0 {
      return (heading, .covers(page.rows.map { Self.cover(of: $0, words) }, paging))
    }
    var rows = page.rows.map { Self.row($0, in: step, words) }
    if step.place == .list(.playlists, heading: nil), page.position == 0 {
      var newest = BrowseRow(
        id: LibraryNode.recentAlbums.text, .picture(BrowsePicture(.clock)),
        words.browse.recentlyAdded)
      newest.opensPage = true
      rows.insert(newest, at: min(1, rows.count))
    }
    return (heading, .rows(rows, paging))
  }

  /// True for the lists of albums, which are shown as covers.
  private static func isCovers(_ node: LibraryNode?) -> Bool {
    node == .albums || node == .recentAlbums
  }

  private func collectionHeading(_ row: LibraryRow, _ words: LocalizedWords)
    -> BrowsePage.Heading
  {
    let count: String? =
      switch row.kind {
      case .artist, .genre: row.count > 0 ? words.browse.albumCount(row.count) : nil
      case .album, .playlist: row.count > 0 ? words.browse.songCount(row.count) : nil
      case .song, .folder, .problem: nil
      }
    let line = [row.kind == .album ? Self.artist(of: row, words) : nil, count]
      .compactMap(\.self).joined(separator: " · ")
    return BrowsePage.Heading(Self.title(of: row, words), line: line.isEmpty ? nil : line)
  }

  // MARK: Search

  private func search(
    _ search: LibrarySearch, _ words: LocalizedWords, _ language: LanguageTag
  ) -> BrowseSearch {
    let results = search.results(capacity.results)
    let text =
      search.rows.lazy.compactMap { KeyPad.text(of: search.presses, in: $0.title) }.first
      ?? search.presses.split(separator: "0").joined(separator: " ")
    var rows = results.map { row in
      var shown = Self.row(row, in: nil, words)
      shown.line = Self.resultLine(row, words)
      return shown
    }
    let canType = search.presses.count < searchLimit
    if isParked != true, !canType, search.rows.count > rows.count, !rows.isEmpty {
      rows[rows.count - 1] = RowWindow.moreWhenParked(words, isKnown: isParked != nil)
    }
    if rows.isEmpty, search.isAnswered {
      var row = BrowseRow(
        id: "nothing", .picture(BrowsePicture(.info)), words.browse.nothingFound)
      row.condition = .inert
      rows = [row]
    }
    let script = KeyPad.Script(
      language: String(language.description.prefix { $0 != "-" }))
    return BrowseSearch(
      text: text + (search.presses.last == "0" ? " " : ""), keys: KeyPad.labels(script),
      canType: canType, rows: rows)
  }

  private static func resultLine(_ row: LibraryRow, _ words: LocalizedWords) -> String {
    let kind =
      switch row.kind {
      case .artist: words.browse.artist
      case .album: words.browse.album
      case .song, .problem: words.browse.song
      case .genre: words.browse.genre
      case .playlist: words.browse.playlist
      case .folder: words.browse.folder
      }
    let detail: String? =
      row.isAbsent ? words.browse.notPluggedIn : row.kind == .artist ? nil : row.artist
    return [kind, detail].compactMap(\.self).joined(separator: " · ")
  }
}
