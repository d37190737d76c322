internal import EventLoop

extension TimerSource {
  /// Sets the timer to a moment on the clock that stops in suspend. Nil stops the timer.
  func set(at moment: Duration?) {
    guard let moment else { return stop() }
    let (seconds, attoseconds) = moment.components
    set(at: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
