internal import AudioCodecs
internal import CSoxr

/// Resamples a stream with libsoxr at its high quality (20 bits). libsoxr compensates its own delay, so output frame 0
/// belongs to the same moment as input frame 0. Used on the decode thread only.
final class Resampler {
  private let handle: soxr_t
  private let channels: Int
  private let nominalRatio: Double
  /// The factor of ``setCorrection(_:)``.
  private(set) var correction = 1.0
  private let scratch = FloatScratch()
  /// Number of output frames that result from the input so far.
  private var due = 0.0
  private var produced = 0
  /// Number of output frames that must still be left out, because they result from the frames of ``prime(_:)``.
  private var skipped = 0
  /// The first input frames after ``prime(_:)``. The output begins with these frames (``blend(_:frames:)``).
  private var blended: [Float] = []
  /// Length of the crossfade, 5 ms at 48 kHz.
  private static let blendFrames = 240

  /// - Parameter variesRate: if true, ``setCorrection(_:)`` can be called. The precision of the resampler is then about
  ///   18 bits.
  /// - Throws: an error with ``DecodeError/Reaction/endTrack`` if libsoxr refuses the ratio.
  init(
    from source: Int, to target: Int, channels: Int, variesRate: Bool = false
  ) throws(DecodeError) {
    self.channels = channels
    nominalRatio = Double(target) / Double(source)
    // Beyond these ratios the filters would take unbounded memory and time, and no music needs such ratios.
    guard (1.0 / 256...256).contains(nominalRatio) else {
      throw DecodeError(
        .endTrack, at: .frame(0), "\(source) Hz cannot be converted to \(target) Hz")
    }
    var error: soxr_error_t?
    var io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_HQ), variesRate ? UInt(SOXR_VR) : 0)
    // If the rate varies, `soxr_create` takes the largest ratio. `soxr_set_io_ratio` sets the present ratio.
    let (input, output) =
      variesRate ? (1.05 / nominalRatio, 1) : (Double(source), Double(target))
    guard let handle = soxr_create(input, output, UInt32(channels), &error, &io, &quality, nil)
    else {
      let reason = error.map { String(cString: $0) } ?? "no reason given"
      throw DecodeError(.endTrack, at: .frame(0), "libsoxr: \(reason)")
    }
    self.handle = handle
    if variesRate { soxr_set_io_ratio(handle, 1 / nominalRatio, 0) }
  }

  deinit { soxr_delete(handle) }

  /// From now on, the resampler consumes `factor` times as many input frames for the same output. Call only if the rate
  /// varies.
  func setCorrection(_ factor: Double) {
    correction = factor
    soxr_set_io_ratio(handle, factor / nominalRatio, 0)
  }

  /// Fills the filters with the last frames that were not resampled, so that the output follows these frames without a
  /// jump. Call this before the first frame. The rates must be equal.
  func prime(_ memory: FrameMemory) {
    memory.withFrames { frames, count in
      _ = process(frames, frames: count)
      // If the rate varies, the output of libsoxr is 1.6 frames late (measured with version 0.1.3), so two more frames
      // are skipped. A crossfade hides the remaining difference.
      skipped = count - produced + 2
    }
    due = 0
    produced = 0
    blended.reserveCapacity(Self.blendFrames * channels)
    isBlending = true
  }

  private var isBlending = false

  /// Crossfades from the input frames to the resampled frames. `blended` always contains the input frame that is
  /// needed, because libsoxr never returns output frame n before it has input frame n.
  private func blend(_ output: UnsafeMutablePointer<Float>, frames: Int) {
    for frame in 0..<min(frames, Self.blendFrames - produced) {
      let part = Float(produced + frame) / Float(Self.blendFrames)
      for channel in 0..<channels {
        let index = frame * channels + channel
        output[index] = output[index] * part + blended[produced * channels + index] * (1 - part)
      }
    }
    isBlending = produced + frames < Self.blendFrames
  }

  /// Number of output frames that result from the input so far and were not returned yet.
  var framesBehind: Int { Int(due.rounded()) - produced }

  func process(_ frames: UnsafePointer<Float>, frames count: Int)
    -> (frames: UnsafeRawPointer, count: Int)?
  {
    due += Double(count) * nominalRatio / correction
    if isBlending {
      let missing = Self.blendFrames * channels - blended.count
      blended += UnsafeBufferPointer(start: frames, count: min(missing, count * channels))
    }
    return run(frames, count)
  }

  /// The remaining output frames. Call this after the last input.
  func drain() -> (frames: UnsafeRawPointer, count: Int)? {
    run(nil, 0)
  }

  private func run(_ frames: UnsafePointer<Float>?, _ count: Int)
    -> (frames: UnsafeRawPointer, count: Int)?
  {
    let capacity = max(64, framesBehind + skipped + 1024)
    let out = scratch.reserve(capacity * channels)
    var total = 0
    var offset = 0
    while true {
      var taken = 0
      var made = 0
      let input = frames.map { UnsafeRawPointer($0 + offset * channels) }
      let error = soxr_process(
        handle, input, count - offset, &taken, out + total * channels, capacity - total, &made)
      offset += taken
      total += made
      let isDone = frames == nil ? made == 0 : offset >= count && made == 0
      if error != nil || isDone || total == capacity { break }
    }
    let left = min(skipped, total)
    skipped -= left
    if isBlending { blend(out + left * channels, frames: total - left) }
    produced += total - left
    return total > left ? (UnsafeRawPointer(out + left * channels), total - left) : nil
  }
}
