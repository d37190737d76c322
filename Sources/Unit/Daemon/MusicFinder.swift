internal import Files
internal import Glibc
internal import LocalPlayer
internal import MusicFiles
internal import Synchronization
internal import Threads

/// Reads the music folders on a thread of its own: a stick may take seconds, or never answer.
///
/// Control thread, and nothing here blocks but ``shutDown()``. The newest request wins; one that is
/// under way is broken off for it.
final class MusicFinder {
  /// What was found.
  struct Answer: Sendable {
    /// What can be played, in playing order.
    let files: [MusicFile]
    /// What cannot.
    let unplayable: [UnplayableFile]
  }

  private struct State {
    var request: [String]?
    var answer: Answer?
    var number = 0
    var count = 0
    var isStopping = false
  }

  /// What crosses between the two threads; each side holds the lock for a few moves.
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

  /// Signalled when ``takeAnswer()`` has something.
  var wakeUp: WakeUp { exchange.controlWake }

  /// Looks into files and folders, in this order.
  func find(_ paths: [String]) {
    exchange.state.withLock { state in
      state.request = paths
      state.answer = nil
      state.number += 1
    }
    exchange.workerWake.signal()
  }

  /// The answer to the newest request, once.
  func takeAnswer() -> Answer? {
    exchange.controlWake.clear()
    return exchange.state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  /// How many files were looked into for the newest request.
  var count: Int { exchange.state.withLock { $0.count } }

  /// Ends the thread, at the next file that it looks into.
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
      // Not every unit has each of the folders, and one that is missing is no error.
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
