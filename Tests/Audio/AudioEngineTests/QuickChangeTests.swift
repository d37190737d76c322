import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Tests a first sound that is so short that the second sound begins before the device has played any frame. This
/// happens if a user chooses twice in quick succession, or if a phone starts, stops and starts again.
@Suite struct QuickChangeTests {
  @Test(arguments: LiveInputTests.devices, [0, 882])
  func secondStream_afterAnEndedShortOne_isHeard(rewritable: Int?, first frames: Int) throws {
    for isSettledBetween in [false, true] {
      let source = ScriptedLiveSource(rewritable: rewritable, signal: ramp)
      let short = LiveInput(
        sampleRate: 48000, layout: .stereo, lead: .init(target: 0.08, limit: 0.25))
      source.bench.play(
        short.track(
          id: -1,
          description: TrackDescription(
            codec: "live", format: short.format, durationSeconds: nil, metadata: AudioMetadata())))
      if isSettledBetween { source.bench.settleDecoding() }
      let samples = [Float](repeating: 0.1, count: 2 * frames)
      short.push(samples, frames: frames)
      short.end(fades: true)
      if isSettledBetween {
        source.bench.settleDecoding()
        source.bench.runOutput(frames: source.step)
      }
      source.play(id: -2)
      source.run(steps: 100)
      #expect(source.input.counts.underruns == 0)
      #expect(source.sound.last ?? 0 > ramp(40_000), "\(isSettledBetween)")
    }
  }

  /// A sound card can need 80 ms to open. While it opens, the user chooses other music, possibly with another rate.
  @Test(arguments: LiveInputTests.devices, [48000, 44100])
  func trackThatBeginsWhileTheDeviceOpens_isHeard(rewritable: Int?, rate: Int) throws {
    let sink = CapturingSink()
    sink.rewritableFrames = rewritable
    let bench = EngineBench(sink: sink)
    let device = sink.device
    var openings = 0
    sink.device = { wanted in
      openings += 1
      if openings == 1 {
        bench.play(.counting(2, .test(rate: rate), first: 1, frames: 5000))
        bench.settleDecoding()
      }
      return device(wanted)
    }
    bench.play(.counting(1, .test(rate: 48000), first: 100_000, frames: 5000))
    bench.run(frames: 10_000)
    #expect(bench.segments.map(\.trackID) == [2])
    #expect(openings == (rate == 48000 ? 1 : 2))
    let played = sink.takes.last?.samples32 ?? []
    #expect(played.contains(StreamFormat.test().samples32(4999..<5000, first: 1)[0]))
  }
}
