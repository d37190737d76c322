import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Tests a live input with its regulator: different clocks, late packets, and holes.
///
/// A debug build is slow, so the tests use one channel at 24 kHz. The regulator uses seconds and the resampler uses
/// ratios, so the lower rate has only one effect: the delay of the filters (240 frames) lasts longer.
@Suite struct LiveInputRegulationTests {
  @Test(arguments: [3e-4, -3e-4])
  func regulate_tenMinutesOfDrift_keepsTheLeadAndTheTone(drift: Double) throws {
    let source = RegulatedSource(drift: drift)
    source.run(seconds: 600)
    let engaged = try #require(source.steps.first { $0.ratio != 1 }).seconds
    #expect(source.input.counts == .init(pushed: 600 * source.rate, dropped: 0, underruns: 0))
    // When the regulator engages, the level (the average of the lead) differs from the target by 15 ms.
    #expect(source.largestError(after: 1) < 0.018)
    #expect(source.largestError(after: engaged + 10) < 0.015)
    #expect(source.largestError(after: engaged + 60) < 0.005)
    #expect(abs(try #require(source.regulator.driftPPM) - drift * 1e6) < 1)
    let sound = source.sound
    let noise = source.signalToNoise(sound, from: engaged + 60, every: 10)
    #expect(noise.count > 40)
    #expect(noise.min()! >= 90)
    // Before the regulator engages, the sound is bit-exact. When resampling begins, the sound does not jump.
    #expect(source.largestStep(sound) < 0.5 * 2 * Float.pi * 440 / 24000 * 1.01)
    #expect(source.holes(sound).isEmpty)
  }

  @Test(arguments: LiveInputTests.devices)
  func regulate_packetsUpTo30msLate_hasNoHole(rewritable: Int?) {
    let source = RegulatedSource(drift: -2e-4, rewritable: rewritable)
    var random = SeededRandom(11)
    source.run(seconds: 120) { _ in
      Int.random(in: 0..<20, using: &random) == 0 ? Double.random(in: 0...0.03, using: &random) : 0
    }
    #expect(source.input.counts == .init(pushed: 120 * source.rate, dropped: 0, underruns: 0))
    #expect(source.holes(source.sound).isEmpty)
  }

  @Test(arguments: LiveInputTests.devices, [0.1, 0.2, 0.4])
  func regulate_hole_isHeardOnceWithFadesAndTheLeadRecovers(rewritable: Int?, hole: Double) throws {
    let source = RegulatedSource(rewritable: rewritable)
    source.run(seconds: 5)
    source.hold(seconds: hole)
    source.run(seconds: 60)
    #expect(source.input.counts == .init(pushed: source.pushed, dropped: 0, underruns: 1))
    let sound = source.sound
    let holes = source.holes(sound)
    #expect(holes.count == 1)
    #expect(source.largestError(after: 60) < 0.015)
    // No step between two frames is larger than a step of the tone plus a step of a fade of 5 ms.
    #expect(source.largestStep(sound) < 0.5 * (2 * Float.pi * 440 / 24000 + 1 / 120) * 1.01)
    // The lead absorbs a second hole, if the hole is shorter than the largest target (0.25 s).
    source.hold(seconds: hole)
    source.run(seconds: 5)
    #expect(source.input.counts.underruns == (hole < 0.25 ? 1 : 2))
  }

  @Test func regulate_clocksAreEqual_isBitExact() {
    let source = RegulatedSource()
    source.run(seconds: 60)
    #expect(!source.regulator.isEngaged)
    let first = source.sound.drop { $0 == 0 }
    let isSame = first.enumerated().allSatisfy {
      $0.element == source.tone[($0.offset + 1) % source.rate]
    }
    #expect(isSame)
  }
}
