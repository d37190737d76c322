internal import AudioCodecs

/// From a source's frames to frames in the device's channels and rate: nothing where they agree,
/// a routing or mix of channels, libsoxr.
///
/// Decode thread only. What it returns is its own memory, valid until the next call.
final class ConversionChain {
  private let source: StreamFormat
  private let device: DeviceFormat
  private let mix: ChannelMix?
  private let resampler: Resampler?

  /// - Throws: ``DecodeError/Reaction/endTrack`` where libsoxr cannot do the ratio.
  init(from source: StreamFormat, to device: DeviceFormat) throws(DecodeError) {
    self.source = source
    self.device = device
    mix = source.layout == device.layout ? nil : ChannelMix(from: source.layout, to: device.layout)
    resampler =
      source.sampleRate == device.sampleRate
      ? nil
      : try Resampler(
        from: source.sampleRate, to: device.sampleRate, channels: device.layout.count)
  }

  /// Whether frames of `format` may follow those before without a seam.
  func fits(_ format: StreamFormat, _ device: DeviceFormat) -> Bool {
    device.sampleRate == self.device.sampleRate && device.layout == self.device.layout
      && format.sampleRate == source.sampleRate && format.layout == source.layout
      && (!computes || format.encoding.isFloat == source.encoding.isFloat)
  }

  /// Whether samples are computed rather than moved.
  private var computes: Bool { resampler != nil || mix?.isRouting == false }

  /// How the frames in the ring are coded when the source's are `format`.
  func output(of format: StreamFormat) -> SourceSamples {
    if computes { return SourceSamples(isFloat: true, bits: 32, isProcessed: true) }
    switch format.encoding {
    case .integer(let bits): return SourceSamples(isFloat: false, bits: bits)
    case .float: return SourceSamples(isFloat: true)
    }
  }

  /// Frames that went in and are still inside.
  var framesBehind: Int { resampler?.framesBehind ?? 0 }

  /// For people; nil where nothing is converted.
  var words: String? {
    var parts: [String] = []
    if mix != nil { parts.append("\(source.layout.name) to \(device.layout.name)") }
    if resampler != nil { parts.append("\(source.sampleRate) to \(device.sampleRate) Hz") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// So many frames are converted at a time: a block of 65535 frames, resampled 256 times up,
  /// would be 130 MB in one piece.
  private static let slice = 4096
  /// What was fed and is not converted; its owner keeps it until ``next()`` has no more.
  private var input: (samples: UnsafeRawPointer, count: Int)?

  /// Takes `frames` frames, which ``next()`` then gives converted. Only when that has no more.
  func feed(_ samples: UnsafeRawPointer, frames: Int) { input = (samples, frames) }

  /// The next converted frames of what was fed; nil when there are no more.
  func next() -> (frames: UnsafeRawPointer, count: Int)? {
    while let (samples, left) = input {
      let count = min(left, Self.slice)
      input = count < left ? (samples + count * source.channels * 4, left - count) : nil
      if let converted = process(samples, frames: count) { return converted }
    }
    return nil
  }

  private func process(
    _ samples: UnsafeRawPointer, frames: Int
  ) -> (frames: UnsafeRawPointer, count: Int)? {
    var current = samples
    if let mix {
      current =
        mix.isRouting
        ? mix.route(current, frames: frames)
        : mix.mix(current, isFloat: source.encoding.isFloat, frames: frames)
    } else if resampler != nil, !source.encoding.isFloat {
      current = scratch.floats(fromIntegers: current, count: frames * source.channels)
    }
    guard let resampler else { return (current, frames) }
    if mix?.isRouting == true, !source.encoding.isFloat {
      current = scratch.floats(fromIntegers: current, count: frames * device.layout.count)
    }
    return resampler.process(current.assumingMemoryBound(to: Float.self), frames: frames)
  }

  /// The last frames, after the last of a source.
  func drain() -> (frames: UnsafeRawPointer, count: Int)? { resampler?.drain() }

  private let scratch = FloatScratch()
}

extension SampleEncoding {
  var isFloat: Bool { self == .float }
}

/// Memory for floats that grows to what is needed and stays.
final class FloatScratch {
  private var memory = UnsafeMutablePointer<Float>.allocate(capacity: 1)
  private var capacity = 1

  deinit { memory.deallocate() }

  func reserve(_ count: Int) -> UnsafeMutablePointer<Float> {
    if count > capacity {
      memory.deallocate()
      memory = .allocate(capacity: count)
      capacity = count
    }
    return memory
  }

  /// Left-justified integers as floats of ±1. 24 bits survive exactly.
  func floats(fromIntegers samples: UnsafeRawPointer, count: Int) -> UnsafeRawPointer {
    let integers = samples.assumingMemoryBound(to: Int32.self)
    let floats = reserve(count)
    for index in 0..<count { floats[index] = Float(integers[index]) * (1 / 2_147_483_648) }
    return UnsafeRawPointer(floats)
  }
}
