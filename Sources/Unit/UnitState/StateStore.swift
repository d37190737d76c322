// Saves the bytes of one state so that a power cut does not destroy them. The store does not interpret the bytes.
//
// The worker thread reads the state once. Then, again and again, it waits for a new state from the control thread, and
// writes this state to the next slot. Only the worker thread accesses the medium. The control thread passes bytes to
// the worker, and waits for the worker only in calls with a time limit.

internal import Glibc
internal import Threads

/// One state on a medium. The state is read once at the start, and is then saved repeatedly.
///
/// The state is in one file with slots (``StateLayout``), which are overwritten in turn. If the power is cut during a
/// write, the newest whole slot contains the state of this write or of the previous write. A file that is not a state
/// file is put aside: it is renamed. If the medium cannot be written, the store gives a notice. The unit still plays.
///
/// - Thread: one thread calls all methods. No call blocks longer than the limit in its arguments.
public final class StateStore {
  /// The result of reading the file.
  public struct Opening: Equatable, Sendable {
    /// The last saved state. Nil if there is none; then the caller begins with defaults.
    public let payload: [UInt8]?
  }

  private let layout: StateLayout
  private let exchange = StateExchange()
  private let worker: NamedThread

  /// Starts the worker, which opens the file.
  ///
  /// - Parameters:
  ///   - folder: the folder of the file and of files that are put aside. The store does not create this folder.
  ///   - name: the name of the file, and of the worker thread.
  public convenience init(
    folder: String, name: String = "state", layout: StateLayout = .state
  ) {
    self.init(DiskFolder(folder: folder, name: name), name: name, layout: layout)
  }

  init(_ folder: any StateFolder, name: String = "state", layout: StateLayout = .state) {
    self.layout = layout
    worker = NamedThread(name) { [exchange] in
      var loop = StateLoop(exchange, folder, layout)
      while true {
        switch loop.step(at: MonotonicClock.seconds) {
        case .worked: continue
        case .waits(let seconds):
          exchange.workerWake.wait(milliseconds: seconds.map { Int32($0 * 1000) + 1 } ?? -1)
        case .ends: return
        }
      }
    }
  }

  deinit { exchange.stop() }

  /// Waits until the file was read, and returns the result. Nil if the medium takes longer than `milliseconds`.
  ///
  /// After nil, a caller can begin with defaults. Its next ``save(_:)`` makes these defaults the newest state.
  public func opening(within milliseconds: Int) -> Opening? {
    wait(milliseconds) { exchange.opening }
  }

  /// Passes a state to the worker. This state replaces an earlier state whose save has not begun. Does not block.
  ///
  /// - Precondition: the state has at most ``StateLayout/maximumPayload`` bytes.
  public func save(_ payload: [UInt8]) {
    precondition(
      payload.count <= layout.maximumPayload,
      "the state has \(payload.count) bytes, more than the maximum")
    exchange.put(payload)
  }

  /// True while the latest state is not on the medium yet.
  public var isSaving: Bool { exchange.job.job != nil }

  /// Waits until the latest state is on the medium. The worker tries to save at once, even if earlier attempts failed.
  /// Returns false if the attempt fails or takes longer than `milliseconds`.
  public func flush(within milliseconds: Int) -> Bool {
    attempt(within: milliseconds) ?? false
  }

  /// Requests an attempt to save. Returns nil if the worker does not answer within `milliseconds`.
  private func attempt(within milliseconds: Int) -> Bool? {
    let number = exchange.requestFlush()
    return wait(milliseconds) { exchange.answer(toFlush: number) }
  }

  /// Saves the latest state and ends the worker. Returns false if the attempt fails or takes longer than
  /// `milliseconds`. If the medium blocks the worker, the worker runs until the process ends. Call this method once,
  /// after all other methods.
  public func shutDown(within milliseconds: Int) -> Bool {
    let isSaved = attempt(within: milliseconds)
    exchange.stop()
    let isOver = wait(isSaved == nil ? 0 : milliseconds) { exchange.isOver ? true : nil }
    if isOver == true { worker.join() }
    return isSaved ?? false
  }

  /// A descriptor for `poll`. It becomes readable when the worker has read the file. Then call ``takeOpening()``.
  public var openingDescriptor: Int32 { exchange.answerWake.descriptor }

  /// The result of reading the file. Nil while the file is being read. The call that returns the state frees the copy
  /// of the state in the store, so later calls return an ``Opening`` without a state. Does not block.
  public func takeOpening() -> Opening? {
    exchange.answerWake.clear()
    return exchange.takeOpening()
  }

  /// A descriptor for `poll`. It is readable while there are notices.
  public var noticeDescriptor: Int32 { exchange.noticeWake.descriptor }

  /// The notices since the last call, in order.
  public func takeNotices() -> [StateNotice] { exchange.takeNotices() }

  /// Waits until `ready` returns a value, at most for `milliseconds`.
  private func wait<Result>(_ milliseconds: Int, for ready: () -> Result?) -> Result? {
    let end = MonotonicClock.seconds + Double(milliseconds) / 1000
    while true {
      if let result = ready() { return result }
      let left = end - MonotonicClock.seconds
      guard left > 0 else { return nil }
      exchange.answerWake.wait(milliseconds: Int32(min(left * 1000, 60_000)) + 1)
    }
  }
}
