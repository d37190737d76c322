internal import Synchronization
internal import Threads

/// What crosses between the control thread and a loader's worker. A lock is right here: each
/// side holds it for a few moves of small values.
///
/// There are two places, each held by the latest request for it: what plays now, and what may
/// play next. The worker is at the first that has no answer, and drops the second for it.
final class ArtworkExchange: Sendable {
  /// A request, until its answer is taken. They are numbered, so that whatever belongs to one
  /// that was overtaken is known by its number.
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

    /// What the worker should be at.
    var due: Job? {
      if let current, current.answer == nil { return current }
      if let upcoming, upcoming.answer == nil { return upcoming }
      return nil
    }
  }

  private let state = Mutex(State())
  /// The number of what is due, 0 for nothing. The worker reads it between any two reads of a
  /// file, without the lock.
  private let dueNumber = Atomic(0)
  /// The worker sleeps on it.
  let workerWake = WakeUp()
  /// The control thread polls it.
  let controlWake = WakeUp()

  private func change<Result>(_ body: (inout State) -> sending Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      dueNumber.store(state.due?.number ?? 0, ordering: .relaxed)
      return result
    }
  }

  // MARK: Control

  /// Nil for nothing. What is wanted already is not asked twice.
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

  // MARK: Worker

  var isStopping: Bool { state.withLock { $0.isStopping } }

  func takeJob() -> Job? { state.withLock { $0.due } }

  func isDue(_ number: Int) -> Bool { dueNumber.load(ordering: .relaxed) == number }

  /// Hands an answer over, unless its request was overtaken (A2).
  func post(_ answer: CoverAnswer, number: Int) {
    let isForNow = change { state in
      if state.current?.number == number {
        state.current?.answer = answer
        return true
      }
      if state.upcoming?.number == number { state.upcoming?.answer = answer }
      return false
    }
    if isForNow { controlWake.signal() }
  }
}
