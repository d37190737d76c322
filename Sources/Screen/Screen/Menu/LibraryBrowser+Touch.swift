internal import LibraryModel
internal import ScreenLayout

// What a touch on a page of the library causes.
extension LibraryBrowser {
  /// Before the name of a list that was left, in the identity of its cover.
  static let leftPrefix = "left "

  /// Performs an action of the shown page. Actions that lead to other tabs are not for this type.
  mutating func perform(_ action: MenuAction, _ words: LocalizedWords) -> [LibraryOutcome] {
    switch action {
    case .choose(let id): return choose(id, words)
    case .play: return playCollection(.now)
    case .shuffle: return playCollection(.shuffled)
    case .turnPage(let direction): return turnPage(direction)
    case .showLetters: return showLetters()
    case .headerKey(.search): return openSearch()
    case .type(let key): return press(Character("\(key)"))
    case .space: return press("0")
    case .erase: return erase()
    case .headerKey(.add), .answer, .showNowPlaying, .showTab, .goUp, .select, .step, .rowKey:
      return []
    }
  }

  private mutating func choose(_ id: String, _ words: LocalizedWords) -> [LibraryOutcome] {
    guard let step = shown else { return chooseOnFirstPage(id, words) }
    switch step.content {
    case .unavailable: return []
    case .letters:
      return choose(letter: id, words)
    case .rows(let page):
      if id == LibraryNode.recentAlbums.text {
        return open(.recentAlbums, title: words.menu.recentlyAdded)
      }
      guard let row = page.rows.first(where: { $0.identifier == id }), let node = step.node
      else { return [] }
      // The songs below a folder play as the folder, so the folder is left in one place only.
      return choose(row, in: .node(node.row?.node ?? node))
    case .search(let search):
      guard let row = search.rows.first(where: { $0.identifier == id }) else { return [] }
      return choose(row, in: .keys(search.presses))
    }
  }

  static func title(of step: LibraryStep, _ words: LocalizedWords) -> String {
    if case .collection(let row) = step.place { return title(of: row, words) }
    return step.title
  }

  private mutating func chooseOnFirstPage(_ id: String, _ words: LocalizedWords)
    -> [LibraryOutcome]
  {
    if id.hasPrefix(Self.leftPrefix) {
      guard let list = TrackList(text: String(id.dropFirst(Self.leftPrefix.count))) else {
        return []
      }
      return [.play(list, nil, .resume), .leave]
    }
    guard let list = Self.lists(words).first(where: { $0.0.text == id }) else { return [] }
    return open(list.0, title: list.2)
  }

  private mutating func choose(_ row: LibraryRow, in list: TrackList) -> [LibraryOutcome] {
    if row.node != nil { return open(row) }
    guard row.isPlayable else { return [] }
    return [.play(list, RowReference(kind: row.kind, id: row.id), .now), .leave]
  }

  private func playCollection(_ mode: PlayMode) -> [LibraryOutcome] {
    guard case .collection(let row)? = shown?.place, let node = row.node, row.isPlayable else {
      return []
    }
    return [.play(.node(node), nil, mode), .leave]
  }
}
