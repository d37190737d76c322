import AudioCodecs
import Glibc
import TestKit
import Testing

@testable import AudioEngine

/// Tests a source that pushes frames by its own clock. Most tests run twice: with a device that is filled by periods,
/// and with a device that is rewritten.
@Suite struct LiveInputTests {
  /// The target of the lead in frames: 80 ms at 48 kHz.
  let target = 3840
  let fade = 240
  static let devices: [Int?] = [nil, 16_384]

  @Test(arguments: devices)
  func push_byTheClockOfTheDevice_isBitExactWithTheLeadOfTheTarget(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: ramp)
    source.play()
    source.run(steps: 300)
    #expect(source.firstDifference(ramp) == nil)
    // The sound begins when the lead has reached its target. The source needs 8 steps to push this number of frames.
    // The first of these steps opens the device.
    let silence = source.played.count - source.sound.count
    #expect((target - 2 * source.step...target + source.step).contains(silence))
    #expect(source.input.counts == .init(pushed: 300 * source.step, dropped: 0, underruns: 0))
    #expect(source.leads.dropFirst(10).allSatisfy { abs($0 - 0.08) < 0.011 })
    #expect(source.bench.renderer.starvedFrameCount == 0)
  }

  @Test(arguments: devices)
  func push_afterAHole_losesNoFrameAndFadesIn(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { _ in 0.5 })
    source.play()
    source.run(steps: 50)
    source.run(steps: 20, isSilent: true)
    source.skipKept()
    source.run(steps: 50)
    #expect(source.input.counts.underruns == 1)
    #expect(source.input.counts.dropped == 0)
    #expect(abs(source.input.lead - 0.08) < 0.011)
    // Each frame is heard once. So the number of frames that are not silent is the number of pushed frames minus the
    // frames in the lead.
    let played = source.played
    let lead = Int((source.input.lead * 48000).rounded())
    #expect(abs(played.count { $0 != 0 } - (source.input.counts.pushed - lead)) <= 130)
    // No step between two frames is larger than a step of a fade of 5 ms, neither before nor after the hole.
    let begin = played.count - source.sound.count
    #expect(source.largestStep(from: begin) <= 0.5 / Float(fade) * 1.01)
  }

  @Test(arguments: devices)
  func push_aBurst_dropsFramesWithFadesUntilTheLeadIsAtItsTarget(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { _ in 0.5 })
    source.play()
    source.run(steps: 50)
    for _ in 0..<50 { source.push(480) }
    source.run(steps: 100)
    #expect(source.leads.max()! <= 0.251)
    #expect(source.input.counts.underruns == 0)
    // After the lead has exceeded its limit, new frames are dropped until the lead is at its target again. So about as
    // many frames are dropped as the burst contained: 24 000.
    #expect((23_500...24_500).contains(source.input.counts.dropped))
    #expect(abs(source.input.lead - 0.08) < 0.011)
    let begin = source.played.count - source.sound.count
    #expect(source.largestStep(from: begin) <= 0.5 / Float(fade) * 1.01)
    #expect(source.bench.renderer.starvedFrameCount == 0)
  }

  /// Runs for 20 s with a drift of 1000 ppm. Without a correction, the lead would change by 20 ms.
  @Test(arguments: devices, [1e-3, -1e-3])
  func setRatio_againstDrift_keepsTheLead(rewritable: Int?, drift: Double) {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { _ in 0.25 })
    source.drift = drift
    source.play()
    var average = 0.08
    source.afterStep = { _ in
      average += (source.input.lead - average) * 0.02
      source.input.setRatio(1 + (average - 0.08) * 0.2)
    }
    source.run(steps: 2000)
    #expect(source.input.counts.underruns == 0)
    #expect(source.input.counts.dropped == 0)
    #expect(source.leads.dropFirst(100).allSatisfy { abs($0 - 0.08) < 0.017 })
    #expect(source.bench.renderer.starvedFrameCount == 0)
  }

  @Test func push_withDriftAndWithoutCorrection_changesTheLead() {
    let source = ScriptedLiveSource(rewritable: nil, signal: { _ in 0.25 })
    source.drift = 1e-3
    source.play()
    source.run(steps: 2000)
    #expect(source.input.lead > 0.09)
  }

  @Test(arguments: devices)
  func setRatio_whileATonePlays_continuesTheTone(rewritable: Int?) throws {
    let ratio = 1.0005
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { tone(Double($0)) })
    source.play()
    source.run(steps: 50)
    source.input.setRatio(ratio)
    source.run(steps: 50)
    // Frame 0 of the tone is 0, so the sound begins with frame 1. The frames before the change of the ratio are exact.
    // After the change, the tone is faster.
    let sound = Array(source.sound)
    let change = try #require(source.firstDifference { tone(Double($0 + 1)) })
    #expect(change > 18_000 && change < 24_500)
    let errors = (change..<sound.count).map {
      abs(sound[$0] - tone(Double(change + 1) + Double($0 - change) * ratio))
    }
    // The tone is at most half a frame late. Two neighbouring frames of the tone differ by at most 0.065, so the error
    // is at most half of this.
    #expect(errors.max()! < 0.033)
    // The tone does not jump.
    let jumps = toneErrors(sound, rate: 48000)
    #expect(jumps.max()! < 2e-4)
  }

  @Test(arguments: devices)
  func push_toADeviceOfAnotherRate_isResampled(rewritable: Int?) throws {
    let source = ScriptedLiveSource(
      deviceRate: 44100, rewritable: rewritable, signal: { tone(Double($0)) })
    source.play()
    source.run(steps: 100)
    let errors = toneErrors(Array(source.sound.dropFirst(1000)), rate: 44100)
    #expect(errors.count > 30_000)
    #expect(errors.max()! < 1e-4)
    #expect(abs(source.input.lead - 0.08) < 0.015)
  }

  @Test(arguments: devices)
  func end_playsAllFramesAndThenTheNextTrack(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: ramp)
    source.bench.queue = [.scripted(2, .test(), first: 1, [.frames(5000)])]
    source.play()
    source.run(steps: 50)
    source.input.end()
    let pushed = source.pushed
    source.bench.run(frames: 30_000)
    let file = StreamFormat.test().samples32(0..<5000, first: 1).enumerated()
      .filter { $0.offset % 2 == 0 }.map { Float($0.element) / 2_147_483_648 }
    let isSame = Array(source.sound.prefix(pushed + 5000)) == (0..<pushed).map(ramp) + file
    #expect(isSame)
    #expect(source.bench.started == [1, 2])
  }

  @Test(arguments: devices)
  func play_again_dropsTheFramesThatWereNotHeard(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: ramp)
    source.play()
    source.run(steps: 50)
    source.play()
    source.run(steps: 50)
    #expect(abs(source.input.lead - 0.08) < 0.011)
    #expect(source.input.counts.underruns == 0)
    let last = try #require(source.played.last)
    let lead = Int((source.input.lead * 48000).rounded())
    // A device that is filled by periods has received 128 frames more than it has played.
    #expect((0...130).contains(Int((last * Float(1 << 24)).rounded()) - (source.pushed - lead)))
  }

  @Test func push_withoutAnEngine_keepsFewFramesAndBeginsWithNewOnes() throws {
    let source = ScriptedLiveSource(rewritable: nil, signal: ramp)
    for _ in 0..<1000 { source.push(480) }
    #expect(abs(source.input.lead - 0.08) < 0.001)
    let before = source.pushed
    source.play()
    source.run(steps: 50)
    #expect(source.firstDifference { ramp(before + $0) } == nil)
    #expect(source.input.counts.dropped == 0)
  }

  @Test(arguments: devices)
  func play_aFileInstead_dropsTheFramesAndAnUnusedInputStaysSmall(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { _ in 0.25 })
    source.play()
    source.run(steps: 50)
    source.bench.play(.counting(2, .test(), first: 1, frames: 20_000))
    source.run(steps: 100)
    #expect(source.input.lead <= 0.0801)
    #expect(source.input.counts.dropped == 0)
    #expect(source.bench.started == [1, 2])
    source.play(id: 3)
    source.run(steps: 50)
    #expect(abs(source.input.lead - 0.08) < 0.011)
    #expect(source.played.last == 0.25)
  }

  @Test func push_secondsAtOnce_keepsTheLimitAndFades() throws {
    let source = ScriptedLiveSource(rewritable: nil, signal: { _ in 0.5 })
    source.play()
    source.run(steps: 1)
    source.push(48_000 * 10)
    #expect(source.input.lead <= 0.251)
    source.run(steps: 100)
    #expect(abs(source.input.lead - 0.08) < 0.011)
    let begin = source.played.count - source.sound.count
    #expect(source.largestStep(from: begin) <= 0.5 / Float(fade) * 1.01)
  }

  @Test func push_afterTheEngineHasEnded_isSafe() {
    let source = ScriptedLiveSource(rewritable: nil, signal: ramp)
    let engine = PlaybackEngine(sink: NullSink())
    engine.play(source.track(id: 1))
    while engine.heardPosition()?.seconds ?? 0 == 0 {
      source.push(480)
      _ = engine.takeEvents()
    }
    engine.shutDown()
    for _ in 0..<1000 { source.push(480) }
    #expect(source.input.lead <= 0.0801)
  }

  // MARK: Sources that are silent, that end, and that follow a file

  @Test(arguments: devices, [44100, 48000])
  func push_afterAHoleBehindAResampler_returnsToTheTarget(rewritable: Int?, deviceRate: Int) {
    let source = ScriptedLiveSource(
      deviceRate: deviceRate, rewritable: rewritable, signal: { _ in 0.25 })
    source.input.setRatio(1.0005)
    source.play()
    source.run(steps: 50)
    source.run(steps: 40, isSilent: true)
    source.skipKept()
    source.run(steps: 50)
    #expect(source.input.counts.underruns == 1)
    #expect(source.input.counts.dropped == 0)
    #expect(abs(source.input.lead - 0.08) < 0.015)
  }

  @Test(arguments: devices)
  func push_afterABurstAndAHole_returnsToTheTarget(rewritable: Int?) {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { _ in 0.25 })
    source.play()
    source.run(steps: 50)
    for _ in 0..<50 { source.push(480) }
    source.run(steps: 60, isSilent: true)
    source.skipKept()
    source.run(steps: 50)
    #expect(source.input.counts.underruns == 1)
    #expect(abs(source.input.lead - 0.08) < 0.011)
  }

  @Test(arguments: devices)
  func play_sourceIsSilent_isNotLateAndTheOutputRests(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, idleSeconds: 2, signal: { _ in 0.25 })
    source.play()
    source.run(steps: 50)
    let waits = source.bench.sink.waitCount
    source.run(steps: 190, isSilent: true)
    // The sink waits twice in each step of the test. During silence, it also waits once per 20 ms in the first quarter
    // of a second, and later once per third of the buffer.
    if rewritable != nil { #expect(source.bench.sink.waitCount - waits < 2 * 190 + 35) }
    #expect(source.bench.sink.closeCount == 0)
    source.run(steps: 40, isSilent: true)
    #expect(source.bench.sink.closeCount == 1)
    #expect(source.bench.renderer.starvedFrameCount == 0)
    let isLate = source.bench.events.contains { if case .starved = $0 { true } else { false } }
    #expect(!isLate)
    source.skipKept()
    source.run(steps: 50)
    #expect(source.bench.sink.takes.count == 2)
    #expect(source.played.last == 0.25)
    #expect(abs(source.input.lead - 0.08) < 0.011)
    #expect(source.input.counts.underruns == 1)
  }

  @Test(arguments: devices)
  func play_afterAFile_beginsWithNewFramesAndTheLeadOfTheTarget(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { 0.5 + ramp($0) })
    source.bench.queue = [source.track(id: 2)]
    source.bench.play(.counting(1, .test(), first: 1, frames: 48_000))
    source.run(steps: 150)
    #expect(source.bench.started == [1, 2])
    #expect(source.input.counts.dropped == 0)
    #expect(source.input.counts.underruns == 0)
    #expect(abs(source.input.lead - 0.08) < 0.011)
    // From the first frame of the live source on, the sound has no jump: each value differs from the value before by
    // one step of `ramp`.
    let played = source.played
    let frames = (1..<played.count).reversed().prefix {
      abs(played[$0] - played[$0 - 1] - 1 / Float(1 << 24)) < 1e-7
    }
    #expect((played.count - 49_000...played.count - 48_000).contains(frames.count + 1))
  }

  @Test(arguments: devices)
  func play_afterTheEnd_doesNotRepeatTheLastFrames(rewritable: Int?) {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: ramp)
    source.play()
    source.run(steps: 50)
    source.input.end()
    source.push(480)
    #expect(source.input.counts == .init(pushed: 24_000, dropped: 0, underruns: 0))
    source.play(id: 2)
    source.bench.run(frames: 30_000)
    // When the source is played again, the frames of the first time that were not heard yet are dropped.
    #expect(source.played.max()! < ramp(24_000 - 3000))
  }

  @Test func end_beforeTheFirstFrameWasTaken_playsTheFrames() {
    let source = ScriptedLiveSource(rewritable: nil, signal: ramp)
    source.push(1000)
    source.input.end()
    source.play()
    source.bench.run(frames: 5000)
    let isSame = Array(source.sound.prefix(1000)) == (0..<1000).map(ramp)
    #expect(isSame)
  }

  @Test func setRatio_notANumber_isIgnored() {
    let source = ScriptedLiveSource(rewritable: nil, signal: ramp)
    source.input.setRatio(.nan)
    source.input.setRatio(.infinity)
    source.play()
    source.run(steps: 50)
    #expect(source.firstDifference(ramp) == nil)
  }

  @Test(arguments: devices)
  func seek_continuesThePositionWithNewFrames(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: ramp)
    source.play()
    source.run(steps: 50)
    source.bench.play(source.track(id: 1), at: 7.5)
    source.run(steps: 50)
    #expect(source.bench.segments.last?.startSeconds == 7.5)
    #expect(source.input.counts.underruns == 0)
  }

  @Test(arguments: devices)
  func push_whenTheDeviceWasOpenedAgain_beginsWithTheLeadOfTheTarget(rewritable: Int?) {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: { _ in 0.25 })
    source.bench.play(.counting(2, .test(rate: 44100), first: 1, frames: 90_000))
    source.bench.run(frames: 50_000)
    source.play()
    source.run(steps: 100)
    #expect(source.input.counts.dropped == 0)
    #expect(source.leads.dropFirst(20).allSatisfy { abs($0 - 0.08) < 0.011 })
  }

  // MARK: A target that changes while the input plays

  /// Creates a source whose lead can be up to 0.5 s, so that a target of 0.25 s is possible.
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

  /// The largest lead is 4 times the target, but at least 150 ms more than the target, and at most the limit of the
  /// input. Each argument tests one of these three rules.
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
    // The last frame before the silence is heard 75 to 85 ms after its push. The silence lasts 80 ms, so the device
    // misses a few frames.
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
