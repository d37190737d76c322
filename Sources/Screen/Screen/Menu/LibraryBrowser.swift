internal import LibraryModel
internal import Reports
package import ScreenLayout

/// Where a person is on the pages of the library, as a value: which pages were opened, and what is known about them.
/// The daemon and the library have the truth; this type only remembers the way.
///
/// A page that is opened is shown when its first answer has arrived. So no empty page flickers, and a page that another
/// touch has replaced is not shown.
package struct LibraryBrowser: Sendable {
  /// What waits for an answer.
  private enum Waiting: Sendable {
    /// A page that opens.
    case opening(LibraryStep)
    /// New rows for the page that is shown.
    case replacing(LibraryStep)
  }

  /// The lists that were left, for the first page.
  private(set) var recent: [RecentReport] = []
  /// The pages that were opened, the shown one last; empty for the first page of the library.
  private(set) var steps: [LibraryStep] = []
  private var waiting: (number: Int, what: Waiting)?
  private var recentNumber: Int?
  private var lastNumber = 0
  /// Where the pages of each list were left, until the next start.
  private var cursors: [String: String] = [:]

  var capacity: MenuCapacity
  /// Only in a car that is known to be parked, long lists are shown as a whole. Nil if unknown.
  var isParked: Bool?

  package init(_ capacity: MenuCapacity) { self.capacity = capacity }

  /// The shown page; nil for the first page of the library.
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

  /// Asks again for what is shown, because the library or the playback has changed.
  mutating func refresh() -> [ScreenRequest] {
    // A page that opens asks for the newest rows anyway.
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

  /// Number of lists of folders on the way to the shown page, with the list of the volumes.
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

  /// A folder in the last of these lists opens as the songs below it.
  private static let levelsOfFoldersWhileDriving = 3

  private mutating func open(_ subject: LibraryStep.Subject, _ title: String) -> [ScreenRequest] {
    let step = LibraryStep(subject: subject, title: title, content: .unavailable)
    // The favourites and the newest albums stand before the letters of the playlists.
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
    // The letters of all rows come first, not those under a heading.
    while let step = steps.last, step.node == node, step.heading != nil { steps.removeLast() }
    if let step = steps.last, step.node == node, case .letters = step.content { return refresh() }
    return ask(
      .opening(
        LibraryStep(
          subject: .list(node, heading: nil), title: step.title, content: .unavailable)))
  }

  /// Opens what a heading stands for: further headings, or rows.
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

  /// Number of rows up to which a list is shown without headings.
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

  /// Number of keys that may be pressed.
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

  /// Number of rows of a page.
  private func limit(of step: LibraryStep) -> Int {
    switch step.subject {
    case .collection: return capacity.collectionRows
    case .list(.albums, _), .list(.recentAlbums, _):
      return capacity.covers > 0 ? capacity.covers : capacity.rows
    // The newest albums have a row of their own before the playlists.
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
      // A page with a single key would cost a touch.
      guard let node = step.node else { return [] }
      step.subject = .list(node, heading: letters[0].heading)
      return ask(Self.replacing(step, in: waiting.what))
    case .letters(let letters):
      step.content = .letters(letters)
    case .rows(let batch):
      if batch.rows.isEmpty, step.cursor != nil {
        // The rows of this page are gone.
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
      // The songs below a folder play as the folder, so one position is kept for the folder.
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

  private func playCollection(_ mode: PlayMode) -> MenuPages.Outcome {
    guard case .collection(let row)? = shown?.subject, let node = row.node, row.isPlayable else {
      return .stay()
    }
    return .leave([.playList(.node(node), nil, mode)])
  }
}
