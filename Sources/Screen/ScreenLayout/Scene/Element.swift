/// The name of an element or a hit area: the same thing in the next scene has the same one.
public struct ElementID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// As in `row.2.title`.
  public let rawValue: String

  /// See the field.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// See the field.
  public init(stringLiteral value: String) { rawValue = value }

  /// The raw value.
  public var description: String { rawValue }
}

/// A role, and how much of it: 1 is all.
public struct Paint: Hashable, Sendable {
  /// What it is for.
  public let role: ColorRole
  /// Times the role's own opacity.
  public let opacity: Double

  /// See the fields.
  public init(_ role: ColorRole, _ opacity: Double = 1) {
    self.role = role
    self.opacity = opacity
  }
}

/// Something to paint. Nothing of it lies outside of its frame; the painter clips to be sure.
public struct Element: Hashable, Sendable {
  /// What it is.
  public enum Content: Hashable, Sendable {
    case shape(Shape)
    case text(TextRun)
    case icon(Icon)
    case image(ImageSlot)
  }

  /// See ``ElementID``.
  public let id: ElementID
  /// In pixels of the screen.
  public internal(set) var frame: PixelRect
  /// See ``Content``.
  public internal(set) var content: Content
  /// Set where all of a group moves as one when the screen is mirrored: transport and bar, whose
  /// direction is time's, not the language's.
  var block: PixelRect?
}

/// A rectangle, with rounded corners or as a circle.
public struct Shape: Hashable, Sendable {
  /// Of the corners, in pixels; half of the height makes a pill or a circle.
  public let radius: Int
  /// Nil: only a line.
  public let fill: Paint?
  /// A line inside of the edge.
  public let stroke: Paint?
  /// Of that line, in pixels.
  public let strokeWidth: Int

  init(radius: Int = 0, fill: Paint? = nil, stroke: Paint? = nil, strokeWidth: Int = 1) {
    self.radius = radius
    self.fill = fill
    self.stroke = stroke
    self.strokeWidth = strokeWidth
  }
}

/// Words at a place.
public struct TextRun: Hashable, Sendable {
  /// Where lines stand in the frame; already mirrored.
  public enum Alignment: String, Hashable, Sendable {
    case left, center, right

    var mirrored: Alignment {
      switch self {
      case .left: .right
      case .center: .center
      case .right: .left
      }
    }
  }

  /// Clean and bounded.
  public let text: String
  /// See ``TextStyle``.
  public let style: TextStyle
  /// See ``Paint``.
  public let paint: Paint
  /// Of the first line, in pixels of the screen. Fixed, whatever the script, so that no fallback
  /// font can move a layout.
  public internal(set) var baseline: Int
  /// From one baseline to the next.
  public let pitch: Int
  /// At most so many lines, then an ellipsis; never smaller letters, never scrolling.
  public let lines: Int
  /// See ``Alignment``.
  public internal(set) var alignment: Alignment
  /// What it was broken at, in pixels; the frame is only as wide as it came out.
  public let layoutWidth: Int
  /// So much of the frame, left and right, is only for letters that lean over their edge.
  public let overhang: Int
}

/// A picture of one colour.
public struct Icon: Hashable, Sendable {
  /// Which.
  public enum Picture: Hashable, Sendable {
    /// Drawn by the painter.
    case symbol(Symbol)
    /// The source's own, by its name (T3); its shape is painted in the paint's colour.
    case source(String)
  }

  /// See ``Picture``.
  public let picture: Picture
  /// See ``Paint``.
  public let paint: Paint
  /// Seconds that stand in a skip's ring.
  public let label: String?
  /// Left and right swapped, as the direction of reading is.
  public internal(set) var isMirrored: Bool
}

/// A place for a picture in colour.
public struct ImageSlot: Hashable, Sendable {
  /// Which.
  public enum Source: Hashable, Sendable {
    /// By the identity of its artwork; the placeholder's seed is for while there is none.
    case artwork(id: String, seed: String)
    /// Always the placeholder, which a seed varies.
    case placeholder(seed: String)
  }

  /// See ``Source``.
  public let source: Source
  /// Of the corners, in pixels.
  public let radius: Int
  /// How much of ``ColorRole/veil`` lies over it: 0 none, 1 all of that role's.
  public let veil: Double
}

/// The icons that the painter has.
public enum Symbol: String, Hashable, Sendable, CaseIterable {
  // Transport.
  case play, pause, stop, next, previous, skipForward, skipBackward
  // Custom buttons.
  case shuffle, shuffleCollections, repeatAll, repeatOne, add, added, more
  case heart, heartFilled, thumbsUp, thumbsUpFilled, thumbsDown, thumbsDownFilled, bookmark
  case bookmarkFilled, folder, nextFolder, previousFolder, bell
  // Header and lists.
  case queue, bluetooth, bluetoothOff, phone, stick, radio, note, volume, mute, call, reversing
  case alarm, warning, info, bars, chevronForward, chevronUp, chevronDown, check, cross, back

  /// Whether it points where reading goes.
  var followsReading: Bool {
    switch self {
    case .chevronForward, .back, .queue: true
    default: false
    }
  }

  /// Whether a name that a source gives means one of these.
  static func named(_ name: String) -> Symbol? { Symbol(rawValue: name) }
}
