internal import AudioCodecs

/// A track that is mixed into an overlay: its frames as floats in the format of the device. Used by the decode thread.
///
/// A prompt of a phone and a chime are both heard. The prompt arrives in real time, so it determines how many frames
/// are mixed.
final class MixedTrack {
  let command: EngineExchange.OverlayCommand
  let id: Int
  let decoder: any AudioDecoder
  let description: TrackDescription
  /// Converts the frames of the decoder for the device.
  private(set) var chain: ConversionChain
  private var device: DeviceFormat
  private let scratch = FloatScratch()
  /// The samples that are converted and not mixed yet.
  private var samples: [Float] = []
  /// Index of the first sample in ``samples`` that is not mixed yet.
  private var first = 0
  private var isDecoded = false
  /// Number of frames that were mixed since ``seconds`` was last set.
  private var mixedFrames = 0
  private var startSeconds = 0.0

  /// Opens the track. Blocks until the file is open.
  init(
    _ track: TrackRequest, _ command: EngineExchange.OverlayCommand, _ device: DeviceFormat
  ) throws(DecodeError) {
    let opened = try track.open()
    self.command = command
    self.device = device
    id = track.id
    decoder = opened.decoder
    description = opened.description
    chain = try ConversionChain(from: opened.description.format, to: device)
  }

  /// The time of the next frame, from the start of the track.
  var seconds: Double { startSeconds + Double(mixedFrames) / Double(max(device.sampleRate, 1)) }

  /// Continues on a device with another format, or after frames that were mixed and are not heard.
  /// - Parameter unheard: number of the last mixed frames that are mixed again.
  func restart(on device: DeviceFormat, unheard: Int = 0) throws(DecodeError) {
    startSeconds = max(0, seconds - Double(unheard) / Double(max(self.device.sampleRate, 1)))
    mixedFrames = 0
    self.device = device
    (samples, first) = ([], 0)
    try decoder.seek(to: decoder.frame(atSeconds: startSeconds))
    chain = try ConversionChain(from: decoder.format, to: device)
    isDecoded = false
  }

  /// The samples that are converted and not mixed yet.
  func rest() -> ArraySlice<Float> { samples[first...] }

  /// Adds the next samples to `output`. Returns true at the end of the track.
  func add(to output: UnsafeMutablePointer<Float>, samples count: Int) throws(DecodeError) -> Bool {
    while samples.count - first < count, !isDecoded { try decode() }
    let added = min(count, samples.count - first)
    for index in 0..<added { output[index] += samples[first + index] }
    first += added
    mixedFrames += added / max(device.layout.count, 1)
    if first == samples.count { (samples, first) = ([], 0) }
    return isDecoded && samples.isEmpty
  }

  private func decode() throws(DecodeError) {
    if let converted = chain.next() { return take(converted) }
    switch try decoder.next() {
    case .frames(let block):
      if let samples = block.samples, block.frameCount > 0 {
        chain.feed(samples, frames: block.frameCount)
      }
    case .formatChanged(let format):
      chain = try ConversionChain(from: format, to: device)
    case .metadataChanged, .skipped, .working: break
    // Only live inputs wait, and they are not mixed.
    case .waiting, .end:
      if let last = chain.drain() { take(last) }
      isDecoded = true
    }
  }

  private func take(_ frames: (frames: UnsafeRawPointer, count: Int)) {
    let count = frames.count * device.layout.count
    let floats =
      chain.output(of: decoder.format).isFloat
      ? frames.frames : scratch.floats(fromIntegers: frames.frames, count: count)
    samples += UnsafeBufferPointer(
      start: floats.assumingMemoryBound(to: Float.self), count: count)
  }
}
