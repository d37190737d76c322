/// The reason why a session may not sound now.
public enum HoldReason: Hashable, Sendable, CustomStringConvertible {
  /// The session has not activated its audio session (E2).
  case audioSessionInactive
  /// An interruption is more important (E4).
  case interruption(Interruption.Reason)
  /// The session's output is missing (E7).
  case outputLost
  /// Another session is Now Playing (E5).
  case takenOver(by: SessionID)

  /// The reason in words.
  public var description: String {
    switch self {
    case .audioSessionInactive: "its audio session is not active"
    case .interruption(let reason): "\(reason)"
    case .outputLost: "its output is lost"
    case .takenOver(let other): "\(other) plays"
    }
  }
}

/// The rule for the sound of a session.
public enum SoundRule: Hashable, Sendable {
  /// The source decides.
  case free
  /// The sound is turned down while the session `by` sounds (E3).
  case ducked(by: SessionID)
  /// The session must be silent.
  case held(HoldReason)

  /// The reason why the session may not sound; nil if the session may sound.
  public var hold: HoldReason? {
    if case .held(let reason) = self { return reason }
    return nil
  }
}

/// Defines how other sessions are turned down while an overlay sounds (E3).
public struct Ducking: Hashable, Sendable {
  /// The gain in decibels; below 0.
  public var decibels: Double
  /// Duration of the fade down. Short, because the overlay is already speaking.
  public var down: Duration
  /// Duration of the fade up.
  public var up: Duration

  /// At -14 dB the music seems a bit more than a third as loud: speech is understood, and the music
  /// is still heard.
  public init(
    decibels: Double = -14, down: Duration = .milliseconds(100), up: Duration = .milliseconds(400)
  ) {
    self.decibels = decibels
    self.down = down
    self.up = up
  }
}
