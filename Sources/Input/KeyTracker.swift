internal import CInput

/// What of a device's keys and knobs changes, as a value: each change once, whatever comes.
struct KeyTracker {
  enum Change: Equatable {
    case pressed(UInt16, at: Int64)
    case released(UInt16, at: Int64)
    /// The kernel says again that it is down.
    case repeated(UInt16, at: Int64)
    case turned(axis: UInt16, steps: Int, at: Int64)
    /// The kernel's buffer was full, and events are lost: ask which keys are down, and see
    /// ``KeyTracker/reconcile(down:at:)``.
    case lost
  }

  /// Keys that are down.
  private(set) var down: Set<UInt16>
  private var isLosing = false

  /// - Parameter down: keys that are down already. That they come up means nothing.
  init(down: Set<UInt16> = []) { self.down = down }

  /// What an event changes.
  mutating func take(_ event: InputEvent) -> Change? {
    if Int32(event.type) == EV_SYN, Int32(event.code) == SYN_DROPPED {
      isLosing = true
      return nil
    }
    // What comes until the next report belongs to what was lost.
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

  /// After a loss: keys that are up came up. One that went down meanwhile is down from now on, but
  /// its press is past, and nobody knows for how long.
  mutating func reconcile(down actual: Set<UInt16>, at nanoseconds: Int64) -> [Change] {
    let ended = down.subtracting(actual).sorted()
    down = actual
    return ended.map { .released($0, at: nanoseconds) }
  }
}
