/// A change of the sound that the control thread has asked for, to be recognised when it is there.
///
/// What steers the output (pause, volume, mute, stop) and what the decode thread has to find first
/// (a track, a place) overtake each other, so they are counted apart.
public struct Effect: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The output thread does it by itself, with its next period.
    case steering
    /// The first frame of what was asked for.
    case command
  }

  let kind: Kind
  let number: Int

  /// Whether the output does it by itself, with its next period.
  public var isImmediate: Bool { kind == .steering }

  /// Whether whoever waits for this one need not wait any more once `other` is there: it is this
  /// one, or has taken its place.
  public func isSettled(by other: Effect) -> Bool { kind == other.kind && number <= other.number }
}

/// Finds the first frame of each ``Effect`` among those that are rendered, and tells when it is
/// handed over and heard. The output thread's own; below the line.
struct EffectTracker {
  /// Frames rendered since the first one of the effect, that one included; `Int.min` where there is
  /// nothing to tell. (No constant of its own: below the line it could be made on first use.)
  private var steeredRun = Int.min
  private var begunRun = Int.min
  private var steered = 0
  private var begun = 0
  private var awaitsFrame = false

  /// What steers the output as the next frame is rendered.
  @_noLocks mutating func willRender(steering number: Int) {
    if number == steered { return }
    steered = number
    steeredRun = 0
  }

  /// The next frame of content is the first one that belongs to `command`, unless others were.
  @_noLocks mutating func segmentBegins(command: Int) {
    if command <= begun { return }
    begun = command
    awaitsFrame = true
  }

  /// Content was rendered behind `done` frames of the period.
  @_noLocks mutating func contentRendered(after done: Int) {
    if !awaitsFrame { return }
    awaitsFrame = false
    begunRun = 0 &- done
  }

  /// The period was rendered.
  @_noLocks mutating func rendered(_ frames: Int) {
    if steeredRun != Int.min { steeredRun &+= frames }
    if begunRun != Int.min { begunRun &+= frames }
  }

  /// What was rendered was handed over. What finds no room is told with the next period.
  @_noLocks mutating func tell(_ reached: StreamEventRing, now: Int64, deviceDelay: Int, rate: Int)
  {
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
    // What the device holds before the first frame of it plays first.
    var before = deviceDelay &- run
    if before < 0 { before = 0 }
    var event = StreamEvent(telling: kind, token: number)
    event.position = Int(now)
    event.frame = Int(now &+ Int64(before) &* 1_000_000_000 / Int64(rate))
    return event
  }
}
