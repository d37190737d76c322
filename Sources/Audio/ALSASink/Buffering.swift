public import AudioEngine

extension ALSASink {
  /// How the device is filled.
  public enum Latency: String, Sendable, CaseIterable {
    /// Rewrites a deep buffer if the PCM is a sound card (`hw`) that supports this. Otherwise hands
    /// over short periods.
    case auto
    /// Rewrites a deep buffer if the PCM supports this, whatever its type is.
    case rewind
    /// Always hands over short periods.
    case periods
  }

  /// How much sound the device holds. With periods, a change of the sound is heard only after the
  /// device has played the sound that it held before.
  public struct Buffering: Sendable {
    /// How the device is filled.
    public var latency: Latency
    /// Number of frames that are handed over at a time. Nil means 256 on a sound card, and 512 on
    /// any other PCM, because other PCMs wake the thread less exactly.
    public var periodFrames: Int?
    /// Milliseconds of sound that are handed over ahead. With periods, the minimum is two periods. On a
    /// sound card the value is rounded down to whole periods. Nil means two periods on a sound card and
    /// 50 ms on any other PCM. With a buffer that is rewritten, the minimum is 500 ms, and nil means a second.
    public var bufferMilliseconds: Int?
    /// The results of earlier tests of sound cards. These cards are not tested again.
    public var cardTests: [DeviceFormat.CardTest]

    /// Nil chooses the default of the PCM.
    public init(
      periodFrames: Int? = nil, bufferMilliseconds: Int? = nil, latency: Latency = .periods,
      cardTests: [DeviceFormat.CardTest] = []
    ) {
      self.cardTests = cardTests
      self.latency = latency
      self.periodFrames = periodFrames
      self.bufferMilliseconds = bufferMilliseconds
    }
  }
}
