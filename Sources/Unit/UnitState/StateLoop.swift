/// The work of the worker of ``StateStore``, in steps. The worker thread, or a test, calls ``step(at:)`` in a loop.
struct StateLoop {
  enum Step: Equatable {
    case worked
    /// The thread must wait until it is woken, at most for this time. Nil if the wait has no time limit.
    case waits(seconds: Double?)
    case ends
  }

  private let exchange: StateExchange
  private var writer: StateWriter
  private var isOpen = false

  init(_ exchange: StateExchange, _ folder: any StateFolder, _ layout: StateLayout = .state) {
    self.exchange = exchange
    writer = StateWriter(folder, layout)
  }

  /// Does one step. Blocks for as long as the medium takes.
  mutating func step(at now: Double) -> Step {
    if !isOpen {
      isOpen = true
      exchange.post(StateStore.Opening(payload: writer.open(at: now)))
      exchange.post(writer.takeNotices())
      return .worked
    }
    // This flag is read before the job, so the loop still tries to save a state that was put before the stop.
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
