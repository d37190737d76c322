package import LibraryModel
internal import NowPlaying
package import Reports
internal import ScreenLayout

/// The page *Up Next* for the queue of the unit, as a value: the part that is shown, and the row that is edited.
///
/// If another source plays, the page shows the items that this source publishes. These items cannot be edited.
package struct QueuePage: Sendable {
  /// A question of the page to the daemon.
  package enum Question: Equatable, Sendable {
    case rows(first: Int, limit: Int)
    /// The parts of the queue. With a heading: the smaller parts of the part with this heading.
    case parts(under: String?)
  }

  /// The answer to a ``Question``.
  package enum Answer: Sendable {
    case rows(QueueReport)
    case parts([LetterGroup])
    case failed
  }

  private enum View: Sendable {
    case rows
    /// The parts of the queue. With a heading: the smaller parts of the part with this heading.
    case parts([LetterGroup], heading: String?)
  }

  /// A queue or part with more rows than this number is divided into parts.
  static let undivided = 12

  private(set) var report: QueueReport?
  private var view = View.rows
  /// The index of the first row that is shown. Nil until the first answer tells which row plays.
  private var first: Int?
  /// While the car moves, pages can be turned only within these rows of the queue. Nil until the first answer.
  private var part: Range<Int>?
  /// The entry whose row shows the keys for editing.
  private var edited: Int?
  /// Selects the rows that are shown if another source plays.
  private var window = RowWindow()
  private var waiting: (number: Int, question: Question, isOfTouch: Bool)?
  private var lastNumber = 0

  // MARK: Questions and answers

  mutating func open(_ capacity: MenuCapacity) -> [ScreenRequest] {
    let number = lastNumber
    self = QueuePage()
    lastNumber = number
    return askForRows(capacity, isOfTouch: true)
  }

  /// Asks again for the shown rows or parts. If a question after a touch is pending, its answer will contain the newest
  /// rows, so no further question is asked.
  mutating func refresh(_ capacity: MenuCapacity) -> [ScreenRequest] {
    if waiting?.isOfTouch == true { return [] }
    if case .parts(_, let heading) = view { return ask(.parts(under: heading), isOfTouch: false) }
    return askForRows(capacity, isOfTouch: false)
  }

  private mutating func askForRows(_ capacity: MenuCapacity, isOfTouch: Bool) -> [ScreenRequest] {
    ask(
      .rows(first: first ?? report?.position ?? 0, limit: capacity.listRows), isOfTouch: isOfTouch)
  }

  private mutating func ask(_ question: Question, isOfTouch: Bool) -> [ScreenRequest] {
    lastNumber += 1
    waiting = (lastNumber, question, isOfTouch)
    return [.askQueue(lastNumber, question)]
  }

  /// Receives an answer. An answer to an old question is ignored.
  mutating func receive(_ answer: Answer, number: Int, _ capacity: MenuCapacity) -> [ScreenRequest]
  {
    guard let waiting, number == waiting.number else { return [] }
    self.waiting = nil
    switch answer {
    case .failed: return []
    case .parts(let parts):
      guard case .parts(let heading) = waiting.question else { return [] }
      view = .parts(parts, heading: heading)
      return []
    case .rows(let new): return receive(new, capacity)
    }
  }

  private mutating func receive(_ new: QueueReport, _ capacity: MenuCapacity) -> [ScreenRequest] {
    // If the queue was filled with another list, the page begins at the row that plays.
    if let report, report.list != new.list { (first, part) = (nil, nil) }
    // Before the first answer, the row that plays is not known. After an edit, the queue can be shorter.
    let wanted = min(first ?? new.position ?? 0, max(0, new.count - 1))
    // When another song plays, the page keeps showing the same rows. A page changes its rows only after a touch.
    first = wanted
    if part?.contains(wanted) != true { part = wanted..<wanted + Self.undivided }
    // If the answer contains other rows than the page needs, the page asks again.
    guard wanted == new.first || new.count == 0 else {
      return askForRows(capacity, isOfTouch: false)
    }
    report = new
    view = .rows
    if !new.entries.contains(where: { $0.id == edited }) { edited = nil }
    return []
  }

  /// Goes from the parts back to the rows. Returns false if the rows are already shown.
  mutating func goUp() -> Bool {
    guard case .parts = view else { return false }
    view = .rows
    return true
  }

  // MARK: Touches

  mutating func perform(_ action: MenuAction, _ facts: Facts) -> [ScreenRequest] {
    let capacity = facts.capacity
    switch (view, action) {
    case (.rows, .choose(let id)): return id == current(facts) ? [] : [.playItem(id)]
    case (.rows, .rowKey(let id, let key)): return perform(key, id, facts)
    case (.rows, .turnPage(let direction)): return turn(direction, facts)
    case (_, .showLetters): return ask(.parts(under: nil), isOfTouch: true)
    case (.parts(let parts, _), .choose(let heading)):
      guard let part = parts.first(where: { $0.heading == heading }) else { return [] }
      return open(part, capacity)
    default: return []
    }
  }

  private mutating func open(_ part: LetterGroup, _ capacity: MenuCapacity) -> [ScreenRequest] {
    if part.count > Self.undivided { return ask(.parts(under: part.heading), isOfTouch: true) }
    // The heading of a part has the form `13–24`. The first row of the queue has the number 1.
    guard let start = Int(part.heading.prefix { $0.isNumber }), start > 0 else { return [] }
    first = start - 1
    self.part = start - 1..<start - 1 + part.count
    return askForRows(capacity, isOfTouch: true)
  }

  private mutating func perform(_ key: MenuRow.Key, _ id: String, _ facts: Facts) -> [ScreenRequest]
  {
    guard let report = editable(facts), let entry = report.entries.first(where: { $0.item == id })
    else {
      return []
    }
    switch key {
    case .edit: edited = entry.id
    case .close: edited = nil
    case .playNext:
      edited = nil
      // The first item of *Up Next* is the entry after the current entry.
      let next = facts.upNext.first.flatMap { QueueReport.Entry.number(ofItem: $0.id) }
      if next == entry.id { return [] }
      return [.moveEntry(entry.id, before: next, revision: report.revision)]
    case .remove:
      edited = nil
      return [.removeEntry(entry.id, title: entry.title, revision: report.revision)]
    case .info: break
    }
    return []
  }

  private mutating func turn(_ direction: MenuPaging.Direction, _ facts: Facts) -> [ScreenRequest] {
    guard let report = editable(facts) else {
      window.turn(direction, facts.capacity)
      return []
    }
    let reach = reach(report, facts)
    let rows = facts.capacity.listRows
    let step = direction == .forward ? rows : -rows
    let new = max(report.first + step, reach.lowerBound)
    guard new != report.first, reach.contains(new) else { return [] }
    first = new
    edited = nil
    return askForRows(facts.capacity, isOfTouch: true)
  }

  /// The rows of the queue that can be reached by turning pages.
  private func reach(_ report: QueueReport, _ facts: Facts) -> Range<Int> {
    guard let limit = facts.limit?.rows, report.count > limit else { return 0..<report.count }
    let part = part ?? 0..<report.count
    return (part.lowerBound..<min(part.upperBound, part.lowerBound + max(limit, 1)))
      .clamped(to: 0..<report.count)
  }

  /// The identity of the row that plays.
  private func current(_ facts: Facts) -> String? {
    guard let report = editable(facts), let position = report.position else { return facts.current }
    let index = position - report.first
    return report.entries.indices.contains(index) ? report.entries[index].item : nil
  }

  /// The queue of the unit. Nil if another source plays, or if the queue is empty or not known yet.
  private func editable(_ facts: Facts) -> QueueReport? {
    guard let report, facts.isQueue, report.count > 0 else { return nil }
    return report
  }

  // MARK: The page

  func list(_ words: LocalizedWords, _ facts: Facts) -> MenuList {
    guard let report = editable(facts) else {
      let (rows, paging) = window.part(facts.published(words), facts.capacity.forLists)
      return MenuList(facts.title ?? words.upNext, .rows(rows, paging))
    }
    let position = report.position.map { "\($0 + 1) / \(report.count)" }
    let line = [report.title.isEmpty ? nil : report.title, position].compactMap(\.self)
    let title = facts.title ?? words.upNext
    if case .parts(let parts, _) = view {
      return MenuList(
        title, line: line.joined(separator: " · "), .parts(parts.map { MenuLetter($0.heading) }))
    }
    let reach = reach(report, facts)
    let rows = facts.capacity.listRows
    // The screen has only the cover of the content that plays. Entries of the same album have the same cover, so their
    // rows show this cover too.
    let current = current(facts)
    let album = report.entries.first { $0.item == current }?.album
    let shown = report.entries.prefix(rows).enumerated().filter {
      reach.contains(report.first + $0.offset) || report.first + $0.offset == report.position
    }.map {
      row($0.element, isCurrent: report.first + $0.offset == report.position, album: album, words)
    }
    var paging: MenuPaging?
    if report.count > rows {
      paging = MenuPaging(
        canGoBack: report.first > reach.lowerBound,
        canGoForward: report.first + rows < reach.upperBound,
        letter: report.count > Self.undivided
          ? "\(reach.lowerBound + 1)–\(reach.upperBound)" : nil)
    }
    return MenuList(title, line: line.joined(separator: " · "), .rows(shown, paging))
  }

  private func row(
    _ entry: QueueReport.Entry, isCurrent: Bool, album: String?, _ words: LocalizedWords
  ) -> MenuRow {
    var row = MenuRow(
      id: entry.item, .picture(MenuPicture(.note)), entry.title,
      line: entry.isAbsent ? words.menu.notPluggedIn : entry.artist)
    if isCurrent || (entry.album != nil && entry.album == album) { row.lead = .picture(.playing) }
    row.duration = entry.duration
    row.isEdited = entry.id == edited
    if entry.isAbsent { row.condition = .absent }
    if isCurrent { row.condition = .current } else { row.key = .edit }
    return row
  }
}

extension QueuePage {
  /// The data about the content that plays, and about the items that follow.
  struct Facts: Sendable {
    var capacity: MenuCapacity
    /// The limit of the rows that can be reached by turning pages. Nil if all rows can be reached.
    var limit: RowLimit?
    /// The title that the source has set for *Up Next*. Nil for the default title.
    var title: String?
    /// True if the queue of the unit plays.
    var isQueue = false
    /// The identity of the content that plays.
    var current: String?
    var upNext: [UpNextItem] = []
    private var currentRow: MenuRow?

    init(_ state: NowPlayingState, _ capacity: MenuCapacity, limit: RowLimit?) {
      self.capacity = capacity
      self.limit = limit
      if case .title(let title) = state.template.upNext { self.title = title }
      isQueue = state.session?.rawValue == "local"
      current = state.content?.id
      upNext = state.upNext
      guard let content = state.content else { return }
      var row = MenuRow(
        id: content.id, .picture(.playing), state.lines.title ?? "",
        line: state.lines.subtitle)
      row.duration = state.duration?.length
      row.condition = .current
      currentRow = row
    }

    /// The rows for the items that the source publishes: the content that plays, and the items that follow.
    func published(_ words: LocalizedWords) -> [MenuRow] {
      let rows =
        [currentRow].compactMap(\.self)
        + upNext.map { item in
          var row = MenuRow(
            id: item.id, .picture(MenuPicture(.note)), item.title, line: item.artist)
          row.duration = item.duration
          return row
        }
      return RowWindow.limited(rows, to: limit, words)
    }
  }
}
