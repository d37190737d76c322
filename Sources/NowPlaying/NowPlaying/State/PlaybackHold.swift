/// Why playback is interrupted: people want the session to play, and it must not or cannot play (E4). Each surface
/// shows this reason.
public enum PlaybackHold: Hashable, Sendable {
  /// An interruption silences the session. If there are several, this is the one that began first.
  case interruption(Interruption.Reason)
  /// The output of the session cannot be used (E7).
  case outputLost
  /// The center has told the source to resume, and the source does not play yet. Example: a phone after a call.
  case resuming
  /// The source reports the interruption itself, and does not say why.
  case source
}
