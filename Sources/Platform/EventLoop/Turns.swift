/// Requests turns. A turn is the function that brings all parts up to date after an event. Several requests of one
/// event become one turn, which runs after the handler of the event.
///
/// Used on the thread of the loop. No function blocks.
public final class Turns {
  private enum Stage {
    case idle
    case requested
    case running(isRequestedAgain: Bool)
  }

  /// The loop whose turns these are.
  public let loop: EventLoop
  private var stage = Stage.idle
  private var turn: (() -> Void)?
  /// Begins a turn that was requested in a turn. Other events have their chance before it, so that two parts that
  /// always answer each other cannot stop the loop.
  private var again: TimerSource?

  /// Requests do nothing until ``begin(_:)``.
  public init(_ loop: EventLoop) {
    self.loop = loop
    again = TimerSource(loop) { [weak self] in self?.run() }
  }

  deinit { again?.cancel() }

  /// From now on, each request is followed by `turn`.
  public func begin(_ turn: @escaping () -> Void) { self.turn = turn }

  /// From now on, requests do nothing.
  public func end() { turn = nil }

  /// Requests a turn. Any part may call this at any time, also in a turn, which another turn then follows.
  public func request() {
    guard turn != nil else { return }
    switch stage {
    case .requested: break
    case .running: stage = .running(isRequestedAgain: true)
    case .idle:
      stage = .requested
      loop.defer { [weak self] in self?.run() }
    }
  }

  private func run() {
    stage = .running(isRequestedAgain: false)
    turn?()
    if case .running(true) = stage, turn != nil {
      stage = .requested
      again?.set(after: .zero)
    } else {
      stage = .idle
    }
  }
}
