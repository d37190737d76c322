internal import Synchronization
internal import Threads

/// The values that the control thread and the store's worker exchange. A lock is suitable here. Each thread holds the
/// lock only to move small values, and never during a call that waits for the medium.
final class StateExchange: Sendable {
  /// A state to save. Its number shows whether a newer state arrived while this state was written.
  struct Job {
    let number: Int
    let payload: [UInt8]
    /// True if a caller waits for the save. Then the worker tries to save at once, even if the next retry is not due.
    let isAwaited: Bool
  }

  /// Maximum number of notices that are kept until they are taken.
  private static let maximumNotices = 32

  private struct State {
    var opening: StateStore.Opening?
    /// The latest state, until it is saved. A newer state replaces an older one.
    var pending: (number: Int, payload: [UInt8])?
    var lastNumber = 0
    /// Number of requests by `flush`.
    var flushRequested = 0
    /// Number of these requests that were answered, after success or failure.
    var flushAnswered = 0
    var notices: [StateNotice] = []
    var isStopping = false
    var isOver = false
  }

  private let state = Mutex(State())
  /// Wakes the worker.
  let workerWake = WakeUp()
  /// Wakes the control thread while the control thread waits for the worker. Such a wait has a time limit.
  let answerWake = WakeUp()
  /// Wakes the control thread when there are notices. The thread polls the descriptor.
  let noticeWake = WakeUp()

  // MARK: Control

  var opening: StateStore.Opening? { state.withLock { $0.opening } }

  func takeOpening() -> StateStore.Opening? {
    state.withLock { state in
      defer { if state.opening != nil { state.opening = StateStore.Opening(payload: nil) } }
      return state.opening
    }
  }

  func put(_ payload: [UInt8]) {
    state.withLock { state in
      state.lastNumber += 1
      state.pending = (state.lastNumber, payload)
    }
    workerWake.signal()
  }

  /// Requests an immediate attempt to save.
  /// - Returns: the number of the request.
  func requestFlush() -> Int {
    let number = state.withLock { state in
      state.flushRequested += 1
      return state.flushRequested
    }
    workerWake.signal()
    return number
  }

  /// The result of the attempt: true if everything was saved, nil while the attempt has not ended.
  func answer(toFlush number: Int) -> Bool? {
    state.withLock { state in
      state.flushAnswered >= number || state.isOver ? state.pending == nil : nil
    }
  }

  func stop() {
    state.withLock { $0.isStopping = true }
    workerWake.signal()
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  func takeNotices() -> [StateNotice] {
    noticeWake.clear()
    return state.withLock { state in
      defer { state.notices = [] }
      return state.notices
    }
  }

  // MARK: Worker

  var isStopping: Bool { state.withLock { $0.isStopping } }

  func post(_ opening: StateStore.Opening) {
    state.withLock { $0.opening = opening }
    answerWake.signal()
  }

  /// The state to save, and the number of the last request by `flush`. The state stays pending until its save has
  /// succeeded.
  var job: (job: Job?, flush: Int) {
    state.withLock { state in
      let isAwaited = state.flushRequested > state.flushAnswered
      return (
        state.pending.map { Job(number: $0.number, payload: $0.payload, isAwaited: isAwaited) },
        state.flushRequested
      )
    }
  }

  func saved(_ number: Int) {
    state.withLock { if $0.pending?.number == number { $0.pending = nil } }
  }

  /// Records that all requests up to `flush` were tried.
  func answered(flush: Int) {
    state.withLock { $0.flushAnswered = flush }
    answerWake.signal()
  }

  func post(_ notices: [StateNotice]) {
    guard !notices.isEmpty else { return }
    state.withLock { $0.notices = ($0.notices + notices).suffix(Self.maximumNotices) }
    noticeWake.signal()
  }

  func end() {
    state.withLock { $0.isOver = true }
    answerWake.signal()
  }
}
