internal import Synchronization
internal import Threads

/// The data that the control thread and the worker of a loader share. A lock is sufficient, because each thread holds
/// the lock only for a few operations on small values.
///
/// There is at most one request for the content that plays now (`current`), and at most one for the content that plays
/// next (`upcoming`). A new request replaces the older request of the same kind. The worker handles `current` first. If
/// `current` arrives while the worker searches for `upcoming`, the worker interrupts this search.
final class ArtworkExchange: Sendable {
  /// A request and its answer. A job exists until its answer is taken. Each request has a number, so that the result
  /// for a replaced request is recognised.
  struct Job {
    let number: Int
    let request: CoverRequest
    fileprivate(set) var answer: CoverAnswer?
  }

  private struct State {
    var current: Job?
    var upcoming: Job?
    var lastNumber = 0
    var isStopping = false

    mutating func job(_ request: CoverRequest) -> Job {
      lastNumber += 1
      return Job(number: lastNumber, request: request)
    }

    /// The request that the worker must handle now. Nil if there is none.
    var due: Job? {
      if let current, current.answer == nil { return current }
      if let upcoming, upcoming.answer == nil { return upcoming }
      return nil
    }
  }

  private let state = Mutex(State())
  /// The number of the request that is due; 0 if none is due. The worker reads it between two reads of a file, without
  /// the lock.
  private let dueNumber = Atomic(0)
  /// The worker sleeps until this wake-up is signalled.
  let workerWake = WakeUp()
  /// Signalled when there is an answer for the control thread.
  let controlWake = WakeUp()

  private func change<Result>(_ body: (inout State) -> sending Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      dueNumber.store(state.due?.number ?? 0, ordering: .relaxed)
      return result
    }
  }

  // MARK: Control thread

  /// Sets the request for the content that plays now; nil if there is no content. Has no effect if the same request is
  /// set already.
  func setCurrent(_ request: CoverRequest?) {
    let isAnswered = change { state in
      guard request != state.current?.request else { return false }
      if let upcoming = state.upcoming, upcoming.request == request {
        state.current = upcoming
        state.upcoming = nil
      } else {
        state.current = request.map { state.job($0) }
      }
      return state.current?.answer != nil
    }
    if isAnswered { controlWake.signal() }
    workerWake.signal()
  }

  func setUpcoming(_ request: CoverRequest?) {
    change { state in
      guard request != state.upcoming?.request else { return }
      state.upcoming = request.map { state.job($0) }
    }
    workerWake.signal()
  }

  func takeAnswer() -> CoverAnswer? {
    controlWake.clear()
    return change { state in
      guard let answer = state.current?.answer else { return nil }
      state.current = nil
      return answer
    }
  }

  func prepared(_ request: CoverRequest) -> CoverAnswer? {
    state.withLock { $0.upcoming?.request == request ? $0.upcoming?.answer : nil }
  }

  func shutDown() {
    change { state in
      state.current = nil
      state.upcoming = nil
      state.isStopping = true
    }
    workerWake.signal()
  }

  // MARK: Worker thread

  var isStopping: Bool { state.withLock { $0.isStopping } }

  func nextJob() -> Job? { state.withLock { $0.due } }

  func isDue(_ number: Int) -> Bool { dueNumber.load(ordering: .relaxed) == number }

  /// Stores the answer to the request `number`. Drops the answer if this request was replaced (A2).
  func post(_ answer: CoverAnswer, number: Int) {
    let isForCurrent = change { state in
      if state.current?.number == number {
        state.current?.answer = answer
        return true
      }
      if state.upcoming?.number == number { state.upcoming?.answer = answer }
      return false
    }
    if isForCurrent { controlWake.signal() }
  }
}
