/// Fades the sound out where a hole (missing packets) begins, and fades the sound in where the hole ends.
///
/// The fade-out consists of the last frames in reverse order, which continue the wave without a step. If the hole ends
/// before the fade-out ends, the two fades overlap.
struct HoleFade {
  /// A ring buffer of the last frames that were given to the output.
  private let last: UnsafeMutableBufferPointer<Float>
  /// The frames that fade out: the last frames before the hole, the newest first.
  private let reversed: UnsafeMutableBufferPointer<Float>
  private let channels: Int
  /// Length of a fade, in frames.
  private let frames: Int
  /// The index in ``last`` at which the next frame is written.
  private var next = 0
  /// How far the fade-out and the fade-in have advanced, in frames.
  private var fadedOut: Int
  private var fadedIn: Int

  init(frames: Int, channels: Int) {
    self.frames = frames
    self.channels = channels
    fadedOut = frames
    fadedIn = frames
    last = .allocate(capacity: frames * channels)
    last.initialize(repeating: 0)
    reversed = .allocate(capacity: frames * channels)
    reversed.initialize(repeating: 0)
  }

  func deallocate() {
    last.deallocate()
    reversed.deallocate()
  }

  /// Stores frames that were given to the output, for the next fade-out.
  mutating func note(_ samples: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<samples.count / channels {
      for channel in 0..<channels {
        last[next * channels + channel] = samples[frame * channels + channel]
      }
      next = next + 1 < frames ? next + 1 : 0
    }
  }

  mutating func beginHole() {
    for age in 0..<frames {
      let frame = (next - 1 - age + frames) % frames
      for channel in 0..<channels {
        reversed[age * channels + channel] = last[frame * channels + channel]
      }
    }
    fadedOut = 0
    fadedIn = 0
  }

  /// Fills the next frames of the hole.
  mutating func fillHole(_ samples: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<samples.count / channels {
      for channel in 0..<channels { samples[frame * channels + channel] = fading(channel) }
      fadedOut = min(fadedOut + 1, frames)
    }
  }

  /// Fades in the frames that follow a hole. Does nothing if the last fades are complete.
  mutating func join(_ samples: UnsafeMutableBufferPointer<Float>) {
    guard fadedIn < frames || fadedOut < frames else { return }
    for frame in 0..<samples.count / channels {
      let gain = Float(fadedIn) / Float(frames)
      for channel in 0..<channels {
        let index = frame * channels + channel
        samples[index] = samples[index] * gain + fading(channel)
      }
      fadedIn = min(fadedIn + 1, frames)
      fadedOut = min(fadedOut + 1, frames)
    }
  }

  private func fading(_ channel: Int) -> Float {
    guard fadedOut < frames else { return 0 }
    return reversed[fadedOut * channels + channel] * Float(frames - fadedOut) / Float(frames)
  }
}
