/// An icon with a title that reacts to a touch.
public struct MenuTile: Hashable, Sendable {
  /// The identity that a touch reports (see ``MenuPage``).
  public var id: String
  /// The icon.
  public var symbol: Symbol
  /// The title.
  public var title: String

  public init(id: String, _ symbol: Symbol, _ title: String) {
    self.id = id
    self.symbol = symbol
    self.title = title
  }
}

/// The first page of the library. Shows the covers of the lists that were played before, and tiles that open the lists
/// of the library.
public struct MenuHome: Hashable, Sendable {
  /// The lists that were played before the current list, the latest first.
  public var recent: [MenuCover]
  /// The tiles that open the lists of the library.
  public var tiles: [MenuTile]
  /// The activity of the library, such as the number of files that it has read. Shown only if there are no covers. Nil
  /// if there is nothing to say.
  public var line: String?

  public init(recent: [MenuCover], tiles: [MenuTile], line: String? = nil) {
    self.recent = recent
    self.tiles = tiles
    self.line = line
  }
}

/// The page of an album, an artist, a genre or a playlist: a picture, and rows.
public struct MenuCollection: Hashable, Sendable {
  /// The picture.
  public var picture: MenuPicture
  /// False if no song of the album, artist, genre or playlist is present.
  public var isPlayable: Bool
  /// True if the list was left far in a long file. The page then offers to go on there, in place of *Shuffle*.
  public var canGoOn: Bool
  /// The rows.
  public var rows: [MenuRow]
  /// The keys that turn pages. Nil if all rows fit.
  public var paging: MenuPaging?

  public init(
    _ picture: MenuPicture, isPlayable: Bool = true, canGoOn: Bool = false, rows: [MenuRow],
    paging: MenuPaging? = nil
  ) {
    self.picture = picture
    self.isPlayable = isPlayable
    self.canGoOn = canGoOn
    self.rows = rows
    self.paging = paging
  }
}

/// The search page with nine keys for letters.
public struct MenuSearch: Hashable, Sendable {
  /// The text for the pressed keys, taken from the best match. Empty before the first press.
  public var text: String
  /// The letters on the nine keys.
  public var keys: [String]
  /// False if no further letter can be typed. *Erase* still works.
  public var canType: Bool
  /// The results of the search, as rows.
  public var rows: [MenuRow]

  public init(text: String, keys: [String], canType: Bool, rows: [MenuRow]) {
    self.text = text
    self.keys = keys
    self.canType = canType
    self.rows = rows
  }
}

/// A message that a page shows instead of a list.
public struct MenuMessage: Hashable, Sendable {
  /// The icon.
  public var symbol: Symbol
  /// The title.
  public var title: String
  /// An explanation of the message, or what the user can do.
  public var detail: String
  /// The key below the message. Nil if there is no key.
  public var key: MenuTile?

  public init(_ symbol: Symbol, _ title: String, _ detail: String, key: MenuTile? = nil) {
    self.symbol = symbol
    self.title = title
    self.detail = detail
    self.key = key
  }
}

/// A large key with a title and a line.
public struct MenuKey: Hashable, Sendable {
  /// The identity that a touch reports (see ``MenuPage``).
  public var id: String
  /// The icon.
  public var symbol: Symbol
  /// The title, which says what the key does.
  public var title: String
  /// The line below the title, which says what the effect of the key is.
  public var line: String
  /// True for the key that users need most often.
  public var isPrimary: Bool
  /// False if the key does not react to a touch now.
  public var isActive: Bool
  /// True if the key opens another page.
  public var opensPage = false

  public init(
    id: String, _ symbol: Symbol, _ title: String, _ line: String, isPrimary: Bool = false,
    isActive: Bool = true
  ) {
    self.id = id
    self.symbol = symbol
    self.title = title
    self.line = line
    self.isPrimary = isPrimary
    self.isActive = isActive
  }
}

/// A question before an action that removes something.
public struct MenuQuestion: Hashable, Sendable {
  /// The question.
  public var text: String
  /// The effect of the answer *yes*.
  public var detail: String
  /// The title of the key for the answer *no*, which changes nothing.
  public var no: String
  /// The title of the key for the answer *yes*, which carries out the action.
  public var yes: String

  public init(_ text: String, _ detail: String, no: String, yes: String) {
    self.text = text
    self.detail = detail
    self.no = no
    self.yes = yes
  }
}

/// A QR code with an explanation.
public struct MenuCode: Hashable, Sendable {
  /// The text that the QR code contains.
  public var text: String
  /// The title, which says what to do with the QR code.
  public var title: String
  /// The text that explains what the QR code contains.
  public var detail: String
  /// A line below the explanation. Can be empty.
  public var line: String

  public init(_ text: String, title: String, detail: String, line: String) {
    self.text = text
    self.title = title
    self.detail = detail
    self.line = line
  }
}
