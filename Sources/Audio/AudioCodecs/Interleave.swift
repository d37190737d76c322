internal import CFLAC

// Converts samples from one plane per channel to interleaved samples. The loops for mono and stereo are separate,
// because nearly all music is mono or stereo and the compiler can vectorise these loops.

/// Converts planar samples to interleaved, left-justified samples. For each channel of the result, `order` contains the
/// index of its plane.
func interleave(
  _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>, into out: UnsafeMutablePointer<Int32>,
  count: Int, shift: Int32, order: [Int]
) {
  if order.count == 1, let mono = channels[0] {
    for index in 0..<count { out[index] = mono[index] &<< shift }
  } else if order.count == 2, let left = channels[0], let right = channels[1] {
    for index in 0..<count {
      out[2 &* index] = left[index] &<< shift
      out[2 &* index &+ 1] = right[index] &<< shift
    }
  } else {
    for (channel, from) in order.enumerated() {
      guard let samples = channels[from] else { continue }
      for index in 0..<count { out[index &* order.count &+ channel] = samples[index] &<< shift }
    }
  }
}

/// Converts planar floats to interleaved floats, without a shift. For each channel of the result, `order` contains the
/// index of its plane.
func interleave(
  _ planes: UnsafePointer<UnsafeMutablePointer<Float>?>, into out: UnsafeMutablePointer<Float>,
  count: Int, order: [Int]
) {
  if order.count == 1, let mono = planes[0] {
    out.update(from: mono, count: count)
  } else if order.count == 2, let left = planes[0], let right = planes[1] {
    for index in 0..<count {
      out[2 &* index] = left[index]
      out[2 &* index &+ 1] = right[index]
    }
  } else {
    for (channel, from) in order.enumerated() {
      guard let samples = planes[from] else { continue }
      for index in 0..<count { out[index &* order.count &+ channel] = samples[index] }
    }
  }
}
