/// Why a command did not reach a source. The trace keeps it, the asker gets its ``answer``.
public enum CommandRefusal: Hashable, Sendable, CustomStringConvertible {
  /// No session is primary.
  case nothingPlaying
  /// The source has no handler for it.
  case notOffered(CommandKind)
  /// It has one, which is disabled for now (C1, C5).
  case disabled(CommandKind)
  /// Live content offers no way to move in it (P6).
  case liveContent(CommandKind)
  /// A skip without an interval, and none that the source prefers (C3).
  case noPreferredInterval(CommandKind)
  /// What came with it is not among what is offered.
  case unsupported(String)
  /// No language option of that identity.
  case noSuchOption(String)
  /// A key that is held down sends the same again (C9).
  case keyRepeat
  /// The surface that sent it is not connected (C8).
  case notConnected
  /// The template has no button there.
  case noButton(Int)
  /// It is greyed.
  case buttonDisabled(Int)
  /// The template's button is off, or nobody observes it (T4).
  case nobodyObserves

  /// The answer to whoever asked.
  public var answer: CommandAnswer {
    switch self {
    case .nothingPlaying: .nothingPlaying
    case .noSuchOption, .noButton: .noSuchContent(refusal)
    case .keyRepeat: .success
    default: .failed(refusal)
    }
  }

  /// The same for those who know no commands.
  public var refusal: Refusal { Refusal(code, description) }

  private var code: Refusal.Code {
    switch self {
    case .nothingPlaying: .nothingPlaying
    case .notOffered: .notOffered
    case .disabled: .disabled
    case .liveContent: .liveContent
    case .noPreferredInterval: .noInterval
    case .unsupported: .unsupportedValue
    case .noSuchOption: .noSuchOption
    case .keyRepeat: .keyRepeat
    case .notConnected: .surfaceNotConnected
    case .noButton: .noSuchButton
    case .buttonDisabled: .buttonDisabled
    case .nobodyObserves: .nobodyObserves
    }
  }

  /// In words.
  public var description: String {
    switch self {
    case .nothingPlaying: "nothing is playing"
    case .notOffered(let kind): "\(kind.rawValue) is not offered"
    case .disabled(let kind): "\(kind.rawValue) is disabled"
    case .liveContent(let kind): "\(kind.rawValue): this is live"
    case .noPreferredInterval(let kind): "\(kind.rawValue) has no interval"
    case .unsupported(let words): words
    case .noSuchOption(let id): "no language option \(id)"
    case .keyRepeat: "key repeats"
    case .notConnected: "the surface is not connected"
    case .noButton(let index): "no button \(index)"
    case .buttonDisabled(let index): "button \(index) is disabled"
    case .nobodyObserves: "nobody observes that button"
    }
  }
}
