internal import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

/// Keeps a PCM running on silence above the real-time line: before the renderer's first frame and
/// after its last one.
struct SilencePlayer {
  /// What ``play(until:by:)`` answers when its time is over.
  static let tookTooLong = -ETIMEDOUT

  /// Silence is given so far ahead, at least: as long as an amplifier may take to be switched.
  private static let aheadMilliseconds = 40

  private let pcm: OpaquePointer
  /// A period of it.
  private let silence: UnsafeRawPointer
  private let periodFrames: Int
  private let rate: Int
  /// Frames that the device can hold, and how many of them it is given.
  private let bufferFrames: Int
  private let aheadFrames: Int
  /// Frames of silence since the beginning, or since the device was prepared.
  private var given = 0

  /// - Parameter silence: a period of it, for as long as this lives.
  init(pcm: OpaquePointer, silence: UnsafeRawPointer, periodFrames: Int, rate: Int) {
    self.pcm = pcm
    self.silence = silence
    self.periodFrames = periodFrames
    self.rate = rate
    var buffer: snd_pcm_uframes_t = 0
    var period: snd_pcm_uframes_t = 0
    // A PCM that is set up knows both.
    let status = snd_pcm_get_params(pcm, &buffer, &period)
    bufferFrames = status == 0 ? Int(buffer) : periodFrames
    // Never the whole of a long buffer: the music comes behind it. A device starts on two periods.
    aheadFrames = max(2 * periodFrames, rate * Self.aheadMilliseconds / 1000)
  }

  /// Frames of silence that were heard; below 0, so many others are heard before them. With 0, or
  /// what the device failed with, negative.
  private func heard() -> (frames: Int, status: Int32) {
    var delay = 0
    let status = snd_pcm_delay(pcm, &delay)
    return (given - delay, status)
  }

  /// Plays silence until `frames` of it were heard after everything that was given before.
  ///
  /// - Parameter deadline: on the monotonic clock, nanoseconds.
  /// - Returns: 0, ``tookTooLong``, or what the device failed with, negative.
  mutating func play(until frames: Int, by deadline: Int64) -> Int32 {
    while true {
      let ahead = fill()
      if ahead < 0 { return Int32(truncatingIfNeeded: ahead) }
      let (heard, status) = heard()
      if status < 0 { return status }
      if heard >= frames { return 0 }
      let now = rt_monotonic_ns()
      if now >= deadline { return Self.tookTooLong }
      // The PCM's own wake-up is set for the music. An eighth of what it holds, so that it does not
      // run dry, whatever its clock makes of a millisecond.
      let pause = nanoseconds(min(frames - heard, ahead / 8))
      rt_sleep_until(min(deadline, now + min(max(pause, 500_000), 50_000_000)))
    }
  }

  /// Plays as many further frames of silence, from what is heard now on; answers as
  /// ``play(until:by:)`` does.
  mutating func play(for frames: Int, by deadline: Int64) -> Int32 {
    let (heard, status) = heard()
    return status < 0 ? status : play(until: heard + frames, by: deadline)
  }

  /// Begins anew on a device that ran dry; 0, or what it failed with.
  mutating func prepare() -> Int32 {
    given = 0
    return snd_pcm_prepare(pcm)
  }

  /// Hands silence over while it fits.
  ///
  /// - Returns: frames that the device holds then, or a system error number, negative.
  private mutating func fill() -> Int {
    while true {
      let room = snd_pcm_avail_update(pcm)
      if room < 0 { return room }
      let ahead = bufferFrames - room
      // Whole periods, as drivers play nothing else.
      guard room >= periodFrames, ahead + periodFrames <= aheadFrames else { return max(ahead, 0) }
      let written = snd_pcm_writei(pcm, silence, snd_pcm_uframes_t(periodFrames))
      if written == 0 || written == -Int(EAGAIN) { return max(ahead, 0) }
      if written < 0 { return written }
      given += written
    }
  }

  func frames(_ milliseconds: Int) -> Int { rate * milliseconds / 1000 }

  func nanoseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(rate) }
}
