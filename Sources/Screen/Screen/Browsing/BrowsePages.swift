package import LibraryModel
package import NowPlaying
package import Reports
package import ScreenLayout

/// The pages behind the corner of Now Playing: the tabs, and where a person is in each of them.
package struct BrowsePages: Sendable {
  /// What the daemon has told about the things on the pages.
  package struct Facts: Sendable {
    package var words: LocalizedWords
    package var language: LanguageTag
    /// Nil until the library has told its state.
    package var library: LibraryState?
    /// Bonded and connected devices.
    package var phones: [PhonesState.Phone] = []
    /// False if there is no Bluetooth.
    package var hasBluetooth = false
    /// True if the unit can permit pairing.
    package var canPair = false
    /// The artist of what plays; nil if unknown.
    package var artist: String?

    package init(_ words: LocalizedWords, _ language: LanguageTag) {
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
  private var tab = BrowsePage.Tab.library

  init(_ capacity: BrowseCapacity) { library = LibraryBrowser(capacity) }

  /// The page that is shown.
  func page(_ facts: Facts) -> BrowsePage {
    var page =
      switch tab {
      case .library, .settings:
        library.page(facts.words, facts.language, library: facts.library)
      case .sources:
        sources.page(facts.words, facts.library?.sources ?? [], library.capacity)
      case .phone:
        phones.page(facts.words, facts.phones, canAdd: facts.canPair, library.capacity)
      }
    page.tab = tab
    page.tabs = facts.hasBluetooth ? [.library, .phone, .sources] : [.library, .sources]
    return page
  }

  mutating func perform(_ action: BrowseAction, _ facts: Facts) -> Outcome {
    switch action {
    case .showTab(let tab): return .requests(show(tab))
    case .showNowPlaying: return .leave([])
    case .goUp: return goUp()
    default: break
    }
    switch tab {
    case .library, .settings: return outcome(library.perform(action, facts.words))
    case .sources:
      switch action {
      case .choose(let source): return .leave([.chooseSource(source)])
      case .turnPage(let direction): sources.turn(direction, library.capacity)
      default: break
      }
      return .requests([])
    case .phone: return outcome(phones.perform(action, facts.phones, library.capacity))
    }
  }

  private mutating func show(_ tab: BrowsePage.Tab) -> [ScreenPages.Request] {
    self.tab = tab
    sources = SourcesPage()
    phones.showList()
    return tab == .library ? requests(library.showFirstPage()) : []
  }

  /// Opens the page of an entry of the library. The first page of the library is above it.
  mutating func open(_ row: LibraryRow) -> [ScreenPages.Request] {
    tab = .library
    library.reset()
    return requests(library.open(row))
  }

  private mutating func goUp() -> Outcome {
    switch tab {
    case .library, .settings:
      let (isUp, outcomes) = library.goUp()
      return isUp ? outcome(outcomes) : .leave([])
    case .sources: return .leave([])
    case .phone: return phones.goUp() ? .requests([]) : .leave([])
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
    switch outcome {
    case .play(let address): .leave([.chooseSource(address)])
    case .add: .requests([.pairPhone])
    case .connect(let address): .requests([.phone(address, .connect)])
    case .disconnect(let address): .requests([.phone(address, .disconnect)])
    case .setFirstChoice(let address): .requests([.phone(address, .setFirstChoice)])
    case .forget(let address): .requests([.phone(address, .forget)])
    case nil: .requests([])
    }
  }

  /// Takes an answer of the library.
  mutating func take(_ answer: LibraryAnswer, number: Int) -> [ScreenPages.Request] {
    requests(library.take(answer, number: number))
  }

  /// Asks again for what is shown, because it may have changed.
  mutating func refresh() -> [ScreenPages.Request] {
    tab == .library ? requests(library.refresh()) : []
  }
}
