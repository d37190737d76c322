import NowPlaying

/// A surface that stores all states that it gets, and sends the commands of a test.
final class ScriptedSurface {
  let clock: ManualClock
  private(set) var port: SurfacePort!
  private(set) var states: [NowPlayingState] = []
  private(set) var answers: [CommandAnswer] = []
  /// Called with each state, for example to send a command.
  var onState: ((NowPlayingState) -> Void)?

  init(
    _ id: SurfaceID, in center: NowPlayingCenter, clock: ManualClock, showsTemplate: Bool = false
  ) {
    self.clock = clock
    port = center.connect(
      SurfaceDescription(id: id, showsTemplate: showsTemplate), at: clock.now
    ) { [weak self] state in
      self?.states.append(state)
      self?.onState?(state)
    }
  }

  var state: NowPlayingState { states[states.count - 1] }
  var elapsed: Double? { state.elapsed(at: clock.now).map(seconds) }

  @discardableResult
  func send(_ request: MediaRequest, on inputPath: InputPath = .text, isRepeat: Bool = false) -> Int
  {
    send(.media(request), on: inputPath, isRepeat: isRepeat)
  }

  @discardableResult
  func send(_ request: CommandRequest, on inputPath: InputPath = .text, isRepeat: Bool = false)
    -> Int
  {
    port.send(request, on: inputPath, isRepeat: isRepeat, at: clock.now) { [weak self] in
      self?.answers.append($0)
    }
  }

  /// The reasons of all publications after the first `count` states.
  func reasons(since count: Int) -> [[PublicationReason]] {
    (count..<states.count).map { PublicationReason.between(states[$0 - 1], states[$0]) }
  }

  /// The reasons of the publications that a change causes, one list per publication.
  func reasons(of change: () -> Void) -> [[PublicationReason]] {
    let count = states.count
    change()
    return reasons(since: count)
  }

  func close() { port = nil }

  /// Removes the older states, so that a long test does not fill the memory.
  func forgetAllButTheLast() { states.removeFirst(states.count - 1) }
}
