/// The template as a surface draws it (T5). This is a value without handlers. It is made from the template of the
/// source and from the commands that the source offers.
public struct TemplateState: Hashable, Sendable {
  /// A button as it is drawn.
  public struct Button: Hashable, Sendable {
    /// The purpose of the button.
    public let kind: NowPlayingButton.Kind
    /// If false, the button is grey and has no effect.
    public let isEnabled: Bool
    /// If true, the button is drawn as switched on.
    public let isSelected: Bool
    /// The text beside the glyph: the current mode or rate, or the seconds of a skip; nil for other buttons.
    public let value: String?

    public init(
      kind: NowPlayingButton.Kind, isEnabled: Bool, isSelected: Bool, value: String? = nil
    ) {
      self.kind = kind
      self.isEnabled = isEnabled
      self.isSelected = isSelected
      self.value = value
    }
  }

  /// Defines how the button *Up Next* is drawn.
  public enum UpNext: Hashable, Sendable {
    case off
    /// The surface shows its own title, in the language of the surface.
    case systemTitle
    case title(String)
  }

  /// At most five buttons, from the leading to the trailing end (T2).
  public let buttons: [Button]
  /// See ``NowPlayingTemplate/unitButtons``.
  public let unitButtons: [Button]
  /// Defines how *Up Next* is drawn (T4).
  public let upNext: UpNext
  /// True if album and artist can be tapped (T4).
  public let isAlbumArtistEnabled: Bool

  /// Maximum number of ``unitButtons``.
  public static let maximumUnitButtons = 3

  /// The state without a primary session.
  public static let empty = TemplateState(buttons: [], upNext: .off, isAlbumArtistEnabled: false)

  /// Memberwise initializer, for programs that receive a template over a socket. The center uses
  /// ``init(_:commands:rate:)``.
  public init(
    buttons: [Button], unitButtons: [Button] = [], upNext: UpNext, isAlbumArtistEnabled: Bool
  ) {
    self.buttons = Array(buttons.prefix(NowPlayingTemplate.maximumButtons))
    self.unitButtons = Array(unitButtons.prefix(Self.maximumUnitButtons))
    self.upNext = upNext
    self.isAlbumArtistEnabled = isAlbumArtistEnabled
  }

  /// Creates the template of a source. The states of the buttons come from the commands of the source (T3).
  init(_ template: NowPlayingTemplate, commands: [CommandOffer], rate: Double) {
    func state(of button: NowPlayingButton) -> Button {
      let offer = button.command.flatMap { kind in commands.first { $0.kind == kind } }
      // A button without a handler works only if its command is enabled.
      let isOwn = button.handler != nil || button.request != nil && button.command == nil
      let works = isOwn || offer?.isEnabled == true
      let mode = offer.map { Self.mode(of: $0, rate: rate) }
      return Button(
        kind: button.kind, isEnabled: button.isEnabled && works,
        isSelected: mode?.isOn ?? button.isSelected,
        value: button.kind.command == nil ? button.request?.secondsText : mode?.word)
    }
    buttons = template.nowPlayingButtons.map(state)
    unitButtons = template.unitButtons.prefix(Self.maximumUnitButtons).map(state)
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
    case .rates: ("\(rate.shortText)×", rate != 1)
    case .rating(_, let current): ((current ?? 0).shortText, (current ?? 0) > 0)
    case .none, .intervals, .languages: ("", false)
    }
  }
}

extension CommandRequest {
  /// The seconds of a skip. The surface draws them inside the ring of the icon.
  fileprivate var secondsText: String? {
    switch self {
    case .media(.skipForward(let interval?)), .media(.skipBackward(let interval?)):
      "\(interval.components.seconds)"
    default: nil
    }
  }
}
