package import LibraryModel
package import NowPlaying
package import Reports
package import ScreenLayout
package import Settings

/// The pages behind the corner of Now Playing: the tabs, and where a person is in each of them.
package struct MenuPages: Sendable {
  /// What the daemon has told about the things on the pages.
  package struct Facts: Sendable {
    package var words: LocalizedWords
    package var language: LanguageTag
    /// Nil until the library has told its state.
    package var library: LibraryState?
    /// Bonded, connected and found devices.
    package var phones = PhonesState()
    /// False if there is no Bluetooth.
    package var hasBluetooth = false
    /// True if the unit can permit pairing.
    package var canPair = false
    /// What plays.
    package var nowPlaying: NowPlayingState
    /// The greatest number of rows in a list, except in a parked car; nil for no limit.
    package var rowLimit: Int?
    /// Nil until the daemon has told its settings.
    package var settings: SettingsState?
    /// Nil if it is unknown whether the car is parked.
    package var isParked: Bool?
    /// The rule that selects the colours of day or night.
    package var lightRule = Settings.LightRule.clock
    /// True if the brightness of the panel can be set.
    package var hasBacklight = false
    /// The time of day; nil if unknown.
    package var time: SettingFacts.Time?
    /// What the unit has told about itself.
    package var report = SettingFacts.Report()

    /// The rows that can be reached by turning pages; nil for all.
    var reachableRows: RowLimit? {
      isParked == true ? nil : rowLimit.map { RowLimit(rows: $0, isParkedKnown: isParked != nil) }
    }
    /// The artist of what plays; nil if unknown.
    var artist: String? { nowPlaying.lines.subtitle }

    package init(_ words: LocalizedWords, _ language: LanguageTag, _ nowPlaying: NowPlayingState) {
      self.nowPlaying = nowPlaying
      self.words = words
      self.language = language
    }
  }

  /// What a touch causes.
  enum Outcome {
    case requests([ScreenPages.Request])
    /// The same, and Now Playing is shown.
    case leave([ScreenPages.Request])
  }

  package var library: LibraryBrowser
  private var sources = SourcesPage()
  private var phones = PhonePages()
  private var settings = SettingsPages()
  private var tab = MenuPage.Tab.library

  init(_ capacity: MenuCapacity) { library = LibraryBrowser(capacity) }

  /// The page that is shown.
  func page(_ facts: Facts) -> MenuPage {
    var page =
      switch tab {
      case .library: library.page(facts.words, facts.language, library: facts.library)
      case .sources:
        sources.page(facts.words, facts.library?.sources ?? [], library.capacity)
      case .phone:
        phones.page(facts.words, facts.phones, canAdd: facts.canPair, library.capacity)
      case .settings: settings.page(facts.forSettings, library.capacity)
      }
    page.tab = tab
    page.tabs = MenuPage.Tab.allCases.filter { $0 != .phone || facts.hasBluetooth }
    return page
  }

  mutating func perform(_ action: MenuAction, _ facts: Facts) -> Outcome {
    switch action {
    case .showTab(let tab): return .requests(show(tab))
    case .showNowPlaying: return .leave(requests(phones.showList()))
    case .goUp: return goUp(facts)
    default: break
    }
    switch tab {
    case .library: return outcome(library.perform(action, facts.words))
    case .sources:
      switch sources.perform(
        action, facts.words, facts.library?.sources ?? [], library.capacity)
      {
      case .choose(let source): return .leave([.chooseSource(source)])
      case .command(let source, let command): return .requests([.source(source, command)])
      case nil: return .requests([])
      }
    case .phone: return outcome(phones.perform(action, facts.phones.phones, library.capacity))
    case .settings:
      let outcome = settings.perform(action, facts.forSettings, library.capacity)
      return .requests(outcome.map { [.setting($0)] } ?? [])
    }
  }

  private mutating func show(_ tab: MenuPage.Tab) -> [ScreenPages.Request] {
    self.tab = tab
    sources = SourcesPage()
    let left = requests(phones.showList())
    switch tab {
    case .library: return left + requests(library.showFirstPage())
    case .settings: return left + [.setting(settings.showFirst())]
    case .phone, .sources: return left
    }
  }

  /// Opens the page of an entry of the library. The first page of the library is above it.
  mutating func open(_ row: LibraryRow) -> [ScreenPages.Request] {
    tab = .library
    library.reset()
    return requests(library.open(row))
  }

  private mutating func goUp(_ facts: Facts) -> Outcome {
    switch tab {
    case .library:
      let (isUp, outcomes) = library.goUp()
      return isUp ? outcome(outcomes) : .leave([])
    case .sources: return sources.goUp(facts.library?.sources ?? []) ? .requests([]) : .leave([])
    case .phone:
      let (isUp, outcome) = phones.goUp(facts.phones.phones)
      return isUp ? .requests(requests(outcome)) : .leave([])
    case .settings: return settings.goUp() ? .requests([]) : .leave([])
    }
  }

  private func outcome(_ outcomes: [LibraryOutcome]) -> Outcome {
    let requests = requests(outcomes)
    return outcomes.contains(.leave) ? .leave(requests) : .requests(requests)
  }

  private func requests(_ outcomes: [LibraryOutcome]) -> [ScreenPages.Request] {
    outcomes.compactMap { outcome in
      switch outcome {
      case .ask(let number, let question): .askLibrary(number, question)
      case .play(let list, let row, let mode): .playList(list, row, mode)
      case .leave: nil
      }
    }
  }

  private func outcome(_ outcome: PhonePages.Outcome?) -> Outcome {
    if case .play = outcome { .leave(requests(outcome)) } else { .requests(requests(outcome)) }
  }

  private func requests(_ outcome: PhonePages.Outcome?) -> [ScreenPages.Request] {
    switch outcome {
    case .play(let address): [.chooseSource(address)]
    case .find: [.phone("", .find)]
    case .stopFinding: [.phone("", .stopFinding)]
    case .add(let address): [.phone(address, .add)]
    case .connect(let address): [.phone(address, .connect)]
    case .disconnect(let address): [.phone(address, .disconnect)]
    case .setFirstChoice(let address): [.phone(address, .setFirstChoice)]
    case .forget(let address): [.phone(address, .forget)]
    case nil: []
    }
  }

  /// Receives a new state of the phones.
  mutating func receive(_ phones: PhonesState, before: PhonesState) -> [ScreenPages.Request] {
    requests(self.phones.receive(phones, before: before))
  }

  /// Receives an answer of the library.
  mutating func receive(_ answer: LibraryAnswer, number: Int) -> [ScreenPages.Request] {
    requests(library.receive(answer, number: number))
  }

  /// Asks again for what is shown, because it may have changed.
  mutating func refresh() -> [ScreenPages.Request] {
    tab == .library ? requests(library.refresh()) : []
  }
}

extension MenuPages.Facts {
  var forSettings: SettingFacts {
    SettingFacts(
      words: words, state: settings, isParked: isParked, time: time, report: report,
      lightRule: lightRule, hasBluetooth: hasBluetooth, hasBacklight: hasBacklight)
  }
}
