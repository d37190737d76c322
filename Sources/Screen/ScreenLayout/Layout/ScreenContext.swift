public import NowPlaying

/// What the screen knows beside the state: itself, the car, and what a finger does now.
public struct ScreenContext: Sendable {
  /// A line of a list.
  public struct Row: Hashable, Sendable {
    /// What a tap chooses.
    public var id: String
    /// Cleaned by the layout, like all texts.
    public var title: String
    /// Nil leaves the line out.
    public var subtitle: String?
    /// Nil leaves it out.
    public var duration: Duration?
    /// By its artwork's identity; nil is a placeholder.
    public var artworkID: String?

    /// See the fields.
    public init(
      id: String, title: String, subtitle: String? = nil, duration: Duration? = nil,
      artworkID: String? = nil
    ) {
      self.id = id
      self.title = title
      self.subtitle = subtitle
      self.duration = duration
      self.artworkID = artworkID
    }
  }

  /// What fills the screen.
  public enum Page: Hashable, Sendable {
    case nowPlaying
    /// The same with all custom buttons in the transport's place, where a small screen has room for
    /// two beside it; elsewhere as `nowPlaying`.
    case buttons
    /// What plays and what comes next, from a row on. `rows` nil: as the state says.
    case upNext(rows: [Row]?, first: Int)
    /// An album or an artist.
    case album(title: String, rows: [Row], first: Int)
  }

  /// What is known of Bluetooth.
  public enum Bluetooth: Hashable, Sendable {
    case off
    /// Names of phones, the one in use first; empty: none is connected.
    case on(phones: [String])
    /// There is no adapter: nothing is said of it.
    case absent
  }

  /// A message that passes, or that stands until it is touched.
  public struct Notice: Hashable, Sendable {
    /// What it is about.
    public var symbol: Symbol
    /// Cleaned and cut off by the layout.
    public var text: String
    /// When it goes; nil: when it is touched.
    public var ends: MonotonicInstant?

    /// See the fields.
    public init(_ symbol: Symbol, _ text: String, until ends: MonotonicInstant?) {
      self.symbol = symbol
      self.text = text
      self.ends = ends
    }

    /// Whether it is still to be shown.
    public func isShown(at now: MonotonicInstant) -> Bool { ends.map { now < $0 } ?? true }
  }

  /// A phone wants to pair.
  public struct Pairing: Hashable, Sendable {
    /// The phone's name, as it says.
    public var peer: String
    /// Six digits to compare; nil where the phone can show none.
    public var code: String?
    /// When it is rejected by itself.
    public var ends: MonotonicInstant

    /// See the fields.
    public init(peer: String, code: String?, until ends: MonotonicInstant) {
      self.peer = peer
      self.code = code
      self.ends = ends
    }
  }

  /// The time of day, as somebody who knows it says.
  public struct Clock: Hashable, Sendable {
    /// As it is shown, `21:47`.
    public var text: String
    /// When the next one is due.
    public var changes: MonotonicInstant

    /// See the fields.
    public init(_ text: String, until changes: MonotonicInstant) {
      self.text = text
      self.changes = changes
    }
  }

  /// The screen.
  public var panel: Panel
  /// The moment that is shown.
  public var now: MonotonicInstant
  /// Day or night.
  public var appearance = Appearance.night
  /// Of the cover that is shown; ``CoverColors/neutral`` until it is there.
  public var colors = CoverColors.neutral
  /// What the screen's own words are in; it decides the direction too.
  public var language: LanguageTag = "en"
  /// Larger or smaller letters, 0.85 … 1.3; nil: as large as the panel needs.
  public var textScale: Double?
  /// Nil: unknown, and hidden.
  public var clock: Clock?
  /// See ``Bluetooth``.
  public var bluetooth = Bluetooth.absent
  /// What the source is called, with its icon; nil leaves it out.
  public var source: (symbol: Symbol, name: String)?
  /// The newest one.
  public var notice: Notice?
  /// Over everything but a call and the reverse gear.
  public var pairing: Pairing?
  /// Until when the volume is shown; nil: not.
  public var volumeUntil: MonotonicInstant?
  /// The daemon does not answer: nothing is shown that may be old, and nothing can be asked.
  public var isDaemonAway = false
  /// Phones can be made to find this unit.
  public var canPairPhone = true
  /// See ``Page``.
  public var page = Page.nowPlaying
  /// While driving, lists end after so many rows; nil: no limit.
  public var rowLimit: Int?
  /// Under a finger.
  public var pressed: ElementID?
  /// Where a knob or the arrow keys are; nil while nobody uses them.
  public var focus: ElementID?
  /// Where a mouse is; nil while nobody uses one. In pixels of the screen, whatever the language.
  public var pointer: PixelPoint?
  /// Where a finger drags the bar to; net.
  public var seekPreview: Duration?

  /// The rest is set by its owner.
  public init(panel: Panel, now: MonotonicInstant) {
    self.panel = panel
    self.now = now
  }
}
