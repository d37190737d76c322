/// A picture of a row or a cover.
public struct MenuPicture: Hashable, Sendable {
  /// The identity of the thumbnail. Nil if there is no thumbnail.
  public var thumbnail: String?
  /// True if the cover of the content that plays is shown instead of a thumbnail.
  public var isOfPlaying = false
  /// The icon that is shown until the thumbnail has arrived, or if there is no thumbnail.
  public var symbol: Symbol
  /// True if the picture is a circle, as for an artist.
  public var isRound: Bool

  public init(_ symbol: Symbol, thumbnail: String? = nil, isRound: Bool = false) {
    self.symbol = symbol
    self.thumbnail = thumbnail
    self.isRound = isRound
  }

  /// The cover of the content that plays.
  public static let playing: MenuPicture = {
    var picture = MenuPicture(.note)
    picture.isOfPlaying = true
    return picture
  }()
}

/// Whether the item of a row or cover plays, and whether it can be chosen.
public enum MenuCondition: Hashable, Sendable {
  case usual
  /// The item plays now.
  case current
  /// The medium that contains the item is absent. The row stays in the list, but does not react to a touch.
  case absent
  /// The row does not react to a touch. The line below its title gives the reason.
  case inert
}

/// A row of a list.
public struct MenuRow: Hashable, Sendable {
  /// The picture or the number before the title.
  public enum Lead: Hashable, Sendable {
    case picture(MenuPicture)
    /// The number of a song. Nil if the song has no number.
    case number(Int?)
  }

  /// A key in a row.
  public enum Key: String, Hashable, Sendable {
    /// Opens the page about the item of the row.
    case info
    /// Shows the keys for the actions on the row, such as *remove*, instead of the title.
    case edit
    case playNext, remove
    /// Shows the title of the row again, instead of the keys for the actions.
    case close
  }

  /// How important the line below the title is.
  public enum Tone: Hashable, Sendable {
    case usual, good, warning
  }

  /// The identity that a touch reports (see ``MenuPage``).
  public var id: String
  /// The picture or the number before the title.
  public var lead: Lead
  /// The title.
  public var title: String
  /// The line below the title. Nil if there is no line.
  public var line: String?
  /// How important the line below the title is.
  public var tone = Tone.usual
  /// Whether the item plays, and whether it can be chosen.
  public var condition = MenuCondition.usual
  /// The duration of the song. Nil if no duration is shown.
  public var duration: Duration?
  /// True if a touch opens another page.
  public var opensPage = false
  /// The progress of a task for the item, 0 … 1. Nil if no progress bar is shown.
  public var progress: Double?
  /// The key at the end of the row. Nil if there is no key.
  public var key: Key?
  /// True if the keys for the actions on the row are shown instead of the title.
  public var isEdited = false

  public init(id: String, _ lead: Lead, _ title: String, line: String? = nil) {
    self.id = id
    self.lead = lead
    self.title = title
    self.line = line
  }
}

/// A cover with its title.
public struct MenuCover: Hashable, Sendable {
  /// The identity that a touch reports (see ``MenuPage``).
  public var id: String
  /// The title.
  public var title: String
  /// The picture.
  public var picture: MenuPicture
  /// Whether the item plays, and whether it can be chosen.
  public var condition = MenuCondition.usual
  /// The part of the item's songs that was heard, 0 … 1. Nil if unknown.
  public var heard: Double?

  public init(id: String, _ title: String, _ picture: MenuPicture) {
    self.id = id
    self.title = title
    self.picture = picture
  }
}
