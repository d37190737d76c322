/// A change of the sound that the control thread has requested. It is reported when it is heard.
///
/// Steering (pause, volume, mute, stop) acts at once; a command (a track, a place) first needs work
/// of the decode thread. One can overtake the other, so each kind has its own count.
public struct Effect: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The output thread applies it with its next period.
    case steering
    /// It is reached with the first frame of the requested track or place.
    case command
  }

  let kind: Kind
  let number: Int

  /// Whether the output thread applies it with its next period.
  public var isImmediate: Bool { kind == .steering }

  /// Whether waiting for this effect can stop when `other` is reached: `other` is this effect or a
  /// newer one of the same kind, which replaces it.
  public func isSettled(by other: Effect) -> Bool { kind == other.kind && number <= other.number }
}

/// Finds the first rendered frame of each ``Effect`` and reports when that frame is handed over and
/// heard. Used by the output thread only, below the real-time line.
struct EffectTracker {
  /// Frames rendered since the first one of the effect, including that frame; `Int.min` if there is
  /// nothing to report. (Not a named constant: below the real-time line it could be created on
  /// first use.)
  private var steeredRun = Int.min
  private var begunRun = Int.min
  private var steered = 0
  private var begun = 0
  private var awaitsFrame = false

  /// Call with the current steering count before a period is rendered.
  @_noLocks mutating func willRender(steering number: Int) {
    if number == steered { return }
    steered = number
    steeredRun = 0
  }

  /// The next frame of content is the first one of `command`, unless `command` has begun already.
  @_noLocks mutating func segmentBegins(command: Int) {
    if command <= begun { return }
    begun = command
    awaitsFrame = true
  }

  /// Content was rendered after `done` frames of the period.
  @_noLocks mutating func contentRendered(after done: Int) {
    if !awaitsFrame { return }
    awaitsFrame = false
    begunRun = 0 &- done
  }

  /// A period of `frames` frames was rendered.
  @_noLocks mutating func rendered(_ frames: Int) {
    if steeredRun != Int.min { steeredRun &+= frames }
    if begunRun != Int.min { begunRun &+= frames }
  }

  /// Call after the period was handed over. An event that finds no room is staged with the next
  /// period.
  @_noLocks mutating func report(
    _ reached: StreamEventRing, now: Int64, deviceDelay: Int, rate: Int
  ) {
    if steeredRun != Int.min {
      let event = Self.event(.steered, steered, steeredRun, now, deviceDelay, rate)
      if reached.stage(event) { steeredRun = Int.min }
    }
    if begunRun != Int.min {
      let event = Self.event(.begun, begun, begunRun, now, deviceDelay, rate)
      if reached.stage(event) { begunRun = Int.min }
    }
  }

  @_noLocks private static func event(
    _ kind: StreamEvent.Kind, _ number: Int, _ run: Int, _ now: Int64, _ deviceDelay: Int,
    _ rate: Int
  ) -> StreamEvent {
    // The device first plays the frames that it holds before this effect's first frame.
    var before = deviceDelay &- run
    if before < 0 { before = 0 }
    var event = StreamEvent(reporting: kind, token: number)
    event.position = Int(now)
    event.frame = Int(now &+ Int64(before) &* 1_000_000_000 / Int64(rate))
    return event
  }
}
