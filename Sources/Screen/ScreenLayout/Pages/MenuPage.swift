/// A page of the menu, as a value: its content, and the parts that react to a touch.
///
/// A page belongs to a tab. Each row, cover and key has an identity. A touch reports this identity to the owner of the
/// page. Only the owner knows the meaning of the identity.
public struct MenuPage: Hashable, Sendable {
  /// The tabs, in the order in which the screen shows them.
  public enum Tab: String, Hashable, Sendable, CaseIterable {
    case library, phone, sources, settings
  }

  /// The title of a page, and the line below the title.
  public struct Heading: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The line below the title. A small screen does not show this line.
    public var line: String?

    public init(_ title: String, line: String? = nil) {
      self.title = title
      self.line = line
    }
  }

  /// The key in the header, beside the key that leads back to Now Playing.
  public enum HeaderKey: Hashable, Sendable {
    case search
    /// Adds a phone or a remote control.
    case add
  }

  /// What the page shows below the header.
  public enum Content: Hashable, Sendable {
    case home(MenuHome)
    case letters([MenuLetter])
    case rows([MenuRow], MenuPaging?)
    case covers([MenuCover], MenuPaging?)
    case collection(MenuCollection)
    case search(MenuSearch)
    case message(MenuMessage)
    /// Large keys for the actions on an item, for example a phone.
    case keys([MenuKey])
    /// Values that can be changed.
    case form(MenuForm)
    case question(MenuQuestion)
    case code(MenuCode)
    /// Phones can find the unit, and the unit searches for remote controls.
    case adding(MenuAdding)
  }

  /// The tabs that the unit has.
  public var tabs: [Tab]
  /// The tab to which the page belongs.
  public var tab: Tab
  /// The title. Nil on the first page of a tab. A page with a title has the key *back*.
  public var heading: Heading?
  /// The key in the header. Nil if there is no key.
  public var key: HeaderKey?
  /// What the page shows.
  public var content: Content

  public init(
    _ tab: Tab, tabs: [Tab] = Tab.allCases, heading: Heading? = nil, key: HeaderKey? = nil,
    _ content: Content
  ) {
    self.tabs = tabs
    self.tab = tab
    self.heading = heading
    self.key = key
    self.content = content
  }
}

/// The action that a touch on a page requests.
public enum MenuAction: Hashable, Sendable {
  case showNowPlaying
  case showTab(MenuPage.Tab)
  /// Shows the page one level up. On the first page of a tab, shows Now Playing.
  case goUp
  case headerKey(MenuPage.HeaderKey)
  /// Chooses a row, a cover, a letter or a tile with this identity.
  case choose(String)
  case play
  /// Plays the list of the page from the position at which it was left.
  case goOn
  case shuffle
  case turnPage(MenuPaging.Direction)
  /// Goes back to the page with the headings of the list (``MenuLetter``).
  case showLetters
  /// Selects an option of a control. The values are the identities of the control and of the option.
  case select(String, String)
  /// Sets the control with this identity to the next smaller or larger value.
  case step(String, MenuPaging.Direction)
  /// Presses a key in the row with this identity.
  case rowKey(String, MenuRow.Key)
  /// Answers a ``MenuQuestion``: true for *yes*.
  case answer(Bool)
  /// Presses a key for letters on the search page. The number of the key is 1 to 9.
  case type(Int)
  case space
  case erase
}

/// The keys that turn the pages of a list.
public struct MenuPaging: Hashable, Sendable {
  /// The direction in which a page is turned or a value is changed.
  public enum Direction: String, Hashable, Sendable {
    case back, forward
  }

  /// True if there is a page before the shown page.
  public var canGoBack: Bool
  /// True if there is a page after the shown page.
  public var canGoForward: Bool
  /// The heading of the shown rows. Nil if the list has no headings.
  public var letter: String?

  public init(canGoBack: Bool, canGoForward: Bool, letter: String? = nil) {
    self.canGoBack = canGoBack
    self.canGoForward = canGoForward
    self.letter = letter
  }
}

/// The heading of a part of a long list: usually the first letters of its rows.
public struct MenuLetter: Hashable, Sendable {
  /// The heading in the form in which the library names it. It is also the identity of the heading.
  public var id: String
  /// The heading in the form in which the screen shows it.
  public var text: String
  /// False if the list has no row under this heading.
  public var isPresent: Bool

  public init(_ id: String, text: String? = nil, isPresent: Bool = true) {
    self.id = id
    self.text = text ?? id
    self.isPresent = isPresent
  }
}
