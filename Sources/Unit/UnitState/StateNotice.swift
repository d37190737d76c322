/// A message about the state for people. Music plays even if they do nothing.
public struct StateNotice: Hashable, Sendable {
  /// The kind of message.
  public enum Kind: Hashable, Sendable {
    /// The file had no valid state. The unit begins with defaults.
    case damaged
    /// From now on nothing is saved. Saving is tried again.
    case notSaving
    /// Saving works again.
    case savingAgain
  }

  /// The kind of message.
  public let kind: Kind
  /// One sentence for a log, with the path and the reason.
  public let text: String
  /// Why the state is not saved; nil for other kinds.
  var refusal: StateRefusal?
}
