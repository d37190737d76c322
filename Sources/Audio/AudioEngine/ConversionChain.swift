internal import AudioCodecs

/// Converts a source's frames to the device's channels and rate. If the layouts differ, the chain routes or mixes
/// channels. If the rates differ, it resamples with libsoxr. If layouts and rates are equal, it returns the frames
/// unchanged.
///
/// Used on the decode thread only. Returned frames are valid until the next call. Converted frames are in memory of the
/// chain. Unchanged frames are in memory of the caller of ``feed(_:frames:)``.
final class ConversionChain {
  private let source: StreamFormat
  private let device: DeviceFormat
  private let mix: ChannelMix?
  private var resampler: Resampler?
  /// The last frames that were returned without resampling. If ``setRatio(_:)`` adds a resampler, the resampler starts
  /// with these frames. Nil if the rate does not vary.
  private var memory: FrameMemory?

  /// - Parameter variesRate: true for a source whose clock differs from the clock of the device. See ``setRatio(_:)``.
  /// - Throws: an error with ``DecodeError/Reaction/endTrack`` if libsoxr does not support the ratio of the rates.
  init(
    from source: StreamFormat, to device: DeviceFormat, variesRate: Bool = false
  ) throws(DecodeError) {
    self.source = source
    self.device = device
    mix = source.layout == device.layout ? nil : ChannelMix(from: source.layout, to: device.layout)
    resampler =
      source.sampleRate == device.sampleRate
      ? nil
      : try Resampler(
        from: source.sampleRate, to: device.sampleRate, channels: device.layout.count,
        variesRate: variesRate)
    if variesRate { memory = FrameMemory(channels: device.layout.count) }
  }

  /// True if frames of `format` can follow the previous frames in this chain without a gap.
  func fits(_ format: StreamFormat, _ device: DeviceFormat, variesRate: Bool = false) -> Bool {
    variesRate == (memory != nil) && device.sampleRate == self.device.sampleRate
      && device.layout == self.device.layout
      && format.sampleRate == source.sampleRate && format.layout == source.layout
      && (!computes || format.encoding.isFloat == source.encoding.isFloat)
  }

  /// True if new samples are computed. False if samples are only copied.
  private var computes: Bool { resampler != nil || mix?.isRouting == false }

  /// The coding of the frames in the ring if the frames of the source have `format`.
  func output(of format: StreamFormat) -> SourceSamples {
    if computes { return SourceSamples(isFloat: true, bits: 32, isProcessed: true) }
    switch format.encoding {
    case .integer(let bits): return SourceSamples(isFloat: false, bits: bits)
    case .float: return SourceSamples(isFloat: true)
    }
  }

  /// Number of output frames that result from the input so far and were not returned yet.
  var framesBehind: Int { resampler?.framesBehind ?? 0 }

  /// The conversion as text for the user; nil if nothing is converted.
  var summary: String? {
    var parts: [String] = []
    if mix != nil { parts.append("\(source.layout.name) to \(device.layout.name)") }
    if resampler != nil { parts.append("\(source.sampleRate) to \(device.sampleRate) Hz") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Number of frames that are converted at a time. The limit saves memory: a stereo block of 65535 frames that is
  /// upsampled by a factor of 256 would need 130 MB.
  private static let slice = 4096
  /// Frames that are not converted yet. The caller of ``feed(_:frames:)`` keeps their memory until ``next()`` returns
  /// nil.
  private var input: (samples: UnsafeRawPointer, count: Int)?

  /// Takes `frames` frames to convert. ``next()`` returns the converted frames. Call this only after ``next()`` has
  /// returned nil.
  func feed(_ samples: UnsafeRawPointer, frames: Int) { input = (samples, frames) }

  /// The next converted frames; nil if there are no more.
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
    guard let resampler else {
      memory?.add(current.assumingMemoryBound(to: Float.self), frames: frames)
      return (current, frames)
    }
    if mix?.isRouting == true, !source.encoding.isFloat {
      current = scratch.floats(fromIntegers: current, count: frames * device.layout.count)
    }
    return resampler.process(current.assumingMemoryBound(to: Float.self), frames: frames)
  }

  /// Multiplies the ratio of the rates by `ratio`. With 1.001, the chain consumes 1001 frames of the source in the time
  /// of 1000 frames. Call this only if the rate varies, and after ``next()`` has returned nil. If there is no
  /// resampler, the first ratio other than 1 adds a resampler. Returns true if the call has added a resampler, which
  /// changes the coding of the frames.
  func setRatio(_ ratio: Double) -> Bool {
    guard let memory, resampler?.correction ?? 1 != ratio else { return false }
    if let resampler {
      resampler.setCorrection(ratio)
      return false
    }
    // libsoxr accepts equal rates, so this cannot fail.
    resampler = try? Resampler(
      from: source.sampleRate, to: device.sampleRate, channels: device.layout.count,
      variesRate: true)
    resampler?.prime(memory)
    resampler?.setCorrection(ratio)
    return resampler != nil
  }

  /// Returns the last frames, which are still in the resampler. Call this after the end of a source.
  func drain() -> (frames: UnsafeRawPointer, count: Int)? { resampler?.drain() }

  private let scratch = FloatScratch()
}

extension SampleEncoding {
  var isFloat: Bool { self == .float }
}

/// Memory for floats. It grows to the needed size and does not shrink.
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

  /// Converts left-justified integers to floats from −1 to 1. Integers of up to 24 bits stay exact.
  func floats(fromIntegers samples: UnsafeRawPointer, count: Int) -> UnsafeRawPointer {
    let integers = samples.assumingMemoryBound(to: Int32.self)
    let floats = reserve(count)
    for index in 0..<count { floats[index] = Float(integers[index]) * (1 / 2_147_483_648) }
    return UnsafeRawPointer(floats)
  }
}
