internal import Files
internal import Glibc
internal import LocalPlayer
internal import MusicFiles
internal import Synchronization
internal import Threads

/// Reads the music folders on its own thread, because a stick may take seconds or never answer.
///
/// Control thread. Only ``shutDown()`` blocks. A new request cancels the current one.
final class MusicFinder {
  /// A part of the result of a request. The parts arrive in the order of the search, so that the
  /// control thread never handles many files at once.
  struct Part: Sendable {
    /// The files that can be played, in playing order.
    var files: [MusicFile] = []
    /// The files that cannot be played.
    var unplayable = UnplayableFiles()
    /// Nil until the last part.
    var summary: MusicScan.Summary?
  }

  /// Maximum number of files of which the control thread learns at once.
  private static let partSize = 256

  private struct State {
    var request: [String]?
    var parts: [Part] = []
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

  /// Signalled when ``takePart()`` has a part.
  var wakeUp: WakeUp { exchange.controlWake }

  /// Searches files and folders, in the given order.
  func find(_ paths: [String]) {
    exchange.state.withLock { state in
      state.request = paths
      state.parts = []
      state.number += 1
    }
    exchange.workerWake.signal()
  }

  /// Returns the next part of the answer to the newest request, and removes it. Nil if there is
  /// none. If more parts follow, ``wakeUp`` stays signalled, so that other events are handled
  /// between two parts.
  func takePart() -> Part? {
    exchange.controlWake.clear()
    let (part, isMore) = exchange.state.withLock { state in
      (state.parts.isEmpty ? nil : state.parts.removeFirst(), !state.parts.isEmpty)
    }
    if isMore { exchange.controlWake.signal() }
    return part
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
      // A unit does not need all of the folders, so a missing folder is no error.
      let present = request.filter { access(FileName.cString($0), F_OK) == 0 || errno != ENOENT }
      var part = Part()
      func hand() {
        let isWanted = exchange.state.withLock { state in
          guard state.number == number else { return false }
          state.parts.append(part)
          return true
        }
        if isWanted { exchange.controlWake.signal() }
        part = Part()
      }
      let summary = MusicScan.run(paths: present) { count in
        exchange.state.withLock { state in
          state.count = count
          return state.number == number
        }
      } found: { finding in
        switch finding {
        case .music(let file, _): part.files.append(file)
        case .unplayable(let file): part.unplayable.add(file)
        }
        if part.files.count + part.unplayable.count >= partSize { hand() }
      }
      part.summary = summary
      hand()
    }
  }
}
