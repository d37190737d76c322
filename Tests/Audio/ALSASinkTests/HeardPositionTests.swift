import ALSASink
import AudioCodecs
import AudioEngine
import Glibc
import TestKit
import Testing

/// Compares the position that the engine reports as heard with the frame that the card plays at the same time. The test
/// contains a pause, a seek and a change of the track. The test runs with and without a conversion of the rate, and
/// with the three kinds of cards in ``Card``.
///
/// The value of each frame is its position. The card records the time of each hand-over on the clock that the test
/// reads. So the test can compute which frame the card plays at a given time. This computation is wrong if the card ran
/// dry. Then the test is repeated.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct HeardPositionTests {
  /// The number of frames of a track. Each frame has one sample of 16 bits. The value of a frame is its number over
  /// both tracks: 0 to `2 × trackFrames − 1`.
  private static let trackFrames = 12_000
  private static let sourceRate = 8000.0
  private static let seekTarget = 1.0

  private struct Sample {
    let nanoseconds: Int64
    /// Seconds since the start of the first track.
    let heard: Double
  }

  enum Card: CaseIterable {
    case periods
    case rewritten
    /// Frames are heard 100 ms after the device has taken them from its buffer.
    case rewrittenWithProcessor
  }

  @Test(arguments: [nil, 48000], Card.allCases)
  func heardPosition_whilePlaying_isTheFrameThatTheCardPlays(rate: Int?, card: Card) throws {
    try repeatedWhileBusy {
      let isRewritten = card != .periods
      var options = PacedPCM.Options()
      options.channels = [1]
      if isRewritten { options.rewindStep = 4 }
      if card == .rewrittenWithProcessor { options.behind = (rate ?? 8000) / 10 }
      let fixed = rate.map { StreamFormat(sampleRate: $0, layout: .mono, encoding: .float) }
      let deviceRate = Double(rate ?? 8000)
      let bench = DeviceBench(
        try PacedPCM(options),
        buffering: isRewritten
          ? .init(latency: .rewind)
          : .init(periodFrames: Int(deviceRate) / 100, bufferMilliseconds: 100),
        fixed: fixed)
      let samples = samplePositions(bench)
      if bench.engine.xrunCount > 0 { throw MachineTooBusy() }

      let reference = try PlayedPositions(bench.pcm, rate: deviceRate)
      // The tolerance is one period (10 ms) plus 5 ms. The 5 ms are for the time that passes in the test between the
      // reading of the clock and the reading of the position.
      let tolerance = 0.01 + 0.005
      var compared = 0
      var worst = 0.0
      for sample in samples {
        guard let played = reference.seconds(at: sample.nanoseconds) else { continue }
        // Directly after a seek, the engine reports the target, although the card still plays frames from before the
        // seek. A sample from this time is not compared.
        if sample.heard >= Self.seekTarget, played < Self.seekTarget { continue }
        compared += 1
        worst = max(worst, abs(played - sample.heard))
      }
      guard compared > 100 else { throw MachineTooBusy() }
      #expect(worst <= tolerance, "\(worst * 1000) ms")
      #expect((bench.devices.first?.format.rewritableFrames != nil) == isRewritten)
    }
  }

  /// Plays both tracks with a pause and a seek, and samples the position continuously.
  private func samplePositions(_ bench: DeviceBench) -> [Sample] {
    let tracks = [1, 2].map { id in
      TrackRequest(id: id) { () throws(DecodeError) in
        let decoder = RampDecoder(first: (id - 1) * Self.trackFrames, frames: Self.trackFrames)
        return OpenedTrack(
          decoder: decoder,
          description: TrackDescription(
            codec: "test", format: decoder.format, durationSeconds: nil,
            metadata: AudioMetadata()))
      }
    }
    var samples: [Sample] = []
    var last = 0.0
    var decreases: [String] = []
    var stage = 0
    var pausedAt: Int64 = 0
    bench.play(tracks)
    bench.wait { bench in
      let before = PlaybackEngine.nanoseconds()
      guard let (id, seconds) = bench.engine.heardPosition() else { return false }
      let heard = Double((id - 1) * Self.trackFrames) / Self.sourceRate + seconds
      // The time of a sample is the middle between two readings of the clock. If the readings are not close together,
      // the sample is not used.
      let after = PlaybackEngine.nanoseconds()
      if after - before < 1_000_000 {
        samples.append(Sample(nanoseconds: (before + after) / 2, heard: heard))
      }
      if heard < last - 1e-9 { decreases.append("\(last) to \(heard) in stage \(stage)") }
      last = heard
      switch stage {
      case 0 where heard > 0.3:
        bench.engine.setPaused(true)
        pausedAt = after
        stage = 1
      case 1 where after - pausedAt > 300_000_000:
        bench.engine.setPaused(false)
        stage = 2
      case 2 where heard > 0.6:
        // The seek goes forwards, so that the position never decreases.
        bench.engine.play(tracks[0], at: Self.seekTarget)
        bench.queue = [tracks[1]]
        stage = 3
      default:
        break
      }
      return bench.hasEnded && bench.engine.secondsToEnd == 0
    }
    #expect(stage == 3)
    #expect(decreases == [])
    bench.finish()
    return samples
  }

  /// The frames that the card played, and the time of each frame.
  private struct PlayedPositions {
    private let frames: [Int32]
    /// For each hand-over: the time at which its first frame is heard, the number of this frame in `frames`, and the
    /// number of frames of the hand-over.
    private let begins: [(nanoseconds: Int64, frame: Int, count: Int)]
    private let rate: Double

    init(_ pcm: PacedPCM, rate: Double) throws {
      frames = try pcm.captured().withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
      begins = try pcm.stamps().map {
        (
          $0.nanoseconds + Int64(Double($0.ahead) / rate * 1e9), Int($0.offset), Int($0.frames)
        )
      }
      self.rate = rate
    }

    /// The position in the music, in seconds, that the card played at the time `nanoseconds`. Nil if the card played a
    /// fade or silence, or did not run.
    func seconds(at nanoseconds: Int64) -> Double? {
      guard let begin = begins.last(where: { $0.nanoseconds <= nanoseconds }) else { return nil }
      let frame =
        begin.frame + Int(Double(nanoseconds - begin.nanoseconds) * 1e-9 * rate)
      guard frame < begin.frame + begin.count + 1, frame > 100, frame + 1 < frames.count else {
        return nil
      }
      let step = 65536 * sourceRate / rate
      let rise = Double(frames[frame + 1]) - Double(frames[frame - 100])
      // The values of the music rise by the same step per frame. If the last hundred frames do not rise so, they
      // contain a fade, or frames from before and after a jump.
      guard abs(rise - 101 * step) < step else { return nil }
      return Double(frames[frame]) / 65536 / sourceRate
    }
  }
}

/// A decoder with 16 bits at 8 kHz. The value of each frame is the number of the frame.
private final class RampDecoder: AudioDecoder {
  let format = StreamFormat(sampleRate: 8000, layout: .mono, encoding: .integer(bits: 16))
  private let first: Int
  private let frames: Int
  private var position = 0
  private var block: [Int32] = []

  init(first: Int, frames: Int) {
    self.first = first
    self.frames = frames
  }

  func next() throws(DecodeError) -> DecodeStep {
    let count = min(frames - position, 500)
    guard count > 0 else { return .end }
    block = (0..<count).map { Int32(first + position + $0) << 16 }
    defer { position += count }
    return .frames(
      FrameBlock(
        samples: block.withUnsafeBytes { UnsafeRawPointer($0.baseAddress) }, frameCount: count,
        position: Int64(position)))
  }

  func seek(to frame: Int64) throws(DecodeError) { position = Int(frame) }
}
