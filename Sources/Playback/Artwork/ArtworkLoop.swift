/// What a loader's worker does, one request at a time. The thread is a loop around ``step()``; a
/// test calls it by hand.
struct ArtworkLoop {
  enum Step { case worked, waits }

  let exchange: ArtworkExchange
  /// Finds a cover; nil where it is not wanted any more.
  let find: (CoverRequest, _ goesOn: @escaping () -> Bool) -> CoverAnswer?

  func step() -> Step {
    guard let job = exchange.takeJob() else { return .waits }
    let exchange = exchange
    if let answer = find(job.request, { exchange.isDue(job.number) }) {
      exchange.post(answer, number: job.number)
    }
    return .worked
  }
}
