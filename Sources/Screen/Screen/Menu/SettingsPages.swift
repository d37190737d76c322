internal import Reports
internal import ScreenLayout

/// The pages of settings, as a value that stores which page is shown.
struct SettingsPages: Sendable {
  enum Page: Hashable, Sendable {
    case first
    case sound, display, clock, language, atStart, phones, about
    /// The regions of time zones, and the zones of one region.
    case regions
    case zones(region: String)
    /// All results of the checks.
    case checks
    /// The report as a QR code.
    case code
    /// The question before the personal data is erased.
    case erasing
  }

  private var shown = Page.first
  /// If the controls of ``shown`` do not fit on the screen, they are divided into parts. This is the number of the
  /// visible part, from 0. A page with rows uses ``window`` instead.
  private var formPage = 0
  private var window = RowWindow()

  private mutating func open(_ new: Page) {
    shown = new
    formPage = 0
    window = RowWindow()
  }

  /// Shows the first page. Returns the request for the version, which the last tile shows.
  mutating func showFirst() -> [ScreenRequest] {
    open(.first)
    return [.readVersions]
  }

  /// Goes up one level. From the first page, leaves the menu.
  mutating func goUp() -> MenuPages.Outcome {
    switch shown {
    case .first: return .leave()
    case .sound, .display, .clock, .language, .atStart, .phones, .about: open(.first)
    case .regions: open(.clock)
    case .zones: open(.regions)
    case .checks, .code, .erasing: open(.about)
    }
    return .stay()
  }

  mutating func perform(_ action: MenuAction, _ facts: SettingFacts, _ capacity: MenuCapacity)
    -> [ScreenRequest]
  {
    switch (shown, action) {
    case (_, .turnPage(let direction)): turn(direction, facts, capacity)
    case (_, .select(let key, let value)): return [.set(key: key, value: value)]
    case (.clock, .step(SettingFacts.hour, let direction)):
      return [.changeTime(seconds: direction == .forward ? 3600 : -3600)]
    case (.clock, .step(SettingFacts.minute, let direction)):
      return [.changeTime(seconds: direction == .forward ? 60 : -60)]
    case (_, .step(let key, let direction)):
      return facts.stepped(key, direction).map { [.set(key: key, value: $0)] } ?? []
    case (_, .choose(let id)): return choose(id, facts)
    case (.erasing, .answer(let isYes)):
      open(.about)
      // The car can have started to move since the question was opened.
      return isYes && facts.obstacle(SettingFacts.eraseKey) == nil ? [.erasePersonalData] : []
    default: break
    }
    return []
  }

  private mutating func turn(
    _ direction: MenuPaging.Direction, _ facts: SettingFacts, _ capacity: MenuCapacity
  ) {
    window.turn(direction, capacity)
    formPage = capacity.turned(MenuForm(facts.controls(shown), page: formPage), direction)
  }

  private mutating func choose(_ id: String, _ facts: SettingFacts) -> [ScreenRequest] {
    switch shown {
    case .first:
      guard let next = SettingFacts.tiles.first(where: { $0.id == id })?.page else { return [] }
      open(next)
      return next == .about ? [.runChecks] : []
    case .language: return [.set(key: SettingFacts.languageKey, value: id)]
    case .clock where id == SettingFacts.zoneKey: open(.regions)
    case .regions:
      let (region, zones) = (id, facts.zones(in: id))
      if zones.count == 1 { return [.set(key: SettingFacts.zoneKey, value: zones[0])] }
      open(.zones(region: region))
    case .zones: return [.set(key: SettingFacts.zoneKey, value: id)]
    case .about where id == SettingFacts.checksKey: open(.checks)
    case .about where id == SettingFacts.codeKey: open(.code)
    case .about where id == SettingFacts.eraseKey: open(.erasing)
    default: break
    }
    return []
  }

  // MARK: Pages

  func page(_ facts: SettingFacts, _ capacity: MenuCapacity) -> MenuPage {
    guard shown != .first else { return first(facts, capacity) }
    return MenuPage(.settings, heading: facts.heading(shown), content(facts, capacity))
  }

  private func content(_ facts: SettingFacts, _ capacity: MenuCapacity) -> MenuPage.Content {
    switch shown {
    case .language: facts.languages(capacity, window)
    case .regions: window.content(facts.regionRows, capacity)
    case .zones(let region): window.content(facts.zoneRows(in: region), capacity)
    case .checks: window.content(facts.checkRows, capacity)
    case .code: facts.code
    case .erasing: facts.eraseQuestion
    case .first, .sound, .display, .clock, .atStart, .phones, .about:
      .form(MenuForm(facts.controls(shown), page: formPage))
    }
  }

  private func first(_ facts: SettingFacts, _ capacity: MenuCapacity) -> MenuPage {
    let keys = SettingFacts.tiles.filter { facts.has($0.page) }.map { tile in
      var key = MenuKey(
        id: tile.id, tile.symbol, facts.title(tile.page), facts.summary(tile.page))
      key.opensPage = true
      return key
    }
    return MenuPage(.settings, window.keys(keys, capacity))
  }
}
