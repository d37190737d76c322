internal import EventLoop
internal import LocalPlayer
internal import NowPlaying
internal import SystemClock

/// The answer to a request for a list, whose songs may come late. A slow stick must not give an error first and the
/// music then, so after ``patience`` the request counts as accepted, and the state is *buffering*.
///
/// Used on the control thread; no call blocks.
final class ListReply {
  /// The buttons of a car must react within two seconds (C2).
  static let patience = Duration.milliseconds(1500)

  /// What carries out the request answers with this.
  let command: CommandReply
  private let source: LocalSource
  private let refused: (Refusal) -> Void
  /// The number of the list for the source. Nil before ``begin()``.
  private var awaited: Int?
  private var timer: TimerSource?
  private var isAccepted = false

  /// - Parameter refused: called with a refusal that comes too late for the answer.
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

  /// Must be called as soon as it is known that the request can replace the queue. Of several such requests, only the
  /// latest one counts.
  func begin() {
    if awaited == nil { awaited = source.awaitList() }
  }

  /// True after ``begin()``, until a person chooses something else.
  var isLatest: Bool { awaited.map(source.isAwaiting) ?? false }

  /// The request is carried out later.
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
