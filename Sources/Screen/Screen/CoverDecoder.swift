internal import Files
internal import Glibc
internal import ScreenPainter
internal import Synchronization
internal import Threads

/// Reads and decodes covers on a separate thread. The control thread repaints the screen each
/// second, and the decoding of a picture with 40 million pixels would delay the repainting. A new
/// request replaces an old request if the decoding for the old request has not begun.
///
/// - Thread: the control thread. Only `run` runs on the thread that decodes.
final class CoverDecoder {
  struct Request: Equatable, Sendable {
    /// The identity of the artwork.
    let id: String
    /// The path of the file.
    let path: String
    /// The side of the largest square in which the cover is shown, in pixels.
    let side: Int
  }

  /// The result of a request. Each request gets one answer.
  struct Answer: Sendable {
    /// A cover, or the reason why there is no cover.
    enum Outcome {
      case image(CoverImage)
      /// The file cannot be shown. The text gives the reason for the log.
      case none(String)
      /// A newer request replaced this request before the decoding began.
      case replaced
    }

    let request: Request
    let outcome: Outcome
  }

  /// The values that the control thread and the decoding thread share.
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
  /// - Parameter folder: the folder of the ``CoverMarker``; nil for none.
  init(runtimeFolder folder: String?) {
    let exchange = exchange
    let marker = CoverMarker(folder: folder)
    thread = NamedThread("covers") { Self.run(exchange, marker) }
  }

  deinit { shutDown() }

  /// Signalled when ``takeAnswers()`` has answers.
  var wakeUp: WakeUp { exchange.done }

  func request(_ request: Request) {
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

  /// Ends the thread. If the thread is decoding a picture, blocks until this picture is decoded.
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
      if request.id == marker.crashedID {
        answer = Answer(
          request: request,
          outcome: .none("this cover crashed the screen program before: \(request.path)"))
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
