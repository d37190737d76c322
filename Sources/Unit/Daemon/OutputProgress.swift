internal import NowPlaying

/// Whether the daemon is well, which is what the service manager's watchdog is fed for: the control
/// loop turns, or this would not be asked; and the output makes progress when it should. As a value.
struct OutputProgress {
  /// The output, as far as it matters here.
  struct Output {
    /// Whether something is to be heard.
    var isWanted: Bool
    /// Frames that were handed over so far.
    var frames: Int
    /// The device cannot be opened, and is tried again: a restart would not help.
    var isLost: Bool
  }

  private var frames = -1
  /// A track that begins has no frames yet, and the device takes its time to open.
  private var stillSince: MonotonicInstant?
  /// The output stands still, and has for longer than it may.
  private(set) var isStandingStill = false

  /// What is said of it.
  static let words = "the output takes no frames"

  /// The output may stand still for so long: a device that is asked for a slow rate change, a stick
  /// that spins up.
  static let patience = Duration.seconds(4)

  /// Whether all is well now; nil, or what stands still.
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
