import LibraryModel
import NowPlaying
import Reports
import ScreenLayout
import Testing

@testable import Screen

/// Tests the page Up Next and its edits.
@Suite struct QueuePageTests {
  private let words = LocalizedWords("en")
  private let capacity = MenuCapacity(
    Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7))
  private var page = QueuePage()

  private func facts(isParked: Bool = false, session: SessionID = "local", playing: Int = 0)
    -> QueuePage.Facts
  {
    let state = NowPlayingState(
      revision: 1, session: session,
      upNext: [UpNextItem(id: QueueReport.Entry.item(playing + 1), title: "t \(playing + 1)")],
      volume: Volume(level: .silent))
    return QueuePage.Facts(
      state, capacity, limit: isParked ? nil : RowLimit(rows: 12, isParkedKnown: true))
  }

  /// The answer to a question: the requested rows of a queue with `count` entries.
  private func report(_ question: QueuePage.Question, count: Int, position: Int, revision: Int = 7)
    -> QueueReport
  {
    guard case .rows(let first, let limit) = question else { return QueueReport() }
    var report = QueueReport()
    report.revision = revision
    report.count = count
    report.position = position
    report.first = first
    report.title = "Saltlight"
    report.entries = (first..<max(first, min(count, first + limit))).map {
      QueueReport.Entry(id: $0, title: "t \($0)")
    }
    return report
  }

  /// Answers `requests`, and all requests that the page makes because of the answers.
  private mutating func answer(
    _ requests: [ScreenRequest], count: Int = 30, position: Int = 0
  ) {
    var open = requests
    while case .askQueue(let number, let question)? = open.popLast() {
      open += page.receive(
        .rows(report(question, count: count, position: position)), number: number, capacity)
    }
  }

  private func titles(_ facts: QueuePage.Facts) -> [String] {
    if case .rows(let rows, _) = page.list(words, facts).content { rows.map(\.title) } else { [] }
  }

  private func paging(_ facts: QueuePage.Facts) -> MenuPaging? {
    if case .rows(_, let paging) = page.list(words, facts).content { paging } else { nil }
  }

  @Test mutating func page_opensAtTheEntryThatPlays() {
    answer(page.open(capacity), position: 20)
    let facts = facts(playing: 20)
    #expect(titles(facts) == ["t 20", "t 21", "t 22", "t 23"])
    #expect(page.list(words, facts).line == "Saltlight · 21 / 30")
    guard case .rows(let rows, _) = page.list(words, facts).content else { return }
    #expect(rows.map(\.condition) == [.current, .usual, .usual, .usual])
    #expect(rows.map(\.key) == [nil, .edit, .edit, .edit])
  }

  @Test mutating func nextSong_movesTheMark_andTheRowsStay() {
    answer(page.open(capacity), position: 20)
    answer(page.refresh(capacity), position: 21)
    let facts = facts(playing: 21)
    #expect(titles(facts) == ["t 20", "t 21", "t 22", "t 23"])
    guard case .rows(let rows, _) = page.list(words, facts).content else { return }
    #expect(rows.map(\.condition) == [.usual, .current, .usual, .usual])
  }

  @Test mutating func movingCar_reachesTwelveRows_andTheOthersByParts() {
    answer(page.open(capacity))
    let facts = facts()
    #expect(paging(facts)?.letter == "1–12")
    for _ in 0..<5 { answer(page.perform(.turnPage(.forward), facts)) }
    #expect(titles(facts) == ["t 8", "t 9", "t 10", "t 11"])
    #expect(paging(facts)?.canGoForward == false)
    guard case .askQueue(let number, .parts(under: nil))? = page.perform(.showLetters, facts).first
    else {
      Issue.record("no question")
      return
    }
    let parts = [LetterGroup(heading: "1–12", count: 12), LetterGroup(heading: "13–24", count: 12)]
    #expect(page.receive(.parts(parts), number: number, capacity) == [])
    guard case .parts(let cells) = page.list(words, facts).content else {
      Issue.record("no parts")
      return
    }
    #expect(cells.map(\.id) == ["1–12", "13–24"])
    answer(page.perform(.choose("13–24"), facts))
    #expect(titles(facts).first == "t 12")
    answer(page.perform(.turnPage(.back), facts))
    #expect(titles(facts).first == "t 12")
  }

  @Test mutating func parkedCar_reachesAllRows() {
    answer(page.open(capacity), position: 8)
    let facts = facts(isParked: true, playing: 8)
    answer(page.perform(.turnPage(.back), facts), position: 8)
    #expect(titles(facts).first == "t 4")
    for _ in 0..<9 { answer(page.perform(.turnPage(.forward), facts), position: 8) }
    #expect(titles(facts) == ["t 28", "t 29"])
  }

  @Test mutating func row_isMovedBehindTheOneThatPlays_andIsRemoved() {
    answer(page.open(capacity))
    let facts = facts()
    #expect(page.perform(.rowKey("queue:3", .edit), facts) == [])
    guard case .rows(let rows, _) = page.list(words, facts).content else { return }
    #expect(rows.map(\.isEdited) == [false, false, false, true])
    #expect(
      page.perform(.rowKey("queue:3", .playNext), facts) == [
        .moveEntry(3, before: 1, revision: 7)
      ])
    // The entry 1 already follows the entry that plays, so nothing is requested.
    #expect(page.perform(.rowKey("queue:1", .playNext), facts) == [])
    #expect(
      page.perform(.rowKey("queue:2", .remove), facts) == [
        .removeEntry(2, title: "t 2", revision: 7)
      ])
    #expect(page.perform(.choose("queue:2"), facts) == [.playItem("queue:2")])
    #expect(page.perform(.choose("queue:0"), facts) == [], "this entry plays already")
  }

  @Test mutating func queueThatBecameShorter_showsItsLastRows() {
    answer(page.open(capacity), position: 8)
    let facts = facts(isParked: true, playing: 8)
    for _ in 0..<9 { answer(page.perform(.turnPage(.forward), facts), position: 8) }
    answer(page.refresh(capacity), count: 10, position: 8)
    #expect(titles(facts) == ["t 9"])
  }

  @Test mutating func contentOfAPhone_isWhatThePhonePublishes() {
    answer(page.open(capacity))
    let phone = facts(session: "phone-AA")
    #expect(titles(phone) == ["t 1"])
    guard case .rows(let rows, _) = page.list(words, phone).content else { return }
    #expect(rows.allSatisfy { $0.key == nil })
    #expect(page.perform(.rowKey("queue:1", .remove), phone) == [])
  }

  @Test mutating func parts_stayWhenAnotherSongPlays_andBackLeadsToTheRows() {
    answer(page.open(capacity))
    let facts = facts()
    let parts = [LetterGroup(heading: "1–12", count: 12), LetterGroup(heading: "13–24", count: 12)]
    guard case .askQueue(let number, _)? = page.perform(.showLetters, facts).first else { return }
    #expect(page.refresh(capacity) == [], "the touch asks for the newest parts")
    _ = page.receive(.parts(parts), number: number, capacity)
    guard case .askQueue(_, .parts(under: nil))? = page.refresh(capacity).first else {
      Issue.record("no parts")
      return
    }
    let isUp = page.goUp()
    let isUpAgain = page.goUp()
    #expect(isUp && !isUpAgain)
    #expect(titles(facts).first == "t 0")
  }

  @Test mutating func otherList_beginsAtTheEntryThatPlays() {
    answer(page.open(capacity), position: 20)
    guard case .askQueue(let number, let question)? = page.refresh(capacity).first else { return }
    var other = report(question, count: 30, position: 3)
    other.list = "album:9"
    answer(page.receive(.rows(other), number: number, capacity), position: 3)
    #expect(titles(facts(playing: 3)).first == "t 3")
  }

  @Test mutating func answerToAnOldQuestion_isIgnored() {
    let first = page.open(capacity)
    let second = page.open(capacity)
    answer(second, position: 5)
    answer(first, count: 3)
    #expect(page.report?.count == 30)
  }
}
