/// A change of the sound that the control thread has requested. ``EngineEvent/applied(_:handedOver:heard:)`` reports
/// when the change is handed over and heard.
///
/// Pause, volume, mute and stop take effect with the next frame that is handed over. A new track or a seek takes effect
/// only after the decode thread has produced the first frame of the new position. An effect of one kind can overtake an
/// effect of the other kind, so each kind has its own count.
public struct Effect: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The output thread applies the effect with the next frame that it hands over.
    case immediate
    /// The output thread applies the effect with the first frame of the requested track or position.
    case afterDecoding
  }

  let kind: Kind
  let number: Int

  /// True if the output thread applies the effect with the next frame that it hands over.
  public var isImmediate: Bool { kind == .immediate }

  /// True if `other` is this effect, or a newer effect of the same kind. A newer effect replaces an older effect, so
  /// the caller need not wait for the older effect.
  public func isSettled(by other: Effect) -> Bool { kind == other.kind && number <= other.number }
}

/// The effects whose first frame was rendered. Used by the output thread only, below the real-time line.
struct RenderedEffects {
  private(set) var immediate = 0
  private var decoded = 0
  private var awaitsFrame = false

  /// Call this with the current count of immediate effects before frames are rendered. Returns true if the next frame
  /// is the first frame of a new effect.
  @_noLocks mutating func begin(immediate number: Int) -> Bool {
    if number == immediate { return false }
    immediate = number
    return true
  }

  /// Call this when a segment of `command` begins. If it is the first segment of this command, its first frame of
  /// content is the first frame of the effect.
  @_noLocks mutating func segmentBegins(command: Int) {
    if command <= decoded { return }
    decoded = command
    awaitsFrame = true
  }

  /// Call this before content is rendered. Returns the number of the effect whose first frame is the next frame; nil if
  /// there is none.
  @_noLocks mutating func contentBegins() -> Int? {
    if !awaitsFrame { return nil }
    awaitsFrame = false
    return decoded
  }
}
