public import AudioEngine
internal import CRealtime
internal import Glibc

extension ALSASink {
  /// Mutes an amplifier before and after playback, so that the start and the stop of the device do not cause a thump.
  ///
  /// The amplifier is muted when the sink is created. It is unmuted after the device has played silence for the settle
  /// time. It is muted again after the last frame and some silence were heard. The device then plays silence for the
  /// hold time and stops. So each opening takes longer by the settle time, and each closing takes longer by the hold
  /// time. Without an amplifier, opening and closing take no extra time.
  public struct Muting: Sendable {
    /// The amplifier that is muted and unmuted.
    public var amplifier: any Amplifier
    /// Milliseconds of silence that the device plays before the amplifier is unmuted. After this time the output of the
    /// device is stable. The range is 0 … 1000.
    public var settleMilliseconds: Int
    /// Milliseconds of silence that the device plays after muting: the time that the amplifier needs to become quiet.
    /// The range is 0 … 1000.
    public var holdMilliseconds: Int
    /// Called if the amplifier cannot be switched. Playback continues. Of several failures in a row, only the first one
    /// is reported. The call is made on the thread that switches the amplifier (see ``Amplifier``), and must return
    /// soon.
    public var onFailure: @Sendable (SinkError) -> Void

    /// Creates the settings. Traps if a time is out of range.
    public init(
      _ amplifier: any Amplifier, settleMilliseconds: Int = 20, holdMilliseconds: Int = 10,
      onFailure: @escaping @Sendable (SinkError) -> Void
    ) {
      precondition((0...1000).contains(settleMilliseconds), "settleMilliseconds must be 0 … 1000")
      precondition((0...1000).contains(holdMilliseconds), "holdMilliseconds must be 0 … 1000")
      self.amplifier = amplifier
      self.settleMilliseconds = settleMilliseconds
      self.holdMilliseconds = holdMilliseconds
      self.onFailure = onFailure
    }
  }
}

/// Switches the amplifier of one sink, and plays silence before and after switching. If switching fails, playback
/// continues.
struct Mute {
  /// The delay of digital-to-analogue converters, in milliseconds. No driver reports this delay.
  private static let converterMilliseconds = 2

  private let muting: ALSASink.Muting
  private var isFailureReported = false

  init(_ muting: ALSASink.Muting) { self.muting = muting }

  /// Mutes or unmutes at once. Of several failures in a row, only the first one is reported.
  mutating func set(_ muted: Bool) {
    do {
      try muting.amplifier.setMuted(muted)
      isFailureReported = false
    } catch {
      if !isFailureReported { muting.onFailure(error) }
      isFailureReported = true
    }
  }

  /// Unmutes after the device has played silence for the settle time.
  ///
  /// - Parameter deadline: a time on the monotonic clock, in nanoseconds.
  /// - Returns: 0, or the negative error number of the device. After an error the amplifier stays muted.
  mutating func unmute(over silence: inout SilencePlayer, by deadline: Int64) -> Int32 {
    // Wait for at least one frame, even if the settle time is 0. Once a frame was heard, it is certain that the device
    // runs.
    let settled = max(1, silence.frames(muting.settleMilliseconds))
    var status = silence.play(until: settled, by: deadline)
    while status == -EPIPE || status == -ESTRPIPE, rt_monotonic_ns() < deadline {
      // While the amplifier is muted, the device can stop and start again without a thump. After the restart, the
      // device must settle again.
      status = silence.prepare()
      if status == 0 { status = silence.play(until: settled, by: deadline) }
    }
    if status == 0 { set(false) }
    return status
  }

  /// Mutes after the frames in the device were heard, then plays silence for the hold time. If the device fails, mutes
  /// at once.
  ///
  /// - Parameter deadline: a time on the monotonic clock, in nanoseconds. At this time at the latest the amplifier is
  ///   muted.
  mutating func mute(over silence: inout SilencePlayer, by deadline: Int64) {
    let status = silence.play(
      until: silence.frames(Self.converterMilliseconds), by: deadline)
    set(true)
    guard status == 0 || status == SilencePlayer.timedOut else { return }
    let hold = silence.frames(muting.holdMilliseconds)
    // A hung device can still output a voltage, so the hold time is needed after a time-out too.
    _ = silence.play(
      for: hold, by: rt_monotonic_ns() + 50_000_000 + 2 * silence.nanoseconds(hold))
  }
}
