/// A message for the user about the saved state. No notice affects playback.
public struct StateNotice: Hashable, Sendable {
  /// The kind of message.
  public enum Kind: Hashable, Sendable {
    /// The state file contained no valid state. The unit starts with defaults.
    case damaged
    /// The state can no longer be saved. The store repeats its attempts.
    case notSaving
    /// Saving works again.
    case savingAgain
  }

  /// The kind of message.
  public let kind: Kind
  /// One sentence for a log, with the path and the reason.
  public let text: String
  /// The reason why the state is not saved. Nil for other kinds than ``Kind/notSaving``.
  var refusal: StateRefusal?
}
