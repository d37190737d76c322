/// A command as surfaces see it: what can be asked now, without the handler.
public struct CommandOffer: Hashable, Sendable {
  /// What goes with it.
  public enum Parameters: Hashable, Sendable {
    case none
    /// The intervals that the source prefers, first one first (C3).
    case intervals([Duration])
    /// The rates that can be set.
    case rates([Double])
    /// Now, and what can be set (S3).
    case repeatMode(MediaCommand.RepeatMode, supported: [MediaCommand.RepeatMode])
    /// Now, and what can be set (S3).
    case shuffleMode(MediaCommand.ShuffleMode, supported: [MediaCommand.ShuffleMode])
    /// Stars up to a maximum, and how many it has.
    case rating(maximum: Double, current: Double?)
    /// Whether it is set, and what to call it.
    case feedback(isActive: Bool, title: String?)
    /// What can be chosen, and which are on.
    case languages([LanguageOption], enabled: [String])
  }

  /// Which command.
  public let kind: CommandKind
  /// Disabled ones stay visible, greyed and inert (C1).
  public var isEnabled: Bool
  /// What goes with it.
  public let parameters: Parameters

  /// See the fields.
  public init(_ kind: CommandKind, isEnabled: Bool = true, parameters: Parameters = .none) {
    self.kind = kind
    self.isEnabled = isEnabled
    self.parameters = parameters
  }

  /// Why a request of this kind is not passed on; nil if it is.
  func refusal(of request: MediaRequest) -> CommandRefusal? {
    guard isEnabled else { return .disabled(kind) }
    switch (request, parameters) {
    case (.skipForward(let interval), .intervals(let preferred)),
      (.skipBackward(let interval), .intervals(let preferred)):
      guard let interval = interval ?? preferred.first else { return .noPreferredInterval(kind) }
      return interval > .zero ? nil : .unsupported("\(kind.rawValue): the interval must be above 0")
    case (.changePlaybackRate(let rate), .rates(let rates)):
      return rates.contains(rate) ? nil : .unsupported("rate \(rate.shortText) is not offered")
    case (.changeRepeatMode(let mode), .repeatMode(_, let supported)):
      return supported.contains(mode)
        ? nil : .unsupported("repeat \(mode.rawValue) is not offered")
    case (.changeShuffleMode(let mode), .shuffleMode(_, let supported)):
      return supported.contains(mode)
        ? nil : .unsupported("shuffle \(mode.rawValue) is not offered")
    case (.rate(let stars), .rating(let maximum, _)):
      return stars >= 0 && stars <= maximum
        ? nil : .unsupported("rating \(stars.shortText) is not within 0 and \(maximum.shortText)")
    case (.enableLanguageOption(let id), .languages(let options, _)),
      (.disableLanguageOption(let id), .languages(let options, _)):
      return options.contains { $0.id == id } ? nil : .noSuchOption(id)
    default:
      return nil
    }
  }

  /// The request with its blanks filled in: the interval of a skip (C3).
  func completed(_ request: MediaRequest) -> MediaRequest {
    guard case .intervals(let preferred) = parameters else { return request }
    switch request {
    case .skipForward(nil): return .skipForward(preferred.first)
    case .skipBackward(nil): return .skipBackward(preferred.first)
    default: return request
    }
  }
}
