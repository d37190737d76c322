import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

// Commands while the end of the content, or a change of the device, is already in the deep buffer.
extension RewritingTests {
  /// Pauses after 15 000 frames of 20 000. The device then holds all further frames.
  private func pauseNearTheEnd(_ bench: EngineBench) {
    bench.play(.counting(1, format, first: 1, frames: 20_000))
    bench.run(frames: 15_000)
    bench.renderer.setPaused(true)
    bench.run(frames: 5000)
    bench.renderer.setPaused(false)
    bench.run(frames: 60_000)
  }

  /// The number of frames of the track that were heard, from the first to the last, without the silence of
  /// one pause.
  private func heardFrames(_ samples: [Int32]) throws -> Int {
    let first = try #require(samples.firstIndex { $0 != 0 })
    let last = try #require(samples.lastIndex { $0 != 0 })
    let pause = try #require(samples[first...].firstIndex { $0 == 0 })
    let resumed = try #require(samples[pause...].firstIndex { $0 != 0 })
    // The first frame of the fade from silence is 0, and is a frame of the track.
    return last + 1 - first - (resumed - 1 - pause)
  }

  @Test func setPaused_whenTheEndIsRendered_losesNoFrameAndEndsOnce() throws {
    let bench = bench()
    pauseNearTheEnd(bench)
    #expect(try heardFrames(left(bench)) == 20_000)
    let last = left(bench).last { $0 != 0 }
    #expect(last == format.samples32(19_999..<20_000, first: 1)[0])
    #expect(bench.events.count { if case .ended = $0 { true } else { false } } == 1)
  }

  @Test func setPaused_whenAChangeOfTheRateIsRendered_losesNoFrameOfBothTracks() throws {
    let bench = bench()
    let other = StreamFormat.test(rate: 96000)
    bench.queue = [.scripted(2, other, first: 501, [.frames(5000)])]
    pauseNearTheEnd(bench)
    try #require(bench.sink.takes.map(\.device.sampleRate) == [48000, 96000])
    #expect(try heardFrames(left(bench)) == 20_000)
    let two = bench.sink.takes[1].samples32
    let start = try #require(two.firstIndex { $0 != 0 }) / 2 * 2
    #expect(Array(two[start..<start + 10_000]) == other.samples32(0..<5000, first: 501))
    #expect(bench.started == [1, 2])
  }

  /// A new track replaces the change of the rate that was rendered.
  @Test func play_whenAChangeOfTheRateIsRendered_playsTheNewTrackAtItsRate() throws {
    let bench = bench()
    bench.queue = [.scripted(2, .test(rate: 96000), first: 501, [.frames(5000)])]
    bench.play(.counting(1, format, first: 1, frames: 20_000))
    bench.run(frames: 15_000)
    bench.play(.counting(3, format, first: 9001, frames: 4000))
    bench.run(frames: 60_000)
    #expect(bench.sink.takes.map(\.device.sampleRate) == [48000, 48000])
    #expect(bench.started == [1, 3])
    let samples = left(bench, take: 1)
    let last = try #require(samples.lastIndex { $0 != 0 })
    // After the fade-in of 240 frames, the frames are exact.
    let music = format.samples32(240..<4000, first: 9001)
    let expected = stride(from: 0, to: music.count, by: 2).map { music[$0] }
    #expect(Array(samples[(last - 3759)...last]) == expected)
  }

  @Test func setPaused_whileTheRingIsEmpty_isSilentAndContinuesWithTheNextFrame() throws {
    let bench = bench(ringBytes: 1 << 17)
    bench.play(.counting(1, format, first: 1, frames: 100_000))
    bench.run(frames: 10_000)
    // The decoder is late, and the device plays all that it holds.
    bench.runOutput(frames: 40_000)
    bench.renderer.setPaused(true)
    bench.runOutput(frames: 3000)
    bench.renderer.setPaused(false)
    bench.run(frames: 5000)
    let samples = left(bench)
    let heard = try heardFrames(samples)
    #expect(samples.last == format.samples32(heard - 1..<heard, first: 1)[0])
  }
}
