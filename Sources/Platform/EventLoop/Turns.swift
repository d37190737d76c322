/// Runs a function, the *turn*, after events. The turn brings all parts of the program up to date. If a turn is
/// requested several times during one event, it runs once, after the handler of the event.
///
/// Used on the thread of the loop. No function blocks.
public final class Turns {
  private enum Stage {
    case idle
    case requested
    case running(isRequestedAgain: Bool)
  }

  /// The loop on which the turns run.
  public let loop: EventLoop
  private var stage = Stage.idle
  private var turn: (() -> Void)?
  /// Starts a turn that was requested during a turn. This is a timer, so that other events are handled between the two
  /// turns. Otherwise a part that requests a turn in each turn would block the loop.
  private var again: TimerSource?

  /// Creates an object that ignores requests until ``begin(_:)`` is called.
  public init(_ loop: EventLoop) {
    self.loop = loop
    again = TimerSource(loop) { [weak self] in self?.run() }
  }

  deinit { again?.cancel() }

  /// Sets the function that runs after each request from now on.
  public func begin(_ turn: @escaping () -> Void) { self.turn = turn }

  /// Ignores all requests from now on.
  public func end() { turn = nil }

  /// Requests a turn. Any part can call this at any time. After a call during a turn, another turn follows.
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
