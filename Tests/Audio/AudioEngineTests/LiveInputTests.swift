import AudioCodecs
import Glibc
import TestKit
import Testing

@testable import AudioEngine

/// A source that pushes frames by its own clock. Each test runs with a device that is filled by periods
/// and with one that is rewritten.
@Suite struct LiveInputTests {
  /// Number of frames of 80 ms at 48 kHz, the target of the lead.
  let target = 3840
  let fade = 240
  static let devices: [Int?] = [nil, 16_384]

  @Test(arguments: devices)
  func push_byTheClockOfTheDevice_isBitExactWithTheLeadOfTheTarget(rewritable: Int?) throws {
    let source = ScriptedLiveSource(rewritable: rewritable, signal: ramp)
    source.play()
    source.run(steps: 300)
    #expect(source.firstDifference(ramp) == nil)
    // 8 steps push the frames of the target. The first of these steps opens the device.
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
    // Each frame is heard once: the sound lasts as long as the frames that have left the lead.
    let played = source.played
    let lead = Int((source.input.lead * 48000).rounded())
    #expect(abs(played.count { $0 != 0 } - (source.input.counts.pushed - lead)) <= 130)
    // No step is larger than that of a fade of 5 ms, neither before nor after the hole.
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
    // The burst had 24 000 frames. All frames above the limit are dropped until the lead is at its
    // target.
    #expect((23_500...24_500).contains(source.input.counts.dropped))
    #expect(abs(source.input.lead - 0.08) < 0.011)
    let begin = source.played.count - source.sound.count
    #expect(source.largestStep(from: begin) <= 0.5 / Float(fade) * 1.01)
    #expect(source.bench.renderer.starvedFrameCount == 0)
  }

  /// 20 s with 1000 ppm: without a correction, the lead changes by 20 ms.
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
    // The first frames are exact. The frame 0 is silent. Then the tone is faster.
    let sound = Array(source.sound)
    let change = try #require(source.firstDifference { tone(Double($0 + 1)) })
    #expect(change > 18_000 && change < 24_500)
    let errors = (change..<sound.count).map {
      abs(sound[$0] - tone(Double(change + 1) + Double($0 - change) * ratio))
    }
    // The tone is at most half a frame late. A step of the tone between two frames is at most 0.065.
    #expect(errors.max()! < 0.033)
    // There is no jump.
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
    // A device that is filled by periods has got 128 frames more than it has played.
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
}
