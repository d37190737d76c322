internal import EventLoop
internal import NowPlaying

/// Time limit for an answer to the console. The console waits five seconds. This limit is shorter, so that the console
/// always receives an answer.
let answerTime = Duration.seconds(4)

/// Limits the time until `answer` is called. The caller must pass the result of the operation to the returned function.
/// `answer` is called once. If the result arrives within ``answerTime``, `answer` gets this result. Otherwise `answer`
/// gets success and `message`.
func answerWithinTimeLimit(
  _ loop: EventLoop, otherwise message: String,
  _ answer: @escaping (Result<String, Refusal>) -> Void
) -> (Result<String, Refusal>) -> Void {
  // The timer and its closure keep each other alive until the timer has fired or the result has arrived. The caller may
  // drop the returned function without losing the answer.
  var late: TimerSource?
  late = TimerSource(loop) {
    guard late != nil else { return }
    late = nil
    answer(.success(message))
  }
  late?.set(after: answerTime)
  return { result in
    guard let timer = late else { return }
    timer.cancel()
    late = nil
    answer(result)
  }
}
