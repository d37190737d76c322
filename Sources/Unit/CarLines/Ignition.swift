package import NowPlaying

/// What the unit does when the ignition goes off and on, as a value.
package struct Ignition: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// No line tells about the ignition.
    case unknown
    case on
    /// The unit waits, silent, and powers down at this time.
    case off(until: MonotonicInstant)
    /// The unit powers down.
    case poweringDown
  }

  /// What the owner has to do.
  package enum Action: Equatable, Sendable {
    /// Saves the state, and silences what plays.
    case pause
    /// Plays on what was silenced.
    case resume
    case powerDown
  }

  package private(set) var state = State.unknown
  /// How long the unit waits after the ignition is off.
  package var delay: Duration

  package init(delay: Duration) { self.delay = delay }

  /// Handles the level of the line; nil if it is unknown. A line that becomes unknown counts as on: a broken wire
  /// neither stops the music nor switches the unit off.
  package mutating func update(isOn: Bool?, at now: MonotonicInstant) -> Action? {
    switch (state, isOn) {
    case (.poweringDown, _), (.off, false): return nil
    case (.off, _):
      state = isOn == nil ? .unknown : .on
      return .resume
    case (.on, false), (.unknown, false):
      state = .off(until: now.advanced(by: delay))
      return .pause
    case (.on, _), (.unknown, _):
      state = isOn == nil ? .unknown : .on
      return nil
    }
  }

  /// The time at which ``expire(at:)`` has to be called; nil for never.
  package var deadline: MonotonicInstant? {
    if case .off(let deadline) = state { deadline } else { nil }
  }

  /// Waits again, because the machine could not be switched off.
  package mutating func powerDownFailed(at now: MonotonicInstant) {
    state = .off(until: now.advanced(by: delay + .seconds(30)))
  }

  package mutating func expire(at now: MonotonicInstant) -> Action? {
    guard let deadline, now >= deadline else { return nil }
    state = .poweringDown
    return .powerDown
  }
}
