/// What the head unit tells a source to do with its sound. The source obeys and then publishes what
/// it did, as after any other change.
public enum SessionInstruction: Hashable, Sendable {
  /// Stop sounding, keep the place.
  case pause(HoldReason)
  /// What held you has ended, and you were playing (E4, E7).
  case resume
  /// Turn down (E3).
  case duck(Ducking)
  /// Turn up again (E3).
  case unduck(Ducking)
}
