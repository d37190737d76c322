internal import EventLoop
internal import Synchronization
internal import Threads
internal import UnitState

/// Reads and changes the playlists of the unit on a separate thread, one request after the other, so that a slow
/// storage does not block the control thread.
///
/// The control thread calls all methods. Only ``shutDown(within:)`` blocks.
final class PlaylistWorker {
  private typealias Job = @Sendable (inout PlaylistStore) -> Void

  private final class Shared: Sendable {
    let jobs = Mutex<(waiting: [Job], isOver: Bool)>(([], false))
    let jobWake = WakeUp()
    let answerWake = WakeUp()
  }

  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Maximum number of waiting requests. Further requests are refused.
  private static let maximumRequests = 32

  private let shared = Shared()
  private let thread: NamedThread
  private var source: DescriptorSource?
  /// One function for each request, in the order of the requests. It returns the completion to call, or nil while the
  /// request has no answer.
  private var pending: [() -> (() -> Void)?] = []

  /// Starts the thread, which first reads all playlists.
  init(_ loop: EventLoop, folder: String) throws(SystemError) {
    let shared = shared
    thread = NamedThread("playlists") {
      var store = PlaylistStore(folder: folder)
      while true {
        let (jobs, isOver) = shared.jobs.withLock { state in
          defer { state.waiting = [] }
          return (state.waiting, state.isOver)
        }
        for job in jobs { job(&store) }
        if jobs.isEmpty {
          if isOver { return }
          shared.jobWake.wait()
        }
      }
    }
    source = try DescriptorSource(
      loop, descriptor: shared.answerWake.descriptor, events: .readable
    ) { [weak self] _ in self?.finishAnswered() }
  }

  /// Ends the thread after it has carried out the waiting requests.
  deinit {
    source?.cancel()
    shared.jobs.withLock { $0.isOver = true }
    shared.jobWake.signal()
    thread.detach()
  }

  /// Carries out `work` on the thread, and then calls `completion` on the control thread. Returns false if too many
  /// requests wait.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (inout PlaylistStore) -> Value,
    completion: @escaping (Value) -> Void
  ) -> Bool {
    guard pending.count < Self.maximumRequests else { return false }
    let answer = Answer<Value>()
    pending.append {
      answer.value.withLock { $0 }.map { value in { completion(value) } }
    }
    let shared = shared
    shared.jobs.withLock { state in
      state.waiting.append { store in
        let value = work(&store)
        answer.value.withLock { $0 = value }
        shared.answerWake.signal()
      }
    }
    shared.jobWake.signal()
    return true
  }

  private func finishAnswered() {
    shared.answerWake.clear()
    while let finish = pending.first?() {
      pending.removeFirst()
      finish()
    }
  }

  /// Waits until all requests are answered, but at most for `milliseconds`. Returns false if a request was not
  /// answered.
  func shutDown(within milliseconds: Int32) -> Bool {
    var left = milliseconds
    finishAnswered()
    while !pending.isEmpty, left > 0 {
      shared.answerWake.wait(milliseconds: min(left, 50))
      left -= 50
      finishAnswered()
    }
    return pending.isEmpty
  }
}
