import AudioCodecs
import TestKit
import Testing
import Threads
@testable import AudioEngine

// Tests tracks whose format differs from the format of the device, so that frames are converted.
extension PlaybackTests {
  @Test func play_deviceOfAnotherRate_isGapless() {
    let sink = CapturingSink(samples: .float)
    sink.device = { _ in
      DeviceFormat(
        sampleRate: 48000, layout: .stereo, samples: .float, periodFrames: 64, bufferFrames: 128)
    }
    let bench = EngineBench(sink: sink)
    let source = StreamFormat.test(rate: 44100)
    bench.queue = [
      .scripted(2, source, first: 2 * 22_051, [.frames(22_049)])
    ]
    bench.play(.scripted(1, source, [.frames(22_051)]))
    bench.run()
    #expect(sink.takes.count == 1)
    // The two tracks together last one second, so the device gets 48 000 frames. Rounding can change this number by
    // one.
    let frames = sink.takes[0].bytes.count / 8
    #expect(abs(frames - 48_000) <= 1)
    let conversions = bench.events.compactMap { event -> String? in
      if case .deviceOpened(_, let words) = event { words } else { nil }
    }
    #expect(conversions == ["44100 to 48000 Hz"])
  }

  @Test func play_onAFixedDevice_isGaplessForEachPair() {
    let sink = CapturingSink()
    let fixed = StreamFormat.test(32, rate: 48000)
    let bench = EngineBench(sink: sink, fixed: fixed)
    bench.queue = [
      .scripted(2, .test(24, rate: 96000), [.frames(9600)]),
      .scripted(3, .test(16, rate: 48000, .mono), [.frames(4800)]),
      .scripted(4, .test(16, rate: 44100), [.frames(4410)]),
    ]
    bench.play(.scripted(1, .test(16, rate: 44100), [.frames(4410)]))
    bench.run()
    #expect(bench.started == [1, 2, 3, 4])
    #expect(sink.takes.map(\.device.sampleRate) == [48000])
    // Each of the four tracks lasts 0.1 s.
    #expect(sink.takes[0].samples32.count == 2 * 4 * 4800)
    #expect(bench.renderer.starvedFrameCount == 0)
  }

  @Test func setPaused_forLong_closesTheDeviceAndContinuesWithTheNextFrame() {
    let sink = CapturingSink()
    sink.pads = true
    let bench = EngineBench(sink: sink, idleSeconds: 1)
    bench.play(.scripted(1, format, [.frames(20_000)]))
    bench.run(frames: 1024)
    bench.renderer.setPaused(true)
    bench.run(frames: 48_000)
    #expect(sink.closeCount == 0)
    bench.run(frames: 2048)
    #expect(sink.closeCount == 1)
    let frames = sink.takes[0].bytes.count
    bench.run(frames: 2048)
    #expect(sink.takes[0].bytes.count == frames, "a closed device got frames")
    bench.renderer.setPaused(false)
    bench.run(frames: 19_500)
    #expect(sink.takes.count == 2)
    // The device was closed and opened again. After the fade-in (5 ms, 240 frames) every frame has full level, and no
    // frame is missing.
    let before = bench.sink.takes[0].samples32.last { $0 != 0 } ?? 0
    let after = sink.takes[1].samples32.first { $0 != 0 } ?? 0
    #expect(before > 0 && after > 0)
    let tail = sink.takes[1].samples32.dropFirst(2 * 480)
    let start = Int(tail.first ?? 0) >> 17
    #expect(start > 1000)
    #expect(Array(tail.prefix(2000)) == format.samples32(start..<start + 1000))
    #expect(bench.hasEnded)
  }

  @Test func rest_commandOrOverlay_opensTheDevice() {
    let sink = CapturingSink()
    sink.pads = true
    let bench = EngineBench(sink: sink, idleSeconds: 1)
    bench.play(.scripted(1, format, [.frames(100)]))
    bench.run(frames: 50_000)
    #expect(sink.closeCount == 1)
    bench.playOverlay(.scripted(9, format, first: 100, [.frames(1000)]))
    bench.run(frames: 50_000)
    #expect(sink.takes.count == 2)
    #expect(sink.closeCount == 2)
    bench.play(.scripted(2, format, [.frames(1000)]))
    bench.run(frames: 2000)
    #expect(sink.takes.count == 3)
    #expect(bench.started == [1, 2])
  }

  @Test func play_monoOnStereo_isBitExact() {
    let sink = CapturingSink()
    sink.device = { _ in
      DeviceFormat(
        sampleRate: 48000, layout: .stereo, samples: .s32, periodFrames: 64, bufferFrames: 128)
    }
    let bench = EngineBench(sink: sink)
    let mono = StreamFormat.test(32, .mono)
    bench.play(.scripted(1, mono, [.frames(200)]))
    bench.run()
    #expect(sink.takes[0].samples32 == mono.samples32(0..<200).flatMap { [$0, $0] })
  }

  @Test func play_withTrackGain_isScaled() {
    let bench = EngineBench()
    let format = StreamFormat.test(24)
    bench.play(.scripted(1, format, gain: 0.5, [.frames(100)]))
    bench.run()
    #expect(bench.sink.takes[0].samples32 == format.samples32(0..<100).map { $0 / 2 })
  }

  @Test func play_gapInTheTrack_keepsThePosition() {
    let bench = EngineBench()
    bench.play(.scripted(1, format, [.frames(100), .hole(48_000), .frames(100)]))
    bench.run()
    #expect(bench.sink.takes[0].samples32.count == 400)
    // The track has two segments: one before the hole and one after it. Each segment reports a start.
    #expect(bench.started == [1, 1])
  }

  @Test func reopen_withAnotherSampleFormat_continuesInThisFormat() {
    let bench = EngineBench()
    bench.play(.scripted(1, format, [.frames(1000)]))
    bench.run(frames: 400)
    bench.sink.runFailure = -19
    bench.sink.device = {
      DeviceFormat(
        sampleRate: $0.sampleRate, layout: $0.layout, samples: .s16, periodFrames: 64,
        bufferFrames: 128)
    }
    bench.run()
    let expected = format.samples32(400..<1000).map { Int16($0 >> 16) }
    #expect(bench.sink.takes.last?.samples16 == expected)
  }

  // MARK: Commands near a join

  func resampling(ringBytes: Int) -> EngineBench {
    let sink = CapturingSink()
    sink.device = { wanted in
      DeviceFormat(
        sampleRate: wanted.sampleRate == 44100 ? 48000 : wanted.sampleRate, layout: wanted.layout,
        samples: .s32, periodFrames: 64, bufferFrames: 128)
    }
    return EngineBench(sink: sink, ringBytes: ringBytes)
  }

  @Test(arguments: [44100, 96000])
  func skip_nearAResampledJoin_isHeard(rate: Int) {
    let source = StreamFormat.test(rate: 44100)
    for frames in stride(from: 16, to: 3600, by: 16) {
      let bench = resampling(ringBytes: 4096)
      bench.queue = [.scripted(2, source, Array(repeating: .frames(500), count: 8))]
      bench.play(.scripted(1, source, Array(repeating: .frames(500), count: 4)))
      bench.run(frames: frames)
      bench.queue = []
      bench.play(.scripted(3, .test(rate: rate), Array(repeating: .frames(500), count: 4)))
      bench.run()
      #expect(bench.started.last == 3, "after \(frames) frames")
    }
  }

  @Test
  func play_moreSegmentsThanTheEventRingHolds_ends() async {
    // This test needs the threads of the engine, because the result depends on the wake-ups between these threads. An
    // ``EngineBench`` runs the steps itself, without wake-ups.
    let engine = PlaybackEngine(sink: WAVSink(path: "/dev/null"))
    engine.play(
      .scripted(1, format, (0..<3000).flatMap { _ in [.frames(16), .hole(16)] }))
    var hasEnded = false
    while !hasEnded {
      engine.wakeUp.wait()
      for event in engine.takeEvents() {
        switch event {
        case .needsUpcoming: engine.setUpcoming(nil)
        case .ended: hasEnded = true
        default: break
        }
      }
    }
    engine.shutDown()
  }
}
