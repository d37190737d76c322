internal import LibraryModel
internal import ScreenLayout

// What a touch on a page of the library causes.
extension LibraryBrowser {
  /// Before the name of a list that was left, in the identity of its cover.
  static let leftPrefix = "left "

  /// Performs an action of the shown page. Actions that lead to other tabs are not for this type.
  mutating func perform(_ action: MenuAction, _ words: LocalizedWords) -> MenuPages.Outcome {
    switch action {
    case .choose(let id): choose(id, words)
    case .play: playCollection(.now)
    case .shuffle: playCollection(.shuffled)
    case .turnPage(let direction): .stay(turnPage(direction))
    case .showLetters: .stay(showLetters())
    case .headerKey(.search): .stay(openSearch())
    case .type(let key): .stay(press(Character("\(key)")))
    case .space: .stay(press("0"))
    case .erase: .stay(erase())
    case .headerKey(.add), .answer, .showNowPlaying, .showTab, .goUp, .select, .step, .rowKey:
      .stay()
    }
  }

  private mutating func choose(_ id: String, _ words: LocalizedWords) -> MenuPages.Outcome {
    guard let step = shown else { return chooseOnFirstPage(id, words) }
    switch step.content {
    case .unavailable: return .stay()
    case .letters:
      return .stay(choose(letter: id, words))
    case .rows(let page):
      if id == LibraryNode.recentAlbums.text {
        return .stay(open(.recentAlbums, title: words.menu.recentlyAdded))
      }
      guard let row = page.rows.first(where: { $0.identifier == id }), let node = step.node
      else { return .stay() }
      // The songs below a folder play as the folder, so the folder is left in one place only.
      return choose(row, in: .node(node.row?.node ?? node))
    case .search(let search):
      guard let row = search.rows.first(where: { $0.identifier == id }) else { return .stay() }
      return choose(row, in: .keys(search.presses))
    }
  }

  static func title(of step: LibraryStep, _ words: LocalizedWords) -> String {
    if case .collection(let row) = step.place { return title(of: row, words) }
    return step.title
  }

  private mutating func chooseOnFirstPage(_ id: String, _ words: LocalizedWords)
    -> MenuPages.Outcome
  {
    if id.hasPrefix(Self.leftPrefix) {
      guard let list = TrackList(text: String(id.dropFirst(Self.leftPrefix.count))) else {
        return .stay()
      }
      return .leave([.playList(list, nil, .resume)])
    }
    guard let list = Self.lists(words).first(where: { $0.0.text == id }) else { return .stay() }
    return .stay(open(list.0, title: list.2))
  }

  private mutating func choose(_ row: LibraryRow, in list: TrackList) -> MenuPages.Outcome {
    if row.node != nil { return .stay(open(row)) }
    guard row.isPlayable else { return .stay() }
    return .leave([.playList(list, RowReference(kind: row.kind, id: row.id), .now)])
  }

  private func playCollection(_ mode: PlayMode) -> MenuPages.Outcome {
    guard case .collection(let row)? = shown?.place, let node = row.node, row.isPlayable else {
      return .stay()
    }
    return .leave([.playList(.node(node), nil, mode)])
  }
}
