/// A picture of a row or a cover.
public struct MenuPicture: Hashable, Sendable {
  /// The identity of the thumbnail; nil if there is none.
  public var thumbnail: String?
  /// True to show the cover of what plays instead of a thumbnail.
  public var isOfPlaying = false
  /// Stands for the kind until the thumbnail has arrived.
  public var symbol: Symbol
  /// True for an artist, whose picture is a circle.
  public var isRound: Bool

  public init(_ symbol: Symbol, thumbnail: String? = nil, isRound: Bool = false) {
    self.symbol = symbol
    self.thumbnail = thumbnail
    self.isRound = isRound
  }

  /// The cover of what plays.
  public static let playing: MenuPicture = {
    var picture = MenuPicture(.note)
    picture.isOfPlaying = true
    return picture
  }()
}

/// Whether what a row stands for plays, and whether it can be chosen.
public enum MenuCondition: Hashable, Sendable {
  case usual
  /// It plays now.
  case current
  /// Its medium is not there. It stays where it is and does not react.
  case absent
  /// It does not react, for a reason that the line below the title says.
  case inert
}

/// A row of a list.
public struct MenuRow: Hashable, Sendable {
  /// What stands before the title.
  public enum Lead: Hashable, Sendable {
    case picture(MenuPicture)
    /// The number of a song.
    case number(Int?)
  }

  /// A key in a row.
  public enum Key: String, Hashable, Sendable {
    /// Opens the page about the row.
    case info
    /// Shows what can be done with the row.
    case edit
    case playNext, remove
    /// Shows the title again.
    case close
  }

  /// How important the line below the title is.
  public enum Tone: Hashable, Sendable {
    case usual, good, warning
  }

  /// Its identity on the page.
  public var id: String
  /// What stands before the title.
  public var lead: Lead
  /// The title.
  public var title: String
  /// The line below the title; nil for none.
  public var line: String?
  /// How important the line is.
  public var tone = Tone.usual
  /// Whether it plays, and whether it can be chosen.
  public var condition = MenuCondition.usual
  /// The duration; nil if none is shown.
  public var duration: Duration?
  /// True if a touch opens another page.
  public var opensPage = false
  /// How much of a work is done, 0 … 1; nil for no bar.
  public var progress: Double?
  /// The key at the end of the row; nil for none.
  public var key: Key?
  /// True if keys with what can be done are shown instead of the title.
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
  /// Its identity on the page.
  public var id: String
  /// The title.
  public var title: String
  /// Its picture.
  public var picture: MenuPicture
  /// Whether it plays, and whether it can be chosen.
  public var condition = MenuCondition.usual
  /// How much of it was heard, 0 … 1; nil if this is unknown.
  public var heard: Double?

  public init(id: String, _ title: String, _ picture: MenuPicture) {
    self.id = id
    self.title = title
    self.picture = picture
  }
}
