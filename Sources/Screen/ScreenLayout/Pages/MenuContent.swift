/// An icon with a title that reacts to a touch.
public struct MenuTile: Hashable, Sendable {
  /// Its identity on the page.
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

/// The first page of the library: what was left, and the lists.
public struct MenuHome: Hashable, Sendable {
  /// The lists that were left, the latest first.
  public var recent: [MenuCover]
  /// The lists.
  public var tiles: [MenuTile]
  /// What the library does, such as the number of files that it has read; nil if there is nothing to say. Shown instead
  /// of the covers if there are none.
  public var line: String?

  public init(recent: [MenuCover], tiles: [MenuTile], line: String? = nil) {
    self.recent = recent
    self.tiles = tiles
    self.line = line
  }
}

/// An album, an artist, a genre or a playlist: its picture, and what it consists of.
public struct MenuCollection: Hashable, Sendable {
  /// Its picture.
  public var picture: MenuPicture
  /// False if nothing of it is present.
  public var isPlayable: Bool
  /// The rows.
  public var rows: [MenuRow]
  /// The keys that turn pages; nil if all rows fit.
  public var paging: MenuPaging?

  public init(
    _ picture: MenuPicture, isPlayable: Bool = true, rows: [MenuRow],
    paging: MenuPaging? = nil
  ) {
    self.picture = picture
    self.isPlayable = isPlayable
    self.rows = rows
    self.paging = paging
  }
}

/// The search with nine keys.
public struct MenuSearch: Hashable, Sendable {
  /// What the pressed keys stand for, by the best match; empty before the first press.
  public var text: String
  /// The letters on the nine keys.
  public var keys: [String]
  /// False if no further letter is permitted. *Erase* still works.
  public var canType: Bool
  /// The rows.
  public var rows: [MenuRow]

  public init(text: String, keys: [String], canType: Bool, rows: [MenuRow]) {
    self.text = text
    self.keys = keys
    self.canType = canType
    self.rows = rows
  }
}

/// A text instead of a list, with what to do.
public struct MenuMessage: Hashable, Sendable {
  /// The icon.
  public var symbol: Symbol
  /// The title.
  public var title: String
  /// What it means, or what to do.
  public var detail: String
  /// The key; nil for none.
  public var key: MenuTile?

  public init(_ symbol: Symbol, _ title: String, _ detail: String, key: MenuTile? = nil) {
    self.symbol = symbol
    self.title = title
    self.detail = detail
    self.key = key
  }
}

/// A large key with what it does, and a line about it.
public struct MenuKey: Hashable, Sendable {
  /// Its identity on the page.
  public var id: String
  /// The icon.
  public var symbol: Symbol
  /// What it does.
  public var title: String
  /// What follows from it.
  public var line: String
  /// True for the key that most people want.
  public var isPrimary: Bool
  /// False if it does not react now.
  public var isActive: Bool
  /// True if it opens another page.
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

/// A question before something is lost.
public struct MenuQuestion: Hashable, Sendable {
  /// The question.
  public var text: String
  /// What follows from *yes*.
  public var detail: String
  /// The key that changes nothing. It comes first.
  public var no: String
  /// The key that does it.
  public var yes: String

  public init(_ text: String, _ detail: String, no: String, yes: String) {
    self.text = text
    self.detail = detail
    self.no = no
    self.yes = yes
  }
}

/// A text as a QR code, with what it is for.
public struct MenuCode: Hashable, Sendable {
  /// The text of the code.
  public var text: String
  /// What to do.
  public var title: String
  /// What the code tells.
  public var detail: String
  /// A line below; may be empty.
  public var line: String

  public init(_ text: String, title: String, detail: String, line: String) {
    self.text = text
    self.title = title
    self.detail = detail
    self.line = line
  }
}
