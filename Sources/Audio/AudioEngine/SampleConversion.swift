internal import CRealtime
internal import Glibc

// This file converts ring samples to device samples. It runs below the real-time line. Each function works on
// consecutive samples and treats all channels alike.
//
// If the gain is 1 and the device has at least as many bits as the source, integers are copied bit for bit. Otherwise
// the value is computed in Double. The 53 bits of a Double hold the product of a 32-bit sample and any gain. The error
// is far below one quantization step of the device. Dither is added if the result has a finer resolution than the
// device. The result is rounded to the nearest integer (to even at a tie) and clamped.

/// A linear change of gain over consecutive frames.
struct GainRamp {
  var level: Float
  var step: Float

  @_noLocks init(level: Float) {
    self.level = level
    step = 0
  }

  /// The change of gain from `level` toward `target`, over at most `frames` frames. From frame to frame, the gain
  /// changes by at most `fadeStep`. If the louder of the two levels is above 1, the limit is `fadeStep` times this
  /// level. Updates `level` to the gain after the ramp. If the target is reached earlier, reduces `frames` to the
  /// length of the ramp.
  @_noLocks static func toward(
    _ target: Float, from level: inout Float, in frames: inout Int, fadeStep: Float
  ) -> GainRamp {
    var ramp = GainRamp(level: level)
    if level == target { return ramp }
    let distance = target - level
    // A change to or from a level above 1 is larger than other changes, but must not take longer.
    var louder: Float = level > target ? level : target
    if louder < 1 { louder = 1 }
    let step = fadeStep * louder
    let wanted = (distance > 0 ? distance : -distance) / step
    let steps = wanted < 1_000_000 ? Int(wanted + 0.999) : 1_000_000
    if steps <= frames {
      frames = steps > 1 ? steps : 1
      ramp.step = distance / Float(frames)
      level = target
    } else {
      ramp.step = distance > 0 ? step : -step
      level += ramp.step * Float(frames)
    }
    return ramp
  }
}

/// Noise from −1 to 1 quantization step of the device, with a triangular probability density. This noise makes the
/// rounding error independent of the signal. xorshift32 is good enough for inaudible noise and costs few operations.
struct Dither {
  private var state: UInt32 = 0x2545_F491

  @_noLocks mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    // The two 16-bit halves are independent. Their difference has a triangular density from −1 to 1.
    return Double(Int32(state >> 16) &- Int32(state & 0xFFFF)) * (1 / 65536)
  }
}

/// Rounds a Double from −2⁵¹ to 2⁵¹ to the nearest integer, to even at a tie. Adding and subtracting 1.5 × 2⁵² has this
/// effect, and the compiler can vectorise these operations. `rounded()` is not used, because it can call the C library.
@_noLocks @inline(__always) private func roundToEven(_ value: Double) -> Double {
  (value + 6_755_399_441_055_744) - 6_755_399_441_055_744
}

@_noLocks @inline(__always) private func clamp(_ value: Double, _ limit: Double) -> Double {
  value >= limit ? limit - 1 : (value < -limit ? -limit : value)
}

@_noLocks @inline(__always) private func store24(_ value: Int32, _ to: UnsafeMutablePointer<UInt8>)
{
  to[0] = UInt8(truncatingIfNeeded: value)
  to[1] = UInt8(truncatingIfNeeded: value >> 8)
  to[2] = UInt8(truncatingIfNeeded: value >> 16)
}

/// Copies integers bit for bit. Call this only if the device has at least as many bits as the source, or if the lower
/// bits are zero.
@_noLocks func copyIntegers(
  _ source: UnsafePointer<Int32>, _ out: UnsafeMutableRawPointer, _ count: Int,
  _ format: DeviceSamples
) {
  switch format {
  case .s32:
    rt_copy(out, source, count &* 4)
  case .s16:
    let to = out.assumingMemoryBound(to: Int16.self)
    for index in 0..<count { to[index] = Int16(truncatingIfNeeded: source[index] >> 16) }
  case .s24:
    let to = out.assumingMemoryBound(to: Int32.self)
    for index in 0..<count { to[index] = source[index] >> 8 }
  case .s24Packed:
    let to = out.assumingMemoryBound(to: UInt8.self)
    for index in 0..<count { store24(source[index] >> 8, to + index &* 3) }
  case .float:
    let to = out.assumingMemoryBound(to: Float.self)
    for index in 0..<count { to[index] = Float(source[index]) * (1 / 2_147_483_648) }
  }
}

/// Converts floats to 16 bits, without gain. Gives the same samples as libvorbisfile's own conversion on x86-64 (round
/// to nearest even).
@_noLocks func roundFloats16(
  _ source: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Int16>, _ count: Int
) {
  for index in 0..<count {
    // Multiplication by 2¹⁵ is exact. The clamp comes before the rounding, because the addition of 1.5 × 2²³ rounds
    // correctly only up to ±2²².
    var value = source[index] * 32768
    value = value > 32767 ? 32767 : (value < -32768 ? -32768 : value)
    let rounded = (value + 12_582_912) - 12_582_912
    out[index] = Int16(truncatingIfNeeded: unsafeInt32(rounded))
  }
}

/// Converts a Float that is known to be a whole number from −2²¹ to 2²¹ − 1. The result for NaN can be any number.
/// Swift's own conversion can trap, so the compiler could not vectorise loops with it.
@_noLocks @inline(__always) private func unsafeInt32(_ value: Float) -> Int32 {
  // value + 1.5 × 2²³ has the integer in its lower 22 bits, in two's complement.
  Int32(bitPattern: (value + 12_582_912).bitPattern << 10) >> 10
}

/// Converts a Double that is known to be a whole number from −2³¹ to 2³¹ − 1. value + 1.5 × 2⁵² has the integer in its
/// lower bits.
@_noLocks @inline(__always) private func unsafeInt32(_ value: Double) -> Int32 {
  Int32(truncatingIfNeeded: (value + 6_755_399_441_055_744).bitPattern)
}

@_noLocks @inline(__always) private func whole(_ value: Double, _ limit: Double) -> Int32 {
  unsafeInt32(clamp(roundToEven(value), limit))
}

/// Converts any source to any device format, with a gain that changes from frame to frame. A frame has `channels`
/// samples.
@_noLocks func convertSamples(
  _ source: UnsafeRawPointer, isFloat: Bool, _ out: UnsafeMutableRawPointer, _ frames: Int,
  _ channels: Int, _ format: DeviceSamples, _ ramp: GainRamp, dithers: Bool,
  _ dither: inout Dither
) {
  let integers = source.assumingMemoryBound(to: Int32.self)
  let floats = source.assumingMemoryBound(to: Float.self)
  let to16 = out.assumingMemoryBound(to: Int16.self)
  let to32 = out.assumingMemoryBound(to: Int32.self)
  let to24 = out.assumingMemoryBound(to: UInt8.self)
  let toFloat = out.assumingMemoryBound(to: Float.self)
  let limit: Double =
    switch format {
    case .s16: 32768
    case .s24, .s24Packed: 8_388_608
    case .s32, .float: 2_147_483_648
    }
  let scale = isFloat ? limit : limit / 2_147_483_648
  var level = Double(ramp.level)
  let step = Double(ramp.step)
  var index = 0
  for _ in 0..<frames {
    let factor = scale * level
    level += step
    for _ in 0..<channels {
      var value = (isFloat ? Double(floats[index]) : Double(integers[index])) * factor
      if dithers { value += dither.next() }
      switch format {
      case .s16: to16[index] = Int16(truncatingIfNeeded: whole(value, limit))
      case .s24Packed: store24(whole(value, limit), to24 + index &* 3)
      case .s24, .s32: to32[index] = whole(value, limit)
      case .float: toFloat[index] = Float(value * (1 / 2_147_483_648))
      }
      index &+= 1
    }
  }
}

/// Adds floats to the samples in `out`, with a gain that changes from frame to frame. A frame has `channels` samples.
///
/// Adds no dither, because the samples in `out` have dither already if they need dither.
@_noLocks func addFloats(
  _ source: UnsafePointer<Float>, _ out: UnsafeMutableRawPointer, _ frames: Int, _ channels: Int,
  _ format: DeviceSamples, _ ramp: GainRamp
) {
  let to16 = out.assumingMemoryBound(to: Int16.self)
  let to32 = out.assumingMemoryBound(to: Int32.self)
  let to24 = out.assumingMemoryBound(to: UInt8.self)
  let toFloat = out.assumingMemoryBound(to: Float.self)
  let limit: Double =
    switch format {
    case .s16: 32768
    case .s24, .s24Packed: 8_388_608
    case .s32: 2_147_483_648
    case .float: 1
    }
  var level = Double(ramp.level)
  let step = Double(ramp.step)
  var index = 0
  for _ in 0..<frames {
    let factor = limit * level
    level += step
    for _ in 0..<channels {
      let value = Double(source[index]) * factor
      switch format {
      case .s16: to16[index] = Int16(truncatingIfNeeded: whole(Double(to16[index]) + value, limit))
      case .s24Packed:
        let at = to24 + index &* 3
        store24(whole(Double(load24(at)) + value, limit), at)
      case .s24, .s32: to32[index] = whole(Double(to32[index]) + value, limit)
      case .float: toFloat[index] += Float(value)
      }
      index &+= 1
    }
  }
}

@_noLocks @inline(__always) private func load24(_ from: UnsafeMutablePointer<UInt8>) -> Int32 {
  Int32(from[0]) | Int32(from[1]) << 8 | Int32(Int8(bitPattern: from[2])) << 16
}

/// The linear gain for a gain in decibels. 0 dB gives exactly 1, so that no sample changes.
public func linearGain(decibels: Double) -> Float {
  decibels == 0 ? 1 : Float(pow(10, decibels / 20))
}
