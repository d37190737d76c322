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
  private var stalledSince: MonotonicInstant?
  /// True if the output has made no progress for ``timeout``.
  private(set) var isStalled = false

  /// The text for people.
  static let stallMessage = "the output accepts no frames"

  /// Maximum time without progress: a device may be slow to change its rate, and a stick to spin
  /// up.
  static let timeout = Duration.seconds(4)

  /// Nil if the output works, otherwise what is wrong.
  mutating func problem(_ output: Output, at now: MonotonicInstant) -> String? {
    defer { frames = output.frames }
    guard output.isWanted, !output.isLost, output.frames == frames else {
      stalledSince = nil
      isStalled = false
      return nil
    }
    let since = stalledSince ?? now
    stalledSince = since
    isStalled = now.awakeTime(since: since) >= Self.timeout
    guard isStalled else { return nil }
    return Self.stallMessage
  }
}
