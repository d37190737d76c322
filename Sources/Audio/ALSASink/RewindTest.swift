internal import CALSA
internal import CRealtime

/// Tests with silence whether frames of a device can be taken back. Runs above the real-time line, on a device that is
/// prepared. Takes about 60 ms.
struct RewindTest {
  /// What the test has found.
  enum Result {
    /// Frames can be taken back. The position of the device moves by at most this number of frames.
    case works(step: Int)
    /// The device does not give frames back, or counts them wrong.
    case fails
    /// The device did not play, or its buffer is too short for the test.
    case unknown
  }

  private static let silenceSeconds = 0.2
  private static let measuredNanoseconds: Int64 = 40_000_000

  let pcm: OpaquePointer
  let rate: Int
  let bufferFrames: Int
  /// Silence of one block.
  let silence: UnsafeRawPointer
  let blockFrames: Int

  /// Plays silence, takes some of it back and writes it again. Afterwards the device is prepared and holds no frames.
  func run() -> Result {
    defer {
      snd_pcm_drop(pcm)
      snd_pcm_prepare(pcm)
    }
    let frames = min(Int(Double(rate) * Self.silenceSeconds), bufferFrames / 2)
    // A quarter of the silence is for the measurement. The rest stays in the device.
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

  /// The reported delay beyond the frames in the buffer; nil after an error.
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
      // If the thread did not run for a while, the position has moved by more than a step.
      if before - last < 1_000_000 { largest = max(largest, held - now) }
      held = now
      last = rt_monotonic_ns()
    }
    return largest > 0 ? largest : nil
  }

  /// Takes all frames back except `kept` frames, and writes them again. The device must count them right and continue
  /// to play.
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
    // A plug-in that has passed the frames on already plays the new frames after the old ones. It then reports a longer
    // delay.
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
