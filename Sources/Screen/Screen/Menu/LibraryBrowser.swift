internal import LibraryModel
internal import Reports
package import ScreenLayout

/// The navigation on the pages of the library, as a value: the pages that were opened, and the last answers for these
/// pages. The answers can be out of date, so a page asks again when the library has changed.
///
/// A page is shown when its first answer has arrived. So no empty page is visible for a moment. If the user touches
/// something else before the answer arrives, the page is not shown.
package struct LibraryBrowser: Sendable {
  /// A page that waits for an answer.
  private enum Waiting: Sendable {
    /// A page that opens.
    case opening(LibraryStep)
    /// The shown page, which gets new content.
    case replacing(LibraryStep)
  }

  /// The lists of songs that were played before another list was chosen. The first page shows these lists, and a touch
  /// continues a list where it was left.
  private(set) var recent: [RecentReport] = []
  /// The pages that were opened. The last page is shown. Empty if the first page of the library is shown.
  private(set) var steps: [LibraryStep] = []
  private var waiting: (number: Int, what: Waiting)?
  private var recentNumber: Int?
  private var lastNumber = 0
  /// The cursor at which each list was left. Not saved, so it is lost at a restart.
  private var cursors: [String: String] = [:]

  var capacity: MenuCapacity
  /// True if the car is parked. Only then can all rows of a long list be reached. Nil if unknown.
  var isParked: Bool?

  package init(_ capacity: MenuCapacity) { self.capacity = capacity }

  /// The shown page. Nil if the first page of the library is shown.
  var shown: LibraryStep? { steps.last }

  // MARK: Ways

  /// Goes to the first page.
  mutating func showFirstPage() -> [ScreenRequest] {
    reset()
    recentNumber = nextNumber()
    return [.askLibrary(lastNumber, .recent)]
  }

  /// Forgets the pages that were opened.
  mutating func reset() {
    steps = []
    waiting = nil
  }

  /// Goes up one level. From the first page, leaves the menu.
  mutating func goUp() -> MenuPages.Outcome {
    waiting = nil
    guard !steps.isEmpty else { return .leave() }
    steps.removeLast()
    return .stay(steps.isEmpty ? showFirstPage() : refresh())
  }

  /// Asks again for the content of the shown page, because the library or the playback has changed.
  mutating func refresh() -> [ScreenRequest] {
    // If a page opens, its answer will contain the newest rows, so no further question is needed.
    if case .opening? = waiting?.what { return [] }
    guard let step = shown else { return showFirstPage() }
    if case .rows = step.content { return askForRows(.replacing(step)) }
    return step.hadRows ? askForRows(.replacing(step)) : ask(.replacing(step))
  }

  private mutating func openSearch() -> [ScreenRequest] {
    waiting = nil
    steps.append(LibraryStep(subject: .search, title: "", content: .search(LibrarySearch())))
    return []
  }

  private mutating func open(_ node: LibraryNode, title: String, heading: String? = nil)
    -> [ScreenRequest]
  {
    open(.list(node, heading: heading), title)
  }

  mutating func open(_ row: LibraryRow) -> [ScreenRequest] {
    guard let node = row.node else { return [] }
    if row.kind == .folder {
      let isDeep = isParked != true && levelsOfFolders >= Self.levelsOfFoldersWhileDriving
      return open(.list(isDeep ? .songsBelow(row.id) : node, heading: nil), row.title)
    }
    return open(.collection(row), row.title)
  }

  /// The number of folder lists among the opened pages. The list of the volumes counts as a folder list.
  private var levelsOfFolders: Int {
    var folders: Set<LibraryNode> = []
    for case .list(let node, _) in steps.map(\.subject) {
      switch node {
      case .volumes, .folder: folders.insert(node)
      default: break
      }
    }
    return folders.count
  }

  /// The greatest number of folder lists that can be opened one below the other while driving. A folder in the last of
  /// these lists opens as a list of all songs below the folder.
  private static let levelsOfFoldersWhileDriving = 3

  private mutating func open(_ subject: LibraryStep.Subject, _ title: String) -> [ScreenRequest] {
    let step = LibraryStep(subject: subject, title: title, content: .unavailable)
    // The list of playlists opens with rows and not with letters, because the first rows are the favourites and the
    // newest albums.
    if subject == .list(.playlists, heading: nil) { return askForRows(.opening(step)) }
    return ask(.opening(step))
  }

  private mutating func turnPage(_ direction: MenuPaging.Direction) -> [ScreenRequest] {
    guard var step = shown, case .rows(let batch) = step.content else { return [] }
    let cursor = direction == .back ? batch.previous : batch.next
    guard let cursor else { return [] }
    step.cursor = cursor
    return askForRows(.replacing(step))
  }

  /// Goes from rows back to the letters of the list.
  private mutating func showLetters() -> [ScreenRequest] {
    guard let step = shown, let node = step.node else { return [] }
    waiting = nil
    // The letters of the whole list are shown, so the pages for a heading are closed.
    while let step = steps.last, step.node == node, step.heading != nil { steps.removeLast() }
    if let step = steps.last, step.node == node, case .letters = step.content { return refresh() }
    return ask(
      .opening(
        LibraryStep(
          subject: .list(node, heading: nil), title: step.title, content: .unavailable)))
  }

  /// Opens the page for a heading: further headings, or rows.
  private mutating func choose(letter: String, _ words: LocalizedWords) -> [ScreenRequest] {
    guard let step = shown, let node = step.node, case .letters(let groups) = step.content else {
      return []
    }
    let title = Self.title(of: step, words)
    switch letter {
    case Self.furtherLetters: return open(.furtherLetters(node, heading: step.heading), title)
    case Self.allLetters: return open(node, title: title)
    default: break
    }
    guard let group = groups.first(where: { $0.heading == letter }) else { return [] }
    let subject = LibraryStep.Subject.list(node, heading: letter)
    if group.count > Self.undivided { return open(subject, title) }
    return askForRows(.opening(LibraryStep(subject: subject, title: title, content: .unavailable)))
  }

  /// The greatest number of rows of a list that is shown without headings.
  static let undivided = 12

  /// The identity of the cell that opens the letters for which a page has no room.
  static let furtherLetters = "…"

  // MARK: Search

  private mutating func press(_ key: Character) -> [ScreenRequest] {
    guard var step = shown, case .search(var search) = step.content else { return [] }
    guard search.presses.count < searchLimit,
      key != "0" || search.presses.last.map({ $0 != "0" }) == true
    else { return [] }
    search.presses.append(key)
    step.content = .search(search)
    steps[steps.count - 1] = step
    return key == "0" ? [] : ask(.replacing(step))
  }

  private mutating func erase() -> [ScreenRequest] {
    guard var step = shown, case .search(var search) = step.content, !search.presses.isEmpty
    else { return [] }
    search.presses.removeLast()
    if search.presses.isEmpty { search = LibrarySearch() }
    step.content = .search(search)
    steps[steps.count - 1] = step
    waiting = nil
    return search.presses.isEmpty ? [] : ask(.replacing(step))
  }

  /// The greatest number of keys that can be pressed for one search.
  var searchLimit: Int { isParked == true ? 24 : 4 }

  // MARK: Questions and answers

  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Asks for the headings of the page's list, or for the results of a search.
  private mutating func ask(_ what: Waiting) -> [ScreenRequest] {
    let step = Self.step(of: what)
    let number = nextNumber()
    waiting = (number, what)
    switch step.subject {
    case .list(let node, let heading), .furtherLetters(let node, let heading):
      return [.askLibrary(number, .letters(node, under: heading))]
    case .collection(let row):
      guard let node = row.node else { return [] }
      return isParked == true ? askForRows(what) : [.askLibrary(number, .letters(node, under: nil))]
    case .search:
      guard case .search(let search) = step.content, !search.presses.isEmpty else {
        waiting = nil
        return []
      }
      return [.askLibrary(number, .search(SearchRequest(search.presses, isByKeys: true)))]
    }
  }

  private mutating func askForRows(_ what: Waiting) -> [ScreenRequest] {
    var step = Self.step(of: what)
    guard let node = step.node else { return [] }
    if case .opening = what { step.cursor = cursors[Self.key(step)] }
    let number = nextNumber()
    waiting = (number, Self.replacing(step, in: what))
    let request = RowsRequest(
      node, cursor: step.cursor, heading: step.heading, limit: limit(of: step))
    return [.askLibrary(number, .rows(request))]
  }

  /// The greatest number of rows on the page of `step`.
  private func limit(of step: LibraryStep) -> Int {
    switch step.subject {
    case .collection: return capacity.collectionRows
    case .list(.albums, _), .list(.recentAlbums, _):
      return capacity.covers > 0 ? capacity.covers : capacity.rows
    // On the first page of the playlists, one row is the link to the newest albums.
    case .list(.playlists, nil) where step.cursor == nil: return max(1, capacity.rows - 1)
    case .list, .furtherLetters, .search: return capacity.rows
    }
  }

  /// Receives an answer. An answer to an old question is ignored.
  mutating func receive(_ answer: LibraryAnswer, number: Int) -> [ScreenRequest] {
    if case .recent(let recent) = answer {
      if number == recentNumber { self.recent = recent }
      return []
    }
    guard let waiting, waiting.number == number else { return [] }
    var step = Self.step(of: waiting.what)
    switch answer {
    case .letters(let letters) where letters.reduce(0, { $0 + $1.count }) <= Self.undivided:
      return askForRows(waiting.what)
    case .letters(let letters)
    where letters.count == 1 && ![nil, letters[0].heading].contains(step.heading):
      // The page would show only one heading. So this heading is opened without a touch.
      guard let node = step.node else { return [] }
      step.subject = .list(node, heading: letters[0].heading)
      return ask(Self.replacing(step, in: waiting.what))
    case .letters(let letters):
      step.content = .letters(letters)
    case .rows(let batch):
      if batch.rows.isEmpty, step.cursor != nil {
        // The rows of this page were removed, so the page goes to the beginning of the list.
        step.cursor = nil
        cursors[Self.key(step)] = nil
        return askForRows(Self.replacing(step, in: waiting.what))
      }
      step.content = .rows(batch)
      cursors[Self.key(step)] = step.cursor
    case .findings(let found):
      guard case .search(var search) = shown?.content else { return [] }
      search.rows = found.rows
      search.isAnswered = true
      step.content = .search(search)
    case .failed, .recent:
      if case .search = step.subject { return [] }
      if case .rows = step.content { step.hadRows = true }
      step.content = .unavailable
    }
    self.waiting = nil
    if case .opening = waiting.what {
      steps.append(step)
    } else if !steps.isEmpty {
      steps[steps.count - 1] = step
    }
    return []
  }

  private static func step(of what: Waiting) -> LibraryStep {
    switch what {
    case .opening(let step), .replacing(let step): step
    }
  }

  private static func replacing(_ step: LibraryStep, in what: Waiting) -> Waiting {
    switch what {
    case .opening: .opening(step)
    case .replacing: .replacing(step)
    }
  }

  private static func key(_ step: LibraryStep) -> String {
    "\(step.node?.text ?? "") \(step.heading ?? "")"
  }

  // MARK: Touches

  /// On the first page, the identity of a cover is this prefix and the name of a list that was left.
  static let leftPrefix = "left "

  /// Performs an action of the shown page. ``MenuPages`` handles the actions that lead to other tabs.
  mutating func perform(_ action: MenuAction, _ words: LocalizedWords) -> MenuPages.Outcome {
    switch action {
    case .choose(let id): choose(id, words)
    case .play: playCollection(.now)
    case .goOn: playCollection(.resume)
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
      // The list of the songs below a folder is played as the folder itself, so that both share one saved position.
      return choose(row, in: .node(node.row?.node ?? node))
    case .search(let search):
      guard let row = search.rows.first(where: { $0.identifier == id }) else { return .stay() }
      return choose(row, in: .keys(search.presses))
    }
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

  /// A list that was left farther in a song than this can go on there. Only long files, such as books, are so long.
  private static let farPosition = Duration.seconds(300)

  /// True if the list of this row was left far in a long file.
  func canGoOn(_ row: LibraryRow) -> Bool {
    recent.contains {
      $0.list == row.node?.text && !$0.isAbsent && $0.elapsed > Self.farPosition
    }
  }

  private func playCollection(_ mode: PlayMode) -> MenuPages.Outcome {
    guard case .collection(let row)? = shown?.subject, let node = row.node, row.isPlayable else {
      return .stay()
    }
    return .leave([.playList(.node(node), nil, mode)])
  }
}
