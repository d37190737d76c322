/// The state of playback as surfaces name it: the six of MusicKit, and buffering (S1).
///
/// Always derived from a snapshot, never stored (P3, S4).
public enum PlaybackStatus: String, Hashable, Sendable, CaseIterable {
  case stopped, playing, paused, interrupted, seekingForward, seekingBackward, buffering

  /// True only for playing. All other states show the play glyph (S2).
  public var showsPauseGlyph: Bool { self == .playing }

  /// True while content advances or moves backwards.
  public var isAdvancing: Bool {
    self == .playing || self == .seekingForward || self == .seekingBackward
  }
}
