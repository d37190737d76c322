internal import AudioEngine
internal import CALSA
internal import CRealtime
internal import Glibc

/// Plays silence on a PCM, before the first frame of the renderer and after the last frame of the renderer. This code
/// runs above the real-time line.
struct SilencePlayer {
  /// The result of ``play(until:by:)`` if the deadline has passed.
  static let timedOut = -ETIMEDOUT

  /// The silence that is kept in the buffer of the device, in milliseconds. The minimum is two periods. Switching an
  /// amplifier can take 40 ms, and the device must not run dry in this time.
  private static let aheadMilliseconds = 40

  private let pcm: OpaquePointer
  /// One period of silence.
  private let silence: UnsafeRawPointer
  /// True if frames are written with `snd_pcm_mmap_writei`, false if with `snd_pcm_writei`.
  private let isMapped: Bool
  private let periodFrames: Int
  private let rate: Int
  /// Number of frames that the buffer of the device can hold.
  private let bufferFrames: Int
  /// ``fill()`` writes a period only if the buffer of the device holds at most this number of frames afterwards.
  private let aheadFrames: Int
  /// Number of frames of silence that were handed over since the start or since ``prepare()``.
  private var writtenFrames = 0

  /// - Parameter silence: one period of silence. This memory must outlive this value.
  init(
    pcm: OpaquePointer, silence: UnsafeRawPointer, isMapped: Bool, periodFrames: Int, rate: Int
  ) {
    self.pcm = pcm
    self.silence = silence
    self.isMapped = isMapped
    self.periodFrames = periodFrames
    self.rate = rate
    var buffer: snd_pcm_uframes_t = 0
    var period: snd_pcm_uframes_t = 0
    // This call fails only for a PCM that is not set up.
    let status = snd_pcm_get_params(pcm, &buffer, &period)
    bufferFrames = status == 0 ? Int(buffer) : periodFrames
    // A long buffer is not filled completely, because the music is heard only after all silence in the buffer. At least
    // two periods are needed, because a device starts to play when it holds two periods.
    aheadFrames = max(2 * periodFrames, rate * Self.aheadMilliseconds / 1000)
  }

  /// Number of frames of silence that were heard. A result of −n means that the device must first play n frames that
  /// were handed over before the silence. `status` is 0 or the negative error number of the device.
  private func heardFrames() -> (frames: Int, status: Int32) {
    var delay = 0
    let status = snd_pcm_delay(pcm, &delay)
    return (writtenFrames - delay, status)
  }

  /// Plays silence until `frames` frames of silence were heard. Frames that were handed over before the silence are
  /// heard first and do not count.
  ///
  /// - Parameter deadline: a time on the monotonic clock, in nanoseconds.
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
      // The wake-up threshold of the PCM is set for the music, so it cannot be used here. Sleep for at most an eighth
      // of the duration of the frames in the device. So the device does not run dry, even if its clock differs from the
      // clock of the system.
      let pause = nanoseconds(min(frames - heard, ahead / 8))
      rt_sleep_until(min(deadline, now + min(max(pause, 500_000), 50_000_000)))
    }
  }

  /// Plays `frames` further frames of silence, counted from the frame that is heard now. Returns the same values as
  /// ``play(until:by:)``.
  mutating func play(for frames: Int, by deadline: Int64) -> Int32 {
    let (heard, status) = heardFrames()
    return status < 0 ? status : play(until: heard + frames, by: deadline)
  }

  /// Prepares the device again after it ran dry, and sets the number of written frames to 0. Returns 0 or the negative
  /// error number of the device.
  mutating func prepare() -> Int32 {
    writtenFrames = 0
    return snd_pcm_prepare(pcm)
  }

  /// Hands over whole periods of silence, until the buffer of the device holds ``aheadFrames`` frames or has no more
  /// room.
  ///
  /// - Returns: the number of frames that the device holds afterwards, or a negative system error number.
  private mutating func fill() -> Int {
    while true {
      let room = snd_pcm_avail(pcm)
      if room < 0 { return room }
      let ahead = bufferFrames - room
      // Only whole periods are handed over, because drivers play only whole periods.
      guard room >= periodFrames, ahead + periodFrames <= aheadFrames else { return max(ahead, 0) }
      let count = snd_pcm_uframes_t(periodFrames)
      let written =
        isMapped
        ? snd_pcm_mmap_writei(pcm, silence, count) : snd_pcm_writei(pcm, silence, count)
      if written == 0 || written == -Int(EAGAIN) { return max(ahead, 0) }
      if written < 0 { return written }
      writtenFrames += written
    }
  }

  func frames(_ milliseconds: Int) -> Int { rate * milliseconds / 1000 }

  func nanoseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(rate) }
}
