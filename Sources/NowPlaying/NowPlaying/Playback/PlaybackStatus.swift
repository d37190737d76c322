/// What a surface calls the state of playback: MusicKit's six, and buffering (S1).
///
/// Always derived from a snapshot, never stored (P3, S4).
public enum PlaybackStatus: String, Hashable, Sendable, CaseIterable {
  case stopped, playing, paused, interrupted, seekingForward, seekingBackward, buffering

  /// Everything but playing shows the play glyph (S2).
  public var showsPauseGlyph: Bool { self == .playing }

  /// Whether content advances (or goes back) now.
  public var isAdvancing: Bool {
    self == .playing || self == .seekingForward || self == .seekingBackward
  }
}
