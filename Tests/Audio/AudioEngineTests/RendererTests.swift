import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Tests gain, fades and bit depth in the renderer.
@Suite struct RendererTests {
  /// A track with a constant level at full scale, so that every abrupt change of the gain is visible in the samples.
  private func constant(_ id: Int, frames: Int, gain: Float = 1) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) in
      OpenedTrack(
        decoder: ConstantDecoder(frames: frames),
        description: TrackDescription(
          codec: "test", format: .test(), durationSeconds: nil, metadata: AudioMetadata()),
        gain: gain)
    }
  }

  private func bench() -> EngineBench {
    let sink = CapturingSink()
    sink.pads = true
    return EngineBench(sink: sink)
  }

  private func steepestStep(_ samples: [Int32]) -> Double {
    var steepest = 0.0
    for index in stride(from: 2, to: samples.count, by: 2) {
      steepest = max(steepest, abs(Double(samples[index]) - Double(samples[index - 2])))
    }
    return steepest / 2_147_483_648
  }

  /// A fade from silence to full scale takes 5 ms, so at 48 kHz the level changes by 1/240 per frame. 1 % more is
  /// permitted for rounding.
  private let rampStep = 1.01 / 240

  @Test func begin_decoderIsLate_startsAtFullLevelAndIsNotCountedAsStarved() {
    let bench = bench()
    nonisolated(unsafe) unowned let output = bench
    let track = TrackRequest(id: 1) { () throws(DecodeError) in
      let decoder = ConstantDecoder(frames: 960)
      decoder.beforeFirst = { output.runOutput(frames: 512) }
      return OpenedTrack(
        decoder: decoder,
        description: TrackDescription(
          codec: "test", format: .test(), durationSeconds: nil, metadata: AudioMetadata()))
    }
    bench.play(track)
    bench.run(frames: 2000)
    let samples = bench.sink.takes[0].samples32
    let first = samples.firstIndex { $0 != 0 } ?? 0
    #expect(first == 1024)
    #expect(samples[first..<first + 1920].allSatisfy { $0 == 0x7FFF_0000 })
    #expect(bench.renderer.starvedFrameCount == 0)
  }

  @Test func setPaused_trueThenFalse_staysWithinTheRamp() {
    let bench = bench()
    bench.play(constant(1, frames: 48_000))
    bench.run(frames: 1000)
    for _ in 0..<5 {
      bench.renderer.setPaused(true)
      bench.run(frames: 700)
      bench.renderer.setPaused(false)
      bench.run(frames: 700)
    }
    #expect(steepestStep(bench.sink.takes[0].samples32) <= rampStep)
  }

  @Test func setVolume_whilePlaying_staysWithinTheRamp() {
    let bench = bench()
    bench.play(constant(1, frames: 48_000))
    bench.run(frames: 1000)
    for gain: Float in [0.1, 1, 0, 0.5, 0.9] {
      bench.renderer.setVolume(gain)
      bench.run(frames: 333)
    }
    #expect(steepestStep(bench.sink.takes[0].samples32) <= rampStep)
    #expect(bench.sink.takes[0].samples32.last != 0)
  }

  @Test func skip_whilePlaying_staysWithinTheRamp() {
    let bench = bench()
    bench.play(constant(1, frames: 48_000))
    bench.run(frames: 1000)
    bench.play(constant(2, frames: 48_000))
    bench.run(frames: 2000)
    #expect(steepestStep(bench.sink.takes[0].samples32) <= rampStep)
    #expect(bench.sink.takes[0].samples32.last == 0x7FFF_0000)
  }

  @Test func skip_withLessThanAFadeLeft_fadesOutWithinTheRest() {
    let bench = bench()
    bench.answers = false
    bench.play(constant(1, frames: 960))
    bench.run(frames: 896)
    bench.answers = true
    bench.play(constant(2, frames: 48_000))
    bench.run(frames: 2000)
    #expect(bench.started == [1, 2])
    // The fade takes only 64 frames instead of 240, because no more frames are left.
    #expect(steepestStep(bench.sink.takes[0].samples32) <= 1.01 / 64)
  }

  @Test func skip_decoderIsBusy_fadesOutAtOnceAndInWithTheNextTrack() {
    let bench = bench()
    bench.play(constant(1, frames: 48_000))
    bench.run(frames: 1024)
    bench.play(constant(2, frames: 48_000))
    // The output runs before any frame is decoded, as with a slow stick.
    bench.runOutput(frames: 512)
    #expect(bench.sink.takes[0].samples32.last == 0)
    bench.runOutput(frames: 5000)
    #expect(bench.renderer.starvedFrameCount == 0)
    bench.run(frames: 2000)
    #expect(bench.started == [1, 2])
    #expect(bench.sink.takes[0].samples32.last == 0x7FFF_0000)
    #expect(steepestStep(bench.sink.takes[0].samples32) <= rampStep)
  }

  @Test func render_16BitsOn16_isExactAndGainIsDithered() {
    let sink = CapturingSink(samples: .s16)
    let bench = EngineBench(sink: sink)
    bench.queue = [
      .scripted(2, .test(), gain: 0.5, [.frames(1000)])
    ]
    bench.play(.scripted(1, .test(), [.frames(1000)]))
    bench.run()
    let samples = sink.takes[0].samples16
    #expect(Array(samples.prefix(2000)) == (0..<2000).map { Int16($0) })
    // After the change of the gain (240 frames), each value is halved. Dither changes the value by at most one step,
    // and rounding by at most half a step.
    let scaled = samples.dropFirst(2000 + 480)
    #expect(zip(scaled, 480...).allSatisfy { abs(Double($0) - Double($1) / 2) <= 1.5 })
    let undithered = zip(scaled, 480...).filter { Double($0) == (Double($1) / 2).rounded() }
    #expect(undithered.count < scaled.count * 9 / 10)
  }

  @Test func render_24BitsOn16_isDithered() {
    let sink = CapturingSink(samples: .s16)
    let bench = EngineBench(sink: sink)
    // The 24-bit values 0 … 1999 are 0 … 7.8 steps of 16 bits.
    bench.play(.scripted(1, .test(24), [.frames(1000)]))
    bench.run()
    let samples = sink.takes[0].samples16
    #expect(zip(samples, 0...).allSatisfy { abs(Double($0) - Double($1) / 256) <= 1.5 })
    #expect(Set(samples.prefix(128)).count > 1)
  }
}

/// A decoder whose samples are all at full scale.
final class ConstantDecoder: AudioDecoder {
  let format = StreamFormat.test()
  private var left: Int
  private var position: Int64 = 0
  private let block = [Int32](repeating: 0x7FFF_0000, count: 2 * 480)

  /// Called while the first block is decoded.
  var beforeFirst: () -> Void = {}

  init(frames: Int) { left = frames }

  func next() throws(DecodeError) -> DecodeStep {
    if position == 0 { beforeFirst() }
    guard left >= 480 else { return .end }
    left -= 480
    defer { position += 480 }
    // Safe: the array lives as long as the decoder and is never changed.
    return block.withUnsafeBytes {
      .frames(FrameBlock(samples: $0.baseAddress, frameCount: 480, position: position))
    }
  }

  func seek(to frame: Int64) throws(DecodeError) { position = frame }
}
