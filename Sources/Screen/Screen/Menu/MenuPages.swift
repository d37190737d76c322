package import LibraryModel
package import NowPlaying
package import Reports
package import ScreenLayout
package import Settings

/// The pages of the menu, which opens from the corner of Now Playing: the tabs, and the page that is open in each tab.
package struct MenuPages: Sendable {
  /// The data that the pages show.
  package struct Facts: Sendable {
    package var words: LocalizedWords
    package var language: LanguageTag
    /// The state of the library. Nil until it has arrived.
    package var library: LibraryState?
    /// Bonded, connected and found devices.
    package var phones = PhonesState()
    /// False if there is no Bluetooth.
    package var hasBluetooth = false
    /// True if the unit can permit pairing.
    package var canPair = false
    /// The state of Now Playing.
    package var nowPlaying: NowPlayingState
    /// The greatest number of rows in a list, except in a parked car. Nil if there is no limit.
    package var rowLimit: Int?
    /// The settings. Nil until the daemon has sent them.
    package var settings: SettingsState?
    /// Nil if it is unknown whether the car is parked.
    package var isParked: Bool?
    /// The rule that selects the colours of day or night.
    package var lightRule = Settings.LightRule.clock
    /// True if the brightness of the panel can be set.
    package var hasBacklight = false
    /// The time of day; nil if unknown.
    package var time: SettingFacts.Time?
    /// The facts that the unit has reported about itself.
    package var report = SettingFacts.Report()

    /// The limit of the rows that can be reached by turning pages. Nil if all rows can be reached.
    var reachableRows: RowLimit? {
      isParked == true ? nil : rowLimit.map { RowLimit(rows: $0, isParkedKnown: isParked != nil) }
    }
    /// The artist of the content that plays. Nil if unknown.
    var artist: String? { nowPlaying.lines.subtitle }

    package init(_ words: LocalizedWords, _ language: LanguageTag, _ nowPlaying: NowPlayingState) {
      self.nowPlaying = nowPlaying
      self.words = words
      self.language = language
    }
  }

  /// The effects of an action.
  struct Outcome: Equatable {
    let requests: [ScreenRequest]
    /// True if the action closes the menu and shows Now Playing.
    let leavesMenu: Bool

    static func stay(_ requests: [ScreenRequest] = []) -> Outcome {
      Outcome(requests: requests, leavesMenu: false)
    }

    static func leave(_ requests: [ScreenRequest] = []) -> Outcome {
      Outcome(requests: requests, leavesMenu: true)
    }
  }

  package var library: LibraryBrowser
  private var volumes = VolumesPage()
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
        volumes.page(facts.words, facts.library?.volumes ?? [], library.capacity)
      case .phone:
        phones.page(facts.words, facts.phones, canAdd: facts.canPair, library.capacity)
      case .settings: settings.page(facts.forSettings, library.capacity)
      }
    page.tab = tab
    page.tabs = MenuPage.Tab.allCases.filter { $0 != .phone || facts.hasBluetooth }
    return page
  }

  mutating func perform(_ action: MenuAction, _ facts: Facts) -> Outcome {
    let present = facts.library?.volumes ?? []
    switch (action, tab) {
    case (.showTab(let tab), _): return .stay(show(tab))
    case (.showNowPlaying, _): return .leave(phones.showList())
    case (.goUp, .library): return library.goUp()
    case (.goUp, .sources): return volumes.goUp(present)
    case (.goUp, .phone): return phones.goUp(facts.phones.phones)
    case (.goUp, .settings): return settings.goUp()
    case (_, .library): return library.perform(action, facts.words)
    case (_, .sources):
      return volumes.perform(action, facts.words, present, library.capacity)
    case (_, .phone): return phones.perform(action, facts.phones.phones, library.capacity)
    case (_, .settings):
      return .stay(settings.perform(action, facts.forSettings, library.capacity))
    }
  }

  private mutating func show(_ tab: MenuPage.Tab) -> [ScreenRequest] {
    self.tab = tab
    volumes = VolumesPage()
    let left = phones.showList()
    switch tab {
    case .library: return left + library.showFirstPage()
    case .settings: return left + settings.showFirst()
    case .phone, .sources: return left
    }
  }

  /// Opens the page of an entry of the library. Going up from this page leads to the first page of the library.
  mutating func open(_ row: LibraryRow) -> [ScreenRequest] {
    tab = .library
    library.reset()
    return library.open(row)
  }

  /// Receives a new state of the phones.
  mutating func receive(_ phones: PhonesState, before: PhonesState) -> [ScreenRequest] {
    self.phones.receive(phones, before: before)
  }

  /// Receives an answer of the library.
  mutating func receive(_ answer: LibraryAnswer, number: Int) -> [ScreenRequest] {
    library.receive(answer, number: number)
  }

  /// Returns the requests that update the shown page. Called when the data of the page can have changed.
  mutating func refresh() -> [ScreenRequest] {
    tab == .library ? library.refresh() : []
  }
}

extension MenuPages.Facts {
  var forSettings: SettingFacts {
    SettingFacts(
      words: words, state: settings, isParked: isParked, time: time, report: report,
      lightRule: lightRule, hasBluetooth: hasBluetooth, hasBacklight: hasBacklight)
  }
}
