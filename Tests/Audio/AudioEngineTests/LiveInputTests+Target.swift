import AudioCodecs
import Glibc
import TestKit
import Testing

@testable import AudioEngine

/// A target that changes while the input plays.
extension LiveInputTests {
  /// A source with room for a target of 0.25 s.
  private func source(
    _ rewritable: Int?, target: Double = 0.08, signal: @escaping (Int) -> Float = ramp
  ) -> ScriptedLiveSource {
    ScriptedLiveSource(
      lead: .init(target: target, limit: 0.5), rewritable: rewritable, signal: signal)
  }

  @Test(arguments: devices, [0.04, 0.2])
  func setTarget_whileItPlays_continuesBitExact(rewritable: Int?, target: Double) {
    let source = source(rewritable)
    source.play()
    source.run(steps: 50)
    source.input.setTarget(target)
    source.run(steps: 100)
    #expect(source.firstDifference(ramp) == nil)
    #expect(source.leads.dropFirst(10).allSatisfy { abs($0 - 0.08) < 0.011 })
    #expect(source.input.counts == .init(pushed: 150 * 480, dropped: 0, underruns: 0))
  }

  @Test(arguments: devices, [0.04, 0.2])
  func setTarget_beforeAnUnderrun_refillsToTheNewTarget(rewritable: Int?, target: Double) {
    let source = source(rewritable)
    source.play()
    source.run(steps: 50)
    source.input.setTarget(target)
    source.run(steps: 20, isSilent: true)
    source.skipKept()
    source.run(steps: 50)
    #expect(source.input.counts.underruns == 1)
    #expect(abs(source.input.lead - target) < 0.011)
  }

  @Test(arguments: devices)
  func setTarget_afterAnUnderrun_refillsToTheNewTarget(rewritable: Int?) {
    let source = source(rewritable)
    source.play()
    source.run(steps: 50)
    source.run(steps: 20, isSilent: true)
    source.skipKept()
    source.run(steps: 3)
    #expect(!source.input.level.isSteady)
    source.input.setTarget(0.2)
    source.run(steps: 50)
    #expect(source.input.level.isSteady)
    #expect(abs(source.input.lead - 0.2) < 0.011)
    #expect(source.input.counts.underruns == 1)
  }

  @Test(arguments: devices)
  func setTarget_farBelowTheLead_dropsFramesWithFades(rewritable: Int?) {
    let source = source(rewritable, target: 0.25, signal: { _ in 0.5 })
    source.play()
    source.run(steps: 50)
    source.input.setTarget(0.05)
    source.run(steps: 50)
    #expect(abs(source.input.lead - 0.05) < 0.011)
    #expect((9000...10_200).contains(source.input.counts.dropped))
    #expect(source.input.counts.underruns == 0)
    let begin = source.played.count - source.sound.count
    #expect(source.largestStep(from: begin) <= 0.5 / Float(fade) * 1.01)
  }

  /// The largest lead: 150 ms more than the target, 4 times the target, and the limit of the memory.
  @Test(arguments: [(0.04, 0.19), (0.1, 0.4), (0.25, 0.5)])
  func push_aBurst_keepsTheLargestLeadOfTheTarget(target: Double, largest: Double) {
    let source = source(nil, signal: { _ in 0.5 })
    source.input.setTarget(target)
    source.play()
    source.run(steps: 50)
    source.push(48_000)
    #expect(source.input.lead <= largest + 0.001)
    #expect(source.input.lead > largest - 0.006)
    source.run(steps: 100)
    #expect(abs(source.input.lead - target) < 0.011)
  }

  @Test(arguments: devices)
  func push_packetsThatAreAlmostTooLate_countsTheShortHoleOnce(rewritable: Int?) {
    let source = source(rewritable, signal: { _ in 0.5 })
    source.play()
    source.run(steps: 50)
    // The last frame is heard 75 to 85 ms after its push, so the device misses a few frames.
    source.run(steps: 8, isSilent: true)
    source.skipKept()
    source.run(steps: 100)
    #expect(source.input.counts.underruns == 1)
    #expect(abs(source.input.lead - 0.08) < 0.02)
    let begin = source.played.count - source.sound.count
    #expect(source.largestStep(from: begin) <= 0.5 / Float(fade) * 1.01)
  }

  @Test(arguments: devices)
  func setRatio_whileAHighTonePlays_addsLessNoiseThan90dB(rewritable: Int?) {
    let ratio = 1.0003
    let tone = 9973 / 44100.0
    let source = ScriptedLiveSource(
      rate: 44100, rewritable: rewritable,
      signal: { Float(0.5 * sin(2 * Double.pi * tone * Double($0))) })
    source.input.setRatio(ratio)
    source.play()
    source.run(steps: 100)
    let fit = ToneFit(Array(source.sound.suffix(8820)), periodsPerFrame: tone * ratio)
    #expect(fit.signalToNoise >= 90)
  }
}
