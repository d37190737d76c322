/// A change of the sound that the control thread has requested.
/// ``EngineEvent/applied(_:handedOver:heard:)`` reports when the change is handed over and heard.
///
/// Pause, volume, mute and stop take effect with the next period. A new track or a seek takes
/// effect only after the decode thread has produced the first frame of the new place. An effect of
/// one kind can overtake an effect of the other kind, so each kind has its own count.
public struct Effect: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The output thread applies the effect with its next period.
    case immediate
    /// The output thread applies the effect with the first frame of the requested track or place.
    case afterDecoding
  }

  let kind: Kind
  let number: Int

  /// True if the output thread applies the effect with its next period.
  public var isImmediate: Bool { kind == .immediate }

  /// True if `other` is this effect, or a newer effect of the same kind. A newer effect replaces an
  /// older one, so the caller does not have to wait for the older one.
  public func isSettled(by other: Effect) -> Bool { kind == other.kind && number <= other.number }
}

/// Finds the first rendered frame of each ``Effect`` and reports when that frame is handed over and
/// heard. Used by the output thread only, below the real-time line.
struct EffectTracker {
  /// For each kind of effect: the number of frames that were rendered since the first frame of the
  /// effect, including this frame. `Int.min` if there is nothing to report. The code does not use a
  /// `static let` for `Int.min`: Swift can initialise a `static let` at its first use, and that
  /// could happen on the output thread.
  private var immediateRun = Int.min
  private var decodedRun = Int.min
  private var immediateNumber = 0
  private var decodedNumber = 0
  private var awaitsFrame = false

  /// Call with the current count of immediate effects before a period is rendered.
  @_noLocks mutating func willRender(immediate number: Int) {
    if number == immediateNumber { return }
    immediateNumber = number
    immediateRun = 0
  }

  /// Call this when a segment of `command` begins. If it is the first segment of this command, its
  /// first frame of content is the first frame of the effect.
  @_noLocks mutating func segmentBegins(command: Int) {
    if command <= decodedNumber { return }
    decodedNumber = command
    awaitsFrame = true
  }

  /// Call this after content was rendered. The content begins after `done` frames of the period.
  @_noLocks mutating func contentRendered(after done: Int) {
    if !awaitsFrame { return }
    awaitsFrame = false
    decodedRun = 0 &- done
  }

  /// Call this after a period of `frames` frames was rendered.
  @_noLocks mutating func rendered(_ frames: Int) {
    if immediateRun != Int.min { immediateRun &+= frames }
    if decodedRun != Int.min { decodedRun &+= frames }
  }

  /// Stages events for the effects that were handed over. Call this after each period was handed
  /// over. If the event ring is full, the next call tries again.
  @_noLocks mutating func report(
    _ reached: StreamEventRing, now: Int64, deviceDelay: Int, rate: Int
  ) {
    if immediateRun != Int.min {
      let event = Self.event(
        .immediateEffect, immediateNumber, immediateRun, now, deviceDelay, rate)
      if reached.stage(event) { immediateRun = Int.min }
    }
    if decodedRun != Int.min {
      let event = Self.event(.decodedEffect, decodedNumber, decodedRun, now, deviceDelay, rate)
      if reached.stage(event) { decodedRun = Int.min }
    }
  }

  @_noLocks private static func event(
    _ kind: StreamEvent.Kind, _ number: Int, _ run: Int, _ now: Int64, _ deviceDelay: Int,
    _ rate: Int
  ) -> StreamEvent {
    // The number of frames that the device still plays before this effect's first frame.
    var before = deviceDelay &- run
    if before < 0 { before = 0 }
    var event = StreamEvent(reporting: kind, token: number)
    event.position = Int(now)
    event.frame = Int(now &+ Int64(before) &* 1_000_000_000 / Int64(rate))
    return event
  }
}
