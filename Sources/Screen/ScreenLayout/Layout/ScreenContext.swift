public import NowPlaying

/// The data that the screen shows in addition to the state: facts about the panel, the unit and the touches.
public struct ScreenContext: Sendable {
  /// A row of a list.
  public struct Row: Hashable, Sendable {
    /// The identity of the item that a tap on the row plays.
    public var id: String
    /// The title of the row. The layout cleans the title, like all texts.
    public var title: String
    /// The second line. Nil if there is no second line.
    public var subtitle: String?
    /// The duration. Nil if no duration is shown.
    public var duration: Duration?
    /// The identity of the artwork. If it is nil, the placeholder is shown.
    public var artworkID: String?

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

  /// The page that the screen shows.
  public enum Page: Hashable, Sendable {
    case nowPlaying
    /// The page `nowPlaying` with all custom buttons instead of the transport, on a small screen, which has room for
    /// two custom buttons beside the transport. On other screens, the page has the buttons of the unit in place of
    /// those of the source.
    case buttons
    /// Up Next, or the songs of the album that plays.
    case list(MenuList)
    /// A page of the menu.
    case menu(MenuPage)
  }

  /// The state of Bluetooth.
  public enum Bluetooth: Hashable, Sendable {
    case off
    /// The names of the connected phones. The phone in use is first. Empty if no phone is connected.
    case on(phones: [String])
    /// There is no Bluetooth adapter. The header shows nothing about Bluetooth.
    case absent
  }

  /// A message in the header. It disappears after a time, or stays until it is touched.
  public struct Notice: Hashable, Sendable {
    /// The icon.
    public var symbol: Symbol
    /// The text of the notice. The layout cleans and shortens the text.
    public var text: String
    /// The time at which the notice ends. If it is nil, the notice ends when it is touched.
    public var ends: MonotonicInstant?

    /// The action of a touch. If it is nil, a touch removes a standing notice, and has no effect on other notices.
    public var touch: ScreenAction?

    public init(_ symbol: Symbol, _ text: String, until ends: MonotonicInstant?) {
      self.symbol = symbol
      self.text = text
      self.ends = ends
    }

    /// True if the notice has not ended.
    public func isShown(at now: MonotonicInstant) -> Bool { ends.map { now < $0 } ?? true }
  }

  /// The pairing request of a phone.
  public struct Pairing: Hashable, Sendable {
    /// The name that the phone reports.
    public var peer: String
    /// The six digits that the user compares. Nil if the phone cannot show digits.
    public var code: String?
    /// The time at which the request is rejected automatically.
    public var ends: MonotonicInstant

    public init(peer: String, code: String?, until ends: MonotonicInstant) {
      self.peer = peer
      self.code = code
      self.ends = ends
    }
  }

  /// The time of day.
  public struct Clock: Hashable, Sendable {
    /// The time as it is shown: `21:47`.
    public var text: String
    /// The time at which the text changes.
    public var changes: MonotonicInstant

    /// Creates a clock from a text and the time at which the text changes.
    public init(_ text: String, until changes: MonotonicInstant) {
      self.text = text
      self.changes = changes
    }
  }

  /// The size of the screen in pixels, and the size of a pixel.
  public var panel: Panel
  /// The time for which the scene is made.
  public var now: MonotonicInstant
  /// Day or night.
  public var appearance = Appearance.night
  /// The colours of the shown cover. ``CoverColors/neutral`` until these colours are known.
  public var colors = CoverColors.neutral
  /// The language of the screen's own words. It also decides the direction of the layout.
  public var language: LanguageTag = "en"
  /// The factor for the size of the letters, 0.85 … 1.3. If it is nil, the letters are as large as is necessary to read
  /// them on the panel.
  public var textScale: Double?
  /// The time of day. If it is nil, no time of day is shown.
  public var clock: Clock?
  /// The adapter and the connected phones.
  public var bluetooth = Bluetooth.absent
  /// The icon and the name of the source of the content. If it is nil, no source is shown.
  public var source: (symbol: Symbol, name: String)?
  /// The name of the picture that the source has delivered in place of the icon. Nil if there is none.
  public var sourcePicture: String?
  /// The notice in the header. Nil if there is no notice.
  public var notice: Notice?
  /// The pairing request. Nil if there is no request. The page of the request replaces all other pages. During a call
  /// or in reverse gear the request is hidden.
  public var pairing: Pairing?
  /// True while the reverse gear is engaged.
  public var isReversing = false
  /// The time at which the volume disappears. Nil if the volume is not shown.
  public var volumeUntil: MonotonicInstant?
  /// The time since which the daemon does not answer. Nil while the daemon answers. Without the daemon, no command can
  /// be sent. After two seconds, the state is no longer shown, because it can be out of date.
  public var awaySince: MonotonicInstant?
  /// True if the unit can permit pairing.
  public var canPairPhone = true
  /// The page that is shown.
  public var page = Page.nowPlaying
  /// The greatest number of rows in a list. Nil if there is no limit.
  public var rowLimit: Int?
  /// The element that a finger presses. Nil if no element is pressed.
  public var pressed: ElementID?
  /// The element that was selected with a knob or with the arrow keys. Nil if no element is selected.
  public var focus: ElementID?
  /// The position of a mouse in pixels of the screen. Nil if no mouse is in use. This position is not mirrored.
  public var pointer: PixelPoint?
  /// The position that the progress bar shows during a drag and directly after a drag, as net time (without
  /// advertisements). If this position is nil, the bar shows the elapsed time.
  public var seekPreview: Duration?

  /// Creates a context. All other properties have default values.
  public init(panel: Panel, now: MonotonicInstant) {
    self.panel = panel
    self.now = now
  }
}
