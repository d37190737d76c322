internal import EventLoop
internal import NowPlaying
internal import SystemClock

/// The answer to a request for a list, whose songs may come late. A slow stick must not give an error first and the music
/// then, so after ``patience`` the request counts as accepted. A refusal that comes later is not told.
///
/// Used on the control thread; no call blocks.
final class ListReply {
  /// The buttons of a car must react within two seconds (C2).
  static let patience = Duration.milliseconds(1500)

  /// What carries out the request answers with this. Nil if no person has asked.
  let command: CommandReply?
  private var timer: TimerSource?

  /// A request that no person has made.
  init() { command = nil }

  init(_ command: CommandReply, _ loop: EventLoop) {
    self.command = command
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.accept() }
    timer?.set(after: Self.patience)
  }

  /// The request is carried out later.
  func accept() { command?.deferred(at: .now()) }

  func refuse(_ refusal: Refusal) { command?(.failed(refusal), at: .now()) }
}
