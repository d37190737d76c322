/// Something about the state that a person should know. Nothing has to be done about it for the
/// music to play.
public struct StateNotice: Hashable, Sendable {
  /// What kind of news it is.
  public enum Kind: Hashable, Sendable {
    /// The file held no state of ours; it begins anew.
    case damaged
    /// From now on nothing is saved; it is tried again.
    case notSaving
    /// Saving works again.
    case savingAgain
  }

  /// What kind of news it is.
  public let kind: Kind
  /// One sentence for a log, with the path and the reason.
  public let text: String
}
