internal import Files
internal import Glibc
internal import PictureExchange
internal import PictureProgram
internal import ScreenPainter
internal import Synchronization
internal import Threads

/// Loads covers and pictures of buttons on its own thread. The thread opens the files. The program `autoharp-cover`
/// decodes them. So a slow medium or a large picture delays only pictures. A new request for a cover replaces an old
/// request for a cover if the decoding for the old request has not begun. Requests for buttons are answered in their
/// order.
///
/// - Thread: the control thread. Only `run` and the functions that it calls run on the loading thread.
final class PictureLoader {
  struct Cover: Equatable, Sendable {
    /// The identity of the artwork.
    let id: String
    /// The path of the file.
    let path: String
    /// The side of the largest square in which the cover is shown, in pixels.
    let side: Int
  }

  struct Button: Equatable, Sendable {
    /// The name of the picture.
    let name: String
    /// A PNG file.
    let png: [UInt8]
  }

  struct Thumbnail: Equatable, Sendable {
    /// The identity of the thumbnail.
    let id: String
    /// A JPEG file.
    let jpeg: [UInt8]
  }

  /// The result of a request. Each request gets one answer.
  enum Answer: Sendable {
    /// A cover, or the reason why there is no cover.
    enum CoverOutcome {
      case image(CoverImage)
      /// The file cannot be shown. The text gives the reason for the log.
      case none(String)
      /// A newer request replaced this request before the decoding began.
      case replaced
    }

    case cover(Cover, CoverOutcome)
    /// A thumbnail, or the reason for the log.
    case thumbnail(Thumbnail, Result<CoverImage, PictureFailure>)
    /// A picture, or the reason for the log.
    case button(Button, Result<SourcePicture, PictureFailure>)
  }

  /// The greatest number of waiting requests for buttons. A template contains fewer buttons.
  private static let buttonLimit = 32
  /// The greatest number of waiting thumbnails.
  private static let thumbnailLimit = 8
  /// The greatest side of a thumbnail, in pixels. The library creates no larger thumbnails.
  private static let thumbnailSide = 160
  /// The greatest side of the picture of a button, in pixels. It is twice the size of the largest button.
  private static let buttonSide = 256

  /// The values that the control thread and the loading thread share.
  private final class Exchange: Sendable {
    struct State {
      var cover: Cover?
      var buttons: [Button] = []
      var thumbnails: [Thumbnail] = []
      var answers: [Answer] = []
      var isStopping = false
    }

    let state = Mutex(State())
    let work = WakeUp()
    let done = WakeUp()
  }

  private enum Work {
    case cover(Cover), button(Button), thumbnail(Thumbnail), wait, stop
  }

  private let exchange = Exchange()
  private var thread: NamedThread?

  /// Starts the thread.
  init(_ process: PictureProcess) {
    let exchange = exchange
    thread = NamedThread("pictures") { Self.run(exchange, process) }
  }

  deinit { shutDown() }

  /// Signalled when ``takeAnswers()`` has answers.
  var wakeUp: WakeUp { exchange.done }

  func request(_ cover: Cover) {
    let isReplacing = exchange.state.withLock { state in
      defer { state.cover = cover }
      guard let old = state.cover else { return false }
      state.answers.append(.cover(old, .replaced))
      return true
    }
    if isReplacing { exchange.done.signal() }
    exchange.work.signal()
  }

  func request(_ button: Button) {
    exchange.state.withLock { state in
      if !Self.add(button, to: &state.buttons, atMost: Self.buttonLimit) {
        state.answers.append(.button(button, .failure(.tooMany)))
      }
    }
    exchange.work.signal()
  }

  func request(_ thumbnail: Thumbnail) {
    exchange.state.withLock { state in
      if !Self.add(thumbnail, to: &state.thumbnails, atMost: Self.thumbnailLimit) {
        state.answers.append(.thumbnail(thumbnail, .failure(.tooMany)))
      }
    }
    exchange.work.signal()
  }

  /// Appends `item`. Returns false if the queue is full.
  private static func add<Item>(_ item: Item, to queue: inout [Item], atMost limit: Int) -> Bool {
    guard queue.count < limit else { return false }
    queue.append(item)
    return true
  }

  func takeAnswers() -> [Answer] {
    exchange.done.clear()
    return exchange.state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Ends the thread. If a picture is being decoded, blocks until the process that decodes it has ended, at most
  /// ``PictureProcess/timeout``.
  func shutDown() {
    exchange.state.withLock { $0.isStopping = true }
    exchange.work.signal()
    thread?.join()
    thread = nil
  }

  private static func run(_ exchange: Exchange, _ process: PictureProcess) {
    while true {
      let answer: Answer
      switch exchange.state.withLock({ next(&$0) }) {
      case .stop: return
      case .wait:
        exchange.work.wait()
        continue
      case .cover(let cover): answer = .cover(cover, load(cover, process))
      case .button(let button): answer = .button(button, load(button, process))
      case .thumbnail(let thumbnail): answer = .thumbnail(thumbnail, load(thumbnail, process))
      }
      exchange.state.withLock { $0.answers.append(answer) }
      exchange.done.signal()
    }
  }

  private static func next(_ state: inout Exchange.State) -> Work {
    if state.isStopping { return .stop }
    if let cover = state.cover {
      state.cover = nil
      return .cover(cover)
    }
    if !state.buttons.isEmpty { return .button(state.buttons.removeFirst()) }
    return state.thumbnails.isEmpty ? .wait : .thumbnail(state.thumbnails.removeFirst())
  }

  private static func load(_ cover: Cover, _ process: PictureProcess) -> Answer.CoverOutcome {
    // Without O_NONBLOCK, opening a named pipe would block.
    let file = open(FileName.cString(cover.path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return .none("the cover cannot be read: \(cover.path)") }
    defer { close(file) }
    do throws(PictureFailure) {
      let image = try process.decode(file, .init(.cover, side: cover.side)) {
        CoverImage(width: $0, height: $1, pixels: $2)
      }
      return .image(image)
    } catch {
      return .none("the cover cannot be shown, \(error): \(cover.path)")
    }
  }

  private static func load(
    _ thumbnail: Thumbnail, _ process: PictureProcess
  ) -> Result<CoverImage, PictureFailure> {
    Result { () throws(PictureFailure) in
      try process.decode(thumbnail.jpeg, .init(.cover, side: thumbnailSide)) {
        CoverImage(width: $0, height: $1, pixels: $2)
      }
    }
  }

  private static func load(
    _ button: Button, _ process: PictureProcess
  ) -> Result<SourcePicture, PictureFailure> {
    Result { () throws(PictureFailure) in
      try process.decode(button.png, .init(.shape, side: buttonSide)) {
        SourcePicture(width: $0, height: $1, pixels: $2)
      }
    }
  }
}
