/// The work of the store's worker, in steps. The thread is a loop around ``step(at:)``; a test
/// calls it directly.
struct StateLoop {
  enum Step: Equatable {
    case worked
    /// Waits for this time, or without a limit if nil, or until it is woken.
    case waits(seconds: Double?)
    case ends
  }

  private let exchange: StateExchange
  private var writer: StateWriter
  private var isOpen = false

  init(_ exchange: StateExchange, _ folder: any StateFolder) {
    self.exchange = exchange
    writer = StateWriter(folder)
  }

  /// One step. Blocks for as long as the medium takes.
  mutating func step(at now: Double) -> Step {
    if !isOpen {
      isOpen = true
      exchange.post(StateStore.Opening(payload: writer.open(at: now)))
      exchange.post(writer.takeNotices())
      return .worked
    }
    // Read first, so that a state that was put before the stop is tried once more.
    let isStopping = exchange.isStopping
    let (job, flush) = exchange.job
    if let job, job.isAwaited || isStopping || (writer.retry ?? now) <= now {
      let isSaved = writer.save(job.payload, at: now)
      if isSaved { exchange.saved(job.number) }
      exchange.post(writer.takeNotices())
      if isSaved, !isStopping, exchange.job.job != nil { return .worked }
    }
    exchange.answered(flush: flush)
    if isStopping {
      exchange.end()
      return .ends
    }
    let (left, wanted) = exchange.job
    guard wanted == flush else { return .worked }
    return .waits(seconds: left == nil ? nil : writer.retry.map { max(0, $0 - now) } ?? 0)
  }
}
