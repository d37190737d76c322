internal import NowPlaying

/// Decides whether the daemon works. A value without I/O. The service manager's watchdog is fed only while the daemon
/// works. The daemon works if the control loop runs, and if the output makes progress when something should be heard.
/// The control loop calls this type, so each call proves that the loop runs.
struct OutputProgress {
  /// The facts about the output from which ``problem(_:at:)`` decides.
  struct Output {
    /// True if something should be heard.
    var isWanted: Bool
    /// Number of frames that were handed over so far.
    var frames: Int
    /// True if the device cannot be opened. This does not count as a stall, because the unit tries again to open the
    /// device and a restart of the daemon would not help.
    var isLost: Bool
  }

  private var frames = -1
  /// The time at which the progress stopped; nil while there is progress.
  private var stalledSince: MonotonicInstant?
  /// True if the output has made no progress for ``timeout``.
  private(set) var isStalled = false

  /// The message about a stalled output.
  static let stallMessage = "the output accepts no frames"

  /// Maximum time without progress. A device can need time to open or to change its rate, and a disk can need time to
  /// spin up.
  static let timeout = Duration.seconds(4)

  /// Returns nil if the output works. Otherwise returns a message that describes the problem.
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
