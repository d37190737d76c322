import LibraryModel
import NowPlaying
import Reports
import ScreenLayout
import Testing

@testable import Screen

/// Tests the pages of phones and of volumes.
@Suite struct PhonePagesTests {
  private let words = LocalizedWords("en")
  private let capacity = MenuCapacity(
    Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7))
  private var pages = PhonePages()
  private let phones = [
    PhonesState.Phone(
      address: "A", name: "Old tablet", adapter: "hci0", kind: .phone, lastSeen: .seconds(5)),
    PhonesState.Phone(
      address: "B", name: "Ana’s Pixel", adapter: "hci0", isConnected: true, kind: .phone,
      plays: true, app: "Fathom"),
    PhonesState.Phone(address: "C", name: "Wheel remote", adapter: "hci0", lastSeen: .seconds(9)),
  ]

  private func shown(_ phones: [PhonesState.Phone]? = nil) -> MenuPage {
    pages.page(
      words, PhonesState(service: .ready, phones: phones ?? self.phones), canAdd: true, capacity)
  }

  private mutating func tap(_ action: MenuAction) -> MenuPages.Outcome {
    pages.perform(action, phones, capacity)
  }

  @Test func list_beginsWithConnectedPhones_thenThoseThatWereSeenLast() {
    guard case .rows(let rows, nil) = shown().content else {
      Issue.record("no rows")
      return
    }
    #expect(rows.map(\.id) == ["B", "C", "A"])
    #expect(rows[0].line == "Plays · Fathom" && rows[0].condition == .current)
    #expect(shown().key == .add)
  }

  @Test mutating func phone_playsConnectsAndIsForgottenAfterAQuestion() {
    #expect(tap(.choose("A")) == .stay())
    guard case .keys(let keys) = shown().content else {
      Issue.record("no keys")
      return
    }
    #expect(keys.map(\.id) == ["play", "connect", "first", "forget"])
    #expect(tap(.choose("play")) == .leave([.chooseSource("A")]))
    #expect(tap(.choose("connect")) == .stay([.connectPhone("A")]))
    #expect(tap(.choose("first")) == .stay([.setFirstChoice("A")]))
    #expect(tap(.choose("forget")) == .stay())
    guard case .question(let question) = shown().content else {
      Issue.record("no question")
      return
    }
    #expect(question.text == "Forget Old tablet?")
    #expect(tap(.answer(false)) == .stay())
    #expect(tap(.choose("forget")) == .stay())
    #expect(tap(.answer(true)) == .stay([.forgetPhone("A")]))
    #expect(pages.goUp(phones) == .leave())
  }

  @Test mutating func phoneThatIsGone_leavesTheList() {
    _ = tap(.choose("A"))
    #expect(shown([]).heading == nil)
    guard case .message(let message) = shown([]).content else {
      Issue.record("no message")
      return
    }
    #expect(message.key?.id == "add")
    // The list of phones is already shown, so the way up leaves the menu.
    #expect(pages.goUp([]) == .leave())
  }

  @Test mutating func adding_permitsPairing_andPairsWithARemoteThatWasFound() {
    let state = PhonesState(
      service: .ready,
      adapters: [
        PhonesState.Adapter(id: "hci0", address: "00", name: "Blue Harp", isPowered: true)
      ], pairingUntil: .seconds(1112), isSearching: true, adding: "Clicker",
      found: [
        PhonesState.Phone(address: "R", name: "Clicker", adapter: "hci0"),
        PhonesState.Phone(address: "P", name: "Tablet", adapter: "hci0", kind: .phone),
      ])
    #expect(tap(.headerKey(.add)) == .stay([.findPhones]))
    guard
      case .adding(let adding) = pages.page(words, state, canAdd: true, capacity).content
    else {
      Issue.record("no page")
      return
    }
    #expect(adding.name == "Blue Harp")
    #expect(adding.until == MonotonicInstant(awake: .seconds(1112)))
    #expect(adding.rows.map(\.condition) == [.usual, .inert])
    #expect(adding.rows[0].line == "Pairing …")
    #expect(tap(.choose("R")) == .stay([.addPhone("R")]))
    #expect(tap(.choose(adding.again)) == .stay([.findPhones]))
    #expect(pages.goUp(phones) == .stay([.stopFindingPhones]))
    _ = tap(.headerKey(.add))
    #expect(pages.showList() == [.stopFindingPhones])
    #expect(pages.showList() == [])
  }

  /// After a device was added, the page *Add a device* must not continue its countdown.
  @Test mutating func deviceThatWasAdded_getsItsPage_andTheSearchEnds() {
    _ = tap(.headerKey(.add))
    func state(isBonded: Bool, isTrusted: Bool, adding: String? = nil) -> PhonesState {
      let new = PhonesState.Phone(
        address: "N", name: "New", adapter: "hci0", isConnected: true, isBonded: isBonded,
        isTrusted: isTrusted)
      return PhonesState(service: .ready, phones: phones + [new], adding: adding)
    }
    let before = PhonesState(service: .ready, phones: phones)
    let bonded = state(isBonded: true, isTrusted: false)
    #expect(pages.receive(state(isBonded: false, isTrusted: false), before: before) == [])
    #expect(pages.receive(bonded, before: before) == [])
    #expect(
      pages.receive(state(isBonded: true, isTrusted: true, adding: "New"), before: bonded) == [])
    #expect(
      pages.receive(state(isBonded: true, isTrusted: true), before: bonded) == [.stopFindingPhones])
    #expect(shown(phones + [bonded.phones[3]]).heading?.title == "New")
    // While another page is shown, the screen does not end the search.
    _ = pages.showList()
    #expect(pages.receive(state(isBonded: true, isTrusted: true), before: bonded) == [])
  }

  @Test func volumes_playingComesFirst_andAbsentLast() {
    func volume(_ id: String, _ condition: VolumeReport.Condition, plays: Bool = false)
      -> VolumeState
    {
      var volume = VolumeState(
        kind: .stick,
        report: VolumeReport(identity: id, label: id, condition: condition, songs: 7), path: nil)
      volume.plays = plays
      return volume
    }
    let page = VolumesPage().page(
      words,
      [
        volume("gone", .absent), volume("new", .reading(3, of: 12)), volume("bad", .unreadable),
        volume("on", .ready, plays: true),
      ], capacity)
    guard case .rows(let rows, nil) = page.content else {
      Issue.record("no rows")
      return
    }
    #expect(rows.map(\.id) == ["on", "new", "bad", "gone"])
    #expect(rows.map(\.condition) == [.current, .usual, .inert, .absent])
    // Two sticks can have the same label, so the line of an absent stick begins with the number of its songs.
    #expect(rows[3].line?.hasPrefix(words.menu.songCount(7)) == true)
    #expect(rows[1].progress == 0.25)
    #expect(rows[2].tone == .warning)
  }

  private func stick(_ condition: VolumeReport.Condition, problems: [String: Int] = [:])
    -> VolumeState
  {
    var report = VolumeReport(identity: "S", label: "ROADTRIP", condition: condition, songs: 7)
    report.problems = problems.values.reduce(0, +)
    report.causes = problems
    return VolumeState(kind: .stick, report: report, path: nil)
  }

  @Test func stick_isReadAnew_andTellsWhatCannotBePlayed() {
    var page = VolumesPage()
    let volumes = [stick(.reading(3, of: 12), problems: ["wma": 10, "other": 1, "empty": 1])]
    func tap(_ action: MenuAction) -> MenuPages.Outcome {
      page.perform(action, words, volumes, capacity)
    }
    #expect(tap(.choose("S")) == .leave([.chooseSource("S")]))
    #expect(tap(.rowKey("S", .info)) == .stay())
    let shown = page.page(words, volumes, capacity)
    #expect(shown.heading?.title == "ROADTRIP")
    guard case .form(let form) = shown.content else {
      Issue.record("no form")
      return
    }
    #expect(form.controls.map(\.id) == ["reading", "problems", "play", "read"])
    #expect(form.controls[0].kind == .bar(0.25, "3 / 12"))
    guard case .row(let row) = form.controls[1].kind else {
      Issue.record("no row")
      return
    }
    #expect(row.line == "WMA (10), damaged (2)")
    #expect(tap(.choose("read")) == .stay([.readSourceAnew("S")]))
    #expect(tap(.choose("play")) == .leave([.chooseSource("S")]))
    #expect(tap(.choose("problems")) == .stay())
    guard case .rows(let causes, nil) = page.page(words, volumes, capacity).content else {
      Issue.record("no causes")
      return
    }
    #expect(causes.map(\.title) == ["WMA", "damaged"])
    #expect(page.goUp(volumes) == .stay())
  }

  @Test func absentStick_isForgottenAfterAQuestion() {
    var page = VolumesPage()
    let volumes = [stick(.absent)]
    func tap(_ action: MenuAction) -> MenuPages.Outcome {
      page.perform(action, words, volumes, capacity)
    }
    _ = tap(.rowKey("S", .info))
    guard case .form(let form) = page.page(words, volumes, capacity).content else {
      Issue.record("no form")
      return
    }
    #expect(form.controls.map(\.id) == ["play", "forget"])
    #expect(form.controls[0].isActive == false)
    #expect(tap(.choose("forget")) == .stay())
    #expect(tap(.answer(true)) == .stay([.forgetSource("S")]))
    #expect(page.page(words, [], capacity).heading == nil)
  }
}
