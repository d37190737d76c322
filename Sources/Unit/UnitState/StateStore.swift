// Keeps one state safe from power cuts. The state is bytes without a meaning here.
//
// The worker thread reads the state once. Then it waits for the latest state from the control
// thread, and writes it in the next slot. Only the worker accesses the medium. The control thread
// hands over bytes, and waits for the worker only in calls with a time limit.

internal import Glibc
internal import Threads

/// One state on a medium, read at the start and saved repeatedly.
///
/// It is one file of 64 slots of 8 KiB, which are overwritten in turn. So wherever the power is
/// cut, the newest whole slot is the state of this write or of the one before. A file that is not a
/// state file is put aside, and a medium that cannot be written gives a notice: the store never
/// prevents playback.
///
/// - Thread: one thread. No call blocks longer than the limit in its arguments.
public final class StateStore {
  /// The result of reading the file.
  public struct Opening: Equatable, Sendable {
    /// The last saved state; nil: begin with defaults.
    public let payload: [UInt8]?
  }

  /// Maximum bytes of a state.
  public static let maximumPayload = Slot.maximumPayload

  private let exchange = StateExchange()
  private let worker: NamedThread

  /// Starts the worker, which opens the file.
  ///
  /// - Parameters:
  ///   - folder: the folder of the file and of files that are put aside; it is not created.
  ///   - name: the name of the file.
  public convenience init(folder: String, name: String = "state") {
    self.init(DiskFolder(folder: folder, name: name))
  }

  init(_ folder: any StateFolder) {
    worker = NamedThread("state") { [exchange] in
      var loop = StateLoop(exchange, folder)
      while true {
        switch loop.step(at: now()) {
        case .worked: continue
        case .waits(let seconds):
          exchange.workerWake.wait(milliseconds: seconds.map { Int32($0 * 1000) + 1 } ?? -1)
        case .ends: return
        }
      }
    }
  }

  deinit { exchange.stop() }

  /// Waits for the result of reading; nil if the medium takes longer than `milliseconds`.
  ///
  /// A caller that continues without the result begins with defaults, and its next ``save(_:)``
  /// makes them the newest state.
  public func opening(within milliseconds: Int) -> Opening? {
    wait(milliseconds) { exchange.opening }
  }

  /// Hands over a state to save. It replaces a state whose save has not begun. Does not block.
  ///
  /// - Precondition: at most ``maximumPayload`` bytes.
  public func save(_ payload: [UInt8]) {
    precondition(
      payload.count <= Self.maximumPayload,
      "the state has \(payload.count) bytes, more than the maximum")
    exchange.put(payload)
  }

  /// Waits until the medium has the latest state. This is tried at once, even if earlier attempts
  /// failed. Returns false if it fails, or takes longer than `milliseconds`.
  public func flush(within milliseconds: Int) -> Bool {
    attempt(within: milliseconds) ?? false
  }

  /// Nil if the worker has not answered.
  private func attempt(within milliseconds: Int) -> Bool? {
    let number = exchange.requestFlush()
    return wait(milliseconds) { exchange.answer(toFlush: number) }
  }

  /// Flushes, and ends the worker. Returns false as ``flush(within:)`` does. A worker that hangs in
  /// the medium runs until the process ends. Call this once, and no method after it.
  public func shutDown(within milliseconds: Int) -> Bool {
    let isSaved = attempt(within: milliseconds)
    exchange.stop()
    let isOver = wait(isSaved == nil ? 0 : milliseconds) { exchange.isOver ? true : nil }
    if isOver == true { worker.join() }
    return isSaved ?? false
  }

  /// Readable when there are notices. For `poll`.
  public var noticeDescriptor: Int32 { exchange.noticeWake.descriptor }

  /// The notices since the last call, in order.
  public func takeNotices() -> [StateNotice] { exchange.takeNotices() }

  /// Waits until `ready` returns a value, at most `milliseconds`.
  private func wait<Result>(_ milliseconds: Int, for ready: () -> Result?) -> Result? {
    let end = now() + Double(milliseconds) / 1000
    while true {
      if let result = ready() { return result }
      let left = end - now()
      guard left > 0 else { return nil }
      exchange.answerWake.wait(milliseconds: Int32(min(left * 1000, 60_000)) + 1)
    }
  }
}

/// Seconds of a clock that never goes back.
private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
