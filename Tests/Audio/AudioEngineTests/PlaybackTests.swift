import AudioCodecs
import TestKit
import Testing
import Threads

@testable import AudioEngine

/// Plays tracks through the whole engine and compares every frame.
@Suite struct PlaybackTests {
  let format = StreamFormat.test()

  @Test(arguments: [16, 20, 24, 32])
  func play_integers_areBitExact(bits: Int) {
    let bench = EngineBench()
    let format = StreamFormat.test(bits)
    bench.play(.scripted(1, format, [.frames(1000), .frames(7), .frames(300)]))
    bench.run()
    #expect(bench.sink.takes.map(\.samples32) == [format.samples32(0..<1307)])
    #expect(bench.hasEnded)
  }

  @Test func play_twoTracksOfOneFormat_areGapless() {
    let bench = EngineBench()
    bench.queue = [
      .scripted(2, format, first: 9000, [.frames(777)])
    ]
    bench.play(.scripted(1, format, [.frames(1001)]))
    bench.run()
    let expected = format.samples32(0..<1001) + format.samples32(0..<777, first: 9000)
    #expect(bench.sink.takes.map(\.samples32) == [expected])
    #expect(bench.started == [1, 2])
  }

  @Test func play_tracksOfSeveralDepths_useOneSetup() {
    let bench = EngineBench()
    let fine = StreamFormat.test(24)
    bench.queue = [
      .scripted(2, fine, [.frames(100)])
    ]
    bench.play(.scripted(1, format, [.frames(100)]))
    bench.run()
    let expected = format.samples32(0..<100) + fine.samples32(0..<100)
    #expect(bench.sink.takes.map(\.samples32) == [expected])
  }

  @Test func play_twoFormats_setsTheDeviceUpAgainAndLosesNoFrame() {
    let bench = EngineBench()
    let other = StreamFormat.test(rate: 96000)
    bench.queue = [
      .scripted(2, other, [.frames(400)])
    ]
    bench.play(.scripted(1, format, [.frames(500)]))
    bench.run()
    #expect(
      bench.sink.takes.map(\.samples32) == [format.samples32(0..<500), other.samples32(0..<400)])
    #expect(bench.sink.takes.map(\.device.sampleRate) == [48000, 96000])
    let silent = bench.events.compactMap { event in
      if case .changedOver(let nanoseconds) = event { nanoseconds } else { nil }
    }
    #expect(silent.count == 1)
    #expect((silent.first ?? 0) > 0)
  }

  @Test func play_formatChangeWithinATrack_continuesInTheNewFormat() {
    let bench = EngineBench()
    let other = StreamFormat.test(rate: 32000, .mono)
    bench.play(.scripted(1, format, [.frames(500), .format(other), .frames(400)]))
    bench.run()
    #expect(bench.sink.takes.map(\.device.sampleRate) == [48000, 32000])
    #expect(bench.sink.takes[0].samples32 == format.samples32(0..<500))
    #expect(bench.sink.takes[1].samples32 == other.samples32(500..<900))
  }

  @Test func play_tagChangeWithinATrack_isReportedWithItsFirstFrame() {
    let bench = EngineBench()
    var tags = AudioMetadata()
    tags.comments.entries = [.init(name: "TITLE", value: "Second")]
    bench.play(.scripted(1, format, [.frames(500), .metadata(tags), .frames(500)]))
    bench.run(frames: 448)
    #expect(bench.segments.map(\.metadata) == [nil])
    bench.run(frames: 128)
    #expect(bench.segments.map(\.metadata) == [nil, tags])
    #expect(bench.segments.last?.startSeconds == 500.0 / 48000)
  }

  @Test func play_hostileDamage_isReportedTwentyTimesAndCounted() {
    let bench = EngineBench()
    let damage = ScriptedDecoder.Line.skipped(DecodeError(.skipPacket, at: .byte(1), "damaged"))
    bench.play(.scripted(1, format, [.frames(9)] + Array(repeating: damage, count: 1000)))
    bench.run()
    var reported = 0
    var more: [Int] = []
    for event in bench.events {
      if case .damaged = event { reported += 1 }
      if case .moreDamage(_, let count) = event { more.append(count) }
    }
    #expect(reported == 20)
    #expect(more == [980])
  }

  @Test func play_moreFramesThanTheRingHolds_losesNoFrame() {
    let bench = EngineBench(ringBytes: 4096)
    bench.play(.scripted(1, format, Array(repeating: .frames(333), count: 40)))
    bench.run()
    #expect(bench.sink.takes.map(\.samples32) == [format.samples32(0..<13_320)])
  }

  @Test func play_sixChannels_ringSizeIsNoMultipleOfAFrame_losesNoFrame() {
    let bench = EngineBench(ringBytes: 4096)
    let layout = ChannelLayout([
      .frontLeft, .frontRight, .rearLeft, .rearRight, .frontCenter, .lowFrequency,
    ])
    let surround = StreamFormat.test(24, layout)
    bench.play(.scripted(1, surround, Array(repeating: .frames(101), count: 30)))
    bench.run()
    #expect(bench.sink.takes.map(\.samples32) == [surround.samples32(0..<3030)])
  }

  // MARK: Commands

  @Test func seek_duringPlayback_dropsDecodedFramesAndIsExact() {
    let bench = EngineBench()
    let track = TrackRequest.scripted(1, format, [.frames(4800), .frames(4800), .frames(4800)])
    bench.play(track)
    bench.run(frames: 1000)
    bench.play(track, at: 1)
    bench.run()
    let samples = bench.sink.takes[0].samples32
    #expect(Array(samples.prefix(2000)) == format.samples32(0..<1000))
    // The device plays 1000 frames, a fade-out of 240 frames, and then the whole script of the track. After the seek,
    // the frames of the script are numbered from 48 000. The fade-in ends long before the last frame.
    #expect(samples.count / 2 == 1000 + 240 + 14_400)
    #expect(samples.last == format.samples32(62_399..<62_400).last)
    #expect(bench.started == [1, 1])
  }

  @Test func play_anotherTrackWhilePlaying_replacesTheFirst() {
    let bench = EngineBench()
    bench.play(.scripted(1, format, Array(repeating: .frames(4800), count: 5)))
    bench.run(frames: 1000)
    bench.play(.scripted(2, format, first: 7, [.frames(4800)]))
    bench.run()
    // The device plays 1000 frames, a fade-out of 5 ms (240 frames), and the second track.
    let frames = bench.sink.takes[0].samples32.count / 2
    #expect(frames == 1000 + 240 + 4800)
    #expect(bench.started == [1, 2])
    #expect(bench.hasEnded)
  }

  @Test func play_anotherTrackWhilePlaying_heardPositionIsItsFirstFrame() {
    let bench = EngineBench()
    bench.sink.pads = true
    // The device delay is greater than the number of frames that are handed over in this test. So no frame was heard
    // yet.
    bench.sink.deviceDelay = 10_000
    bench.play(.scripted(1, format, [.frames(3000)]))
    bench.run(frames: 640)
    bench.play(.scripted(2, format, [.frames(3000)]))
    bench.run(frames: 640)
    let reading = bench.clock.read()
    #expect(bench.started == [1, 2])
    // Track 1 was decoded completely (3000 frames), so track 2 begins at position 3000.
    #expect(reading.position - reading.pending == 3000)
  }

  @Test func play_twoQuickCommands_onlyTheLastIsHeard() {
    let bench = EngineBench()
    bench.play(.scripted(1, format, [.frames(4800)]))
    bench.run(frames: 100)
    bench.play(.scripted(2, format, [.frames(4800)]))
    bench.settleDecoding()
    bench.play(.scripted(3, format, [.frames(4800)]))
    bench.run()
    #expect(bench.started == [1, 3])
  }

  @Test func play_afterTheLastTrackIsDecoded_ignoresItsEnd() {
    let bench = EngineBench()
    bench.play(.scripted(1, format, [.frames(4800)]))
    bench.run(frames: 100)
    bench.answers = false
    bench.play(.scripted(2, format, [.frames(100)]))
    bench.run()
    #expect(bench.started == [1, 2])
    #expect(!bench.hasEnded)
  }

  @Test func stop_whilePlaying_endsAfterTheFade() {
    let bench = EngineBench()
    bench.play(.scripted(1, format, [.frames(48000)]))
    bench.run(frames: 1000)
    bench.send(.stop)
    bench.run()
    #expect(bench.sink.takes[0].samples32.count / 2 == 1240)
    #expect(bench.hasEnded)
  }

  @Test func setPaused_trueThenFalse_continuesWithTheNextFrame() {
    let bench = EngineBench(
      sink: { () in
        let sink = CapturingSink()
        sink.pads = true
        return sink
      }())
    bench.play(.scripted(1, format, [.frames(4800)]))
    bench.run(frames: 480)
    bench.renderer.setPaused(true)
    bench.run(frames: 1000)
    bench.renderer.setPaused(false)
    bench.run(frames: 1000)
    let left = stride(from: 0, to: bench.sink.takes[0].samples32.count, by: 2).map {
      bench.sink.takes[0].samples32[$0]
    }
    // The sound fades out over 240 frames. After the silence it fades in over the next 240 frames of the track. The
    // frame after the fade-in has full level.
    #expect(left[480 + 240..<1480].allSatisfy { $0 == 0 })
    #expect(left[1480 + 240] == format.samples32(480 + 240 + 240..<480 + 240 + 241).first)
    #expect(left[479] == format.samples32(479..<480).first)
  }

  // MARK: Faults

  @Test func play_unreadableNextTrack_isSkipped() {
    let bench = EngineBench()
    bench.queue = [
      .unreadable(2),
      .scripted(3, format, first: 50, [.frames(100)]),
    ]
    bench.play(.scripted(1, format, [.frames(100)]))
    bench.run()
    #expect(bench.started == [1, 3])
    let failed = bench.events.compactMap {
      if case .failed(let id, _, _) = $0 { id } else { nil }
    }
    #expect(failed == [2])
    #expect(
      bench.sink.takes.map(\.samples32) == [
        format.samples32(0..<100) + format.samples32(0..<100, first: 50)
      ])
  }

  @Test func play_noReadableTrack_endsWithoutADevice() {
    let bench = EngineBench()
    bench.play(.unreadable(1))
    bench.run()
    #expect(bench.hasEnded)
    #expect(bench.sink.takes.isEmpty)
  }

  @Test func play_trackEndsEarly_isReportedAndPlaybackContinues() {
    let bench = EngineBench()
    let error = DecodeError(.endTrack, at: .frame(100), "cannot be read")
    bench.queue = [
      .scripted(2, format, [.frames(50)])
    ]
    bench.play(.scripted(1, format, [.frames(100), .failure(error)]))
    bench.run()
    #expect(bench.sink.takes[0].samples32.count / 2 == 150)
    let failures = bench.events.compactMap {
      if case .failed(_, let error, _) = $0 { error } else { nil }
    }
    #expect(failures == [error])
  }

  @Test func open_deviceRefusesAtFirst_retriesAndReportsOnce() {
    let sink = CapturingSink()
    sink.openFailures = [SinkError("busy"), SinkError("busy"), SinkError("busy")]
    let bench = EngineBench(sink: sink)
    bench.play(.scripted(1, format, [.frames(100)]))
    bench.run()
    #expect(sink.takes.map(\.samples32) == [format.samples32(0..<100)])
    let failures = bench.events.filter { if case .deviceFailed = $0 { true } else { false } }
    #expect(failures.count == 1)
    let regained = bench.events.filter { if case .deviceRegained = $0 { true } else { false } }
    #expect(regained.count == 1)
  }

  @Test func run_deviceIsLost_continuesAfterItReturns() {
    let sink = CapturingSink()
    let bench = EngineBench(sink: sink)
    bench.play(.scripted(1, format, [.frames(1000)]))
    bench.run(frames: 400)
    sink.runFailure = 19
    sink.openFailures = [SinkError("no device")]
    bench.run()
    #expect(sink.takes.count == 2)
    #expect(sink.takes.flatMap(\.samples32) == format.samples32(0..<1000))
    let regained = bench.events.filter { if case .deviceRegained = $0 { true } else { false } }
    #expect(regained.count == 1)
  }

  @Test func run_deviceFails_waitsBeforeRetrying() {
    let bench = EngineBench()
    bench.play(.scripted(1, format, [.frames(1000)]))
    bench.run(frames: 400)
    bench.sink.runFailure = 19
    #expect(bench.runOutput(frames: 64) == .waits(milliseconds: 1000))
  }

  @Test func run_emptyRing_isSilentAndCounted() {
    let sink = CapturingSink()
    sink.pads = true
    let bench = EngineBench(sink: sink)
    bench.answers = false
    bench.play(.scripted(1, format, [.frames(100)]))
    bench.run(frames: 300)
    #expect(bench.renderer.starvedFrameCount == 200)
    #expect(sink.takes[0].samples32.suffix(400).allSatisfy { $0 == 0 })
    func reported() -> [Bool] {
      bench.events.compactMap {
        switch $0 {
        case .starved: true
        case .starvationEnded: false
        default: nil
        }
      }
    }
    #expect(reported() == [true], "reported once, at the start")
    bench.exchange.setUpcoming(.track(.scripted(2, format, [.frames(600)])))
    bench.run(frames: 600)
    #expect(reported() == [true, false])
  }
}
