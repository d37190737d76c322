internal import Synchronization
internal import Threads

/// What crosses between the control thread and the store's worker. A lock is right here: each side
/// holds it for a few moves of small values, never while it waits for the medium.
final class StateExchange: Sendable {
  /// A state to save. They are numbered, so that one that came while another was written is known.
  struct Job {
    let number: Int
    let payload: [UInt8]
    /// Somebody waits for it, so it is tried although it is not time yet.
    let isAwaited: Bool
  }

  /// Notices that wait for somebody who never takes them.
  private static let maximumNotices = 32

  private struct State {
    var opening: StateStore.Opening?
    /// The latest, until it is saved. One that was overtaken is not missed.
    var pending: (number: Int, payload: [UInt8])?
    var lastNumber = 0
    /// Asked for by `flush`, and answered whether it could or not.
    var flushWanted = 0
    var flushAnswered = 0
    var notices: [StateNotice] = []
    var isStopping = false
    var isOver = false
  }

  private let state = Mutex(State())
  /// The worker sleeps on it.
  let workerWake = WakeUp()
  /// Whoever waits for the worker sleeps on it: the control thread, and not for long.
  let answerWake = WakeUp()
  /// The control thread polls it for notices.
  let noticeWake = WakeUp()

  // MARK: Control

  var opening: StateStore.Opening? { state.withLock { $0.opening } }

  func put(_ payload: [UInt8]) {
    state.withLock { state in
      state.lastNumber += 1
      state.pending = (state.lastNumber, payload)
    }
    workerWake.signal()
  }

  /// Asks for an attempt at once.
  /// - Returns: the attempt's number.
  func askToFlush() -> Int {
    let number = state.withLock { state in
      state.flushWanted += 1
      return state.flushWanted
    }
    workerWake.signal()
    return number
  }

  /// Whether everything was saved; nil while the attempt is not over.
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

  /// What is to be saved, which stays there until it is.
  var job: (job: Job?, flush: Int) {
    state.withLock { state in
      let isAwaited = state.flushWanted > state.flushAnswered
      return (
        state.pending.map { Job(number: $0.number, payload: $0.payload, isAwaited: isAwaited) },
        state.flushWanted
      )
    }
  }

  func saved(_ number: Int) {
    state.withLock { if $0.pending?.number == number { $0.pending = nil } }
  }

  /// All that was asked for up to `flush` was tried.
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
