/// A command as surfaces see it. It states what surfaces can request now. It does not contain the handler of the
/// source.
public struct CommandOffer: Hashable, Sendable {
  /// The values that belong to a command.
  public enum Parameters: Hashable, Sendable {
    case none
    /// The intervals that the source prefers; the first interval is the default (C3).
    case intervals([Duration])
    /// The rates that can be set.
    case rates([Double])
    /// The current mode, and the modes that can be set (S3).
    case repeatMode(MediaCommand.RepeatMode, supported: [MediaCommand.RepeatMode])
    /// The current mode, and the modes that can be set (S3).
    case shuffleMode(MediaCommand.ShuffleMode, supported: [MediaCommand.ShuffleMode])
    /// The maximum number of stars, and the current number of stars.
    case rating(maximum: Double, current: Double?)
    /// The state of the mark (set or not set) and the title of the mark.
    case feedback(isActive: Bool, title: String?)
    /// The options that can be chosen, and the identities of the enabled options.
    case languages([LanguageOption], enabled: [String])
  }

  /// The command.
  public let kind: CommandKind
  /// False if the command is disabled: surfaces show it grey, and the center refuses it (C1).
  public var isEnabled: Bool
  /// The values that belong to the command.
  public let parameters: Parameters

  public init(_ kind: CommandKind, isEnabled: Bool = true, parameters: Parameters = .none) {
    self.kind = kind
    self.isEnabled = isEnabled
    self.parameters = parameters
  }

  /// The reason why the center refuses this request; nil if the center passes the request on.
  func refusal(of request: MediaRequest) -> CommandRefusal? {
    guard isEnabled else { return .disabled(kind) }
    switch (request, parameters) {
    case (.skipForward(let interval), .intervals(let preferred)),
      (.skipBackward(let interval), .intervals(let preferred)):
      guard let interval = interval ?? preferred.first else { return .noPreferredInterval(kind) }
      return interval > .zero ? nil : .unsupported("the time of a skip must be above 0")
    case (.changePlaybackRate(let rate), .rates(let rates)):
      return rates.contains(rate) ? nil : .unsupported(Self.reason(rate, supported: rates))
    case (.changeRepeatMode(let mode), .repeatMode(_, let supported)):
      return supported.contains(mode) ? nil : .unsupported(Self.reason(mode))
    case (.changeShuffleMode(let mode), .shuffleMode(_, let supported)):
      return supported.contains(mode) ? nil : .unsupported(Self.reason(mode))
    case (.stars(let stars), .rating(let maximum, _)):
      return stars >= 0 && stars <= maximum
        ? nil : .unsupported("the rating must be from 0 to \(maximum.shortText)")
    case (.enableLanguageOption(let id), .languages(let options, _)),
      (.disableLanguageOption(let id), .languages(let options, _)):
      return options.contains { $0.id == id } ? nil : .noSuchOption(id)
    default:
      return nil
    }
  }

  /// The request with all its values. If a skip has no interval, it gets the first interval that the source prefers
  /// (C3).
  func completed(_ request: MediaRequest) -> MediaRequest {
    guard case .intervals(let preferred) = parameters else { return request }
    switch request {
    case .skipForward(nil): return .skipForward(preferred.first)
    case .skipBackward(nil): return .skipBackward(preferred.first)
    default: return request
    }
  }
}
