package import Reports
internal import ScreenLayout
internal import Settings

/// The data that the pages of settings show: the settings, the clock, and the results of the checks.
package struct SettingFacts: Sendable {
  /// The facts that the unit has reported about itself.
  package struct Report: Equatable, Sendable {
    /// The version of Autoharp. ``version``, ``board`` and ``commit`` are empty until the daemon has answered.
    /// ``board`` and ``commit`` stay empty on a machine that does not run the image.
    package var version = ""
    package var board = ""
    package var commit = ""
    /// The space for the saved state, in words. The grade of the fact tells whether the space is enough.
    package var storage: FactsReport.Fact?
    /// The results of the checks. Nil until the checks have run.
    package var findings: [DiagnosisReport.Finding]?
    /// True if the checks could not be run.
    package var hasFailed = false

    package init() {}

    /// Applies the facts about the versions.
    mutating func apply(versions: FactsReport) {
      let facts = versions.sections.first?.facts ?? []
      func value(_ label: String) -> String { facts.first { $0.label == label }?.value ?? "" }
      (version, board, commit) = (value("autoharp"), value("board"), value("commit"))
    }

    /// Applies the facts about the storage. `folder` is the folder of the saved state.
    mutating func apply(storage facts: FactsReport, folder: String) {
      storage = facts.sections.last?.facts.filter {
        $0.label == "/" || folder == $0.label || folder.hasPrefix("\($0.label)/")
      }.max { $0.label.utf8.count < $1.label.utf8.count }
    }
  }

  /// A time of day.
  package struct Time: Equatable, Sendable {
    package var hour: Int
    package var minute: Int

    package init(hour: Int, minute: Int) {
      self.hour = hour
      self.minute = minute
    }
  }

  let words: LocalizedWords
  /// The settings. Nil until the daemon has sent them.
  let state: SettingsState?
  /// True if the car is parked. Nil if unknown.
  let isParked: Bool?
  /// Nil if the time is unknown.
  let time: Time?
  let report: Report
  /// The rule that selects the colours.
  let lightRule: Settings.LightRule
  let hasBluetooth: Bool
  /// True if the brightness of the panel can be set.
  let hasBacklight: Bool

  static let hour = "hour"
  static let minute = "minute"
  static let zoneKey = "time-zone"
  static let languageKey = "screen-language"
  static let checksKey = "checks"
  static let codeKey = "code"
  static let eraseKey = "erase"

  /// The tiles of the first page of the settings.
  static let tiles: [(id: String, symbol: Symbol, page: SettingsPages.Page)] = [
    ("sound", .volume, .sound), ("display", .sun, .display), ("phones", .phone, .phones),
    ("clock", .clock, .clock), ("language", .globe, .language), ("start", .power, .atStart),
    ("about", .info, .about),
  ]

  func setting(_ key: String) -> SettingReport? { state?.setting(key) }

  /// True if this unit shows the page. A unit without Bluetooth has no settings of phones.
  func has(_ page: SettingsPages.Page) -> Bool {
    switch page {
    case .phones: hasBluetooth
    default: true
    }
  }

  /// True if a setting is locked because the car moves. If the unit does not know whether the car moves, nothing is
  /// locked, because many cars have no wire that reports this.
  private func isLocked(_ key: String) -> Bool {
    isParked == false && Self.lockedWhileDriving.contains(key)
  }

  private static let lockedWhileDriving: Set<String> = [
    "screen-clock", zoneKey, languageKey, hour, minute, checksKey,
    eraseKey,
  ]

  /// The reason why a setting cannot be changed now. Nil if it can be changed.
  func obstacle(_ key: String) -> String? {
    if setting(key)?.isFixed == true { return words.settings.setByFile }
    return isLocked(key) ? words.settings.whenParked : nil
  }

  // MARK: Titles

  func heading(_ page: SettingsPages.Page) -> MenuPage.Heading {
    switch page {
    case .about:
      MenuPage.Heading(
        title(page), line: report.version.isEmpty ? nil : "Autoharp \(report.version)")
    case .zones(let region): MenuPage.Heading(title(page), line: region)
    case .language, .regions, .checks:
      MenuPage.Heading(title(page), line: obstacle(page))
    default: MenuPage.Heading(title(page))
    }
  }

  private func obstacle(_ page: SettingsPages.Page) -> String? {
    switch page {
    case .language: obstacle(Self.languageKey)
    case .regions: obstacle(Self.zoneKey)
    default: nil
    }
  }

  func title(_ page: SettingsPages.Page) -> String {
    let words = words.settings
    return switch page {
    case .first: self.words.menu.settings
    case .sound: words.sound
    case .display: words.display
    case .clock: words.clock
    case .language: words.language
    case .atStart: words.atStart
    case .phones: self.words.menu.phone
    case .about: words.about
    case .regions, .zones: words.timeZone
    case .checks: words.allChecks
    case .code: words.report
    case .erasing: words.erase
    }
  }

  /// The current value that is shown below the title of a tile.
  func summary(_ page: SettingsPages.Page) -> String {
    switch page {
    case .sound: label("replay-gain").map { "ReplayGain: \($0)" } ?? ""
    case .display: label("screen-light") ?? ""
    case .clock: label("screen-clock") ?? ""
    case .language: languageName(setting(Self.languageKey)?.value)
    case .atStart: label("start") ?? ""
    case .phones: label("bluetooth").map { "\(words.settings.bluetooth): \($0)" } ?? ""
    case .about: report.version.isEmpty ? "" : "\(words.settings.version) \(report.version)"
    case .first, .regions, .zones, .checks, .code, .erasing: ""
    }
  }

  /// The current value of a choice in words.
  private func label(_ key: String) -> String? {
    guard let value = setting(key)?.value else { return nil }
    return options(key).first { $0.id == value }?.text
  }
}
