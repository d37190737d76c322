package import NowPlaying

/// Decides what the unit does when the ignition is switched off and on. A value without I/O.
package struct Ignition: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// No line reports the state of the ignition.
    case unknown
    case on
    /// The ignition is off. The unit is silent, and powers down at this time.
    case off(until: MonotonicInstant)
    /// The unit powers down.
    case poweringDown
  }

  /// What the owner of the ``Ignition`` has to do.
  package enum Action: Equatable, Sendable {
    /// The owner saves the state, and silences the sound.
    case pause
    /// The owner continues the sound that was silenced.
    case resume
    case powerDown
  }

  package private(set) var state = State.unknown
  /// The time from the moment when the ignition is switched off until the unit powers down.
  package var delay: Duration

  package init(delay: Duration) { self.delay = delay }

  /// Handles a new level of the ignition line. `isOn` is nil if the level is unknown. An unknown level has the effect
  /// of *on*, so that a broken wire neither stops the music nor switches the unit off.
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

  /// The time at which ``expire(at:)`` has to be called. Nil if no call is necessary.
  package var deadline: MonotonicInstant? {
    if case .off(let deadline) = state { deadline } else { nil }
  }

  /// Sets a new time for the power-down, because the machine could not be switched off.
  package mutating func powerDownFailed(at now: MonotonicInstant) {
    state = .off(until: now.advanced(by: delay + .seconds(30)))
  }

  package mutating func expire(at now: MonotonicInstant) -> Action? {
    guard let deadline, now >= deadline else { return nil }
    state = .poweringDown
    return .powerDown
  }
}
