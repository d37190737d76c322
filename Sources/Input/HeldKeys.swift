package import NowPlaying

/// The keys of one device that are down, and what their presses ask for, as a value: a press, a
/// release and the time between them become commands.
///
/// - A key for *next* or *previous* that is held seeks; let go before, it is *next*. So its press
///   is only known when it is let go.
/// - A key for *fast-forward* or *rewind* begins when it goes down and ends when it comes up.
/// - A key for the volume goes on while it is held, at a pace of our own: the kernel's repeats are as
///   fast as typing, and some devices have none.
/// - All others act when they go down.
package struct HeldKeys: Sendable {
  /// A held volume key waits so long, then goes on.
  static let repeatDelay = Duration.milliseconds(400)
  /// Four seconds from silence to the loudest.
  static let repeatInterval = Duration.milliseconds(100)
  /// Then it is as loud as it gets, or a key is stuck.
  static let maximumRepeats = 1000 / Volume.keyStep
  /// bluetoothd lets go of a key whose release does not come after 2 s, and the kernel repeats it
  /// until then. A key that says neither for so long is not held any more.
  static let silence = Duration.milliseconds(2500)

  private struct Held {
    enum Phase {
      /// Short or long? Known then.
      case undecided(until: MonotonicInstant)
      /// To be ended.
      case seeking(KeyAction)
      /// The next step, and how many were done.
      case repeating(next: MonotonicInstant, done: Int)
      /// Nothing more to come of it.
      case done
    }

    let code: UInt16
    let action: KeyAction
    let pressed: MonotonicInstant
    var phase: Phase
    var heardOf: MonotonicInstant
  }

  private let isPassThrough: Bool
  private var held: [Held] = []

  /// - Parameter isPassThrough: the device is a phone's: what is held there has a command of its own,
  ///   and a press must act as soon as the same one by D-Bus.
  package init(isPassThrough: Bool) { self.isPassThrough = isPassThrough }

  /// A key went down.
  ///
  /// - Parameter hold: from when on a key is held; nil where holding means nothing.
  package mutating func press(
    _ code: UInt16, _ action: KeyAction, hold: Duration?, at now: MonotonicInstant
  ) -> [KeyCommand] {
    guard !held.contains(where: { $0.code == code }) else { return [] }
    var entry = Held(code: code, action: action, pressed: now, phase: .done, heardOf: now)
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

  /// The kernel says that it is still down.
  package mutating func hear(of code: UInt16, at now: MonotonicInstant) {
    if let index = held.firstIndex(where: { $0.code == code }) { held[index].heardOf = now }
  }

  /// A key came up.
  package mutating func release(_ code: UInt16, at now: MonotonicInstant) -> [KeyCommand] {
    guard let index = held.firstIndex(where: { $0.code == code }) else { return [] }
    let entry = held.remove(at: index)
    switch entry.phase {
    case .undecided(let deadline):
      guard now >= deadline, let action = entry.action.heldAction else {
        return entry.action.request.map { [KeyCommand($0, at: now, pressed: entry.pressed)] } ?? []
      }
      // It was long enough, and nobody had looked in between: as if somebody had.
      return begin(action, at: deadline, pressed: entry.pressed) + end(action, at: now)
    case .seeking(let action): return end(action, at: now)
    case .repeating, .done: return []
    }
  }

  /// The device is gone, or what it said was lost: what goes on is ended, and nothing begins.
  package mutating func releaseAll(at now: MonotonicInstant) -> [KeyCommand] {
    defer { held = [] }
    return held.flatMap { entry in
      if case .seeking(let action) = entry.phase { return end(action, at: now) }
      return []
    }
  }

  /// When ``expire(at:)`` has something to do.
  package var nextDeadline: MonotonicInstant? { held.compactMap(deadline).min() }

  /// What time has brought.
  package mutating func expire(at now: MonotonicInstant) -> [KeyCommand] {
    var commands: [KeyCommand] = []
    for entry in held where isSilent(entry) && entry.heardOf.advanced(by: Self.silence) <= now {
      commands += release(entry.code, at: now)
    }
    for index in held.indices {
      let entry = held[index]
      switch entry.phase {
      case .undecided(let deadline) where deadline <= now:
        guard let action = entry.action.heldAction else { continue }
        held[index].phase = .seeking(action)
        commands += begin(action, at: deadline, pressed: entry.pressed)
      case .repeating(let next, let done) where next <= now:
        if let request = entry.action.request {
          commands.append(KeyCommand(request, at: now, pressed: entry.pressed, isRepeat: true))
        }
        // From now on, and not from when it was due: who was late does not catch up with a jump.
        held[index].phase =
          done + 1 < Self.maximumRepeats
          ? .repeating(next: now.advanced(by: Self.repeatInterval), done: done + 1) : .done
      default: break
      }
    }
    return commands
  }

  private func deadline(of entry: Held) -> MonotonicInstant? {
    let silent = isSilent(entry) ? entry.heardOf.advanced(by: Self.silence) : nil
    switch entry.phase {
    case .undecided(let deadline): return deadline
    case .repeating(let next, _): return [next, silent].compactMap { $0 }.min()
    case .seeking: return silent
    case .done: return nil
    }
  }

  /// Whether its end is missed while nothing is heard of it.
  private func isSilent(_ entry: Held) -> Bool {
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
