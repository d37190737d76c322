internal import Files
internal import Glibc
internal import ScreenPainter
internal import Synchronization
internal import Threads

/// Reads and decodes covers on a thread of its own: a picture of 40 million pixels takes longer than a
/// second may. The latest request replaces those before it. Control thread, but for what stands in `run`.
final class CoverDecoder {
  /// What to decode.
  struct Request: Equatable, Sendable {
    /// Of the artwork.
    let id: String
    /// A file.
    let path: String
    /// Of the largest place that it is for, in pixels.
    let side: Int
  }

  /// What came of it; each request has one.
  struct Answer: Sendable {
    /// In what way there is no picture, or one.
    enum Outcome {
      case image(CoverImage)
      /// There is none to be had, and why, for a log.
      case none(String)
      /// Another request came before its turn.
      case replaced
    }

    let request: Request
    let outcome: Outcome
  }

  /// What both threads hold.
  private final class Exchange: Sendable {
    struct State {
      var request: Request?
      var answers: [Answer] = []
      var isStopping = false
    }

    let state = Mutex(State())
    let work = WakeUp()
    let done = WakeUp()
  }

  private let exchange = Exchange()
  private var thread: NamedThread?

  /// Starts the thread.
  /// - Parameter folder: see ``CoverMarker``.
  init(runtimeFolder folder: String?) {
    let exchange = exchange
    let marker = CoverMarker(folder: folder)
    thread = NamedThread("covers") { Self.run(exchange, marker) }
  }

  deinit { shutDown() }

  /// Signalled when ``takeAnswers()`` has some.
  var wakeUp: WakeUp { exchange.done }

  func want(_ request: Request) {
    let isReplacing = exchange.state.withLock { state in
      defer { state.request = request }
      guard let old = state.request else { return false }
      state.answers.append(Answer(request: old, outcome: .replaced))
      return true
    }
    if isReplacing { exchange.done.signal() }
    exchange.work.signal()
  }

  func takeAnswers() -> [Answer] {
    exchange.done.clear()
    return exchange.state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Ends the thread; waits for the picture that it is at.
  func shutDown() {
    exchange.state.withLock { $0.isStopping = true }
    exchange.work.signal()
    thread?.join()
    thread = nil
  }

  private static func run(_ exchange: Exchange, _ marker: CoverMarker) {
    while true {
      let (request, isStopping) = exchange.state.withLock { state in
        defer { state.request = nil }
        return (state.request, state.isStopping)
      }
      if isStopping { return }
      guard let request else {
        exchange.work.wait()
        continue
      }
      let answer: Answer
      if request.id == marker.culprit {
        answer = Answer(
          request: request, outcome: .none("the cover ended the screen before: \(request.path)"))
      } else {
        marker.begin(request.id)
        answer = decode(request)
        marker.end()
      }
      exchange.state.withLock { $0.answers.append(answer) }
      exchange.done.signal()
    }
  }

  private static func decode(_ request: Request) -> Answer {
    guard let bytes = read(request.path) else {
      return Answer(request: request, outcome: .none("the cover cannot be read: \(request.path)"))
    }
    do throws(ImageDecodingError) {
      return Answer(request: request, outcome: .image(try CoverImage(bytes, side: request.side)))
    } catch {
      return Answer(
        request: request, outcome: .none("the cover cannot be shown, \(error): \(request.path)"))
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    BoundedFile.read(path, atMost: DecodingLimits().bytes)
  }
}
