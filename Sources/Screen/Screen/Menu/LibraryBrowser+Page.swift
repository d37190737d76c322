internal import LibraryModel
internal import NameKeys
internal import NowPlaying
internal import Reports
internal import ScreenLayout
internal import Text

// Creates the page from the answers that have arrived.
extension LibraryBrowser {
  /// The page that is shown.
  func page(_ words: LocalizedWords, _ language: LanguageTag, library: LibraryState?) -> MenuPage {
    guard let step = shown else { return home(words, library) }
    let heading: MenuPage.Heading
    let content: MenuPage.Content
    switch step.content {
    case .unavailable:
      heading = MenuPage.Heading(Self.title(of: step, words))
      content = .message(unavailable(words))
    case .search(let search):
      heading = MenuPage.Heading(words.menu.search)
      content = .search(self.search(search, words, language))
    case .letters(let groups):
      if case .collection(let row) = step.subject {
        heading = collectionHeading(row, words)
        content = .collection(
          MenuCollection(
            Self.picture(of: row), isPlayable: row.isPlayable, canGoOn: canGoOn(row),
            rows: divided(groups, words), paging: nil))
      } else {
        heading = lettersHeading(step, groups, words)
        content = .letters(letters(groups, step))
      }
    case .rows(let batch):
      (heading, content) =
        batch.rows.isEmpty && Self.canBeEmpty(step)
        ? empty(step, words, library) : rows(batch, step, words)
    }
    let key: MenuPage.HeaderKey? = if case .search = step.subject { nil } else { .search }
    return MenuPage(.library, heading: heading, key: key, content)
  }

  static func title(of step: LibraryStep, _ words: LocalizedWords) -> String {
    switch step.subject {
    case .search: words.menu.search
    case .collection(let row): title(of: row, words)
    case .list, .furtherLetters: step.title
    }
  }

  private func unavailable(_ words: LocalizedWords) -> MenuMessage {
    MenuMessage(.library, words.menu.unavailable, words.menu.unavailableDetail)
  }

  // MARK: The first page

  /// The lists that the tiles of the first page open, each with its icon and its title. The identity of a tile is the
  /// text of the list's ``LibraryNode``.
  static func lists(_ words: LocalizedWords) -> [(LibraryNode, Symbol, String)] {
    [
      (.artists, .person, words.menu.artists), (.albums, .disc, words.menu.albums),
      (.songs, .note, words.menu.songs), (.genres, .tag, words.menu.genres),
      (.volumes, .folder, words.menu.folders), (.playlists, .playlist, words.menu.playlists),
    ]
  }

  private func home(_ words: LocalizedWords, _ library: LibraryState?) -> MenuPage {
    var line: String?
    switch library?.condition {
    case nil: break
    case .unavailable?:
      return MenuPage(.library, .message(unavailable(words)))
    case .scanning(let read, let all)?:
      line = all > 0 ? "\(words.menu.reading) \(read) / \(all)" : words.menu.reading
    case .ready?:
      if library?.songs == 0, recent.isEmpty {
        return MenuPage(
          .library,
          .message(MenuMessage(.note, words.menu.noMusic, words.menu.noMusicDetail)))
      }
    }
    let tiles = Self.lists(words).map { node, symbol, title in
      MenuTile(id: node.text, symbol, title)
    }
    let covers = recent.prefix(capacity.recent).map { Self.cover(of: $0, words) }
    return MenuPage(
      .library, key: .search, .home(MenuHome(recent: covers, tiles: tiles, line: line)))
  }

  private static func cover(of recent: RecentReport, _ words: LocalizedWords) -> MenuCover {
    let node = LibraryNode(text: recent.list)
    var picture = MenuPicture(.note)
    switch node {
    case .album(let id)?:
      picture = MenuPicture(
        .disc, thumbnail: RowReference(kind: .album, id: id).identifier)
    case .artist?: picture = MenuPicture(.person, isRound: true)
    case .genre?: picture = MenuPicture(.tag)
    case .playlist?, .own?, .playlists?: picture = MenuPicture(.playlist)
    case .folder?, .songsBelow?, .volumes?: picture = MenuPicture(.folder)
    default: break
    }
    var title = recent.title
    if let own = ownTitle(of: node, words) { title = own }
    if title.isEmpty { title = lists(words).first { $0.0 == node }?.2 ?? words.menu.songs }
    var cover = MenuCover(id: leftPrefix + recent.list, title, picture)
    cover.heard = recent.heard
    if recent.isAbsent { cover.condition = .absent }
    return cover
  }

  // MARK: Letters

  private func lettersHeading(
    _ step: LibraryStep, _ groups: [LetterGroup], _ words: LocalizedWords
  ) -> MenuPage.Heading {
    let total = groups.reduce(0) { $0 + $1.count }
    let line = [step.heading, "\(total)"].compactMap(\.self).joined(separator: " · ")
    return MenuPage.Heading(step.title, line: line)
  }

  /// The cells of a page of letters. If at least half of the headings are Latin letters, the first page of letters
  /// shows all 26 letters. So each letter has the same position on the pages of all these lists.
  private func letters(_ groups: [LetterGroup], _ step: LibraryStep) -> [MenuLetter] {
    // A heading can consist of letters and a range of rows. Its cell shows only the range, because the title of the
    // page already contains the letters, and a cell has no room for both.
    var letters = groups.map {
      MenuLetter($0.heading, text: ListHeading($0.heading).range?.heading)
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
      letters = order.map { MenuLetter($0, isPresent: present.contains($0)) }
    }
    if case .furtherLetters = step.subject {
      return Array(letters.dropFirst(capacity.letters - 1).filter(\.isPresent))
    }
    if letters.count > capacity.letters {
      let further = letters.dropFirst(capacity.letters - 1)
      let first = further.first?.text ?? ""
      let last = further.last?.text ?? ""
      return letters.prefix(capacity.letters - 1) + [
        MenuLetter(
          Self.furtherLetters, text: "\(first)–\(last)",
          isPresent: further.contains(where: \.isPresent))
      ]
    }
    return letters
  }

  /// The rows of a collection (an album, an artist, a genre or a playlist) with more than 12 entries. If the headings
  /// are ranges such as `13–24`, each range is a row. Otherwise, one row opens the page of letters.
  private func divided(_ groups: [LetterGroup], _ words: LocalizedWords) -> [MenuRow] {
    let areRanges = groups.allSatisfy {
      $0.heading.first?.isNumber == true && $0.heading.contains("–")
    }
    guard areRanges else {
      let total = groups.reduce(0) { $0 + $1.count }
      var row = MenuRow(
        id: Self.allLetters, .picture(MenuPicture(.disc)), words.menu.allLetters,
        line: words.menu.albumCount(total))
      row.opensPage = true
      return [row]
    }
    return groups.map { group in
      var row = MenuRow(id: group.heading, .number(nil), group.heading)
      row.opensPage = true
      return row
    }
  }

  /// The identity of the row of a collection that opens the page of letters.
  static let allLetters = "…letters"

  // MARK: Pages of rows

  /// False for the list of playlists, which always has rows, and for an album, an artist or a genre, which is removed
  /// with its last song.
  private static func canBeEmpty(_ step: LibraryStep) -> Bool {
    if case .collection(let row) = step.subject { return row.kind == .playlist }
    return step.node != .playlists
  }

  /// The page of a list without rows says why the list is empty, or how it gets rows.
  private func empty(_ step: LibraryStep, _ words: LocalizedWords, _ library: LibraryState?)
    -> (MenuPage.Heading, MenuPage.Content)
  {
    let menu = words.menu
    var message = (menu.emptyList, menu.noMusicDetail)
    var symbol = Symbol.note
    switch step.node {
    case .favourites?: (symbol, message.1) = (.heart, menu.emptyFavourites)
    case .bookmarks?: (symbol, message.1) = (.bookmark, menu.emptyBookmarks)
    case .own?: (symbol, message.1) = (.playlist, menu.emptyOwnList)
    case .playlist?: (symbol, message.1) = (.playlist, menu.emptyPlaylist)
    case _ where library?.songs == 0: message.0 = menu.noMusic
    case .artists?: (symbol, message.1) = (.person, menu.emptyArtists)
    case .genres?: (symbol, message.1) = (.tag, menu.emptyGenres)
    case .folder?, .songsBelow?: (symbol, message.1) = (.folder, menu.emptyFolder)
    default: break
    }
    return (
      MenuPage.Heading(Self.title(of: step, words)),
      .message(MenuMessage(symbol, message.0, message.1))
    )
  }

  private func rows(_ batch: RowBatch, _ step: LibraryStep, _ words: LocalizedWords)
    -> (MenuPage.Heading, MenuPage.Content)
  {
    let isPaged = batch.next != nil || batch.previous != nil
    var paging: MenuPaging?
    if isPaged || step.heading != nil {
      paging = MenuPaging(
        canGoBack: batch.previous != nil, canGoForward: batch.next != nil,
        letter: step.heading.map { ListHeading($0).range?.heading ?? $0 })
    }
    if step.subject == .list(.playlists, heading: nil), batch.count > Self.undivided {
      paging?.letter = words.menu.allLetters
    }
    if case .collection(let row) = step.subject {
      let rows = batch.rows.map { Self.row($0, in: step, words) }
      return (
        collectionHeading(row, words),
        .collection(
          MenuCollection(
            Self.picture(of: row), isPlayable: row.isPlayable, canGoOn: canGoOn(row), rows: rows,
            paging: paging))
      )
    }
    var heading = MenuPage.Heading(step.title)
    let capacity = max(
      1,
      Self.isCovers(step.node) && self.capacity.covers > 0
        ? self.capacity.covers : self.capacity.rows)
    let pages = (batch.count + capacity - 1) / capacity
    let number = pages > 1 ? words.menu.page(min(batch.position / capacity + 1, pages), pages) : nil
    let line = [step.heading, number].compactMap(\.self)
    heading.line = line.isEmpty ? nil : line.joined(separator: " · ")
    if Self.isCovers(step.node), self.capacity.covers > 0 {
      return (heading, .covers(batch.rows.map { Self.cover(of: $0, words) }, paging))
    }
    var rows = batch.rows.map { Self.row($0, in: step, words) }
    if step.subject == .list(.playlists, heading: nil), batch.position == 0 {
      var newest = MenuRow(
        id: LibraryNode.recentAlbums.text, .picture(MenuPicture(.clock)),
        words.menu.recentlyAdded)
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
    -> MenuPage.Heading
  {
    let count: String? =
      switch row.kind {
      case .artist, .genre: row.count > 0 ? words.menu.albumCount(row.count) : nil
      case .album, .playlist: row.count > 0 ? words.menu.songCount(row.count) : nil
      case .song, .folder, .problem: nil
      }
    let line = [row.kind == .album ? Self.artist(of: row, words) : nil, count]
      .compactMap(\.self).joined(separator: " · ")
    return MenuPage.Heading(Self.title(of: row, words), line: line.isEmpty ? nil : line)
  }

  // MARK: Search

  private func search(
    _ search: LibrarySearch, _ words: LocalizedWords, _ language: LanguageTag
  ) -> MenuSearch {
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
      var row = MenuRow(
        id: "nothing", .picture(MenuPicture(.info)), words.menu.nothingFound)
      row.condition = .inert
      rows = [row]
    }
    let script = KeyPad.Script(
      language: String(language.description.prefix { $0 != "-" }))
    return MenuSearch(
      text: text + (search.presses.last == "0" ? " " : ""), keys: KeyPad.labels(script),
      canType: canType, rows: rows)
  }

  private static func resultLine(_ row: LibraryRow, _ words: LocalizedWords) -> String {
    let kind =
      switch row.kind {
      case .artist: words.menu.artist
      case .album: words.menu.album
      case .song, .problem: words.menu.song
      case .genre: words.menu.genre
      case .playlist: words.menu.playlist
      case .folder: words.menu.folder
      }
    let detail: String? =
      row.isAbsent ? words.menu.notPluggedIn : row.kind == .artist ? nil : row.artist
    return [kind, detail].compactMap(\.self).joined(separator: " · ")
  }

  // MARK: Rows and covers

  static func title(of row: LibraryRow, _ words: LocalizedWords) -> String {
    ownTitle(of: row.node, words) ?? row.title
  }

  /// The title of the favourites or the bookmarks, in the language of the screen. Nil for other lists.
  private static func ownTitle(of node: LibraryNode?, _ words: LocalizedWords) -> String? {
    switch node {
    case .favourites?: words.menu.favourites
    case .bookmarks?: words.menu.bookmarks
    default: nil
    }
  }

  private static func artist(of row: LibraryRow, _ words: LocalizedWords) -> String {
    row.isVarious ? words.menu.variousArtists : row.artist ?? words.menu.unknownArtist
  }

  private static func picture(of row: LibraryRow) -> MenuPicture {
    switch row.kind {
    case .artist: MenuPicture(.person, isRound: true)
    case .album: MenuPicture(.disc, thumbnail: row.artwork)
    case .song: MenuPicture(.note, thumbnail: row.artwork)
    case .genre: MenuPicture(.tag)
    case .playlist:
      MenuPicture(
        row.node == .favourites ? .heart : row.node == .bookmarks ? .bookmark : .playlist)
    case .folder: MenuPicture(.folder)
    case .problem: MenuPicture(.warning)
    }
  }

  /// - Parameter step: the page that shows the row. Nil if the row is the result of a search.
  private static func row(_ row: LibraryRow, in step: LibraryStep?, _ words: LocalizedWords)
    -> MenuRow
  {
    var lead = MenuRow.Lead.picture(picture(of: row))
    if row.kind == .song, isNumbered(step) { lead = .number(row.number > 0 ? row.number : nil) }
    var result = MenuRow(id: row.identifier, lead, title(of: row, words))
    result.line = line(of: row, in: step, words)
    if row.milliseconds > 0, row.kind == .song { result.duration = .milliseconds(row.milliseconds) }
    result.opensPage = row.kind == .folder
    if row.isCurrent { result.condition = .current }
    if row.isAbsent { result.condition = .absent }
    if row.kind == .problem { result.condition = .inert }
    return result
  }

  /// True for the songs of an album, which have numbers instead of pictures.
  private static func isNumbered(_ step: LibraryStep?) -> Bool {
    switch step?.subject {
    case .collection(let row)?: row.kind == .album
    case .list(.album, _)?: true
    case .list?, .furtherLetters?, .search?, nil: false
    }
  }

  private static func line(of row: LibraryRow, in step: LibraryStep?, _ words: LocalizedWords)
    -> String?
  {
    if row.isAbsent { return words.menu.notPluggedIn }
    switch row.kind {
    case .artist, .genre: return row.count > 0 ? words.menu.albumCount(row.count) : nil
    case .album:
      let songs = row.count > 0 ? words.menu.songCount(row.count) : nil
      guard case .artist? = step?.node else { return artist(of: row, words) }
      let year = row.year > 0 ? "\(row.year)" : nil
      return [year, songs].compactMap(\.self).joined(separator: " · ")
    case .song:
      if isNumbered(step) { return nil }
      let position = row.bookmark.map { TimeText.clock(Double($0) / 1000) }
      let line = [position, row.artist ?? row.detail].compactMap(\.self)
      return line.isEmpty ? nil : line.joined(separator: " · ")
    case .playlist: return words.menu.songCount(row.count)
    case .folder: return row.count > 0 ? words.menu.songCount(row.count) : nil
    case .problem: return row.detail
    }
  }

  private static func cover(of row: LibraryRow, _ words: LocalizedWords) -> MenuCover {
    var cover = MenuCover(id: row.identifier, title(of: row, words), picture(of: row))
    if row.isCurrent { cover.condition = .current }
    if row.isAbsent { cover.condition = .absent }
    return cover
  }

  /// The row of the shown page whose thumbnail has this identity. Nil if no row has this thumbnail.
  func row(ofThumbnail id: String) -> RowReference? {
    let rows: [LibraryRow]
    switch shown?.content {
    case .rows(let page)?: rows = page.rows
    case .search(let search)?: rows = search.rows
    case .letters?, .unavailable?: rows = []
    // On the first page, the identity of a thumbnail is also the identity of the row.
    case nil: return RowReference(identifier: id)
    }
    var all = rows
    if case .collection(let row)? = shown?.subject { all.append(row) }
    return all.first { $0.artwork == id }.map { RowReference(kind: $0.kind, id: $0.id) }
  }
}
