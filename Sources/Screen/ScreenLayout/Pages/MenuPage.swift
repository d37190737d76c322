/// A page beside Now Playing, as a value: what it shows, and which of its parts react to a touch.
///
/// A page belongs to a tab. It has an identity for each of its rows, covers and keys. A touch names this identity, and
/// only the owner of the page knows what it stands for.
public struct MenuPage: Hashable, Sendable {
  /// The tabs, in the order of the rail.
  public enum Tab: String, Hashable, Sendable, CaseIterable {
    case library, phone, sources, settings
  }

  /// The title of a page, and the line below it.
  public struct Heading: Hashable, Sendable {
    /// The title.
    public var title: String
    /// Left out on a small screen.
    public var line: String?

    public init(_ title: String, line: String? = nil) {
      self.title = title
      self.line = line
    }
  }

  /// What stands before the corner of the header.
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
    /// What can be done with a thing, as large keys.
    case keys([MenuKey])
    /// Values that can be changed.
    case form(MenuForm)
    case question(MenuQuestion)
    case code(MenuCode)
    /// Phones can find the unit, and remote controls are found.
    case adding(MenuAdding)
  }

  /// The tabs that the unit has.
  public var tabs: [Tab]
  /// The tab to which the page belongs.
  public var tab: Tab
  /// The title; nil on the first page of a tab. A page with a title has the key *back*.
  public var heading: Heading?
  /// The key; nil for none.
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

/// What a touch on a page asks for.
public enum MenuAction: Hashable, Sendable {
  case showNowPlaying
  case showTab(MenuPage.Tab)
  /// One level up. On the first page of a tab: Now Playing.
  case goUp
  case headerKey(MenuPage.HeaderKey)
  /// A row, a cover, a letter or a tile, by its identity.
  case choose(String)
  case play
  case shuffle
  case turnPage(MenuPaging.Direction)
  /// Back to the letters of the list.
  case showLetters
  /// A value of a control, by the identities of both.
  case select(String, String)
  /// The next smaller or larger value of a control.
  case step(String, MenuPaging.Direction)
  /// A key in a row, by the identity of the row.
  case rowKey(String, MenuRow.Key)
  /// The answer to a question.
  case answer(Bool)
  /// A key of the search, from 1 to 9.
  case type(Int)
  case space
  case erase
}

/// The keys that turn the pages of a list.
public struct MenuPaging: Hashable, Sendable {
  /// Which way the list goes.
  public enum Direction: String, Hashable, Sendable {
    case back, forward
  }

  /// True if there is a page before.
  public var canGoBack: Bool
  /// True if there is a page after.
  public var canGoForward: Bool
  /// The heading of the rows; nil if the list has no headings.
  public var letter: String?

  public init(canGoBack: Bool, canGoForward: Bool, letter: String? = nil) {
    self.canGoBack = canGoBack
    self.canGoForward = canGoForward
    self.letter = letter
  }
}

/// A heading of a list.
public struct MenuLetter: Hashable, Sendable {
  /// The heading as the list names it, which is also its identity.
  public var id: String
  /// The heading as it is shown.
  public var text: String
  /// False if the list has no row under this heading.
  public var isPresent: Bool

  public init(_ id: String, text: String? = nil, isPresent: Bool = true) {
    self.id = id
    self.text = text ?? id
    self.isPresent = isPresent
  }
}
