// Keeps one state, some bytes that mean nothing here, safe from power cuts.
//
// The worker thread reads it once, then waits for the latest state that the control thread left,
// and writes it in the next slot. It is the only one that touches the medium; the control thread
// only leaves bytes, and waits for it in two calls that have a limit.

internal import Glibc
internal import Threads

/// One state on a medium, read at the start and saved again and again.
///
/// It is one file of 64 slots of 8 KiB, which are overwritten in turn; so wherever power is cut,
/// the newest whole slot is the state of this write or of the one before. A file that is none of
/// ours is put aside, and a medium that cannot be written is a notice: nothing here is ever a reason
/// not to play.
///
/// - Thread: one, which none of this blocks beyond the limit that it names.
public final class StateStore {
  /// What was found.
  public struct Opening: Equatable, Sendable {
    /// What was saved last; nil for the defaults.
    public let payload: [UInt8]?
  }

  /// Bytes that a state may have.
  public static let maximumPayload = Slot.maximumPayload

  private let exchange = StateExchange()
  private let worker: NamedThread

  /// Lets the worker open the file.
  ///
  /// - Parameters:
  ///   - folder: where the file is, and what is put aside; it is not made.
  ///   - name: the file's name in it.
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

  /// Waits for what was found; nil where the medium takes longer than `milliseconds`.
  ///
  /// Whoever goes on without it begins with defaults, and the next ``save(_:)`` makes these the
  /// newest state.
  public func opening(within milliseconds: Int) -> Opening? {
    wait(milliseconds) { exchange.opening }
  }

  /// Leaves a state to be saved; one that was not begun with is forgotten for it. Does not block.
  ///
  /// - Precondition: not more than ``maximumPayload`` bytes.
  public func save(_ payload: [UInt8]) {
    precondition(payload.count <= Self.maximumPayload, "a state of \(payload.count) bytes")
    exchange.put(payload)
  }

  /// Waits until the medium has the latest state, which is tried at once even where it could not
  /// be saved before. False where it cannot be, or where it takes longer than `milliseconds`.
  public func flush(within milliseconds: Int) -> Bool {
    attempt(within: milliseconds) ?? false
  }

  /// Nil where the worker has not answered.
  private func attempt(within milliseconds: Int) -> Bool? {
    let number = exchange.askToFlush()
    return wait(milliseconds) { exchange.answer(toFlush: number) }
  }

  /// Flushes, and ends the worker. False as with ``flush(within:)``; a worker that hangs in the
  /// medium is left to the end of the process. Once, and nothing is called after it.
  public func shutDown(within milliseconds: Int) -> Bool {
    let isSaved = attempt(within: milliseconds)
    exchange.stop()
    let isOver = wait(isSaved == nil ? 0 : milliseconds) { exchange.isOver ? true : nil }
    if isOver == true { worker.join() }
    return isSaved ?? false
  }

  /// For `poll`: readable when there are notices.
  public var noticeDescriptor: Int32 { exchange.noticeWake.descriptor }

  /// The news since the last time, in order.
  public func takeNotices() -> [StateNotice] { exchange.takeNotices() }

  /// Waits for something, at most so long.
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

/// Seconds that only go forward.
private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
