package import NowPlaying

/// The keys of one device that are down, as a value. Computes commands from presses, releases and the time between a
/// press and its release.
///
/// - A key for *next* or *previous* seeks if it is held long enough. If the key is released earlier, the command is
///   *next* or *previous*. So this command is sent only at the release.
/// - A key for *fast-forward* or *rewind* begins a seek at the press and ends the seek at the release.
/// - A key for the volume or the focus repeats while it is held. The unit makes these repeats itself. The repeats of
///   the kernel are not used, because they are as fast as for typing, and some devices send no repeats.
/// - All other keys act at the press.
/// - A key that is held for ``stuckTime`` does not act any more, because it is possibly stuck.
package struct HeldKeys: Sendable {
  /// Time from the press of a key to its first repeat.
  static let repeatDelay = Duration.milliseconds(400)
  /// Time between two repeats. With this value, the volume rises from silence to the maximum in four seconds.
  static let repeatInterval = Duration.milliseconds(100)
  /// Maximum number of repeats of one press. This number is enough to change the volume over its complete range. After
  /// these repeats the key does not repeat any more, because it is possibly stuck.
  static let maximumRepeats = 1000 / Volume.keyStep
  /// A held key of a phone counts as released if no event arrives for this time. While a key is held, the kernel sends
  /// repeats. If the phone sends no release, bluetoothd releases the key after 2 s.
  static let releaseTimeout = Duration.milliseconds(2500)
  /// A key that is held for this time is possibly stuck.
  static let stuckTime = Duration.seconds(30)

  private struct Held {
    enum Phase {
      /// It is not decided yet whether the press is short or long. At the time `until`, the press becomes long.
      case undecided(until: MonotonicInstant)
      /// A seek is in progress. The command that ends the seek is sent at the release.
      case seeking(KeyAction)
      /// The time of the next repeat, and the number of repeats so far.
      case repeating(next: MonotonicInstant, done: Int)
      /// No further command follows.
      case done
    }

    let code: UInt16
    let action: KeyAction
    let pressed: MonotonicInstant
    var phase: Phase
    var lastEvent: MonotonicInstant
  }

  private let isPassThrough: Bool
  private var held: [Held] = []

  /// - Parameter isPassThrough: true if the device is a phone. For a held key, the phone itself sends a different AVRCP
  ///   command, such as *fast forward*. So a press acts at once, in the same way as a press that arrives by D-Bus.
  package init(isPassThrough: Bool) { self.isPassThrough = isPassThrough }

  /// Handles the press of a key. Returns the commands of the press.
  /// - Parameter hold: the time after which a pressed key counts as held. If nil, holding has no effect.
  package mutating func press(
    _ code: UInt16, _ action: KeyAction, hold: Duration?, at now: MonotonicInstant
  ) -> [KeyCommand] {
    guard !held.contains(where: { $0.code == code }) else { return [] }
    var entry = Held(code: code, action: action, pressed: now, phase: .done, lastEvent: now)
    defer { held.append(entry) }
    if let hold, !isPassThrough, action.heldAction != nil {
      entry.phase = .undecided(until: now.advanced(by: hold))
      return []
    }
    if action.end != nil { entry.phase = .seeking(action) }
    if action.repeats {
      entry.phase = .repeating(next: now.advanced(by: Self.repeatDelay), done: 0)
    }
    return action.request.map { [KeyCommand($0, at: now)] } ?? []
  }

  /// Must be called when the kernel reports that the key is still down.
  package mutating func receiveRepeat(of code: UInt16, at now: MonotonicInstant) {
    if let index = held.firstIndex(where: { $0.code == code }) { held[index].lastEvent = now }
  }

  /// Handles the release of a key. Returns the commands of the release.
  package mutating func release(_ code: UInt16, at now: MonotonicInstant) -> [KeyCommand] {
    guard let index = held.firstIndex(where: { $0.code == code }) else { return [] }
    let entry = held.remove(at: index)
    switch entry.phase {
    case .undecided(let deadline):
      guard now >= deadline, let action = entry.action.heldAction else {
        return entry.action.request.map { [KeyCommand($0, at: now, pressed: entry.pressed)] } ?? []
      }
      // The key was held long enough, but `expire` was not called before the release. The commands are the same as if
      // `expire` had been called in time.
      return begin(action, at: deadline, pressed: entry.pressed) + end(action, at: now)
    case .seeking(let action): return end(action, at: now)
    case .repeating, .done: return []
    }
  }

  /// The time at which a key was pressed that is down. Nil if its press did not arrive.
  func pressTime(of code: UInt16) -> MonotonicInstant? {
    held.first { $0.code == code }?.pressed
  }

  /// Must be called when the device is closed. Returns the commands that end the seeks. Other keys give no command.
  package mutating func releaseAll(at now: MonotonicInstant) -> [KeyCommand] {
    defer { held = [] }
    return held.flatMap { entry in
      if case .seeking(let action) = entry.phase { return end(action, at: now) }
      return []
    }
  }

  /// The time at which ``expire(at:)`` must be called next; nil if there is no such time.
  package var nextDeadline: MonotonicInstant? { held.compactMap(deadline).min() }

  /// Returns the commands that are due now.
  package mutating func expire(at now: MonotonicInstant) -> [KeyCommand] {
    var commands: [KeyCommand] = []
    for entry in held
    where usesReleaseTimeout(entry) && entry.lastEvent.advanced(by: Self.releaseTimeout) <= now {
      commands += release(entry.code, at: now)
    }
    for index in held.indices {
      let entry = held[index]
      switch entry.phase {
      case .undecided(let deadline) where deadline <= now:
        guard let action = entry.action.heldAction else { continue }
        held[index].phase = .seeking(action)
        commands += begin(action, at: deadline, pressed: entry.pressed)
      case .seeking(let action) where stuckDeadline(of: entry) <= now:
        held[index].phase = .done
        commands += end(action, at: now)
      case .repeating(let next, let done) where next <= now:
        if let request = entry.action.request {
          commands.append(KeyCommand(request, at: now, pressed: entry.pressed, isRepeat: true))
        }
        // The delay of the next repeat begins now, not at the time at which the present repeat was due. So a late call
        // does not cause several repeats at once.
        held[index].phase =
          done + 1 < Self.maximumRepeats
          ? .repeating(next: now.advanced(by: Self.repeatInterval), done: done + 1) : .done
      default: break
      }
    }
    return commands
  }

  private func deadline(of entry: Held) -> MonotonicInstant? {
    let timeout =
      usesReleaseTimeout(entry) ? entry.lastEvent.advanced(by: Self.releaseTimeout) : nil
    switch entry.phase {
    case .undecided(let deadline): return deadline
    case .repeating(let next, _): return [next, timeout].compactMap { $0 }.min()
    case .seeking: return [stuckDeadline(of: entry), timeout].compactMap { $0 }.min()
    case .done: return nil
    }
  }

  private func stuckDeadline(of entry: Held) -> MonotonicInstant {
    entry.pressed.advanced(by: Self.stuckTime)
  }

  /// True if the key counts as released after ``releaseTimeout`` without an event.
  private func usesReleaseTimeout(_ entry: Held) -> Bool {
    guard isPassThrough else { return false }
    switch entry.phase {
    case .seeking, .repeating: return true
    case .undecided, .done: return false
    }
  }

  private func begin(
    _ action: KeyAction, at now: MonotonicInstant, pressed: MonotonicInstant
  ) -> [KeyCommand] {
    action.request.map { [KeyCommand($0, at: now, pressed: pressed)] } ?? []
  }

  private func end(_ action: KeyAction, at now: MonotonicInstant) -> [KeyCommand] {
    action.end.map { [KeyCommand($0, at: now)] } ?? []
  }
}
