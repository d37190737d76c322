public import AudioEngine
internal import CRealtime
internal import Glibc

extension ALSASink {
  /// How an amplifier frames what is played, so that it does not thump.
  ///
  /// It is muted from the sink's beginning on, and unmuted only between these two: the device has
  /// played silence for the settle time; the last frame was heard, and silence after it. From
  /// muting on the device plays silence for the hold time, and only then it stops. So each opening
  /// takes the settle time longer, and each closing the hold time; without an amplifier nothing
  /// does.
  public struct Muting: Sendable {
    /// What is switched.
    public var amplifier: any Amplifier
    /// Milliseconds of silence that the device plays before it is unmuted: its clock runs and its
    /// output stands still by then. 0 … 1000.
    public var settleMilliseconds: Int
    /// Milliseconds of silence that it plays after it was muted: as long as the amplifier takes to
    /// go quiet. 0 … 1000.
    public var holdMilliseconds: Int
    /// Told that the amplifier cannot be switched: once, until it could be. The music plays on. On
    /// the thread that switched (see ``Amplifier``), for which it must return soon.
    public var trouble: @Sendable (SinkError) -> Void

    /// Joins all.
    public init(
      _ amplifier: any Amplifier, settleMilliseconds: Int = 20, holdMilliseconds: Int = 10,
      trouble: @escaping @Sendable (SinkError) -> Void
    ) {
      precondition((0...1000).contains(settleMilliseconds), "settle time out of range")
      precondition((0...1000).contains(holdMilliseconds), "hold time out of range")
      self.amplifier = amplifier
      self.settleMilliseconds = settleMilliseconds
      self.holdMilliseconds = holdMilliseconds
      self.trouble = trouble
    }
  }
}

/// The amplifier of one sink: its trouble stops nothing, and its order with the device's silence
/// is here.
struct Mute {
  /// What converters hold back and no driver counts.
  private static let converterMilliseconds = 2

  private let muting: ALSASink.Muting
  private var isTold = false

  init(_ muting: ALSASink.Muting) { self.muting = muting }

  /// Switches at once.
  mutating func set(_ muted: Bool) {
    do {
      try muting.amplifier.setMuted(muted)
      isTold = false
    } catch {
      if !isTold { muting.trouble(error) }
      isTold = true
    }
  }

  /// Unmutes when the device has played silence for the settle time.
  ///
  /// - Parameter deadline: on the monotonic clock, nanoseconds.
  /// - Returns: 0, or what the device failed with, negative; the amplifier is muted then.
  mutating func unmute(over silence: inout SilencePlayer, by deadline: Int64) -> Int32 {
    // At least one frame, as it must be seen to run.
    let settled = max(1, silence.frames(muting.settleMilliseconds))
    var status = silence.play(until: settled, by: deadline)
    while status == -EPIPE || status == -ESTRPIPE, rt_monotonic_ns() < deadline {
      // Muted, it may stop and start as it likes, but then it has to settle once more.
      status = silence.prepare()
      if status == 0 { status = silence.play(until: settled, by: deadline) }
    }
    if status == 0 { set(false) }
    return status
  }

  /// Mutes when what the device holds was heard, and holds the silence that follows; at once where
  /// the device fails.
  ///
  /// - Parameter deadline: on the monotonic clock, nanoseconds: then it is muted in any case.
  mutating func mute(over silence: inout SilencePlayer, by deadline: Int64) {
    let status = silence.play(
      until: silence.frames(Self.converterMilliseconds), by: deadline)
    set(true)
    guard status == 0 || status == SilencePlayer.tookTooLong else { return }
    let hold = silence.frames(muting.holdMilliseconds)
    // A device that has hung still stands at some level, so the hold time passes all the same.
    _ = silence.play(
      for: hold, by: rt_monotonic_ns() + 50_000_000 + 2 * silence.nanoseconds(hold))
  }
}
