/// The work of a loader's thread, one request at a time. The thread calls ``step()`` in a loop. Tests call ``step()``
/// directly.
struct ArtworkLoop {
  enum Step { case worked, waits }

  let exchange: ArtworkExchange
  /// Finds a cover. Returns nil if `shouldContinue` has returned false, because the request was replaced.
  let find: (CoverRequest, _ shouldContinue: @escaping () -> Bool) -> CoverAnswer?

  func step() -> Step {
    guard let job = exchange.nextJob() else { return .waits }
    let exchange = exchange
    if let answer = find(job.request, { exchange.isDue(job.number) }) {
      exchange.post(answer, number: job.number)
    }
    return .worked
  }
}
