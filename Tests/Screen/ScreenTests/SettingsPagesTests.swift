import NowPlaying
import Reports
import ScreenLayout
import Settings
import SystemClock
import Testing

@testable import Screen

/// Tests the pages of the settings.
@Suite struct SettingsPagesTests {
  private let capacity = MenuCapacity(
    Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7))
  private let small = MenuCapacity(
    Panel(size: PixelSize(width: 480, height: 320), diagonalInches: 3.5))
  private var pages = SettingsPages()
  private var facts = SettingsPagesTests.facts()

  private static func facts(
    isParked: Bool? = nil, clock: SettingsState.Clock = .chip, canSetTime: Bool = true,
    hasBacklight: Bool = false, lightRule: Settings.LightRule = .clock,
    _ change: (inout [SettingReport]) -> Void = { _ in }
  ) -> SettingFacts {
    var state = SettingsState()
    state.clock = clock
    state.canSetTime = canSetTime
    func choice(_ key: String, _ value: String, _ choices: [String]) -> SettingReport {
      SettingReport(key: key, value: value, standard: choices[0], kind: .choice(choices))
    }
    func number(_ key: String, _ value: String, _ numbers: SettingReport.Numbers) -> SettingReport {
      SettingReport(key: key, value: value, standard: value, kind: .number(numbers))
    }
    state.settings = [
      choice("replay-gain", "album", ["off", "track", "album", "auto"]),
      number(
        "start-volume-maximum", "52 %",
        .init(minimum: 0, maximum: 100, step: 5, unit: "%", current: 52, special: nil)),
      choice("screen-light", "auto", ["auto", "clock", "sensor", "headlights", "day", "night"]),
      SettingReport(
        key: "day-begins", value: "7:00", standard: "7:00",
        kind: .timeOfDay(
          .init(minimum: 0, maximum: 1439, step: 15, unit: "", current: 420, special: nil))),
      number(
        "brightness-day", "100 %",
        .init(minimum: 10, maximum: 100, step: 10, unit: "%", current: 100, special: nil)),
      number(
        "screen-text", "0",
        .init(minimum: 85, maximum: 130, step: 5, unit: "%", current: nil, special: "0")),
      choice("screen-clock", "24h", ["24h", "12h", "off"]),
      choice(
        "time-zone", "", ["", "America/Los_Angeles", "America/New_York", "Europe/Berlin", "UTC"]),
      SettingReport(
        key: "screen-language", value: "und", standard: "und",
        kind: .text(maximumBytes: 35, mayBeEmpty: false)),
      choice("start", "resume", ["resume", "play", "paused"]),
    ]
    change(&state.settings)
    return SettingFacts(
      words: LocalizedWords("en"), state: state, isParked: isParked,
      time: SettingFacts.Time(hour: 21, minute: 5), report: SettingFacts.Report(),
      lightRule: lightRule, hasBluetooth: true, hasBacklight: hasBacklight)
  }

  private mutating func tap(_ actions: MenuAction...) -> [ScreenRequest] {
    actions.flatMap { pages.perform($0, facts, capacity) }
  }

  private func controls(_ capacity: MenuCapacity? = nil) -> [String: MenuControl] {
    guard case .form(let form) = pages.page(facts, capacity ?? self.capacity).content else {
      return [:]
    }
    return Dictionary(uniqueKeysWithValues: form.controls.map { ($0.id, $0) })
  }

  private func rows() -> [MenuRow] {
    if case .rows(let rows, _) = pages.page(facts, capacity).content { rows } else { [] }
  }

  @Test mutating func tiles_showTheirValues_andOpenPages() {
    guard case .keys(let keys) = pages.page(facts, capacity).content else {
      Issue.record("no tiles")
      return
    }
    #expect(
      keys.map(\.id) == ["sound", "display", "phones", "clock", "language", "start", "about"])
    #expect(keys[0].line == "ReplayGain: Albums")
    #expect(keys[1].line == "Auto")
    #expect(pages.showFirst() == [.readVersions])
    #expect(tap(.choose("about")) == [.runChecks])
    #expect(pages.goUp() == .stay())
    #expect(pages.goUp() == .leave())
  }

  @Test func tiles_onASmallScreen_areRows() {
    guard case .rows(let rows, let paging?) = pages.page(facts, small).content else {
      Issue.record("no rows")
      return
    }
    #expect(rows.map(\.id) == ["sound", "display", "phones"])
    #expect(paging.canGoForward && !paging.canGoBack)
  }

  @Test mutating func choice_setsTheValueAtOnce() {
    _ = tap(.choose("display"))
    #expect(
      tap(.select("screen-light", "night")) == [.set(key: "screen-light", value: "night")])
    #expect(tap(.select("screen-text", "115 %")) == [.set(key: "screen-text", value: "115 %")])
    guard case .choice(let options, let selected)? = controls()["screen-light"]?.kind else {
      Issue.record("no choice")
      return
    }
    #expect(options.map(\.id) == ["auto", "day", "night"] && selected == "auto")
  }

  /// The settings for the times of day and night are shown only if the clock selects the colours.
  @Test mutating func automaticLight_namesItsRule() {
    _ = tap(.choose("display"))
    let words = Self.facts().words.settings
    #expect(controls()["screen-light"]?.note == words.byClock && controls()["day-begins"] != nil)
    facts = Self.facts(lightRule: .headlights)
    #expect(controls()["screen-light"]?.note == words.byHeadlights)
    #expect(controls()["day-begins"] == nil)
  }

  @Test mutating func keys_moveToTheNextStep() {
    _ = tap(.choose("sound"))
    // The present value, 52 %, is between the steps 50 % and 55 %, so each key leads to one of these steps.
    #expect(
      tap(.step("start-volume-maximum", .forward), .step("start-volume-maximum", .back)) == [
        .set(key: "start-volume-maximum", value: "55 %"),
        .set(key: "start-volume-maximum", value: "50 %"),
      ])
    _ = pages.goUp()
    _ = tap(.choose("display"))
    #expect(tap(.step("day-begins", .back)) == [.set(key: "day-begins", value: "6:45")])
  }

  @Test(arguments: [false, true])
  mutating func brightness_isOfferedIfThePanelHasIt(hasBacklight: Bool) {
    facts = Self.facts(hasBacklight: hasBacklight)
    _ = tap(.choose("display"))
    #expect((controls()["brightness-day"] != nil) == hasBacklight)
    #expect(
      tap(.step("brightness-day", .back)) == [.set(key: "brightness-day", value: "90 %")])
  }

  @Test mutating func valueOfAFile_cannotBeChanged() {
    facts = Self.facts { settings in
      for index in settings.indices where settings[index].key == "replay-gain" {
        settings[index].source = .owner
      }
    }
    _ = tap(.choose("sound"))
    #expect(controls()["replay-gain"]?.isActive == false)
    #expect(controls()["replay-gain"]?.note == "set in a file")
    #expect(controls()["start-volume-maximum"]?.isActive == true)
  }

  @Test mutating func clock_isSetByHourAndMinute() {
    _ = tap(.choose("clock"))
    #expect(
      tap(.step("hour", .back), .step("minute", .forward)) == [
        .changeTime(seconds: -3600), .changeTime(seconds: 60),
      ])
    guard case .steps(let minute)? = controls()["minute"]?.kind else {
      Issue.record("no minute")
      return
    }
    #expect(minute.text == "05")
  }

  @Test mutating func clock_thatTheNetworkKeeps_saysSo() {
    facts = Self.facts(clock: .network, canSetTime: false)
    _ = tap(.choose("clock"))
    #expect(controls()["hour"]?.isActive == false)
    #expect(controls()["screen-clock"]?.note == "by the network")
    #expect(controls()["screen-clock"]?.isActive == true)
  }

  @Test(arguments: [nil, true, false]) mutating func movingCar_locksClockZoneAndLanguage(
    _ isParked: Bool?
  ) {
    facts = Self.facts(isParked: isParked)
    _ = tap(.choose("clock"))
    let isOpen = isParked != false
    #expect(controls()["hour"]?.isActive == isOpen)
    #expect(controls()["screen-clock"]?.isActive == isOpen)
    _ = pages.goUp()
    _ = tap(.choose("language"))
    guard case .keys(let keys) = pages.page(facts, capacity).content else {
      Issue.record("no languages")
      return
    }
    #expect(keys.allSatisfy { $0.isActive == isOpen })
    _ = pages.goUp()
    _ = tap(.choose("display"))
    #expect(controls()["screen-light"]?.isActive == true)
  }

  @Test mutating func timeZone_isChosenByRegionAndCity() {
    _ = tap(.choose("clock"), .choose("time-zone"))
    #expect(rows().map(\.id) == ["America", "Europe", "UTC"])
    // A region with only one zone opens no further page.
    #expect(tap(.choose("UTC")) == [.set(key: "time-zone", value: "UTC")])
    _ = tap(.choose("America"))
    #expect(rows().map(\.title) == ["Los Angeles", "New York"])
    #expect(
      tap(.choose("America/New_York")) == [.set(key: "time-zone", value: "America/New_York")])
    #expect(pages.goUp() == .stay())
    #expect(rows().count == 3)
  }

  @Test mutating func language_isChosenInItsOwnWords() {
    _ = tap(.choose("language"))
    guard case .keys(let keys) = pages.page(facts, capacity).content else {
      Issue.record("no languages")
      return
    }
    #expect(keys.map(\.title).contains("עברית"))
    #expect(keys.filter(\.isPrimary).map(\.id) == ["und"])
    #expect(tap(.choose("ar")) == [.set(key: "screen-language", value: "ar")])
  }

  // MARK: About

  private func report(_ findings: [DiagnosisReport.Finding]?) -> SettingFacts {
    var report = SettingFacts.Report()
    report.apply(
      versions: FactsReport([
        .init(
          "version",
          [.init("autoharp", "1.3"), .init("board", "qemu-x86_64"), .init("commit", "4f2c9ae")])
      ]))
    report.apply(
      storage: FactsReport([
        .init("music", []),
        .init(
          "file systems",
          [.init("/", "small"), .init("/data", "large"), .init("/media/x", "stick")]),
      ]), folder: "/data/autoharp")
    report.findings = findings
    return SettingFacts(
      words: facts.words, state: facts.state, isParked: true, time: nil, report: report,
      lightRule: .clock, hasBluetooth: true, hasBacklight: false)
  }

  private let findings: [DiagnosisReport.Finding] = [
    .init("music.present", "music", .good, "12 files"),
    .init("space.low", "space", .note, "little space"),
    .init(
      "output.silent", "output", .bad, "no answer", remedy: "check the cable of hw:CARD=Secret"),
  ]

  @Test mutating func about_showsTheWorstResultsFirst() {
    facts = report(findings)
    _ = tap(.choose("about"))
    #expect(pages.page(facts, capacity).heading?.line == "Autoharp 1.3")
    guard case .row(let storage)? = controls()["storage"]?.kind,
      case .row(let worst)? = controls()["finding.0"]?.kind
    else {
      Issue.record("no rows")
      return
    }
    #expect(storage.line == "large")
    #expect(worst.title == "output: no answer" && worst.tone == .warning)
    #expect(controls()["finding.2"] == nil)
    _ = tap(.choose("checks"))
    #expect(rows().map(\.tone) == [.warning, .usual, .good])
  }

  @Test mutating func about_withoutFaults_saysSo() {
    facts = report([findings[0]])
    _ = tap(.choose("about"))
    guard case .row(let row)? = controls()["finding.0"]?.kind else {
      Issue.record("no row")
      return
    }
    #expect(row.line == "No fault found" && row.tone == .good)
  }

  @Test mutating func personalData_isErasedAfterAQuestion() {
    _ = tap(.choose("about"))
    #expect(controls()["erase"]?.isActive == true)
    #expect(tap(.choose("erase")).isEmpty)
    guard case .question(let question) = pages.page(facts, capacity).content else {
      Issue.record("no question")
      return
    }
    #expect(question.text == "Erase all personal data?")
    #expect(tap(.answer(false)).isEmpty)
    #expect(controls()["erase"] != nil)
    #expect(tap(.choose("erase"), .answer(true)) == [.erasePersonalData])
    #expect(controls()["erase"] != nil)
  }

  @Test mutating func personalData_whileDriving_isNotErased() {
    _ = tap(.choose("about"), .choose("erase"))
    facts = Self.facts(isParked: false)
    #expect(tap(.answer(true)).isEmpty)
    #expect(controls()["erase"]?.isActive == false)
    #expect(pages.goUp() == .stay())
  }

  @Test mutating func code_isForAParkedCar_andHasNoNames() {
    facts = report(findings)
    _ = tap(.choose("about"))
    #expect(controls()["code"]?.isActive == true)
    _ = tap(.choose("code"))
    guard case .code(let code) = pages.page(facts, capacity).content else {
      Issue.record("no code")
      return
    }
    #expect(
      code.text
        == "autoharp 1.3 4f2c9ae\nqemu-x86_64\n!output.silent\n?space.low\n+music.present")
    let many = (0..<40).map {
      DiagnosisReport.Finding("a.long.identifier.\($0)", "x", .bad, "y")
    }
    #expect(report(many).reportText.utf8.count <= 190)
    _ = pages.goUp()
    facts = Self.facts(isParked: nil)
    #expect(controls()["code"]?.isActive == false)
  }
}
