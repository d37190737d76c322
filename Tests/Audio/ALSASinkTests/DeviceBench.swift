import ALSASink
import AudioCodecs
import AudioEngine
import Glibc
import TestKit
import Testing
import Threads

/// The engine with its threads and a simulated sound card (``PacedPCM``). This object does the work of the control
/// thread: it waits for the engine's wake-up and handles the events.
final class DeviceBench {
  let pcm: PacedPCM
  let engine: PlaybackEngine
  /// The tracks that follow the current track, in order. Each request of the engine takes the first of these tracks.
  var queue: [TrackRequest] = []
  private(set) var started: [Int] = []
  private(set) var devices: [(format: DeviceFormat, conversion: String?)] = []
  private(set) var failures: [SinkError] = []
  /// The times at which the engine found that the card ran dry.
  private(set) var xruns: [Int64] = []
  /// Number of times that the card was closed and opened between two tracks.
  private(set) var changeovers = 0
  private(set) var hasEnded = false

  init(
    _ pcm: PacedPCM, buffering: ALSASink.Buffering = .init(), muting: ALSASink.Muting? = nil,
    fixed: StreamFormat? = nil
  ) {
    _ = Self.prepared
    self.pcm = pcm
    engine = PlaybackEngine(
      sink: ALSASink(name: pcm.name, buffering: buffering, muting: muting), fixed: fixed)
  }

  private static let prepared: Void = ALSASink.prepareProcess()

  /// Plays the tracks until the last frame was heard, and closes the device.
  func playToEnd(_ tracks: [TrackRequest], sourceLocation: SourceLocation = #_sourceLocation) {
    play(tracks)
    finish(sourceLocation: sourceLocation)
  }

  /// Starts to play the first track. The other tracks are put into ``queue``.
  func play(_ tracks: [TrackRequest]) {
    queue = Array(tracks.dropFirst())
    engine.play(tracks[0])
  }

  /// Waits until the last frame was heard, and closes the device.
  func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) { bench in
      bench.hasEnded && bench.engine.secondsToEnd == 0
    }
    engine.shutDown()
  }

  /// Handles events until `condition` holds.
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, for condition: (DeviceBench) -> Bool
  ) {
    engine.turn(sourceLocation: sourceLocation) {
      handleEvents()
      return condition(self)
    } failures: {
      failures
    }
  }

  private func handleEvents() {
    for event in engine.takeEvents() {
      switch event {
      case .started(let id): started.append(id)
      case .deviceOpened(let format, let conversion): devices.append((format, conversion))
      case .deviceFailed(let error): failures.append(error)
      case .xrun(let nanoseconds): xruns.append(nanoseconds)
      case .changedOver: changeovers += 1
      case .ended: hasEnded = true
      case .needsUpcoming: engine.setUpcoming(queue.isEmpty ? nil : queue.removeFirst())
      default: break
      }
    }
  }
}

/// A decoder whose samples were computed before the test plays them. Decoding takes almost no time, so a test does not
/// depend on the speed of the machine.
final class GeneratedDecoder: AudioDecoder {
  let format: StreamFormat
  private let samples: [Int32]
  private var position = 0

  init(_ format: StreamFormat, _ samples: [Int32]) {
    self.format = format
    self.samples = samples
  }

  func next() throws(DecodeError) -> DecodeStep {
    let count = min(4096, samples.count / format.channels - position)
    guard count > 0 else { return .end }
    defer { position += count }
    return .frames(
      FrameBlock(
        samples: samples.withUnsafeBytes {
          $0.baseAddress.map { UnsafeRawPointer($0 + position * format.channels * 4) }
        },
        frameCount: count, position: Int64(position)))
  }

  func seek(to frame: Int64) throws(DecodeError) { position = Int(frame) }
}

/// A track of generated music, with the samples that a device should get.
struct GeneratedTrack {
  let format: StreamFormat
  /// The samples, left-justified, with the channels in ALSA's order.
  let samples: [Int32]

  init(
    bits: Int = 16, rate: Int = 44100, _ layout: ChannelLayout = .stereo, frames: Int,
    seed: UInt64 = 1
  ) {
    format = StreamFormat(sampleRate: rate, layout: layout, encoding: .integer(bits: bits))
    let music = GeneratedMusic(
      channels: layout.count, bits: bits, rate: rate, frames: frames, seed: seed)
    var samples = music.samples.map { $0 << Int32(32 - bits) }
    // The first and the last frame are not silent, so that the content differs from the silence around it.
    for index in [0, samples.count - 1] where samples[index] == 0 {
      samples[index] = 1 << Int32(32 - bits)
    }
    self.samples = samples
  }

  var frameCount: Int { samples.count / format.channels }

  func request(_ id: Int) -> TrackRequest {
    TrackRequest(id: id) { [self] () throws(DecodeError) in
      OpenedTrack(
        decoder: GeneratedDecoder(format, samples),
        description: TrackDescription(
          codec: "test", format: format, durationSeconds: nil, metadata: AudioMetadata()))
    }
  }

  /// The upper `bytes` bytes of each sample, little-endian.
  func bytes(_ bytes: Int) -> [UInt8] {
    samples.flatMap { sample in
      (4 - bytes..<4).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) }
    }
  }
}

extension [UInt8] {
  /// Removes the silent frames at both ends.
  func withoutSilence(frameBytes: Int) -> [UInt8] {
    guard let first = firstIndex(where: { $0 != 0 }), let last = lastIndex(where: { $0 != 0 })
    else { return [] }
    return Array(self[first / frameBytes * frameBytes..<(last / frameBytes + 1) * frameBytes])
  }

  /// The bytes as 32-bit samples.
  var samples32: [Int32] { withUnsafeBytes { Array<Int32>($0.bindMemory(to: Int32.self)) } }
}

/// Describes the difference in one line; nil if the bytes are as expected.
func difference(
  _ captured: some Collection<UInt8>, _ expected: some Collection<UInt8>
) -> String? {
  if captured.elementsEqual(expected) { return nil }
  let same = zip(captured, expected).prefix { $0 == $1 }.count
  return "\(captured.count) bytes, not \(expected.count); the first \(same) are right"
}
