internal import Glibc
internal import Synchronization
internal import Threads

/// Opens nodes on a separate thread. The kernel's USB driver waits for 50 ms at each opening, and longer if the device
/// was suspended. The control thread must not block for this time.
///
/// Control thread; only ``shutDown()`` blocks.
final class NodeOpener {
  private struct State {
    var requests: [(ticket: Int, path: String)] = []
    var answers: [(ticket: Int, answer: NodeAnswer)] = []
    var isStopping = false
  }

  /// The data that the control thread and the worker thread share. Each thread holds the lock only for a few
  /// instructions. The worker thread handles the requests in the order in which they arrive.
  private final class Exchange: Sendable {
    let state = Mutex(State())
    let workerWake = WakeUp()
    let controlWake = WakeUp()
  }

  private let exchange = Exchange()
  private var worker: NamedThread?

  init(_ source: any NodeSource) {
    worker = NamedThread("input") { [exchange] in Self.work(exchange, source) }
  }

  deinit { shutDown() }

  /// The wake-up that is signalled when ``takeAnswers()`` has answers.
  var wakeUp: WakeUp { exchange.controlWake }

  /// Requests that the thread opens a node.
  func open(_ path: String, ticket: Int) {
    exchange.state.withLock { $0.requests.append((ticket, path)) }
    exchange.workerWake.signal()
  }

  /// Returns the answers since the last call. The caller owns the descriptors.
  func takeAnswers() -> [(ticket: Int, answer: NodeAnswer)] {
    exchange.controlWake.clear()
    return exchange.state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Ends the thread. If a node is being opened, the thread completes the opening first. Blocks until the thread has
  /// ended.
  func shutDown() {
    guard let worker else { return }
    exchange.state.withLock { $0.isStopping = true }
    exchange.workerWake.signal()
    worker.join()
    self.worker = nil
    for (_, answer) in takeAnswers() {
      if case .opened(let descriptor, _) = answer { close(descriptor) }
    }
  }

  private static func work(_ exchange: Exchange, _ source: any NodeSource) {
    while true {
      exchange.workerWake.wait()
      while true {
        let (request, isStopping) = exchange.state.withLock { state in
          (state.requests.isEmpty ? nil : state.requests.removeFirst(), state.isStopping)
        }
        if isStopping { return }
        guard let request else { break }
        let answer = source.open(request.path)
        exchange.state.withLock { $0.answers.append((request.ticket, answer)) }
        exchange.controlWake.signal()
      }
    }
  }
}
