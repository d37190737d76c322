internal import Files
internal import Glibc
internal import ScreenPainter
internal import Synchronization
internal import Threads

/// Reads and decodes covers on a thread of its own: a picture of 40 million pixels takes longer than a
/// second may. The latest wish replaces those before it. Control thread, but for what stands in `run`.
final class CoverDecoder {
  /// What to decode.
  struct Wish: Equatable, Sendable {
    /// Of the artwork.
    let id: String
    /// A file.
    let path: String
    /// Of the largest place that it is for, in pixels.
    let side: Int
  }

  /// What came of it; each wish has one.
  struct Answer: Sendable {
    /// In what way there is no picture, or one.
    enum Outcome {
      case image(CoverImage)
      /// There is none to be had, and why, for a log.
      case none(String)
      /// Another wish came before its turn.
      case replaced
    }

    let wish: Wish
    let outcome: Outcome
  }

  /// What both threads hold.
  private final class Exchange: Sendable {
    struct State {
      var wish: Wish?
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

  func want(_ wish: Wish) {
    let isReplacing = exchange.state.withLock { state in
      defer { state.wish = wish }
      guard let old = state.wish else { return false }
      state.answers.append(Answer(wish: old, outcome: .replaced))
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
      let (wish, isStopping) = exchange.state.withLock { state in
        defer { state.wish = nil }
        return (state.wish, state.isStopping)
      }
      if isStopping { return }
      guard let wish else {
        exchange.work.wait()
        continue
      }
      let answer: Answer
      if wish.id == marker.culprit {
        answer = Answer(
          wish: wish, outcome: .none("the cover ended the screen before: \(wish.path)"))
      } else {
        marker.begin(wish.id)
        answer = decode(wish)
        marker.end()
      }
      exchange.state.withLock { $0.answers.append(answer) }
      exchange.done.signal()
    }
  }

  private static func decode(_ wish: Wish) -> Answer {
    guard let bytes = read(wish.path) else {
      return Answer(wish: wish, outcome: .none("the cover cannot be read: \(wish.path)"))
    }
    do throws(ImageDecodingError) {
      return Answer(wish: wish, outcome: .image(try CoverImage(bytes, side: wish.side)))
    } catch {
      return Answer(
        wish: wish, outcome: .none("the cover cannot be shown, \(error): \(wish.path)"))
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    BoundedFile.read(path, atMost: DecodingLimits().bytes)
  }
}
