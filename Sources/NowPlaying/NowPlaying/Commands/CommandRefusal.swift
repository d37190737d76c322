/// The reason why a command did not reach a source. The trace keeps the refusal. The sender gets the ``answer`` of the
/// refusal.
public enum CommandRefusal: Hashable, Sendable, CustomStringConvertible {
  /// No session is primary.
  case nothingPlaying
  /// The source has no handler for the command.
  case notOffered(CommandKind)
  /// The command is disabled now (C1, C5).
  case disabled(CommandKind)
  /// The content makes the command impossible now, for example *next* on the last track.
  case notPossible(CommandKind)
  /// The source cannot play now, and says why (``SessionDescription/obstacle``).
  case source(Refusal)
  /// The command moves within the content, which is impossible for live content (P6).
  case liveContent(CommandKind)
  /// The skip has no interval, and the source has no preferred interval (C3).
  case noPreferredInterval(CommandKind)
  /// The source does not offer the requested value.
  case unsupported(String)
  /// No language option has this identity.
  case noSuchOption(String)
  /// A held key sends the same command again (C9).
  case keyRepeat
  /// The surface that sent the command is not connected (C8).
  case notConnected
  /// The template has no button with this number.
  case noButton(Int)
  /// The button is shown grey.
  case buttonDisabled(Int)
  /// The button *Up Next*, or the button of the album and artist, is switched off, or no observer is registered (T4).
  case noObserver
  /// No owner of the list is registered, or the owner does not exist any more.
  case noListOwner

  /// The answer to the sender of the command.
  public var answer: CommandAnswer {
    switch self {
    case .nothingPlaying: .nothingPlaying
    case .noSuchOption, .noButton, .noListOwner: .noSuchContent(refusal)
    case .keyRepeat: .success
    default: .failed(refusal)
    }
  }

  /// The same reason as a ``Refusal``, for programs that do not use this type.
  public var refusal: Refusal {
    if case .source(let refusal) = self { return refusal }
    return Refusal(code, description)
  }

  private var code: Refusal.Code {
    switch self {
    case .nothingPlaying: .nothingPlaying
    case .notOffered(.changePlaybackRate): .fixedSpeed
    case .notOffered: .notOffered
    case .notPossible(.undoQueue): .nothingToUndo
    case .disabled, .notPossible: .disabled
    case .source(let refusal): refusal.code
    case .liveContent: .liveContent
    case .noPreferredInterval: .noInterval
    case .unsupported: .unsupportedValue
    case .noSuchOption: .noSuchOption
    case .keyRepeat: .keyRepeat
    case .notConnected: .surfaceNotConnected
    case .noButton: .noSuchButton
    case .buttonDisabled: .buttonDisabled
    case .noObserver: .noObserver
    case .noListOwner: .noSuchContent
    }
  }
}
