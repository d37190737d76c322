/// An instruction of the head unit to a source about its sound. The source follows the instruction. Then the source
/// publishes its new state, as after any other change.
public enum SessionInstruction: Hashable, Sendable {
  /// Become silent and keep the position.
  case pause(HoldReason)
  /// Resume: the reason of the hold has ended, and people want the session to play (E4, E7).
  case resume
  /// Lower the volume of the sound (E3).
  case duck(Ducking)
  /// Raise the volume of the sound again (E3).
  case unduck(Ducking)
}
