/// A page beside Now Playing, as a value: what it shows, and which of its parts react to a touch.
///
/// A page belongs to a tab. It has an identity for each of its rows, covers and keys. A touch names this
/// identity, and only the owner of the page knows what it stands for.
public struct BrowsePage: Hashable, Sendable {
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
    case home(BrowseHome)
    case letters([BrowseLetter])
    case rows([BrowseRow], BrowsePaging?)
    case covers([BrowseCover], BrowsePaging?)
    case collection(BrowseCollection)
    case search(BrowseSearch)
    case message(BrowseMessage)
    /// What can be done with a thing, as large keys.
    case keys([BrowseKey])
    /// Values that can be changed.
    case form(BrowseForm)
    case question(BrowseQuestion)
    case code(BrowseCode)
    /// Phones can find the unit, and remote controls are found.
    case adding(BrowseAdding)
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
public enum BrowseAction: Hashable, Sendable {
  case showNowPlaying
  case showTab(BrowsePage.Tab)
  /// One level up. On the first page of a tab: Now Playing.
  case goUp
  case headerKey(BrowsePage.HeaderKey)
  /// A row, a cover, a letter or a tile, by its identity.
  case choose(String)
  case play
  case shuffle
  case turnPage(BrowsePaging.Direction)
  /// Back to the letters of the list.
  case showLetters
  /// A value of a control, by the identities of both.
  case select(String, String)
  /// The next smaller or larger value of a control.
  case step(String, BrowsePaging.Direction)
  /// A key in a row, by the identity of the row.
  case rowKey(String, BrowseRow.Key)
  /// The answer to a question.
  case answer(Bool)
  /// A key of the search, from 1 to 9.
  case type(Int)
  case space
  case erase
}

/// The keys that turn the pages of a list.
public struct BrowsePaging: Hashable, Sendable {
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
public struct BrowseLetter: Hashable, Sendable {
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
