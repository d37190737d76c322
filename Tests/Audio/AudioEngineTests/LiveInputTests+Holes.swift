import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Sources that are silent, that end, and that follow a file.
extension LiveInputTests {
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
    // Each step of the test waits twice. The silence adds a wait for each 20 ms of the first quarter of a
    // second, and later one for each third of the buffer.
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
    // From its first frame on, the source is heard without a jump.
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
    // What was not heard at the second start is dropped.
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
}
