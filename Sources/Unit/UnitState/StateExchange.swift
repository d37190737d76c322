internal import Synchronization
internal import Threads

/// The values that the control thread and the worker thread of ``StateStore`` exchange. One lock protects the values. A
/// thread holds the lock only while it moves values, and never during a call that waits for the medium.
final class StateExchange: Sendable {
  /// A state to save. If a newer state arrives during the save, ``saved(_:)`` detects this by the number.
  struct Job {
    let number: Int
    let payload: [UInt8]
    /// True if a caller of ``StateStore/flush(within:)`` waits. Then the worker tries to save at once, and not at the
    /// next retry.
    let isAwaited: Bool
  }

  /// Maximum number of notices that wait for ``takeNotices()``. If there are more, the oldest notices are dropped.
  private static let maximumNotices = 32

  private struct State {
    var opening: StateStore.Opening?
    /// The latest state that is not saved yet. A newer state replaces an older state.
    var pending: (number: Int, payload: [UInt8])?
    var lastNumber = 0
    /// Number of requests by `flush`.
    var flushRequested = 0
    /// Number of requests by `flush` that were answered, after success or failure.
    var flushAnswered = 0
    var notices: [StateNotice] = []
    var isStopping = false
    var isOver = false
  }

  private let state = Mutex(State())
  /// Wakes the worker.
  let workerWake = WakeUp()
  /// Wakes the control thread when the worker answers. Each wait of the control thread has a time limit.
  let answerWake = WakeUp()
  /// Wakes the control thread when there are notices. The event loop of the control thread waits for this descriptor.
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

  /// The result of the attempt with this number: true if everything was saved, nil while the attempt has not ended.
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

  /// The state to save, and the number of the last ``requestFlush()``. The state stays pending until ``saved(_:)``.
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

  /// Records that an attempt to save was made for all requests up to the number `flush`.
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
