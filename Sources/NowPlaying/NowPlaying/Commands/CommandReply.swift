/// The object by which a source answers a command. The source calls the object once, with the
/// answer (C2). The source may report later when the effect was heard.
///
/// Apple's handlers are `async throws` instead. A source may keep the reply and call it later, on
/// the control thread. If a reply is released without an answer, the sender gets
/// `CommandAnswer.noAnswer`.
public final class CommandReply {
  /// Maximum time until a source answers (C2). A car's buttons react within two seconds.
  public static let limit = Duration.seconds(2)

  private var onAnswer: ((CommandAnswer, MonotonicInstant?) -> Void)?
  private let onHeard: (MonotonicInstant?, MonotonicInstant) -> Void

  init(
    onAnswer: @escaping (CommandAnswer, MonotonicInstant?) -> Void,
    onHeard: @escaping (MonotonicInstant?, MonotonicInstant) -> Void
  ) {
    self.onAnswer = onAnswer
    self.onHeard = onHeard
  }

  deinit { onAnswer?(.noAnswer, nil) }

  /// Answers the command. Answers after the first one are ignored.
  public func callAsFunction(_ answer: CommandAnswer, at now: MonotonicInstant) {
    let answering = onAnswer
    onAnswer = nil
    answering?(answer, now)
  }

  /// Reports when the effect reaches the loudspeaker: the last entry of the trace. The source may
  /// call this shortly before `moment` if it knows how much sound the output still holds.
  ///
  /// - Parameter handedOver: the time at which the first sound that the command changed was handed
  ///   to the output.
  public func heard(at moment: MonotonicInstant, handedOver: MonotonicInstant? = nil) {
    onHeard(handedOver, moment)
  }
}
