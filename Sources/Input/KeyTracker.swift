internal import CInput

/// A value that detects changes of keys and knobs in the events of a device. Each change is reported once, for any
/// sequence of events.
struct KeyTracker {
  enum Change: Equatable {
    case pressed(UInt16, at: Int64)
    case released(UInt16, at: Int64)
    /// The kernel reports again that the key is down.
    case repeated(UInt16, at: Int64)
    case turned(axis: UInt16, steps: Int, at: Int64)
    /// The kernel's buffer was full, and events are lost. The caller must read which keys are down and call
    /// ``KeyTracker/reconcile(down:at:)``.
    case lost
  }

  /// Keys that are down.
  private(set) var down: Set<UInt16>
  private var isLosing = false

  /// - Parameter down: keys that are down at the start. No press of these keys is reported, so the caller ignores the
  ///   report of their release.
  init(down: Set<UInt16> = []) { self.down = down }

  /// The change that an event causes. Nil if the event causes no change.
  mutating func update(_ event: InputEvent) -> Change? {
    if Int32(event.type) == EV_SYN, Int32(event.code) == SYN_DROPPED {
      isLosing = true
      return nil
    }
    // The events between SYN_DROPPED and the next SYN_REPORT are incomplete and are dropped too.
    if isLosing {
      guard Int32(event.type) == EV_SYN, Int32(event.code) == SYN_REPORT else { return nil }
      isLosing = false
      return .lost
    }
    switch Int32(event.type) {
    case EV_KEY: return key(event)
    case EV_REL where event.value != 0:
      return .turned(axis: event.code, steps: Int(event.value), at: event.nanoseconds)
    default: return nil
    }
  }

  private mutating func key(_ event: InputEvent) -> Change? {
    guard event.code <= InputCode.largestKey else { return nil }
    switch event.value {
    case 0:
      return down.remove(event.code) != nil ? .released(event.code, at: event.nanoseconds) : nil
    case 1 where down.insert(event.code).inserted:
      return .pressed(event.code, at: event.nanoseconds)
    case 1, 2:
      return down.contains(event.code) ? .repeated(event.code, at: event.nanoseconds) : nil
    default: return nil
    }
  }

  /// Must be called after a loss of events. Reports a release for each key that was down and is up now. A key that is
  /// newly down counts as down, but no press is reported, because the time of the press is unknown.
  mutating func reconcile(down actual: Set<UInt16>, at nanoseconds: Int64) -> [Change] {
    let ended = down.subtracting(actual).sorted()
    down = actual
    return ended.map { .released($0, at: nanoseconds) }
  }
}
