internal import EventLoop
internal import LocalPlayer
internal import NowPlaying
internal import SystemClock

/// Answers a request to play a list. Reading the songs of the list can take long. A slow stick must not cause first an
/// error and then music. So after ``patience`` the request counts as accepted, and the status is *buffering*.
///
/// Used on the control thread; no call blocks.
final class ListReply {
  /// The time after which the request counts as accepted. A source must answer within two seconds (C2).
  static let patience = Duration.milliseconds(1500)

  /// The code that carries out the request answers through this object.
  let command: CommandReply
  private let source: LocalSource
  private let refused: (Refusal) -> Void
  /// The number under which the source waits for the list. Nil before ``begin()``.
  private var awaited: Int?
  private var timer: TimerSource?
  private var isAccepted = false

  /// - Parameter refused: called with a refusal if the request was already accepted.
  init(
    _ command: CommandReply, _ source: LocalSource, _ loop: EventLoop,
    refused: @escaping (Refusal) -> Void
  ) {
    self.command = command
    self.source = source
    self.refused = refused
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.accept() }
    timer?.set(after: Self.patience)
  }

  deinit {
    if let awaited { source.endAwaiting(awaited) }
  }

  /// Must be called as soon as the caller knows that the request can replace the queue. If several requests can replace
  /// the queue, only the latest request is carried out.
  func begin() {
    if awaited == nil { awaited = source.awaitList() }
  }

  /// True after ``begin()``, until the user chooses something else.
  var isLatest: Bool { awaited.map(source.isAwaiting) ?? false }

  /// Answers that the request is accepted and is carried out later.
  func accept() {
    isAccepted = true
    command.deferred(at: .now())
    if let awaited { source.listIsLate(awaited) }
  }

  func refuse(_ refusal: Refusal) {
    if let awaited { source.endAwaiting(awaited) }
    command(.failed(refusal), at: .now())
    if isAccepted { refused(refusal) }
  }
}
