internal import EventLoop
internal import NowPlaying

/// The console waits five seconds for an answer, so a person receives one within this time.
let answerTime = Duration.seconds(4)

/// To be called with the end of what takes its time: `answer` is called once, with that end, or with
/// `words` where ``answerTime`` has passed before.
func answeredInTime(
  _ loop: EventLoop, otherwise words: String,
  _ answer: @escaping (Result<String, Refusal>) -> Void
) -> (Result<String, Refusal>) -> Void {
  // The timer keeps itself until it has fired or is not needed: what is waited for may be forgotten.
  var late: TimerSource?
  late = TimerSource(loop) {
    guard late != nil else { return }
    late = nil
    answer(.success(words))
  }
  late?.set(after: answerTime)
  return { result in
    guard let timer = late else { return }
    timer.cancel()
    late = nil
    answer(result)
  }
}
