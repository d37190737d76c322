/// The name of an element or a hit area. The same part of the next scene has the same name.
public struct ElementID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as text, such as `row.2.title`.
  public let rawValue: String

  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }

  /// The raw value.
  public var description: String { rawValue }
}

/// The role of a colour (see ``ColorRole``), and an opacity.
public struct Paint: Hashable, Sendable {
  /// The role, which the palette turns into a colour.
  public let role: ColorRole
  /// A factor of the role's own opacity; 1 leaves this opacity unchanged.
  public let opacity: Double

  public init(_ role: ColorRole, _ opacity: Double = 1) {
    self.role = role
    self.opacity = opacity
  }
}

/// A part of a scene to paint. Nothing is painted outside of the frame of the element, because the layout measures the
/// parts and the painter clips texts.
public struct Element: Hashable, Sendable {
  /// What is painted.
  public enum Content: Hashable, Sendable {
    case shape(Shape)
    case text(TextRun)
    case icon(Icon)
    case image(ImageSlot)
    /// A QR code of this text, in black, with its margin.
    case code(String)
  }

  /// The name of the element in the scene.
  public let id: ElementID
  /// The frame in pixels of the screen.
  public internal(set) var frame: PixelRect
  /// What is painted in the frame.
  public internal(set) var content: Content
  /// The frame of the element's group. Nil if the element is not in a group. Mirroring moves a group as a whole and
  /// keeps the order of its parts. The groups are the transport and the progress bar, which follow the direction of
  /// time, and the pairing code.
  var block: PixelRect?
}

/// A rectangle with or without rounded corners, or a circle.
public struct Shape: Hashable, Sendable {
  /// The radius of the corners, in pixels. A radius of half the height gives a pill or a circle.
  public let radius: Int
  /// The colour of the inside; nil if only the outline is painted.
  public let fill: Paint?
  /// The colour of a line along the inside of the edge. Nil if there is no line.
  public let stroke: Paint?
  /// The width of the line of ``stroke``, in pixels.
  public let strokeWidth: Int

  init(radius: Int = 0, fill: Paint? = nil, stroke: Paint? = nil, strokeWidth: Int = 1) {
    self.radius = radius
    self.fill = fill
    self.stroke = stroke
    self.strokeWidth = strokeWidth
  }
}

/// A text at a position.
public struct TextRun: Hashable, Sendable {
  /// The alignment of the lines in the frame, after mirroring.
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

  /// The text, cleaned and of limited length.
  public let text: String
  /// The font.
  public let style: TextStyle
  /// The colour.
  public let paint: Paint
  /// The baseline of the first line, in pixels of the screen. The baseline does not depend on the script, so that a
  /// fallback font cannot move the layout.
  public internal(set) var baseline: Int
  /// The distance between two baselines, in pixels.
  public let pitch: Int
  /// The greatest number of lines. A longer text ends with an ellipsis; it is neither made smaller nor scrolled.
  public let lines: Int
  /// The alignment of the lines.
  public internal(set) var alignment: Alignment
  /// The width at which lines are broken, in pixels. The frame can be narrower.
  public let layoutWidth: Int
  /// The extra width of the frame on each side, in pixels. Letters can extend beyond their advance width.
  public let overhang: Int
}

/// A picture in one colour.
public struct Icon: Hashable, Sendable {
  /// The origin of the picture.
  public enum Picture: Hashable, Sendable {
    /// One of the icons that the painter can draw.
    case symbol(Symbol)
    /// The picture with this name, which the source provides (T3). The shape of the picture is painted in the colour of
    /// `paint`.
    case source(String)
  }

  /// The picture that is drawn.
  public let picture: Picture
  /// The colour.
  public let paint: Paint
  /// The seconds in the ring of a skip icon. Nil for other icons.
  public let label: String?
  /// True if the icon is mirrored because the language is written from right to left.
  public internal(set) var isMirrored: Bool
}

/// A slot for a picture in colours.
public struct ImageSlot: Hashable, Sendable {
  /// The origin of the picture.
  public enum Source: Hashable, Sendable {
    /// The cover of the artwork with this identity. Until this cover has arrived, the placeholder of the seed is
    /// painted.
    case artwork(id: String, seed: String)
    /// The placeholder of the seed.
    case placeholder(seed: String)
    /// The thumbnail with this identity. Until the thumbnail has arrived, nothing is painted.
    case thumbnail(id: String)
  }

  /// The picture that is drawn.
  public let source: Source
  /// The radius of the corners, in pixels.
  public let radius: Int
  /// The opacity of ``ColorRole/veil`` over the picture, as a factor of the role's own opacity. 0 if there is no veil.
  public let veil: Double
}

/// The icons that the painter can draw.
public enum Symbol: String, Hashable, Sendable, CaseIterable {
  // Transport.
  case play, pause, stop, next, previous, skipForward, skipBackward
  case buffering, seekForward, seekBackward
  // Custom buttons.
  case shuffle, shuffleCollections, repeatAll, repeatOne, add, added, more
  case heart, heartFilled, thumbsUp, thumbsUpFilled, thumbsDown, thumbsDownFilled, bookmark
  case bookmarkFilled, folder, nextFolder, previousFolder, bell
  case nextAlbum, previousAlbum, nextPlaylist, previousPlaylist
  // Header and lists.
  case queue, bluetooth, bluetoothOff, phone, stick, radio, note, volume, mute, call, reversing
  case alarm, warning, info, bars, chevronForward, chevronUp, chevronDown, check, cross, back
  // Pages of the menu.
  case menu, library, layers, sliders, search, plus, erase, stickAbsent
  case person, disc, tag, playlist, clock, remote, minus, sun, globe, power, reload, code, bin
  case playNext

  /// True if the icon points in the direction of reading.
  var followsReading: Bool {
    switch self {
    case .chevronForward, .back, .queue, .erase, .playNext: true
    default: false
    }
  }

  /// The icon for a name that a source has given. Nil if no icon has this name.
  static func named(_ name: String) -> Symbol? { Symbol(rawValue: name) }
}
