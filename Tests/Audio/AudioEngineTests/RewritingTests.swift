import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

/// Tests a device with a deep buffer whose frames can be rewritten. So changes are heard at once.
@Suite struct RewritingTests {
  let format = StreamFormat.test()
  let depth = 8192
  let safeguard = 100

  func bench(
    ringBytes: Int = FrameRing.defaultBytes, depth: Int = 8192, idleSeconds: Int = 60
  ) -> EngineBench {
    let sink = CapturingSink()
    sink.rewritableFrames = depth
    sink.safeguard = safeguard
    return EngineBench(sink: sink, ringBytes: ringBytes, idleSeconds: idleSeconds)
  }

  func left(_ bench: EngineBench, take: Int = 0) -> [Int32] {
    let samples = bench.sink.takes[take].samples32
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  @Test func play_withoutCommands_isBitExactAndFillsTheBuffer() throws {
    let bench = bench()
    bench.queue = [.scripted(2, format, first: 60_001, [.frames(20_000)])]
    bench.play(.scripted(1, format, first: 1, [.frames(30_000)]))
    bench.run(frames: 1024)
    #expect(bench.sink.renderedFrames - 1024 > depth * 2 / 3)
    bench.run(frames: 60_000)
    let samples = bench.sink.takes[0].samples32
    let first = try #require(samples.firstIndex { $0 != 0 }) / 2 * 2
    #expect(Array(samples[first..<first + 100_000]) == format.samples32(0..<50_000, first: 1))
    #expect(samples[(first + 100_000)...].allSatisfy { $0 == 0 })
    #expect(bench.started == [1, 2])
    #expect(bench.hasEnded)
    #expect(bench.renderer.starvedFrameCount == 0)
  }

  @Test func play_aMinute_wakesForAThirdOfTheBuffer() {
    let bench = bench()
    bench.play(.counting(1, format, first: 1, frames: 3_000_000))
    bench.run(frames: 8192)
    let before = bench.sink.waitCount
    bench.sink.budget = 0
    // Runs the output once per third of the buffer. `run(frames:)` would run it in pieces of 512 frames.
    for _ in 0..<30 {
      bench.settleDecoding()
      bench.runOutput(frames: depth / 3)
    }
    #expect(bench.sink.waitCount - before <= 2 * 30 + 2)
    #expect(bench.renderer.starvedFrameCount == 0)
  }

  /// The sound changes with the first block after the safeguard (the frames that the device plays next, which are never
  /// rewritten). A block of the renderer has 64 frames.
  @Test func setPaused_deepBuffer_fadesOutAfterTheSafeguard() throws {
    let bench = bench()
    bench.play(.scripted(1, format, first: 1, [.frames(100_000)]))
    bench.run(frames: 10_000)
    bench.renderer.setPaused(true)
    bench.run(frames: 10_000)
    let samples = left(bench)
    let lastSound = try #require(samples.lastIndex { $0 != 0 })
    // The fade of 5 ms has 240 frames.
    #expect((10_000 + safeguard...10_000 + safeguard + 64 + 240).contains(lastSound))
    bench.renderer.setPaused(false)
    bench.run(frames: 10_000)
    // No frame is lost or played twice: the first frame after the pause follows the last frame before the pause.
    let resumed = left(bench)
    let lastFrame = try #require(resumed.lastIndex { $0 != 0 })
    let began = try #require(resumed.firstIndex { $0 != 0 })
    // The first frame of the fade-in is a frame of the track, although its samples are 0.
    let silent = try #require(resumed[(lastSound + 1)...].firstIndex { $0 != 0 }) - lastSound - 2
    let played = lastFrame - began - silent
    #expect(resumed[lastFrame] == format.samples32(played..<played + 1, first: 1)[0])
  }

  /// The device keeps some frames that the sink tries to take back (rewind). The device plays these frames unchanged.
  /// The track then continues with the frame after them.
  @Test func setPaused_deviceKeepsFrames_continuesWithTheFrameAfterThem() throws {
    let bench = bench()
    bench.play(.scripted(1, format, first: 1, [.frames(100_000)]))
    bench.run(frames: 10_000)
    bench.sink.keptFrames = 150
    bench.renderer.setPaused(true)
    bench.run(frames: 2000)
    bench.renderer.setPaused(false)
    bench.run(frames: 10_000)
    let samples = left(bench)
    let began = try #require(samples.firstIndex { $0 != 0 })
    let music = format.samples32(0..<samples.count, first: 1)
    let fadeBegins = try #require(
      samples.indices.first { $0 >= began && samples[$0] != music[2 * ($0 - began)] })
    let rewritten = try #require(bench.sink.rewriteStarts.first)
    #expect(fadeBegins >= rewritten)
    let silence = try #require(samples[fadeBegins...].firstIndex { $0 == 0 })
    let resumed = try #require(samples[silence...].firstIndex { $0 != 0 })
    // The first frame of the fade-in is a frame of the track, although its samples are 0. At the resume, the device
    // keeps up to 150 silent frames although the renderer has already rendered frames of the track for them. So the
    // track continues up to 150 frames later.
    let silent = resumed - silence - 1
    let last = samples.count - 1
    let frame = last - began - silent
    let found = (frame - 1...frame + 151).first { samples[last] == music[2 * $0] }
    #expect(found != nil)
  }

  @Test func clock_acrossRewrites_isTheFrameThatIsHeard() {
    let bench = bench()
    bench.play(.counting(1, format, first: 1, frames: 200_000))
    bench.run(frames: 5000)
    // The track has no left sample that is 0. Only the first frame of each fade-in is 0; `fades` is the number of these
    // frames.
    var fades = 0
    for turn in 0..<60 {
      if turn % 7 == 3 { bench.renderer.setPaused(true) }
      if turn % 7 == 5 {
        bench.renderer.setPaused(false)
        fades += 1
      }
      if turn % 5 == 1 { bench.renderer.setVolume(turn % 2 == 0 ? 1 : 0.5) }
      bench.run(frames: 100 + 37 * turn)
      bench.runOutput(frames: 0)
      let reading = bench.clock.read()
      let samples = left(bench)
      let silence = samples.filter { $0 == 0 }.count
      #expect(reading.position - reading.pending == samples.count - silence + fades, "turn \(turn)")
    }
  }

  @Test func play_nextTrack_isReportedWhenItIsHeard() throws {
    let bench = bench()
    bench.queue = [.scripted(2, format, first: 20_001, [.frames(20_000)])]
    bench.play(.scripted(1, format, first: 1, [.frames(20_000)]))
    bench.run(frames: 15_000)
    // The device already contains frames of track 2.
    #expect(bench.sink.renderedFrames > 20_200)
    #expect(bench.started == [1])
    bench.run(frames: 6000)
    #expect(bench.started == [1, 2])
  }

  @Test func play_otherRate_opensTheDeviceAfterTheLastFrameWasHeard() throws {
    let bench = bench()
    bench.queue = [.scripted(2, .test(rate: 96000), first: 501, [.frames(5000)])]
    bench.play(.scripted(1, format, first: 1, [.frames(20_000)]))
    bench.run(frames: 60_000)
    try #require(bench.sink.takes.map(\.device.sampleRate) == [48000, 96000])
    let one = left(bench)
    let first = try #require(one.firstIndex { $0 != 0 })
    #expect(one.count >= first + 20_000)
    #expect(one.count < first + 20_000 + depth / 3)
    let two = bench.sink.takes[1].samples32
    let start = try #require(two.firstIndex { $0 != 0 }) / 2 * 2
    #expect(
      Array(two[start..<start + 10_000])
        == StreamFormat.test(rate: 96000).samples32(0..<5000, first: 501))
  }

  @Test func run_decoderIsLate_isSilentAndContinuesWithTheNextFrameAtOnce() throws {
    // The ring holds 16 384 frames.
    let bench = bench(ringBytes: 1 << 17)
    let sink = bench.sink
    bench.play(.counting(1, format, first: 1, frames: 100_000))
    bench.run(frames: 10_000)
    bench.runOutput(frames: 40_000)
    // Silence is rendered only shortly before it is heard: 40 ms (2 × 960 frames), and up to two blocks.
    #expect(sink.renderedFrames - sink.takes[0].bytes.count / 8 < safeguard + 2 * 960 + 2 * 64)
    let late = left(bench)
    let lastSound = try #require(late.lastIndex { $0 != 0 })
    let began = try #require(late.firstIndex { $0 != 0 })
    bench.run(frames: 3000)
    let samples = left(bench)
    let resumed = try #require(samples[(lastSound + 1)...].firstIndex { $0 != 0 })
    #expect(resumed - late.count <= safeguard + 64)
    // The first frame of the fade-in is a frame of the track, although its samples are 0.
    let silent = resumed - lastSound - 2
    #expect(bench.renderer.starvedFrameCount == silent)
    let last = try #require(samples.indices.last)
    let frame = last - began - silent
    #expect(samples[last] == format.samples32(frame..<frame + 1, first: 1)[0])
    let reports = bench.events.filter {
      switch $0 {
      case .starved, .starvationEnded: true
      default: false
      }
    }
    #expect(reports.count == 2)
  }

  @Test func shutDown_whilePlaying_fadesOut() {
    let bench = bench()
    bench.play(
      TrackRequest(id: 1) { () throws(DecodeError) in
        OpenedTrack(
          decoder: ConstantDecoder(frames: 48_000),
          description: TrackDescription(
            codec: "test", format: .test(), durationSeconds: nil, metadata: AudioMetadata()))
      })
    bench.run(frames: 10_000)
    bench.renderer.stop()
    bench.run(frames: 10_000)
    let samples = left(bench)
    // Only a fade of 5 ms and at most one more block are heard. Then the sink leaves its loop.
    #expect(samples.count <= 10_000 + safeguard + 64 + 240 + 64)
    let steps = zip(samples.dropFirst(2000), samples.dropFirst(2001)).map {
      abs(Double($0) - Double($1))
    }
    #expect((steps.max() ?? 0) / 2_147_483_648 <= 1.01 / 240)
    // The last frame of the fade-out is one step of the fade above silence.
    #expect((samples.last ?? .max) <= 1 << 24)
  }

  @Test func idle_deepBuffer_restsWhenTheSilenceWasHeard() {
    let bench = bench(idleSeconds: 1)
    bench.play(.scripted(1, format, first: 1, [.frames(1000)]))
    bench.run(frames: 200_000)
    #expect(bench.sink.closeCount == 1)
    let frames = bench.sink.takes[0].bytes.count / 8
    #expect((49_000...49_000 + depth).contains(frames))
  }

  @Test func resume_afterTheDeviceWasLost_continuesWithTheFrameThatWasNotHeard() throws {
    let bench = bench()
    bench.play(.scripted(1, format, first: 1, [.frames(60_000)]))
    let begin = ContinuousClock.now
    bench.run(frames: 10_000)
    bench.sink.runFailure = 19
    bench.run(frames: 20_000)
    // The engine estimates from the elapsed time how many frames a lost device has played.
    let estimated = Int((ContinuousClock.now - begin) / .seconds(1) * 48000)
    try #require(bench.sink.takes.count == 2)
    let one = left(bench)
    let two = left(bench, take: 1)
    let began = try #require(one.firstIndex { $0 != 0 })
    let heard = one.count - began
    let resumed = try #require(two.firstIndex { $0 != 0 })
    // At most one block is played twice.
    let number = (heard - 64...heard + estimated).first {
      format.samples32($0..<$0 + 1, first: 1)[0] == two[resumed]
    }
    #expect(number != nil)
  }

  /// The overlay is longer than its ring, and longer than the buffer of the device.
  @Test func playOverlay_longerThanItsRing_hasNoHole() throws {
    let bench = bench(depth: 48_000)
    bench.play(.counting(1, format, first: 1, frames: 400_000))
    bench.run(frames: 10_000)
    let chime = TrackRequest.counting(9, format, first: 20_001, frames: 150_000)
    bench.playOverlay(chime, musicGain: 0)
    bench.settleDecoding()
    // Frames are decoded only while the sink waits for the device.
    nonisolated(unsafe) unowned let decoding = bench
    bench.sink.onWait = { decoding.settleDecoding() }
    bench.runOutput(frames: 200_000)
    let samples = left(bench)
    let wanted = format.samples32(0..<150_000, first: 20_001)
    // After a tenth of a second the music is faded out, so only the overlay is heard.
    let start = try #require(samples.indices.first { samples[$0] == wanted[20_000] })
    let heard = samples[start..<start + 140_000]
    #expect(zip(heard, 0...).allSatisfy { $0 == wanted[20_000 + 2 * $1] })
  }

  @Test func playOverlay_acrossAChangeOfTheRate_continuesWithTheFrameThatWasNotHeard() throws {
    let bench = bench()
    bench.queue = [.counting(2, .test(rate: 96000), first: 1, frames: 200_000)]
    bench.play(.counting(1, format, first: 1, frames: 12_000))
    bench.run(frames: 4000)
    let chime = TrackRequest.counting(9, format, first: 1, frames: 20_000)
    bench.playOverlay(chime)
    bench.run(frames: 4000)
    #expect(bench.sink.takes.count == 1)
    bench.run(frames: 100_000)
    try #require(bench.sink.takes.count == 2)
    let ended = bench.events.contains { if case .overlayEnded = $0 { true } else { false } }
    #expect(ended)
    // Track 1 ends at about frame 12 000 of the device. The rest of the overlay is heard at 96 kHz.
    let one = left(bench).count
    let two = left(bench, take: 1)
    let rest = 2 * (20_000 - (one - 4000))
    let alone = two.firstIndex { $0 != 0 } ?? 0
    #expect(rest > 0)
    #expect(alone < rest)
  }

  @Test func resume_reportWasPassedBeforeTheLoss_isNotPassedAgain() {
    let bench = bench()
    bench.queue = [.scripted(2, format, first: 40_001, [.frames(60_000)])]
    bench.play(.scripted(1, format, first: 1, [.frames(20_010)]))
    // The start of track 2 is reported at frame 20 010, in the middle of a block.
    bench.run(frames: 20_010)
    bench.runOutput(frames: 0)
    bench.sink.runFailure = 19
    bench.run(frames: 20_000)
    #expect(bench.started == [1, 2])
    #expect(bench.sink.takes.count == 2)
  }

  // MARK: A change between the decision to render a block and its rendering

  /// Counts the blocks from now on, and calls `change` before block `number` is rendered.
  private func interrupt(
    _ bench: EngineBench, beforeBlock number: Int, _ change: @escaping () -> Void
  ) {
    var count = 0
    bench.sink.beforeBlock = {
      count += 1
      if count == number { change() }
    }
  }

  @Test func setPaused_whileABlockIsRenderedFarAhead_isHeardAtOnce() throws {
    let bench = bench()
    bench.play(.scripted(1, format, first: 1, [.frames(100_000)]))
    bench.run(frames: 10_000)
    let renderer = bench.renderer
    interrupt(bench, beforeBlock: 10) { renderer.setPaused(true) }
    bench.run(frames: 20_000)
    let samples = left(bench)
    let paused = try #require(bench.sink.rewriteStarts.last)
    let lastSound = try #require(samples.lastIndex { $0 != 0 })
    #expect((paused...paused + 240).contains(lastSound))
  }

  @Test func play_decodedWhileSilenceIsRenderedFarAhead_isHeardAtOnce() throws {
    let bench = bench()
    bench.play(.scripted(1, format, first: 1, [.frames(100_000)]))
    bench.run(frames: 10_000)
    bench.play(.scripted(2, format, first: 50_001, [.frames(50_000)]))
    nonisolated(unsafe) unowned let decoding = bench
    interrupt(bench, beforeBlock: 60) { decoding.settleDecoding() }
    bench.runOutput(frames: 2000)
    let samples = left(bench)
    // The device plays the fade-out of the first track, silence that is shorter than two blocks, and the second track.
    let silence = try #require(samples[10_000...].firstIndex { $0 == 0 })
    let begin = try #require(samples[(silence + 1)...].firstIndex { $0 != 0 })
    #expect(begin - silence < 128)
  }

  @Test func playOverlay_whileABlockIsRenderedFarAhead_isHeardAtOnce() throws {
    let bench = bench()
    bench.play(.counting(1, format, first: 1, frames: 100_000))
    bench.run(frames: 10_000)
    let chime = TrackRequest.counting(9, format, first: 20_001, frames: 500)
    nonisolated(unsafe) unowned let decoding = bench
    interrupt(bench, beforeBlock: 10) {
      decoding.playOverlay(chime)
      decoding.settleDecoding()
    }
    bench.run(frames: 6000)
    let samples = left(bench)
    let began = try #require(samples.firstIndex { $0 == 1 << 16 })
    let music = format.samples32(0..<samples.count, first: 1)
    let overlaid = try #require(
      samples.indices.first { $0 >= began && samples[$0] != music[2 * ($0 - began)] })
    let start = try #require(bench.sink.rewriteStarts.last { $0 <= overlaid })
    #expect((start...start + 1).contains(overlaid))
    // The sink renders blocks when a third of the buffer is free, so the overlay is heard later by at most a third of
    // the buffer.
    #expect(overlaid < 10_000 + depth / 3 + safeguard + 512 + 128)
  }

  // MARK: The end of the track, or a change of the rate, is already rendered

  /// Plays a track of 20 000 frames with a pause after 15 000 frames. At the pause, the device contains all remaining
  /// frames.
  private func pauseNearTheEnd(_ bench: EngineBench) {
    bench.play(.counting(1, format, first: 1, frames: 20_000))
    bench.run(frames: 15_000)
    bench.renderer.setPaused(true)
    bench.run(frames: 5000)
    bench.renderer.setPaused(false)
    bench.run(frames: 60_000)
  }

  /// The number of frames of the track that were heard, without the silence of the one pause.
  private func heardFrames(_ samples: [Int32]) throws -> Int {
    let first = try #require(samples.firstIndex { $0 != 0 })
    let last = try #require(samples.lastIndex { $0 != 0 })
    let pause = try #require(samples[first...].firstIndex { $0 == 0 })
    let resumed = try #require(samples[pause...].firstIndex { $0 != 0 })
    // The first frame of the fade-in is a frame of the track, although its samples are 0.
    return last + 1 - first - (resumed - 1 - pause)
  }

  @Test func setPaused_whenTheEndIsRendered_losesNoFrameAndEndsOnce() throws {
    let bench = bench()
    pauseNearTheEnd(bench)
    #expect(try heardFrames(left(bench)) == 20_000)
    let last = left(bench).last { $0 != 0 }
    #expect(last == format.samples32(19_999..<20_000, first: 1)[0])
    #expect(bench.events.count { if case .ended = $0 { true } else { false } } == 1)
  }

  @Test func setPaused_whenAChangeOfTheRateIsRendered_losesNoFrameOfBothTracks() throws {
    let bench = bench()
    let other = StreamFormat.test(rate: 96000)
    bench.queue = [.scripted(2, other, first: 501, [.frames(5000)])]
    pauseNearTheEnd(bench)
    try #require(bench.sink.takes.map(\.device.sampleRate) == [48000, 96000])
    #expect(try heardFrames(left(bench)) == 20_000)
    let two = bench.sink.takes[1].samples32
    let start = try #require(two.firstIndex { $0 != 0 }) / 2 * 2
    #expect(Array(two[start..<start + 10_000]) == other.samples32(0..<5000, first: 501))
    #expect(bench.started == [1, 2])
  }

  /// A change of the rate is rendered but not yet heard. A new track replaces this change.
  @Test func play_whenAChangeOfTheRateIsRendered_playsTheNewTrackAtItsRate() throws {
    let bench = bench()
    bench.queue = [.scripted(2, .test(rate: 96000), first: 501, [.frames(5000)])]
    bench.play(.counting(1, format, first: 1, frames: 20_000))
    bench.run(frames: 15_000)
    bench.play(.counting(3, format, first: 9001, frames: 4000))
    bench.run(frames: 60_000)
    #expect(bench.sink.takes.map(\.device.sampleRate) == [48000, 48000])
    #expect(bench.started == [1, 3])
    let samples = left(bench, take: 1)
    let last = try #require(samples.lastIndex { $0 != 0 })
    // After the fade-in of 240 frames, the frames are exact.
    let music = format.samples32(240..<4000, first: 9001)
    let expected = stride(from: 0, to: music.count, by: 2).map { music[$0] }
    #expect(Array(samples[(last - 3759)...last]) == expected)
  }

  @Test func setPaused_whileTheRingIsEmpty_isSilentAndContinuesWithTheNextFrame() throws {
    let bench = bench(ringBytes: 1 << 17)
    bench.play(.counting(1, format, first: 1, frames: 100_000))
    bench.run(frames: 10_000)
    // The decoder is late, so the device plays all its frames, and the ring is empty.
    bench.runOutput(frames: 40_000)
    bench.renderer.setPaused(true)
    bench.runOutput(frames: 3000)
    bench.renderer.setPaused(false)
    bench.run(frames: 5000)
    let samples = left(bench)
    let heard = try heardFrames(samples)
    #expect(samples.last == format.samples32(heard - 1..<heard, first: 1)[0])
  }
}
