internal import Files
internal import Glibc
internal import LocalPlayer
internal import MusicFiles
internal import Synchronization
internal import Threads

/// Reads the music folders on its own thread, because a read of a stick may take seconds or never
/// end.
///
/// The control thread calls all methods. Only ``shutDown()`` blocks. A new request cancels the
/// current one.
final class MusicFinder {
  /// The result of a request.
  struct Answer: Sendable {
    /// The files that can be played, in playing order.
    let files: [MusicFile]
    /// The files that cannot be played.
    let unplayable: [UnplayableFile]
  }

  private struct State {
    var request: [String]?
    var answer: Answer?
    var number = 0
    var count = 0
    var isStopping = false
  }

  /// The state that both threads use. Each thread holds the lock only briefly.
  private final class Exchange: Sendable {
    let state = Mutex(State())
    let workerWake = WakeUp()
    let controlWake = WakeUp()
  }

  private let exchange = Exchange()
  private var worker: NamedThread?

  init() {
    worker = NamedThread("music") { [exchange] in Self.work(exchange) }
  }

  /// Signalled when ``takeAnswer()`` has an answer.
  var wakeUp: WakeUp { exchange.controlWake }

  /// Searches these files and folders for music, in the given order.
  func find(_ paths: [String]) {
    exchange.state.withLock { state in
      state.request = paths
      state.answer = nil
      state.number += 1
    }
    exchange.workerWake.signal()
  }

  /// Returns the answer to the newest request and removes it. Nil if there is no answer.
  func takeAnswer() -> Answer? {
    exchange.controlWake.clear()
    return exchange.state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  /// Number of files that were examined for the newest request.
  var count: Int { exchange.state.withLock { $0.count } }

  /// Ends the thread. Waits until the current file has been examined.
  func shutDown() {
    exchange.state.withLock { state in
      state.isStopping = true
      state.number += 1
    }
    exchange.workerWake.signal()
    worker?.join()
    worker = nil
  }

  private static func work(_ exchange: Exchange) {
    while true {
      exchange.workerWake.wait()
      let (request, number, isStopping) = exchange.state.withLock { state in
        defer { state.request = nil }
        return (state.request, state.number, state.isStopping)
      }
      if isStopping { return }
      guard let request else { continue }
      // Some units do not have all of the configured folders, so a missing folder is no error.
      let present = request.filter { access(FileName.cString($0), F_OK) == 0 || errno != ENOENT }
      let scan = MusicScan(paths: present) { count in
        exchange.state.withLock { state in
          state.count = count
          return state.number == number
        }
      }
      let answer = Answer(files: scan.files, unplayable: scan.unplayable)
      let isWanted = exchange.state.withLock { state in
        guard state.number == number else { return false }
        state.answer = answer
        return true
      }
      if isWanted { exchange.controlWake.signal() }
    }
  }
}
