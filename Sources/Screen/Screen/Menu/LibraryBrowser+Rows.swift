internal import LibraryModel
internal import ScreenLayout
internal import Text

// Rows of the library, as rows and covers of a page.
extension LibraryBrowser {
  static func title(of row: LibraryRow, _ words: LocalizedWords) -> String {
    ownTitle(of: row.node, words) ?? row.title
  }

  /// The title of a list of the unit in the language of the screen. Nil for a list with a name of its own.
  static func ownTitle(of node: LibraryNode?, _ words: LocalizedWords) -> String? {
    switch node {
    case .favourites?: words.menu.favourites
    case .bookmarks?: words.menu.bookmarks
    default: nil
    }
  }

  static func artist(of row: LibraryRow, _ words: LocalizedWords) -> String {
    row.isVarious ? words.menu.variousArtists : row.artist ?? words.menu.unknownArtist
  }

  static func picture(of row: LibraryRow) -> MenuPicture {
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

  /// - Parameter step: the page that shows the row; nil for a result of a search.
  static func row(_ row: LibraryRow, in step: LibraryStep?, _ words: LocalizedWords) -> MenuRow {
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
    switch step?.place {
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
      let place = row.bookmark.map { TimeText.clock(Double($0) / 1000) }
      let line = [place, row.artist ?? row.detail].compactMap(\.self)
      return line.isEmpty ? nil : line.joined(separator: " · ")
    case .playlist: return words.menu.songCount(row.count)
    case .folder: return row.count > 0 ? words.menu.songCount(row.count) : nil
    case .problem: return row.detail
    }
  }

  static func cover(of row: LibraryRow, _ words: LocalizedWords) -> MenuCover {
    var cover = MenuCover(id: row.identifier, title(of: row, words), picture(of: row))
    if row.isCurrent { cover.condition = .current }
    if row.isAbsent { cover.condition = .absent }
    return cover
  }
}

extension LibraryBrowser {
  /// The row whose thumbnail has this identity, on the shown page; nil if there is none.
  func row(ofThumbnail id: String) -> RowReference? {
    let rows: [LibraryRow]
    switch shown?.content {
    case .rows(let page)?: rows = page.rows
    case .search(let search)?: rows = search.rows
    case .letters?, .unavailable?: rows = []
    // The thumbnail of a list that was left has the identity of its row.
    case nil: return RowReference(identifier: id)
    }
    var all = rows
    if case .collection(let row)? = shown?.place { all.append(row) }
    return all.first { $0.artwork == id }.map { RowReference(kind: $0.kind, id: $0.id) }
  }
}
