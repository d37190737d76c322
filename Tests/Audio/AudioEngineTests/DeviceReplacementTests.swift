import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Tests that playback continues when a device is lost and a device with another rate replaces it.
@Suite struct DeviceReplacementTests {
  /// Format of the tracks. The first device runs at 48 kHz: 480 frames of the device last as long as 441 frames of a
  /// track. The second device runs at the rate of the track, so the test can compare the frames of the second device
  /// bit for bit.
  private let format = StreamFormat.test(rate: 44100)

  /// An engine whose first device opens at 48 kHz if 44.1 kHz is requested.
  private func bench(ringBytes: Int = FrameRing.defaultBytes) -> EngineBench {
    let bench = EngineBench(ringBytes: ringBytes)
    let native = bench.sink.device
    bench.sink.device = { wanted in
      var device = native(wanted)
      if wanted.sampleRate == 44100 { device.sampleRate = 48000 }
      return device
    }
    return bench
  }

  /// Unplugs the device, and plugs in a device that supports every format.
  private func replaceDevice(_ bench: EngineBench) {
    bench.sink.runFailure = -19
    bench.sink.device = CapturingSink().device
  }

  @Test func reopen_withAnotherRate_continuesAtTheSameFrame() {
    let bench = bench()
    bench.play(.counting(1, format, frames: 2000))
    bench.run(frames: 480)
    replaceDevice(bench)
    bench.run()
    #expect(bench.sink.takes.last?.device.sampleRate == 44100)
    #expect(bench.sink.takes.last?.samples32 == format.samples32(441..<2000))
    #expect(bench.hasEnded)
    let conversions = bench.events.compactMap { event -> String? in
      if case .deviceOpened(_, let words) = event { words ?? "none" } else { nil }
    }
    #expect(conversions == ["44100 to 48000 Hz", "none"])
  }

  @Test func reopen_withOtherChannels_mixes() {
    let bench = EngineBench()
    bench.play(.counting(1, format, frames: 2000))
    bench.run(frames: 500)
    bench.sink.runFailure = -19
    let native = bench.sink.device
    bench.sink.device = { wanted in
      var device = native(wanted)
      device.layout = .mono
      return device
    }
    bench.run()
    #expect(bench.sink.takes[0].samples32 == format.samples32(0..<500))
    #expect(bench.sink.takes.last?.device.layout == .mono)
    #expect(bench.sink.takes.last?.samples32.count == 1500)
    #expect(bench.hasEnded)
  }

  @Test func reopen_withAnotherRate_heardPositionContinues() throws {
    let bench = bench()
    bench.play(.counting(1, format, frames: 44100))
    bench.run(frames: 24000)
    replaceDevice(bench)
    bench.run(frames: 100)
    let segments = bench.segments
    #expect(segments.map(\.sampleRate) == [48000, 44100])
    #expect(segments.map(\.startSeconds) == [0, 0.5])
  }

  /// Replaces the device at many positions of the two tracks. Depending on the position and on the size of the ring,
  /// the decoder is in the first track, in the second track, or after both tracks.
  @Test(arguments: [4096, FrameRing.defaultBytes])
  func reopen_withAnotherRateAnywhereInTwoTracks_losesNoFrame(ringBytes: Int) {
    let following = TrackRequest.counting(2, format, first: 7000, frames: 441)
    for frames in stride(from: 0, through: 1440, by: 32) {
      let bench = bench(ringBytes: ringBytes)
      bench.followers[1] = following
      bench.play(.counting(1, format, frames: 882))
      bench.run(frames: frames)
      replaceDevice(bench)
      bench.run()
      let first = Int((Double(frames) * 441 / 480).rounded())
      let expected =
        first < 882
        ? format.samples32(first..<882) + format.samples32(0..<441, first: 7000)
        : format.samples32(first - 882..<441, first: 7000)
      // If the device is replaced at the end of the second track, no frame is left to play.
      let rest = bench.sink.takes.last?.samples32 ?? []
      #expect(rest == expected, "after \(frames) frames")
      #expect(bench.started.filter { $0 == 2 }.count >= 1, "after \(frames) frames")
      #expect(bench.hasEnded, "after \(frames) frames")
    }
  }

  @Test func reopen_whileTheNextTrackWaits_setsTheDeviceUpForThatTrack() {
    let other = StreamFormat.test(rate: 96000)
    for frames in [500, 600, 640] {
      let bench = EngineBench()
      bench.followers[1] = .counting(2, other, frames: 400)
      bench.play(.counting(1, format, frames: 640))
      bench.run(frames: frames)
      bench.sink.runFailure = -19
      let native = bench.sink.device
      bench.sink.device = { wanted in
        var device = native(wanted)
        if wanted.sampleRate == 44100 { device.sampleRate = 48000 }
        return device
      }
      bench.run()
      #expect(bench.sink.takes.last?.samples32 == other.samples32(0..<400), "\(frames)")
      #expect(bench.hasEnded)
    }
  }

  @Test(arguments: [512, 640])
  func reopen_beforeTheDecoderIsNotified_ignoresTheVoidRequest(frames: Int) {
    let bench = EngineBench()
    bench.followers[1] = .counting(2, .test(rate: 96000), frames: 400)
    bench.play(.counting(1, format, frames: 640))
    // At the end of this run, the decoder has requested a device for the second track. Of the first track, 128 frames
    // are left if `frames` is 512, and none if it is 640.
    bench.run(frames: frames)
    bench.sink.runFailure = -19
    bench.sink.device = { [native = bench.sink.device] wanted in
      var device = native(wanted)
      device.sampleRate = 48000
      return device
    }
    for _ in 0..<5 { bench.runOutput(frames: 64) }
    #expect(bench.sink.takes.map(\.wanted.sampleRate) == [44100, 44100])
    bench.run()
    let again = frames < 640 ? [44100] : []
    #expect(bench.sink.takes.map(\.wanted.sampleRate) == [44100, 44100] + again + [96000])
    #expect(bench.started == (frames < 640 ? [1, 1, 2] : [1, 2]))
    #expect(bench.hasEnded)
  }

  @Test func reopen_severalTimesBeforePlaying_continuesAtTheSameFrame() {
    let bench = bench()
    bench.play(.counting(1, format, frames: 2000))
    bench.run(frames: 480)
    let native = bench.sink.device
    // Each of the first four openings finds a device with another rate, and this device fails at once. The device of
    // the fifth opening has the requested rate and works.
    var openings = 0
    let sink = bench.sink
    sink.runFailure = -19
    sink.device = { [unowned sink] wanted in
      openings += 1
      var device = native(wanted)
      device.sampleRate = openings < 5 ? 8000 * openings : wanted.sampleRate
      if openings < 5 { sink.runFailure = -19 }
      return device
    }
    // A run ends after a few rounds without progress, so several runs are necessary.
    for _ in 0..<5 { bench.run() }
    #expect(openings >= 5)
    #expect(bench.sink.takes.last?.samples32 == format.samples32(441..<2000))
  }

  @Test func reopen_afterTheEnd_isSilentAndPlaysTheNextTrack() {
    let bench = bench()
    bench.play(.counting(1, format, frames: 441))
    bench.run()
    #expect(bench.hasEnded)
    replaceDevice(bench)
    bench.run()
    #expect(bench.sink.takes.last?.bytes == [])
    bench.play(.counting(2, format, first: 50, frames: 300))
    bench.run()
    #expect(bench.sink.takes.last?.samples32 == format.samples32(0..<300, first: 50))
    #expect(bench.started == [1, 2])
  }

  @Test func play_deviceIsMissing_playsOnTheOtherDevice() {
    let bench = bench()
    bench.play(.counting(1, format, frames: 2000))
    bench.run(frames: 480)
    replaceDevice(bench)
    bench.sink.openFailures = [SinkError("no device")]
    bench.runOutput(frames: 1)
    bench.runOutput(frames: 1)
    bench.play(.counting(2, format, first: 50, frames: 300))
    bench.run()
    #expect(bench.sink.takes.last?.samples32 == format.samples32(0..<300, first: 50))
    #expect(bench.started == [1, 2])
  }

  @Test func reopen_whilePaused_isSilentUntilResumed() {
    let bench = bench()
    bench.sink.pads = true
    bench.play(.counting(1, format, frames: 2000))
    bench.run(frames: 480)
    bench.renderer.setPaused(true)
    bench.run(frames: 480)
    replaceDevice(bench)
    bench.run(frames: 480)
    #expect(bench.sink.takes.last?.device.sampleRate == 44100)
    #expect(bench.sink.takes.last?.samples32.allSatisfy { $0 == 0 } == true)
    bench.renderer.setPaused(false)
    bench.run(frames: 2000)
    let samples = bench.sink.takes.last?.samples32 ?? []
    let last = format.samples32(1999..<2000)
    #expect(samples.lastIndex(of: last[1]).map { samples[$0 - 1] } == last[0])
  }

  @Test func reopen_withAFullEventRing_continues() {
    let bench = bench()
    bench.play(
      .scripted(1, format, (0..<3000).flatMap { _ in [.frames(16), .hole(16)] }))
    bench.run(frames: 480)
    replaceDevice(bench)
    bench.run()
    #expect(bench.hasEnded)
    #expect(bench.sink.takes.last?.bytes.isEmpty == false)
  }
}
