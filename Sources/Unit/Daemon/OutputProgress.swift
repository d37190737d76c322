internal import NowPlaying

/// Decides whether the daemon works, as a value. The service manager's watchdog is fed only while
/// the daemon works: the control loop runs, because it calls this type, and the output makes
/// progress when it should.
struct OutputProgress {
  /// What this decision needs to know about the output.
  struct Output {
    /// True if something should be heard.
    var isWanted: Bool
    /// Number of frames that were handed over so far.
    var frames: Int
    /// True if the device cannot be opened. It is tried again, and a restart would not help.
    var isLost: Bool
  }

  private var frames = -1
  /// When the progress stopped. A track that begins has no frames yet, and a device takes time to
  /// open.
  private var stillSince: MonotonicInstant?
  /// True if the output has made no progress for ``patience``.
  private(set) var isStandingStill = false

  /// The text for people.
  static let words = "the output takes no frames"

  /// Maximum time without progress: a device may be slow to change its rate, and a stick to spin
  /// up.
  static let patience = Duration.seconds(4)

  /// Nil if the output works, otherwise what is wrong.
  mutating func trouble(_ output: Output, at now: MonotonicInstant) -> String? {
    defer { frames = output.frames }
    guard output.isWanted, !output.isLost, output.frames == frames else {
      stillSince = nil
      isStandingStill = false
      return nil
    }
    let since = stillSince ?? now
    stillSince = since
    isStandingStill = now.awakeTime(since: since) >= Self.patience
    guard isStandingStill else { return nil }
    return Self.words
  }
}
