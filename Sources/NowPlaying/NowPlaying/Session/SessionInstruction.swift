/// An instruction of the head unit to a source about its sound. The source follows it and then
/// publishes its new state, as after any other change.
public enum SessionInstruction: Hashable, Sendable {
  /// Become silent and keep the position.
  case pause(HoldReason)
  /// Resume, because the reason of the silence has ended and the session was playing before (E4,
  /// E7).
  case resume
  /// Turn the sound down (E3).
  case duck(Ducking)
  /// Turn the sound up again (E3).
  case unduck(Ducking)
}
