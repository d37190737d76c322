internal import Reports
internal import ScreenLayout
internal import Settings

// Creates the content of the pages of settings.
extension SettingFacts {
  func controls(_ page: SettingsPages.Page) -> [MenuControl] {
    let words = words.settings
    switch page {
    case .sound:
      return [
        choice("replay-gain", words.equalLoudness),
        steps("start-volume-maximum", words.loudestAtStart),
      ].compactMap(\.self)
    case .display: return display
    case .clock: return clock
    case .atStart:
      return [
        choice("start", words.whenSwitchedOn), choice("queue-end", words.endOfList),
        choice("stick-comes", words.newStick),
      ].compactMap(\.self)
    case .phones:
      return [
        choice("bluetooth", words.bluetooth),
        choice("play-when-phone-connects", words.whenPhoneConnects),
        choice("pause-when-phone-leaves", words.whenPhoneLeaves),
        steps("phone-wait", words.waitForPhone),
      ].compactMap(\.self)
    case .about: return about
    case .first, .language, .regions, .zones, .checks, .code, .erasing: return []
    }
  }

  private var display: [MenuControl] {
    let words = words.settings
    var controls = [choice("screen-light", words.colours)]
    if lightRule == .clock {
      controls += [
        steps("day-begins", words.dayFrom, isHalf: true),
        steps("day-ends", words.dayUntil, isHalf: true),
      ]
    }
    if hasBacklight {
      controls += [
        steps("brightness-day", words.brightnessByDay, isHalf: true),
        steps("brightness-night", words.brightnessAtNight, isHalf: true),
      ]
    }
    controls.append(choice("screen-text", words.letters))
    return controls.compactMap(\.self)
  }

  // MARK: Clock

  private var clock: [MenuControl] {
    // The note about the keys for hour and minute stands at the first control, because these keys have no room for a
    // note.
    var controls = [
      choice("screen-clock", words.settings.shownAs, note: timeNote)
    ].compactMap(\.self)
    let parts = [
      (Self.hour, words.settings.hour, time?.hour),
      (Self.minute, words.settings.minute, time?.minute),
    ]
    for (id, title, value) in parts {
      let text = value.map { $0 < 10 && id == Self.minute ? "0\($0)" : "\($0)" } ?? "–"
      var control = MenuControl(id, .steps(MenuControl.Steps(text)), title: title)
      control.isActive = state?.canSetTime == true && obstacle(id) == nil
      control.isHalf = true
      controls.append(control)
    }
    if let zone = setting(Self.zoneKey) {
      var row = MenuRow(
        id: Self.zoneKey, .picture(MenuPicture(.globe)), words.settings.timeZone,
        line: obstacle(Self.zoneKey)
          ?? (zone.value.isEmpty ? words.settings.noTimeZone : Self.city(zone.value)))
      row.opensPage = obstacle(Self.zoneKey) == nil
      if !row.opensPage { row.condition = .inert }
      controls.append(MenuControl(Self.zoneKey, .row(row)))
    }
    return controls
  }

  /// The reason why the time cannot be set on this page. Nil if it can be set.
  private var timeNote: String? {
    switch state?.clock {
    case .network: words.settings.networkSetsTime
    case _ where state?.canSetTime != true: words.settings.timeCannotBeSet
    default: nil
    }
  }

  // MARK: Settings

  /// A choice between a few words.
  private func choice(_ key: String, _ title: String, note: String? = nil) -> MenuControl? {
    guard let setting = setting(key) else { return nil }
    let obstacle = obstacle(key)
    var control = MenuControl(
      key, .choice(options(key), selected: setting.value), title: title,
      note: obstacle ?? note ?? detail(setting))
    control.isActive = obstacle == nil
    return control
  }

  /// The note below a choice: that a new value takes effect at the next start, or by which rule the unit selects the
  /// colours. Nil if there is no note.
  private func detail(_ setting: SettingReport) -> String? {
    if setting.effect == .restart { return words.settings.fromNextStart }
    guard setting.key == "screen-light" else { return nil }
    return switch lightRule {
    case .clock: words.settings.byClock
    case .headlights: words.settings.byHeadlights
    case .sensor: words.settings.bySensor
    case .day, .night: nil
    }
  }

  /// The values of a choice in words, in the order of the screen.
  func options(_ key: String) -> [MenuControl.Option] {
    let words = words.settings
    let pairs: [(String, String)] =
      switch key {
      case "replay-gain":
        [
          ("off", words.off), ("track", words.everySong), ("album", words.everyAlbum),
          ("auto", words.automatic),
        ]
      case "screen-light":
        [(automaticLight, words.automatic), ("day", words.day), ("night", words.night)]
      case "screen-text":
        [
          ("0", words.automatic), ("100 %", words.normal), ("115 %", words.large),
          ("130 %", words.largest),
        ]
      case "screen-clock":
        [("24h", words.hours24), ("12h", words.hours12), ("off", words.hidden)]
      case "start": [("resume", words.goOn), ("play", words.play), ("paused", words.wait)]
      case "queue-end": [("next", words.playNextList), ("stop", words.stop)]
      case "stick-comes": [("offer", words.sayIt), ("play", words.play)]
      case "play-when-phone-connects": [("yes", words.play), ("no", words.wait)]
      case "pause-when-phone-leaves": [("no", words.playOn), ("yes", words.pause)]
      default: [("yes", words.on), ("no", words.off)]
      }
    return pairs.map { MenuControl.Option($0.0, $0.1) }
  }

  /// The value of `screen-light` with which this unit selects the colours automatically.
  private var automaticLight: String {
    let setting = setting("screen-light")
    let fixed: Set = ["day", "night"]
    return [setting?.value, setting?.standard].compactMap(\.self).first { !fixed.contains($0) }
      ?? Settings.ScreenLight.auto.rawValue
  }

  /// A number with a key for less and a key for more.
  private func steps(_ key: String, _ title: String, isHalf: Bool = false) -> MenuControl? {
    guard let setting = setting(key), let (numbers, value) = Self.numbers(setting) else {
      return nil
    }
    let obstacle = obstacle(key)
    let part = (value - numbers.minimum) / max(numbers.maximum - numbers.minimum, 1)
    var control = MenuControl(
      key,
      .steps(
        MenuControl.Steps(
          obstacle ?? setting.value, part: part, canGoDown: value > numbers.minimum,
          canGoUp: value < numbers.maximum)),
      title: title)
    control.isActive = obstacle == nil
    control.isHalf = isHalf
    return control
  }

  private static func numbers(_ setting: SettingReport) -> (SettingReport.Numbers, Double)? {
    switch setting.kind {
    case .number(let numbers), .timeOfDay(let numbers):
      (numbers, numbers.current ?? numbers.minimum)
    case .choice, .text: nil
    }
  }

  /// The new value after a press of the key for less or of the key for more.
  func stepped(_ key: String, _ direction: MenuPaging.Direction) -> String? {
    guard let setting = setting(key), let (numbers, value) = Self.numbers(setting) else {
      return nil
    }
    // A value between two steps changes to the nearest step in this direction.
    let steps = value / numbers.step
    let next = direction == .forward ? (steps + 1).rounded(.down) : (steps - 1).rounded(.up)
    return setting.text(of: next * numbers.step)
  }

  // MARK: Languages

  /// The languages of the screen. Each name is in its own language.
  private static let languages = [
    ("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("ar", "العربية"), ("he", "עברית"),
  ]

  func languageName(_ value: String?) -> String {
    Self.languages.first { $0.0 == value }?.1
      ?? (value == "und" ? words.settings.automatic : value ?? "")
  }

  func languages(_ capacity: MenuCapacity, _ window: RowWindow) -> MenuPage.Content {
    let current = setting(Self.languageKey)?.value
    let isActive = obstacle(Self.languageKey) == nil
    let all = [("und", words.settings.automatic)] + Self.languages
    return window.keys(
      all.map { value, name in
        MenuKey(
          id: value, value == current ? .check : .globe, name, "", isPrimary: value == current,
          isActive: isActive)
      }, capacity)
  }

  // MARK: Time zones

  private var zones: [String] {
    guard case .choice(let zones)? = setting(Self.zoneKey)?.kind else { return [] }
    return zones.filter { !$0.isEmpty }
  }

  /// The name under which the screen shows a time zone: the city.
  static func city(_ zone: String) -> String {
    String((zone.split(separator: "/").last ?? "").map { $0 == "_" ? " " : $0 })
  }

  private static func region(_ zone: String) -> String {
    String(zone.split(separator: "/").first ?? "")
  }

  func zones(in region: String) -> [String] { zones.filter { Self.region($0) == region } }

  var regionRows: [MenuRow] {
    var regions: [String] = []
    for zone in zones where regions.last != Self.region(zone) { regions.append(Self.region(zone)) }
    let current = setting(Self.zoneKey)?.value ?? ""
    return regions.map { region in
      let zones = zones(in: region)
      var row = row(region, region, isSelected: zones.contains(current))
      row.opensPage = zones.count > 1
      if row.opensPage {
        row.line = zones.contains(current) ? Self.city(current) : nil
      }
      return row
    }
  }

  func zoneRows(in region: String) -> [MenuRow] {
    let current = setting(Self.zoneKey)?.value
    return zones(in: region).map { row($0, Self.city($0), isSelected: $0 == current) }
  }

  private func row(_ id: String, _ title: String, isSelected: Bool) -> MenuRow {
    var row = MenuRow(
      id: id, .picture(MenuPicture(isSelected ? .check : .globe)), title)
    if obstacle(Self.zoneKey) != nil { row.condition = .inert }
    return row
  }

  // MARK: About

  /// The number of results of the checks on the page *About*. The worst results are shown.
  private static let shownFindings = 2
  /// The greatest number of bytes in the QR code. With more bytes, its modules are too small for a camera.
  private static let codeBytes = 190

  var about: [MenuControl] {
    let words = words.settings
    var storage = MenuRow(
      id: "storage", .picture(MenuPicture(.folder)), words.storage,
      line: report.storage?.value ?? "…")
    if report.storage?.grade == .bad { storage.tone = .warning }
    var controls =
      [MenuControl("storage", .row(storage))]
      + results.map {
        MenuControl($0.id, .row($0))
      }
    // Empty controls fill the room of missing results, so that the keys below do not move when the results arrive.
    while controls.count <= Self.shownFindings {
      controls.append(MenuControl("space.\(controls.count)", .space))
    }
    controls += [
      .halfKey(
        Self.checksKey, .info, words.allChecks,
        isActive: report.findings != nil && obstacle(Self.checksKey) == nil),
      // The key that shows the QR code works only in a parked car, because the user must photograph the QR code.
      .halfKey(
        Self.codeKey, .code, words.asCode, isActive: report.findings != nil && isParked == true),
      .halfKey(
        Self.eraseKey, .bin, words.eraseData, isActive: obstacle(Self.eraseKey) == nil),
    ]
    return controls
  }

  /// The rows for the worst results of the checks. If there is no fault, or if the checks have not run, a single row
  /// says so.
  private var results: [MenuRow] {
    let words = words.settings
    guard let findings = report.findings else {
      return [
        MenuRow(
          id: "finding.0", .picture(MenuPicture(.reload)), words.checkedParts,
          line: report.hasFailed ? self.words.notices.unavailable : words.checksRun)
      ]
    }
    let faults = Self.sorted(findings).filter { $0.grade == .bad || $0.grade == .note }
    if !faults.isEmpty {
      return faults.prefix(Self.shownFindings).enumerated().map { row($1, $0) }
    }
    var good = MenuRow(
      id: "finding.0", .picture(MenuPicture(.check)), words.checkedParts,
      line: words.noFaultDetail)
    good.tone = .good
    return [good]
  }

  var checkRows: [MenuRow] {
    Self.sorted(report.findings ?? []).enumerated().map { row($1, $0) }
  }

  private static func sorted(_ findings: [DiagnosisReport.Finding]) -> [DiagnosisReport.Finding] {
    func weight(_ grade: Grade) -> Int {
      switch grade {
      case .bad: 0
      case .note: 1
      case .plain, .good: 2
      }
    }
    return findings.enumerated().sorted {
      (weight($0.element.grade), $0.offset) < (weight($1.element.grade), $1.offset)
    }.map(\.element)
  }

  /// The row for a result: what the check found, and what to do. The texts are in English, as on the console.
  private func row(_ finding: DiagnosisReport.Finding, _ index: Int) -> MenuRow {
    let symbol: Symbol =
      switch finding.grade {
      case .good, .plain: .check
      case .note: .info
      case .bad: .warning
      }
    var row = MenuRow(
      id: "finding.\(index)", .picture(MenuPicture(symbol)),
      "\(finding.subject): \(finding.found)",
      line: finding.remedy ?? finding.meaning)
    switch finding.grade {
    case .bad: row.tone = .warning
    case .good: row.tone = .good
    case .note, .plain: break
    }
    return row
  }

  var eraseQuestion: MenuPage.Content {
    let words = words.settings
    return .question(
      MenuQuestion(
        words.eraseQuestion, words.eraseDetail, no: self.words.menu.keep, yes: words.erase))
  }

  // MARK: The code

  /// The page with the report as a QR code.
  var code: MenuPage.Content {
    .code(
      MenuCode(
        reportText, title: words.settings.photograph, detail: words.settings.codeDetail,
        line: [report.version, report.commit].filter { !$0.isEmpty }.joined(separator: " · ")))
  }

  /// The text of the QR code: the version, the board, and the results of the checks by their identifiers, the worst
  /// first. The text contains no name, address or title, because the user sends it to strangers.
  var reportText: String {
    var text = "autoharp \(report.version) \(report.commit)\n\(report.board)"
    for finding in Self.sorted(report.findings ?? []) where finding.grade != .plain {
      let mark =
        switch finding.grade {
        case .bad: "!"
        case .note: "?"
        case .good, .plain: "+"
        }
      let line = "\n\(mark)\(finding.code)"
      if text.utf8.count + line.utf8.count > Self.codeBytes { break }
      text += line
    }
    return text
  }
}
