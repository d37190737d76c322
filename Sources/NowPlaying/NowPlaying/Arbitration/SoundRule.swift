/// The reason why a session must be silent now.
public enum HoldReason: Hashable, Sendable, CustomStringConvertible {
  /// The session has not activated its audio session (E2).
  case audioSessionInactive
  /// An interruption silences the session (E4).
  case interruption(Interruption.Reason)
  /// The session has lost its output (E7).
  case outputLost
  /// The sound of the whole unit is silenced, for example by the reverse gear. A chime would not be heard.
  case silenced
  /// Another session is Now Playing (E5).
  case takenOver(by: SessionID)

  /// The reason in words.
  public var description: String {
    switch self {
    case .audioSessionInactive: "its audio session is not active"
    case .interruption(let reason): "\(reason)"
    case .outputLost: "its output is lost"
    case .silenced: "the reverse gear silences the unit"
    case .takenOver(let other): "\(other) plays"
    }
  }
}

/// The rule for the sound of a session.
public enum SoundRule: Hashable, Sendable {
  /// The source decides whether it sounds.
  case free
  /// The sound plays at a lower volume while the session `by` sounds (E3).
  case ducked(by: SessionID)
  /// The session must be silent.
  case held(HoldReason)

  /// The reason why the session must be silent; nil if the session is permitted to sound.
  public var hold: HoldReason? {
    if case .held(let reason) = self { return reason }
    return nil
  }
}

/// Defines how the volume of other sessions is lowered while an overlay sounds (E3).
public struct Ducking: Hashable, Sendable {
  /// The gain in decibels; below 0.
  public var decibels: Double
  /// Duration of the fade down. It is short, because the overlay already sounds during this fade.
  public var down: Duration
  /// Duration of the fade up.
  public var up: Duration

  /// Creates a definition. At -14 dB, the default, people perceive a little more than a third of the loudness of the
  /// music. So they understand the speech of the overlay, and hear the music too.
  public init(
    decibels: Double = -14, down: Duration = .milliseconds(100), up: Duration = .milliseconds(400)
  ) {
    self.decibels = decibels
    self.down = down
    self.up = up
  }
}
