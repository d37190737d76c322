internal import EventLoop

/// Collects the changes of each volume until no further changes follow, so that one scan finds all of them.
final class ChangeDelay {
  private struct Times {
    let first: Int64
    var last: Int64
  }

  private let options: WatchOptions
  private let onQuiet: (String) -> Void
  private var changed: [String: Times] = [:]
  private var timer: TimerSource?

  /// - Parameter onQuiet: called with the identity of a volume when its changes have ended or continue for too long.
  init(_ loop: EventLoop, _ options: WatchOptions, onQuiet: @escaping (String) -> Void) {
    self.options = options
    self.onQuiet = onQuiet
    timer = TimerSource(loop, accuracy: .milliseconds(10)) { [weak self] in self?.fire() }
  }

  /// Records that volumes have changed.
  func note(_ volumes: Set<String>, now: Int64 = EventClock.monotonic.now) {
    guard !volumes.isEmpty else { return }
    for volume in volumes { changed[volume, default: Times(first: now, last: now)].last = now }
    setTimer()
  }

  private func fire() {
    let now = EventClock.monotonic.now
    let due = changed.filter { end(of: $0.value) <= now }.keys
    for volume in due { changed[volume] = nil }
    setTimer()
    for volume in due { onQuiet(volume) }
  }

  private func setTimer() {
    if let next = changed.values.map({ end(of: $0) }).min() { timer?.set(at: next) }
  }

  private func end(of times: Times) -> Int64 {
    min(
      times.last + options.quiet.wholeNanoseconds,
      times.first + options.maximumDelay.wholeNanoseconds)
  }
}
