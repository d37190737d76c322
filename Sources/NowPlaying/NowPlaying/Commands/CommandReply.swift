/// The object through which a source answers a command. The source calls the object once, with the answer (C2). Later,
/// the source can also report the time at which the effect is heard.
///
/// Apple's handlers are `async throws` and need no such object. A source can keep the reply and call it later, on the
/// control thread. If a reply is released without an answer, the sender gets `CommandAnswer.noAnswer`.
public final class CommandReply {
  /// Maximum time until a source answers (C2). The buttons of a car must react within two seconds.
  public static let limit = Duration.seconds(2)

  private var onAnswer: ((CommandAnswer, MonotonicInstant?) -> Void)?
  private let onHeard: (MonotonicInstant?, MonotonicInstant) -> Void
  private let onDefer: (MonotonicInstant) -> Void

  package init(
    onAnswer: @escaping (CommandAnswer, MonotonicInstant?) -> Void,
    onHeard: @escaping (MonotonicInstant?, MonotonicInstant) -> Void,
    onDefer: @escaping (MonotonicInstant) -> Void = { _ in }
  ) {
    self.onAnswer = onAnswer
    self.onHeard = onHeard
    self.onDefer = onDefer
  }

  deinit { onAnswer?(.noAnswer, nil) }

  /// Answers the command. Later answers to the same command are ignored.
  public func callAsFunction(_ answer: CommandAnswer, at now: MonotonicInstant) {
    let answering = onAnswer
    onAnswer = nil
    answering?(answer, now)
  }

  /// Answers the command with success before it is carried out, because carrying it out takes long. Only the trace
  /// shows that the command was deferred. Does nothing if the command was answered before.
  public func deferred(at now: MonotonicInstant) {
    guard onAnswer != nil else { return }
    onAnswer = nil
    onDefer(now)
  }

  /// Reports the time at which the effect reaches the loudspeaker. This is the last step of the command in the trace. A
  /// source that knows the delay of the output can call this method shortly before `moment`.
  ///
  /// - Parameter handedOver: the time at which the first sound that the command changed was handed to the output.
  public func heard(at moment: MonotonicInstant, handedOver: MonotonicInstant? = nil) {
    onHeard(handedOver, moment)
  }
}
