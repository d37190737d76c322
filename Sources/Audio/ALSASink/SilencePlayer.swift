internal import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

/// Keeps a PCM running on silence above the real-time line: before the renderer's first frame and
/// after its last one.
struct SilencePlayer {
  /// The result of ``play(until:by:)`` after the deadline.
  static let timedOut = -ETIMEDOUT

  /// Milliseconds of silence handed over ahead, at least: the time that switching an amplifier may
  /// take.
  private static let aheadMilliseconds = 40

  private let pcm: OpaquePointer
  /// One period of silence.
  private let silence: UnsafeRawPointer
  private let periodFrames: Int
  private let rate: Int
  /// `bufferFrames`: capacity of the device. `aheadFrames`: how many of them this fills.
  private let bufferFrames: Int
  private let aheadFrames: Int
  /// Number of frames of silence that were handed over since the start or since ``prepare()``.
  private var writtenFrames = 0

  /// - Parameter silence: one period of silence. It must outlive this value.
  init(pcm: OpaquePointer, silence: UnsafeRawPointer, periodFrames: Int, rate: Int) {
    self.pcm = pcm
    self.silence = silence
    self.periodFrames = periodFrames
    self.rate = rate
    var buffer: snd_pcm_uframes_t = 0
    var period: snd_pcm_uframes_t = 0
    // A PCM that is set up knows both values.
    let status = snd_pcm_get_params(pcm, &buffer, &period)
    bufferFrames = status == 0 ? Int(buffer) : periodFrames
    // Never fill a long buffer completely, because the music follows the silence. A device starts
    // after two periods.
    aheadFrames = max(2 * periodFrames, rate * Self.aheadMilliseconds / 1000)
  }

  /// Number of frames of silence that were heard. A negative count means that the device first
  /// plays that many other frames. `status` is 0 or the negative error number of the device.
  private func heardFrames() -> (frames: Int, status: Int32) {
    var delay = 0
    let status = snd_pcm_delay(pcm, &delay)
    return (writtenFrames - delay, status)
  }

  /// Plays silence until `frames` of it were heard after all that was handed over before.
  ///
  /// - Parameter deadline: on the monotonic clock, nanoseconds.
  /// - Returns: 0, ``timedOut``, or the negative error number of the device.
  mutating func play(until frames: Int, by deadline: Int64) -> Int32 {
    while true {
      let ahead = fill()
      if ahead < 0 { return Int32(truncatingIfNeeded: ahead) }
      let (heard, status) = heardFrames()
      if status < 0 { return status }
      if heard >= frames { return 0 }
      let now = rt_monotonic_ns()
      if now >= deadline { return Self.timedOut }
      // The PCM's own wake-up is set for the music. Sleep for at most an eighth of what the device
      // holds, so that it does not run dry even if its clock differs from the system's.
      let pause = nanoseconds(min(frames - heard, ahead / 8))
      rt_sleep_until(min(deadline, now + min(max(pause, 500_000), 50_000_000)))
    }
  }

  /// Plays `frames` further frames of silence, counted from what is heard now. Returns the same
  /// values as ``play(until:by:)``.
  mutating func play(for frames: Int, by deadline: Int64) -> Int32 {
    let (heard, status) = heardFrames()
    return status < 0 ? status : play(until: heard + frames, by: deadline)
  }

  /// Prepares a device that ran dry and restarts the count. Returns 0 or the error number.
  mutating func prepare() -> Int32 {
    writtenFrames = 0
    return snd_pcm_prepare(pcm)
  }

  /// Hands over silence while there is room.
  ///
  /// - Returns: the frames that the device holds after that, or a negative system error number.
  private mutating func fill() -> Int {
    while true {
      let room = snd_pcm_avail_update(pcm)
      if room < 0 { return room }
      let ahead = bufferFrames - room
      // Whole periods, because drivers play nothing else.
      guard room >= periodFrames, ahead + periodFrames <= aheadFrames else { return max(ahead, 0) }
      let written = snd_pcm_writei(pcm, silence, snd_pcm_uframes_t(periodFrames))
      if written == 0 || written == -Int(EAGAIN) { return max(ahead, 0) }
      if written < 0 { return written }
      writtenFrames += written
    }
  }

  func frames(_ milliseconds: Int) -> Int { rate * milliseconds / 1000 }

  func nanoseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(rate) }
}
