/// The template as a surface draws it: a value without handlers, made of the session and what its
/// source configured (T5).
public struct TemplateState: Hashable, Sendable {
  /// A button as it is drawn.
  public struct Button: Hashable, Sendable {
    /// What it is for.
    public let kind: NowPlayingButton.Kind
    /// Greyed and inert where false.
    public let isEnabled: Bool
    /// Switched on.
    public let isSelected: Bool
    /// What stands in it beside the glyph: the mode or rate that is set now, the seconds of a skip; nil
    /// for others.
    public let value: String?

    /// See the fields.
    public init(
      kind: NowPlayingButton.Kind, isEnabled: Bool, isSelected: Bool, value: String? = nil
    ) {
      self.kind = kind
      self.isEnabled = isEnabled
      self.isSelected = isSelected
      self.value = value
    }
  }

  /// The title over what comes next.
  public enum UpNext: Hashable, Sendable {
    case off
    /// The surface's own words, in its language.
    case systemTitle
    case title(String)
  }

  /// Leading to trailing; five at most (T2).
  public let buttons: [Button]
  /// Whether and how *Up Next* is drawn (T4).
  public let upNext: UpNext
  /// Whether album and artist can be tapped (T4).
  public let isAlbumArtistEnabled: Bool

  /// Nothing is Now Playing.
  public static let empty = TemplateState(buttons: [], upNext: .off, isAlbumArtistEnabled: false)

  /// See the fields. For whoever receives one over a wire; the center makes its own.
  public init(buttons: [Button], upNext: UpNext, isAlbumArtistEnabled: Bool) {
    self.buttons = Array(buttons.prefix(NowPlayingTemplate.maximumButtons))
    self.upNext = upNext
    self.isAlbumArtistEnabled = isAlbumArtistEnabled
  }

  /// What a source configured, drawn from its commands (T3).
  init(_ template: NowPlayingTemplate, commands: [CommandOffer], rate: Double) {
    buttons = template.nowPlayingButtons.map { button in
      let offer = button.command.flatMap { kind in commands.first { $0.kind == kind } }
      // Without a handler of its own a button can do no more than its command.
      let isOwn = button.handler != nil || button.request != nil && button.command == nil
      let works = isOwn || offer?.isEnabled == true
      let mode = offer.map { Self.mode(of: $0, rate: rate) }
      return Button(
        kind: button.kind, isEnabled: button.isEnabled && works,
        isSelected: mode?.isOn ?? button.isSelected,
        value: button.kind.command == nil ? button.request?.secondsText : mode?.word)
    }
    if !template.isUpNextButtonEnabled {
      upNext = .off
    } else {
      upNext = template.upNextTitle.map { .title($0) } ?? .systemTitle
    }
    isAlbumArtistEnabled = template.isAlbumArtistButtonEnabled
  }

  private static func mode(of offer: CommandOffer, rate: Double) -> (word: String, isOn: Bool) {
    switch offer.parameters {
    case .repeatMode(let mode, _): (mode.rawValue, mode != .off)
    case .shuffleMode(let mode, _): (mode.rawValue, mode != .off)
    case .feedback(let isActive, _): ("", isActive)
    case .none, .intervals: ("", false)
    default: ("\(rate.shortText)×", rate != 1)
    }
  }
}

extension CommandRequest {
  /// Of a skip, for the ring that it is drawn with.
  fileprivate var secondsText: String? {
    switch self {
    case .media(.skipForward(let interval?)), .media(.skipBackward(let interval?)):
      "\(interval.components.seconds)"
    default: nil
    }
  }
}
