import ALSASink
import AudioCodecs
import AudioEngine
import TestKit
import Testing

/// Plays through libasound to a simulated device with a deep buffer. The sink rewrites frames in this buffer
/// (`snd_pcm_rewind`), so commands are heard at once.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct RewritingSinkTests {
  private func bench(
    _ change: (inout PacedPCM.Options) -> Void = { _ in }
  ) throws -> DeviceBench {
    var options = PacedPCM.Options()
    options.rewindStep = 8
    change(&options)
    return DeviceBench(try PacedPCM(options), buffering: .init(latency: .rewind))
  }

  @Test func play_toTheEnd_isBitExactFromADeepBuffer() throws {
    let bench = try bench()
    let track = GeneratedTrack(frames: 60_011)
    bench.playToEnd([track.request(1)])
    let device = try #require(bench.devices.first)
    #expect((device.format.rewritableFrames ?? 0) > 40_000)
    #expect(bench.failures.isEmpty)
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, track.bytes(4)) == nil)
    #expect(bench.engine.xrunCount == 0)
  }

  @Test func play_twoTracks_joinsWithoutAGap() throws {
    let bench = try bench()
    let one = GeneratedTrack(frames: 50_003)
    let two = GeneratedTrack(frames: 30_011, seed: 2)
    bench.playToEnd([one.request(1), two.request(2)])
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, one.bytes(4) + two.bytes(4)) == nil)
    #expect(bench.started == [1, 2])
  }

  @Test func play_otherRate_playsAllFramesOfBoth() throws {
    let bench = try bench { $0.formats = ["S16_LE"] }
    let one = GeneratedTrack(frames: 30_003)
    let two = GeneratedTrack(rate: 48000, frames: 20_011, seed: 2)
    bench.playToEnd([one.request(1), two.request(2)])
    let captured = try bench.pcm.captured()
    let first = captured.withoutSilence(frameBytes: 4)
    #expect(difference(Array(first.prefix(4 * 30_003)), one.bytes(2)) == nil)
    #expect(difference(Array(first.suffix(4 * 20_011)), two.bytes(2)) == nil)
    #expect(bench.devices.map(\.format.sampleRate) == [44100, 48000])
  }

  /// The device has a signal processor after its buffer: frames leave the buffer 45 ms before they are heard.
  @Test func play_deviceWithAProcessorBehindTheBuffer_losesNoFrameAtItsEnd() throws {
    let bench = try bench {
      $0.formats = ["S16_LE"]
      $0.behind = 2000
    }
    let one = GeneratedTrack(frames: 30_003)
    let two = GeneratedTrack(rate: 48000, frames: 20_011, seed: 2)
    bench.playToEnd([one.request(1), two.request(2)])
    let captured = try bench.pcm.captured()
    let first = captured.withoutSilence(frameBytes: 4)
    #expect(difference(Array(first.prefix(4 * 30_003)), one.bytes(2)) == nil)
    #expect(difference(Array(first.suffix(4 * 20_011)), two.bytes(2)) == nil)
    #expect(bench.devices.map(\.format.sampleRate) == [44100, 48000])
    #expect(bench.engine.xrunCount == 0)
  }

  @Test func setPaused_whilePlaying_losesNoFrame() throws {
    let bench = try bench()
    let track = GeneratedTrack(frames: 60_011)
    bench.play([track.request(1)])
    bench.wait { $0.engine.heardPosition().map { $0.seconds > 0.3 } ?? false }
    bench.engine.setPaused(true)
    // With a deep buffer that is not rewritten, the sound would continue for a second.
    let paused = bench.engine.heardPosition()?.seconds ?? 0
    let pausedAt = PlaybackEngine.nanoseconds()
    bench.wait { _ in PlaybackEngine.nanoseconds() - pausedAt > 300_000_000 }
    let held = bench.engine.heardPosition()?.seconds ?? 9
    #expect(held - paused < 0.1)
    bench.engine.setPaused(false)
    bench.finish()
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    // No frame is missing, and the pause adds silence.
    #expect(captured.count > 8 * 60_011)
    #expect(
      difference(Array(captured.suffix(8 * 30_000)), Array(track.bytes(4).suffix(8 * 30_000)))
        == nil)
  }

  @Test func run_deviceRanDry_countsItAndContinues() throws {
    let bench = try bench { $0.starveAfter = 30_000 }
    let track = GeneratedTrack(frames: 100_000)
    bench.playToEnd([track.request(1)])
    #expect(bench.engine.xrunCount == 1)
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(
      difference(Array(captured.suffix(8 * 20_000)), Array(track.bytes(4).suffix(8 * 20_000)))
        == nil)
  }

  /// The pause and the resume try to rewrite the buffer of a device that is unplugged.
  @Test func setPaused_whileTheDeviceIsGone_continuesWhenItIsBack() throws {
    let bench = try bench()
    let track = GeneratedTrack(frames: 120_000)
    bench.play([track.request(1)])
    bench.wait { $0.engine.heardPosition().map { $0.seconds > 0.3 } ?? false }
    try bench.pcm.unplug()
    for number in 0..<20 { bench.engine.setPaused(number % 2 == 0) }
    bench.wait { !$0.failures.isEmpty }
    for number in 0..<20 { bench.engine.setPaused(number % 2 == 0) }
    try bench.pcm.plugIn()
    bench.finish()
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(
      difference(Array(captured.suffix(8 * 80_000)), Array(track.bytes(4).suffix(8 * 80_000)))
        == nil)
  }

  @Test func open_deviceThatCannotBeRewritten_usesPeriodsAndSaysWhy() throws {
    let bench = try bench { $0.rewindStep = nil }
    let track = GeneratedTrack(frames: 20_011)
    bench.playToEnd([track.request(1)])
    let device = try #require(bench.devices.first)
    #expect(device.format.rewritableFrames == nil)
    #expect([.notSupported, .testFailed].contains(device.format.periodsReason))
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, track.bytes(4)) == nil)
  }

  /// The simulated sound card records when each frame is heard. The simulated amplifier records when it is muted or
  /// unmuted.
  @Test func play_withAmplifier_isUnmutedInTheSilenceAroundTheContent() throws {
    try repeatedWhileBusy {
      var options = PacedPCM.Options()
      options.rewindStep = 8
      let pcm = try PacedPCM(options)
      let control = try SwitchControl()
      let muting = ALSASink.Muting(MixerSwitch(control: control.name, element: "Master")) { _ in }
      let bench = DeviceBench(pcm, buffering: .init(latency: .rewind), muting: muting)
      let track = GeneratedTrack(frames: 20_011)
      bench.playToEnd([track.request(1)])
      if bench.engine.xrunCount > 0 { throw MachineTooBusy() }
      let changes = try control.changes()
      try #require(changes.map(\.isOn) == [false, true, false])
      let captured = try pcm.captured()
      #expect(difference(captured.withoutSilence(frameBytes: 8), track.bytes(4)) == nil)
      let first = try #require(captured.firstIndex { $0 != 0 }) / 8
      let last = try #require(captured.lastIndex { $0 != 0 }) / 8
      let stamps = try pcm.stamps()
      func heard(_ frame: Int) throws -> Int64 {
        let stamp = try #require(stamps.last { $0.offset <= frame })
        return stamp.nanoseconds + (Int64(frame) - stamp.offset) * 1_000_000_000 / 44100
      }
      #expect(changes[1].nanoseconds < (try heard(first)))
      #expect(changes[2].nanoseconds > (try heard(last)))
      // After the unmuting, the content begins within 40 ms. The engine does not wait until the device has played all
      // silence that was handed over in advance.
      #expect((try heard(first)) - changes[1].nanoseconds < 40_000_000)
    }
  }
}
