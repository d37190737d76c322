/// The way back to whoever sent a command: call it once with the answer (C2), and say later when
/// the effect was heard.
///
/// Stands where Apple's handlers are `async throws`. May be kept and called later, on the control
/// thread. A reply that is dropped without a word answers for itself that there was none.
public final class CommandReply {
  /// How long a source may take to answer (C2); a car's buttons answer within two seconds.
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

  /// Answers. The first answer counts.
  public func callAsFunction(_ answer: CommandAnswer, at now: MonotonicInstant) {
    let answering = onAnswer
    onAnswer = nil
    answering?(answer, now)
  }

  /// The effect is in the loudspeaker then: the last entry of the trace. May be said shortly
  /// before, by who knows how much the output still holds.
  ///
  /// - Parameter handedOver: when the first sound that the command changed was handed to the output.
  public func heard(at moment: MonotonicInstant, handedOver: MonotonicInstant? = nil) {
    onHeard(handedOver, moment)
  }
}
