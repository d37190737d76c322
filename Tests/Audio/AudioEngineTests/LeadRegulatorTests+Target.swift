import Testing

@testable import AudioEngine

/// Holes, underruns and the target.
extension LeadRegulatorTests {
  @Test(arguments: [
    (0.02, 0.08), (0.03, 0.08), (0.05, 0.09), (0.1, 0.15), (0.15, 0.225), (0.4, 0.25), (1, 0.25),
  ])
  func step_hole_raisesTheTargetAtOnce(hole: Double, target: Double) {
    var stream = Stream()
    stream.run(seconds: 2)
    stream.packet(after: hole)
    #expect(abs(stream.regulator.target - target) < 1e-9)
  }

  @Test func step_pause_doesNotChangeTheTarget() {
    var stream = Stream()
    stream.run(seconds: 2)
    stream.underruns = 1
    stream.hole(seconds: 1.2)
    #expect(stream.regulator.target == 0.08)
    #expect(!stream.regulator.isEngaged)
  }

  @Test func step_holeWhileEngaged_lowersTheTargetAfterTwoMinutes() {
    var stream = Stream()
    stream.run(seconds: 2)
    stream.hole(seconds: 0.1)
    stream.run(seconds: 109)
    #expect(stream.regulator.isEngaged)
    #expect(abs(stream.regulator.target - 0.15) < 1e-9)
    stream.run(seconds: 12)
    let before = stream.regulator.target
    stream.run(seconds: 10)
    #expect(abs(before - stream.regulator.target - 0.01) < 0.000_2)
    // The level follows the target.
    #expect(stream.errors.suffix(500).allSatisfy { abs($0) < 0.006 })
    stream.run(seconds: 150)
    #expect(abs(stream.regulator.target - 0.045) < 1e-9)
    stream.run(seconds: 60)
    #expect(abs(stream.errors.last!) < 0.001)
    #expect(abs(stream.regulator.driftPPM ?? .nan) < 10)
  }

  @Test func step_underrunWithoutAHole_raisesTheSmallestTarget() {
    var stream = Stream()
    stream.run(seconds: 2)
    stream.underruns = 1
    stream.run(seconds: 0.02)
    #expect(abs(stream.regulator.target - 0.1) < 1e-9)
    stream.run(seconds: 400)
    #expect(abs(stream.regulator.target - 0.1) < 1e-9)
  }

  @Test func step_underrunsBelowTheTarget_raiseItOnce() {
    var stream = Stream()
    stream.run(seconds: 2)
    for _ in 0..<20 {
      stream.underruns += 1
      stream.run(seconds: 0.02)
    }
    #expect(abs(stream.regulator.target - 0.1) < 1e-9)
  }

  @Test func step_manyUnderruns_keepsTheCeiling() {
    var stream = Stream()
    for _ in 0..<20 {
      stream.lead = stream.regulator.target
      stream.run(seconds: 2)
      stream.underruns += 1
      stream.run(seconds: 0.02)
    }
    #expect(stream.regulator.target == 0.25)
  }

  @Test func slidingMaximum_value_countsForTwoMinutes() {
    var maximum = SlidingMaximum()
    #expect(maximum.add(3, at: 1005) == 3)
    #expect(maximum.add(1, at: 1060) == 3)
    #expect(maximum.add(0, at: 1119) == 3)
    #expect(maximum.add(0, at: 1120) == 1)
    #expect(maximum.add(2, at: 1_000_000) == 2)
  }
}
