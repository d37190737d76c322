@testable import AudioEngine
import TestKit
import Testing

/// Tests ``LeadRegulator``, which keeps the lead of a live input at its target. The lead is simulated: the tests
/// compute it from the ratio that the regulator returns and from the drift between the clocks of the source and of the
/// device.
@Suite struct LeadRegulatorTests {
  /// A simulated stream of packets of 20 ms.
  struct Stream {
    var regulator = LeadRegulator()
    /// The lead in seconds, as it would be if no packet were late.
    var lead = 0.08
    var isSteady = true
    var underruns = 0
    var drift = 0.0
    var now = 1000.0
    /// The target after each packet, and the ratio after each packet.
    var targets: [Double] = []
    var ratios: [Double] = []
    /// The difference of lead and target after each packet.
    var errors: [Double] = []

    mutating func run(seconds: Double, late: () -> Double = { 0 }) {
      for _ in 0..<Int((seconds * 50).rounded()) { packet(after: 0.02, late: late()) }
    }

    /// Simulates a packet that arrives `late` seconds too late: the regulator gets a lead that is smaller by `late`.
    mutating func packet(after gap: Double, late: Double = 0) {
      now += gap
      lead += (drift - (regulator.ratio - 1)) * gap
      regulator.step(
        .init(lead: lead - late, isSteady: isSteady, underruns: underruns), at: now)
      targets.append(regulator.target)
      ratios.append(regulator.ratio)
      errors.append(lead - regulator.target)
    }

    /// No packet arrives for `seconds`. Then all packets of this time arrive together.
    mutating func hole(seconds: Double) {
      packet(after: seconds)
      for _ in 1..<max(2, Int(seconds * 50)) { packet(after: 0) }
    }
  }

  @Test func step_levelNearTheTarget_keepsTheRatioOne() {
    var stream = Stream()
    stream.run(seconds: 2)
    for lead in [0.094, 0.066] {
      stream.lead = lead
      stream.run(seconds: 300)
    }
    #expect(!stream.regulator.isEngaged)
    #expect(stream.regulator.driftPPM == nil)
    #expect(stream.ratios.allSatisfy { $0 == 1 })
    #expect(stream.targets.allSatisfy { $0 == 0.08 })
  }

  @Test(arguments: [0.1, 0.06])
  func step_levelFarFromTheTarget_engagesForTheRestOfTheStream(lead: Double) {
    var stream = Stream()
    stream.run(seconds: 2)
    stream.lead = lead
    stream.run(seconds: 10)
    #expect(stream.regulator.isEngaged)
    #expect((stream.regulator.ratio > 1) == (lead > 0.08))
    stream.run(seconds: 200)
    #expect(stream.regulator.isEngaged)
    #expect(abs(stream.errors.last!) < 0.001)
  }

  @Test func step_oneLeadIsFarFromTheTarget_keepsTheRatioOne() {
    var stream = Stream()
    stream.run(seconds: 2)
    stream.packet(after: 0.02, late: 0.05)
    stream.run(seconds: 2)
    #expect(!stream.regulator.isEngaged)
  }

  @Test(arguments: [3e-4, -3e-4, 1e-4, -1e-4])
  func step_drift_settlesWithoutOscillation(drift: Double) throws {
    var stream = Stream()
    stream.drift = drift
    stream.run(seconds: 400)
    let engaged = try #require(stream.ratios.firstIndex { $0 != 1 })
    // When the regulator engages, the level (the average of the lead) differs from the target by 15 ms. The difference
    // still grows until the ratio has changed.
    #expect(stream.errors.allSatisfy { abs($0) < 0.017 })
    #expect(stream.errors.dropFirst(engaged + 10 * 50).allSatisfy { abs($0) < 0.015 })
    let settled = stream.errors.dropFirst(engaged + 60 * 50)
    #expect(settled.allSatisfy { abs($0) < 0.005 })
    let changes = zip(settled, settled.dropFirst()).count { $0 * $1 < 0 }
    #expect(changes <= 1)
    let estimate = try #require(stream.regulator.driftPPM)
    #expect(abs(estimate - drift * 1e6) < 5)
  }

  @Test func step_anyLead_changesTheRatioSlowlyAndWithinItsLimits() {
    var random = SeededRandom(7)
    var stream = Stream()
    stream.packet(after: 0.02)
    stream.packet(after: 0.2)
    for _ in 0..<100 {
      stream.lead = Double.random(in: 0...0.5, using: &random)
      stream.run(seconds: 3)
    }
    #expect(stream.ratios.allSatisfy { abs($0 - 1) < 0.005_000_1 })
    #expect(stream.ratios.max()! > 1.004_999 && stream.ratios.min()! < 0.995_001)
    // Compares ratios with a distance of 5 packets (100 ms).
    let changes = zip(stream.ratios, stream.ratios.dropFirst(5)).map { abs($1 - $0) }
    #expect(changes.max()! < 0.000_1)
  }

  @Test func step_packetsUpTo40msLate_keepsTheRatioSteady() throws {
    var random = SeededRandom(3)
    var stream = Stream()
    stream.drift = 1e-4
    stream.run(seconds: 600) { Double.random(in: 0...0.04, using: &random) }
    let settled = stream.ratios.dropFirst(300 * 50)
    #expect(settled.allSatisfy { abs($0 - 1.0001) < 3e-4 })
    #expect(abs(try #require(stream.regulator.driftPPM) - 100) < 50)
  }

  @Test func step_deviceBeginsLate_raisesTheTargetOnceAndKeepsTheRatioOne() {
    var stream = Stream()
    stream.lead = 0.116
    stream.run(seconds: 60)
    #expect(abs(stream.regulator.target - 0.116) < 1e-9)
    #expect(!stream.regulator.isEngaged)
  }

  @Test func step_whileTheInputFills_ignoresTheLead() {
    var stream = Stream()
    stream.isSteady = false
    stream.lead = 0.02
    stream.run(seconds: 5)
    #expect(!stream.regulator.isEngaged)
    #expect(stream.regulator.target == 0.08)
  }

  // MARK: Holes, underruns and the target

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
