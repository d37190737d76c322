/// The answer to the sender of a command (C2). Each command is answered exactly once.
public enum CommandAnswer: Hashable, Sendable, CustomStringConvertible {
  /// The command was carried out, or the requested state existed already.
  case success
  /// The requested content does not exist. For example, there is no next track, or no track in the requested language.
  case noSuchContent(Refusal = Refusal(.noSuchContent, "no such content"))
  /// No session is primary, so the command has no receiver.
  case nothingPlaying
  /// The command failed. The refusal contains the reason.
  case failed(Refusal)

  /// A handler released its reply without an answer.
  static let noAnswer = CommandAnswer.failed(Refusal(.sourceSilent, "the source gave no answer"))
  /// A handler did not answer within ``CommandReply/limit``.
  static let tooLate = CommandAnswer.failed(
    Refusal(.sourceTooLate, "no answer within \(CommandReply.limit.millisecondText)"))
  /// The answers that the center gives in place of a source.
  static let unanswered = [noAnswer, tooLate]

  /// The reason of a failure; nil for ``success``.
  public var refusal: Refusal? {
    switch self {
    case .success: nil
    case .noSuchContent(let refusal): refusal
    case .nothingPlaying: Refusal(.nothingPlaying, description)
    case .failed(let refusal): refusal
    }
  }

  /// Text for traces and the console.
  public var description: String {
    switch self {
    case .success: "success"
    case .noSuchContent(let refusal): refusal.sentence
    case .nothingPlaying: "nothing playing"
    case .failed(let refusal): "failed: \(refusal.sentence)"
    }
  }
}
