internal import CALSA
internal import CRealtime

/// Tests with silence whether frames of a device can be taken back. Runs above the real-time line, on a
/// device that is prepared. Takes about 60 ms.
struct RewindTest {
  private static let silenceSeconds = 0.2
  private static let measuredNanoseconds: Int64 = 40_000_000

  let pcm: OpaquePointer
  let rate: Int
  let bufferFrames: Int
  /// Silence of one block.
  let silence: UnsafeRawPointer
  let blockFrames: Int

  /// Plays silence, takes some of it back and writes it again. Afterwards the device is prepared and
  /// holds no frames.
  ///
  /// - Returns: the largest number of frames by which the position of the device moves; nil if frames
  ///   cannot be taken back.
  func run() -> Int? {
    defer {
      snd_pcm_drop(pcm)
      snd_pcm_prepare(pcm)
    }
    let frames = min(Int(Double(rate) * Self.silenceSeconds), bufferFrames / 2)
    guard write(frames), let step = largestStep(), takesBack(keeping: 2 * step + rate / 100)
    else { return nil }
    return step
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
  private func largestStep() -> Int? {
    guard var held = heldFrames else { return nil }
    var largest = 0
    var last = rt_monotonic_ns()
    let begin = last
    while last - begin < Self.measuredNanoseconds {
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

  /// True if the device gives back frames, counts them right, and continues to play.
  private func takesBack(keeping kept: Int) -> Bool {
    guard let held = heldFrames else { return false }
    let rewindable = Int(snd_pcm_rewindable(pcm))
    guard rewindable > kept, rewindable <= held else { return false }
    let wanted = rewindable - kept
    guard let delayBefore = extraDelay else { return false }
    guard snd_pcm_rewind(pcm, snd_pcm_uframes_t(wanted)) == wanted, let rest = heldFrames,
      rest <= held - wanted, rest > 0, write(wanted), let full = heldFrames,
      full <= held, full > held - kept
    else { return false }
    // A plug-in that has passed the frames on already plays the new frames after the old ones. It then
    // reports a longer delay.
    guard let delayAfter = extraDelay, abs(delayAfter - delayBefore) < kept else { return false }
    let deadline = rt_monotonic_ns() + 2 * Self.measuredNanoseconds
    while let now = heldFrames, rt_monotonic_ns() < deadline {
      if now < full { return true }
      rt_sleep_until(rt_monotonic_ns() + 500_000)
    }
    return false
  }
}
