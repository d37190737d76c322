internal import CALSA
internal import CRealtime

/// Tests whether `snd_pcm_rewind` works on a device. Plays silence for this. Runs above the real-time line, on a
/// prepared device. Takes about 60 ms.
struct RewindTest {
  enum Result {
    /// Rewinding works. The position of the device advances in steps of at most `step` frames.
    case works(step: Int)
    /// The device does not rewind, or reports wrong numbers of frames afterwards.
    case fails
    /// The device did not play, or its buffer is too short for the test.
    case unknown
  }

  private static let silenceSeconds = 0.2
  private static let measuredNanoseconds: Int64 = 40_000_000

  let pcm: OpaquePointer
  let rate: Int
  let bufferFrames: Int
  /// Memory with `blockFrames` frames of silence.
  let silence: UnsafeRawPointer
  let blockFrames: Int

  /// Plays silence, rewinds a part of this silence and writes this part again. Afterwards the device is prepared and
  /// holds no frames.
  func run() -> Result {
    defer {
      snd_pcm_drop(pcm)
      snd_pcm_prepare(pcm)
    }
    let frames = min(Int(Double(rate) * Self.silenceSeconds), bufferFrames / 2)
    // The step is measured while at most a quarter of the silence plays. The rest of the silence is then still in the
    // device, for the rewind.
    let quarter = Int64(frames) * 1_000_000_000 / Int64(4 * rate)
    guard write(frames), let step = largestStep(within: min(quarter, Self.measuredNanoseconds))
    else { return .unknown }
    return takesBack(keeping: 2 * step + rate / 100, step: step)
  }

  private func write(_ frames: Int) -> Bool {
    var left = frames
    while left > 0 {
      let count = min(left, blockFrames)
      guard snd_pcm_mmap_writei(pcm, silence, snd_pcm_uframes_t(count)) == count else {
        return false
      }
      left -= count
    }
    return true
  }

  /// The number of frames that the device holds; nil after an error.
  private var heldFrames: Int? {
    let room = snd_pcm_avail(pcm)
    return room < 0 ? nil : bufferFrames - room
  }

  /// The delay that the device reports, minus the number of frames in its buffer. Nil after an error.
  private var extraDelay: Int? {
    var delay = 0
    guard let held = heldFrames, snd_pcm_delay(pcm, &delay) == 0 else { return nil }
    return delay - held
  }

  /// The largest step of the position while the device plays; nil if the device does not play.
  private func largestStep(within nanoseconds: Int64) -> Int? {
    guard var held = heldFrames else { return nil }
    var largest = 0
    var last = rt_monotonic_ns()
    let begin = last
    while last - begin < nanoseconds {
      rt_sleep_until(last + 100_000)
      let before = rt_monotonic_ns()
      guard let now = heldFrames, now <= held else { return nil }
      // If the thread did not run for a while, the position can have advanced by several steps, so this measurement is
      // ignored.
      if before - last < 1_000_000 { largest = max(largest, held - now) }
      held = now
      last = rt_monotonic_ns()
    }
    return largest > 0 ? largest : nil
  }

  /// Rewinds all frames except `kept` frames, and writes the same number of frames again. After this, the device must
  /// report the right number of frames and continue to play.
  private func takesBack(keeping kept: Int, step: Int) -> Result {
    guard let held = heldFrames, let delayBefore = extraDelay else { return .unknown }
    let rewindable = Int(snd_pcm_rewindable(pcm))
    guard rewindable >= 0, rewindable <= held else { return .fails }
    guard rewindable > kept else { return .unknown }
    let wanted = rewindable - kept
    guard snd_pcm_rewind(pcm, snd_pcm_uframes_t(wanted)) == wanted else { return .fails }
    guard let rest = heldFrames, rest > 0 else { return .unknown }
    guard rest <= held - wanted else { return .fails }
    guard write(wanted), let full = heldFrames else { return .unknown }
    guard full <= held, full > held - kept else { return .fails }
    // If a plug-in has already forwarded the old frames, it plays the new frames after the old frames. The plug-in then
    // reports a longer delay, and the test fails.
    guard let delayAfter = extraDelay else { return .unknown }
    guard abs(delayAfter - delayBefore) < kept else { return .fails }
    let deadline = rt_monotonic_ns() + 2 * Self.measuredNanoseconds
    while let now = heldFrames, rt_monotonic_ns() < deadline {
      if now < full { return .works(step: step) }
      rt_sleep_until(rt_monotonic_ns() + 500_000)
    }
    return .unknown
  }
}
