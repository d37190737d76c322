/// The state of playback as surfaces show it (S1): the six states of MusicKit, and buffering.
///
/// The status is always derived from a snapshot. No code stores it (P3, S4).
public enum PlaybackStatus: String, Hashable, Sendable, CaseIterable {
  case stopped, playing, paused, interrupted, seekingForward, seekingBackward, buffering

  /// True only for `playing`. In all other states, the play/pause button shows the play glyph (S2).
  public var showsPauseGlyph: Bool { self == .playing }

  /// True while content advances or moves backwards.
  public var isAdvancing: Bool {
    self == .playing || self == .seekingForward || self == .seekingBackward
  }
}
