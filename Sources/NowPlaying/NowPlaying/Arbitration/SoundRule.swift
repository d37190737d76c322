/// Why a session may not sound now.
public enum HoldReason: Hashable, Sendable, CustomStringConvertible {
  /// It never said that it would (E2).
  case audioSessionInactive
  /// By something more important (E4).
  case interruption(Interruption.Reason)
  /// Its output is not there (E7).
  case outputLost
  /// Another one is Now Playing (E5).
  case takenOver(by: SessionID)

  /// In words.
  public var description: String {
    switch self {
    case .audioSessionInactive: "its audio session is not active"
    case .interruption(let reason): "\(reason)"
    case .outputLost: "its output is lost"
    case .takenOver(let other): "\(other) plays"
    }
  }
}

/// What a session's sound may do.
public enum SoundRule: Hashable, Sendable {
  /// As its source likes.
  case free
  /// Turned down, while that session sounds (E3).
  case ducked(by: SessionID)
  /// Not at all.
  case held(HoldReason)

  /// Why it may not sound.
  public var hold: HoldReason? {
    if case .held(let reason) = self { return reason }
    return nil
  }
}

/// How others are turned down while an overlay sounds (E3).
public struct Ducking: Hashable, Sendable {
  /// By how many decibels; below 0.
  public var decibels: Double
  /// How long the way down takes; short, as the overlay is speaking already.
  public var down: Duration
  /// How long the way up takes.
  public var up: Duration

  /// 14 dB is a bit more than half as loud again: speech is understood, and the music is still
  /// there.
  public init(
    decibels: Double = -14, down: Duration = .milliseconds(100), up: Duration = .milliseconds(400)
  ) {
    self.decibels = decibels
    self.down = down
    self.up = up
  }
}
