/// What whoever asked is told (C2). Every command is answered, exactly once.
public enum CommandAnswer: Hashable, Sendable, CustomStringConvertible {
  /// Done, or it was so already.
  case success
  /// What was asked for is not there: no next track, no such language.
  case noSuchContent(Refusal = Refusal(.noSuchContent, "no such content"))
  /// There is nothing that the command could be for.
  case nothingPlaying
  /// Why not.
  case failed(Refusal)

  /// A handler let go of its reply.
  static let noAnswer = CommandAnswer.failed(Refusal(.sourceSilent, "the source gave no answer"))
  /// A handler keeps its reply too long.
  static let tooLate = CommandAnswer.failed(
    Refusal(.sourceTooLate, "no answer within \(CommandReply.limit.millisecondText)"))
  /// What is said in place of a source.
  static let unanswered = [noAnswer, tooLate]

  /// Why not; nil for ``success``.
  public var refusal: Refusal? {
    switch self {
    case .success: nil
    case .noSuchContent(let refusal): refusal
    case .nothingPlaying: Refusal(.nothingPlaying, description)
    case .failed(let refusal): refusal
    }
  }

  /// For a trace and the console.
  public var description: String {
    switch self {
    case .success: "success"
    case .noSuchContent(let refusal): refusal.sentence
    case .nothingPlaying: "nothing playing"
    case .failed(let refusal): "failed: \(refusal.sentence)"
    }
  }
}
