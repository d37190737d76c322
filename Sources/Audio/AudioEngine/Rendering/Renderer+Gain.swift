internal import Synchronization

// Gain and conversion: output thread, below the real-time line.
extension Renderer {
  /// The gain of the head unit's volume, or 0 if the unit is muted or the engine stops. It applies to
  /// all sound.
  var masterGain: Float {
    @_noLocks get {
      if muted.load(ordering: .relaxed) { return 0 }
      if stopping.load(ordering: .relaxed) { return 0 }
      return Float(bitPattern: volume.load(ordering: .relaxed))
    }
  }

  /// The gain that the music should have after `frames` more frames. Advances the ducking of the
  /// music by these frames.
  @_noLocks func targetGain(after frames: Int) -> Float {
    if isHeld { return 0 }
    if state.isDry { return 0 }
    let goal = state.overlay.musicGain
    if state.musicGain != goal {
      let step = Float(frames) * duckStep
      if state.musicGain < goal {
        state.musicGain = state.musicGain + step < goal ? state.musicGain + step : goal
      } else {
        state.musicGain = state.musicGain - step > goal ? state.musicGain - step : goal
      }
    }
    return state.trackGain * masterGain * state.musicGain
  }

  /// Converts up to `count` frames while the gain changes linearly. Returns the number of converted
  /// frames.
  @_noLocks func convert(
    _ input: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    var frames = count
    let isDucking = state.musicGain != state.overlay.musicGain
    let target = targetGain(after: count)
    var step = fadeStep
    if isDucking {
      // Spread the change over all of these frames, not only over the first few.
      let slow = (target > state.level ? target - state.level : state.level - target) / Float(count)
      if slow < step { step = slow }
    }
    // If fewer frames are left than a fade needs, the fade is steeper.
    let end = state.isDry ? ring.readable(from: 0) : ring.discardPosition
    let left = end &- state.position
    if left > 0, state.level > step * Float(left) { step = state.level / Float(left) }
    let ramp = GainRamp.toward(target, from: &state.level, in: &frames, fadeStep: step)
    let samples = frames &* channels
    if ramp.step == 0, ramp.level == 1, !state.source.isProcessed {
      if !state.source.isFloat, state.source.bits <= device.bits {
        copyIntegers(input.assumingMemoryBound(to: Int32.self), out, samples, device)
        return frames
      }
      if state.source.isFloat, case .s16 = device {
        roundFloats16(
          input.assumingMemoryBound(to: Float.self), out.assumingMemoryBound(to: Int16.self),
          samples)
        return frames
      }
    }
    // Dither if a calculation has given the signal a finer resolution than the device has, or if
    // the source has a finer resolution. A device with 32 bits needs no dither, because the
    // rounding error is at −190 dB.
    var dithers = state.source.isProcessed
    if ramp.step != 0 { dithers = true }
    if ramp.level != 1 { dithers = true }
    if !state.source.isFloat, state.source.bits > device.bits { dithers = true }
    if device.bits > 24 { dithers = false }
    convertSamples(
      input, isFloat: state.source.isFloat, out, frames, channels, device, ramp, dithers: dithers,
      &state.dither)
    return frames
  }
}
