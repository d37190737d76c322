internal import AudioCodecs
internal import CSoxr

/// Resamples a stream with libsoxr at its high quality (20 bits). libsoxr compensates its own
/// delay, so output frame 0 belongs to the same moment as input frame 0. Used on the decode thread
/// only.
final class Resampler {
  private let handle: soxr_t
  private let channels: Int
  private let ratio: Double
  private let scratch = FloatScratch()
  private var consumed = 0
  private var produced = 0

  /// - Throws: ``DecodeError/Reaction/endTrack`` if libsoxr refuses the ratio.
  init(from source: Int, to target: Int, channels: Int) throws(DecodeError) {
    self.channels = channels
    ratio = Double(target) / Double(source)
    // Beyond these ratios the filters would take unbounded memory and time, and no music needs such
    // ratios.
    guard (1.0 / 256...256).contains(ratio) else {
      throw DecodeError(
        .endTrack, at: .frame(0), "\(source) Hz cannot be converted to \(target) Hz")
    }
    var error: soxr_error_t?
    var io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
    guard
      let handle = soxr_create(
        Double(source), Double(target), UInt32(channels), &error, &io, &quality, nil)
    else {
      let reason = error.map { String(cString: $0) } ?? "no reason given"
      throw DecodeError(.endTrack, at: .frame(0), "libsoxr: \(reason)")
    }
    self.handle = handle
  }

  deinit { soxr_delete(handle) }

  /// Number of output frames that belong to the input so far and were not returned yet.
  var framesBehind: Int { Int((Double(consumed) * ratio).rounded()) - produced }

  func process(_ frames: UnsafePointer<Float>, frames count: Int)
    -> (frames: UnsafeRawPointer, count: Int)?
  {
    consumed += count
    return run(frames, count)
  }

  /// The remaining output frames. Call this after the last input.
  func drain() -> (frames: UnsafeRawPointer, count: Int)? {
    run(nil, 0)
  }

  private func run(_ frames: UnsafePointer<Float>?, _ count: Int)
    -> (frames: UnsafeRawPointer, count: Int)?
  {
    let capacity = max(64, framesBehind + 1024)
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
    produced += total
    return total > 0 ? (UnsafeRawPointer(out), total) : nil
  }
}
