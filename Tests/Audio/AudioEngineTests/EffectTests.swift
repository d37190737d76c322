import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Tests the two times that are reported for an effect: when its first frame is handed over, and when that frame is
/// heard.
@Suite struct EffectTests {
  private let format = StreamFormat.test()
  private let period = 64
  private let delay = 1000

  private func bench() -> EngineBench {
    let sink = CapturingSink()
    sink.pads = true
    sink.deviceDelay = delay
    return EngineBench(sink: sink)
  }

  private func applied(_ bench: EngineBench) -> [(effect: Effect, framesBefore: Int)] {
    bench.events.compactMap {
      guard case .applied(let effect, let handedOver, let heard) = $0 else { return nil }
      return (effect, Int((Double(heard - handedOver) * 48e-6).rounded()))
    }
  }

  /// The number of frames in the device that are heard before `frame`. The sink reports the device delay after each
  /// period. So the delay includes `frame` and the later frames of this period. This method subtracts these frames.
  private func expectedWait(first frame: Int) -> Int {
    delay - ((frame / period + 1) * period - frame)
  }

  private func left(_ bench: EngineBench) -> [Int32] {
    let samples = bench.sink.takes[0].samples32
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  @Test func play_firstTrack_isAppliedWithItsFirstFrame() throws {
    let bench = bench()
    bench.play(.scripted(1, format, first: 1000, [.frames(5000)]))
    bench.run(frames: 1000)
    let first = try #require(left(bench).firstIndex { $0 != 0 })
    let reported = applied(bench).filter { $0.effect.kind == .afterDecoding }
    #expect(reported.map(\.effect.number) == [1])
    #expect(reported.map(\.framesBefore) == [expectedWait(first: first)])
  }

  @Test func play_anotherTrack_isAppliedAfterTheFadeOfTheFirst() throws {
    let bench = bench()
    bench.play(.scripted(1, format, [.frames(50_000)]))
    bench.run(frames: 1000)
    let before = left(bench).count
    bench.play(.scripted(2, format, first: 70_000, [.frames(5000)]))
    bench.run(frames: 1000)
    let reported = applied(bench).filter { $0.effect.kind == .afterDecoding }
    #expect(reported.map(\.effect.number) == [1, 2])
    // The first track fades out in 240 frames. Then the second track fades in.
    let wait = try #require(reported.last).framesBefore
    let candidates = (before + 240 - period..<before + 240 + 2 * period).map(expectedWait)
    #expect(candidates.contains(wait))
  }

  @Test func setPaused_whilePlaying_isAppliedWithTheNextPeriod() {
    let bench = bench()
    bench.play(.scripted(1, format, [.frames(50_000)]))
    bench.run(frames: 1024)
    let before = applied(bench).count
    let paused = bench.renderer.setPaused(true)
    bench.run(frames: period)
    let reported = applied(bench).dropFirst(before)
    #expect(reported.map(\.effect) == [paused])
    #expect(reported.map(\.framesBefore) == [delay - period])
  }

  @Test func isSettled_byANewerEffectOfTheSameKind_isTrue() {
    let bench = bench()
    bench.play(.scripted(1, format, [.frames(50_000)]))
    bench.run(frames: 1024)
    let louder = bench.renderer.setVolume(0.5)
    let mute = bench.renderer.setMuted(true)
    let before = applied(bench).count
    bench.run(frames: period)
    let reported = applied(bench).dropFirst(before).map(\.effect)
    #expect(reported == [mute])
    #expect(louder.isSettled(by: mute))
    #expect(!mute.isSettled(by: louder))
    #expect(!mute.isSettled(by: Effect(kind: .afterDecoding, number: 99)))
  }

  @Test func applied_withoutChange_isNotReported() {
    let bench = bench()
    bench.play(.scripted(1, format, [.frames(50_000)]))
    bench.run(frames: 1024)
    let before = applied(bench).count
    bench.run(frames: 20_000)
    #expect(applied(bench).count == before)
  }

  /// A gapless change to the next track is not the effect of a command.
  @Test func applied_automaticNextTrack_isNotReported() {
    let bench = bench()
    bench.queue = [.scripted(2, format, first: 3000, [.frames(3000)])]
    bench.play(.scripted(1, format, [.frames(3000)]))
    bench.run(frames: 5000)
    #expect(bench.started == [1, 2])
    #expect(applied(bench).filter { $0.effect.kind == .afterDecoding }.map(\.effect.number) == [1])
  }
}
