import ALSASink
import AudioCodecs
import AudioEngine
import TestKit
import Testing

/// Tests that the amplifier is unmuted only while the device runs, and is switched only in the silence before and after
/// the content. The card and the switch record the times of their actions on the same clock, and the tests compare
/// these times. If the card runs dry because the machine is busy, the test is repeated.
@Suite(.enabled(if: SwitchControl.obstacle == nil, Comment(rawValue: SwitchControl.obstacle ?? "")))
struct AmplifierTests {
  private static let milliseconds: Int64 = 1_000_000

  /// Checks the two changes of the switch in a stream: the amplifier is unmuted in the silence before the content, and
  /// muted in the silence after the content.
  private func expectFramed(
    _ stream: PlayedStream, _ changes: ArraySlice<SwitchControl.Change>,
    settleMilliseconds: Int64 = 20, holdMilliseconds: Int64 = 10,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let changes = Array(changes)
    try #require(changes.map(\.isOn) == [true, false], sourceLocation: sourceLocation)
    try #require(!stream.content.isEmpty, sourceLocation: sourceLocation)
    let (unmuted, muted) = (changes[0].nanoseconds, changes[1].nanoseconds)
    let settled =
      stream.began + settleMilliseconds * Self.milliseconds - stream.periodNanoseconds
    #expect(unmuted > stream.began, sourceLocation: sourceLocation)
    #expect(unmuted >= settled, sourceLocation: sourceLocation)
    #expect(unmuted < stream.heard(stream.content.lowerBound), sourceLocation: sourceLocation)
    #expect(muted > stream.heard(stream.content.upperBound), sourceLocation: sourceLocation)
    // When the card stops, it does not record a frame that it has played only partly. So the recorded silence after the
    // content can be one frame too short, and the test requires a silence that is one frame shorter than the hold time.
    let held = muted + holdMilliseconds * Self.milliseconds - stream.heard(1) + stream.began
    #expect(held <= stream.end, sourceLocation: sourceLocation)
  }

  private func requireNoUnderrun(_ bench: AmplifierBench) throws {
    if bench.engine.xrunCount > 0 { throw MachineTooBusy() }
  }

  // MARK: Order

  @Test func init_withAmplifier_mutesItBeforeOpeningTheDevice() throws {
    let bench = try AmplifierBench()
    #expect(try bench.control.changes().map(\.isOn) == [false])
    bench.play([GeneratedTrack(frames: 5000).request(1)])
    bench.finish()
    let muted = try #require(try bench.control.changes().first)
    let stamp = try #require(try bench.pcm.stamps().first)
    #expect(muted.nanoseconds < stamp.nanoseconds)
  }

  @Test func open_unmutedByAnotherProgram_mutesBeforeOpeningTheDevice() throws {
    let bench = try AmplifierBench()
    try MixerSwitch(control: bench.control.name, element: "Master").setMuted(false)
    bench.play([GeneratedTrack(frames: 5000).request(1)])
    bench.finish()
    let changes = try bench.control.changes()
    try #require(changes.map(\.isOn) == [false, true, false, true, false])
    let stamp = try #require(try bench.pcm.stamps().first)
    #expect(changes[2].nanoseconds < stamp.nanoseconds)
  }

  @Test(arguments: [(20, 10), (150, 120), (0, 0)])
  func play_oneTrack_isFramedBySilence(settle: Int, hold: Int) throws {
    try repeatedWhileBusy {
      let bench = try AmplifierBench(settleMilliseconds: settle, holdMilliseconds: hold)
      let track = GeneratedTrack(frames: 20011)
      bench.play([track.request(1)])
      bench.finish()
      try requireNoUnderrun(bench)
      let streams = try PlayedStream.all(of: bench.pcm, rates: [44100])
      try expectFramed(
        streams[0], try bench.control.changes().dropFirst(), settleMilliseconds: Int64(settle),
        holdMilliseconds: Int64(hold))
      let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
      #expect(captured == track.bytes(4))
      #expect(bench.amplifierFailures.isEmpty)
    }
  }

  @Test func open_longBuffer_isFilledOnlyPartlyWithSilence() throws {
    let control = try SwitchControl()
    let pcm = try PacedPCM(.init())
    let sink = ALSASink(
      name: pcm.name, buffering: .init(periodFrames: 512, bufferMilliseconds: 500),
      muting: .init(MixerSwitch(control: control.name, element: "Master"), onFailure: { _ in }))
    let format = try sink.open(GeneratedTrack(frames: 1).format)
    sink.close(draining: false)
    #expect(format.bufferFrames > 20000)
    // The silence is handed over at most 40 ms before it is played. This is enough: the switching of an amplifier takes
    // at most 40 ms, and the device must not run dry in this time.
    let stamps = try pcm.stamps()
    #expect(!stamps.isEmpty)
    #expect(stamps.allSatisfy { $0.ahead + $0.frames <= 44100 * 40 / 1000 })
  }

  @Test func play_twoRates_framesEachStreamWithSilence() throws {
    try repeatedWhileBusy {
      let bench = try AmplifierBench()
      let tracks = [
        GeneratedTrack(frames: 20011), GeneratedTrack(rate: 96000, frames: 30000, seed: 2),
      ]
      bench.play([tracks[0].request(1), tracks[1].request(2)])
      bench.finish()
      try requireNoUnderrun(bench)
      #expect(bench.rates == [44100, 96000])
      let streams = try PlayedStream.all(of: bench.pcm, rates: bench.rates)
      let changes = try bench.control.changes()
      try #require(changes.map(\.isOn) == [false, true, false, true, false])
      try expectFramed(streams[0], changes[1...2])
      try expectFramed(streams[1], changes[3...4])
      #expect(changes[2].nanoseconds < streams[1].handedOver)
      for (stream, track) in zip(streams, tracks) {
        #expect(stream.bytes.withoutSilence(frameBytes: 8) == track.bytes(4))
      }
    }
  }

  @Test func play_afterIdleClose_framesBothStreams() throws {
    try repeatedWhileBusy {
      let bench = try AmplifierBench()
      bench.play([GeneratedTrack(frames: 9000).request(1)])
      bench.wait { $0.hasEnded && ((try? $0.control.changes().count) ?? 0) == 3 }
      bench.play([GeneratedTrack(frames: 9000, seed: 2).request(2)])
      bench.finish()
      try requireNoUnderrun(bench)
      let streams = try PlayedStream.all(of: bench.pcm, rates: [44100, 44100])
      let changes = try bench.control.changes()
      try #require(changes.map(\.isOn) == [false, true, false, true, false])
      try expectFramed(streams[0], changes[1...2])
      try expectFramed(streams[1], changes[3...4])
      // The engine closes an idle device only after `idleSeconds`. Until then, the device plays silence.
      let silent = streams[0].end - streams[0].heard(streams[0].content.upperBound)
      #expect(silent >= Int64(AmplifierBench.idleSeconds) * 1_000_000_000)
    }
  }

  @Test func shutDown_duringATrack_drainsTheDeviceAndMutes() throws {
    try repeatedWhileBusy {
      let bench = try AmplifierBench()
      let track = GeneratedTrack(frames: 441_000)
      bench.play([track.request(1)])
      bench.wait { ($0.engine.heardPosition()?.seconds ?? 0) > 0.2 }
      bench.engine.shutDown()
      try requireNoUnderrun(bench)
      let streams = try PlayedStream.all(of: bench.pcm, rates: [44100])
      try expectFramed(streams[0], try bench.control.changes().dropFirst())
      let handedOver = try bench.pcm.stamps().filter { $0.offset < streams[0].content.upperBound }
      let frames = handedOver.map(\.frames).reduce(0, +)
      #expect(Int(frames) == streams[0].content.upperBound)
    }
  }

  // MARK: Faults

  @Test func play_deviceIsUnplugged_mutesBeforeReporting() throws {
    let bench = try AmplifierBench()
    bench.play([GeneratedTrack(frames: 441_000).request(1)])
    bench.wait { ($0.engine.heardPosition()?.seconds ?? 0) > 0.2 }
    #expect(try bench.control.isOn())
    try bench.pcm.unplug()
    bench.wait { !$0.failures.isEmpty }
    #expect(try bench.control.isOn() == false)
    bench.engine.shutDown()
    #expect(try bench.control.changes().map(\.isOn) == [false, true, false])
  }

  @Test func play_deviceIsPluggedInAgain_settlesAgain() throws {
    try repeatedWhileBusy {
      let bench = try AmplifierBench { $0.goneAfter = 9000 }
      let track = GeneratedTrack(frames: 30011)
      bench.play([track.request(1)])
      bench.finish()
      try requireNoUnderrun(bench)
      let changes = try bench.control.changes()
      try #require(changes.map(\.isOn) == [false, true, false, true, false])
      let streams = try PlayedStream.all(of: bench.pcm, rates: [44100, 44100])
      try expectFramed(streams[1], changes[3...4])
      #expect(changes[1].nanoseconds < streams[0].heard(streams[0].content.lowerBound))
      #expect(changes[2].nanoseconds < streams[1].handedOver)
      #expect(bench.calls == Self.lostOnce)
    }
  }

  /// The expected arguments of the calls of `setMuted(_:)` if the device is lost once. True means mute. The amplifier
  /// is muted when the sink is created and before the device is opened, and is then unmuted. It is muted at once when
  /// the device is lost, and again before the next opening. Then it is unmuted, and muted at the end.
  private static let lostOnce = [true, true, false, true, true, false, true]

  @Test func play_deviceHangs_mutes() throws {
    let bench = try AmplifierBench { $0.hangsAfter = 9000 }
    bench.play([GeneratedTrack(frames: 30011).request(1)])
    bench.finish()
    #expect(bench.calls == Self.lostOnce)
    #expect(try bench.control.changes().map(\.isOn) == [false, true, false, true, false])
  }

  @Test func shutDown_deviceHangs_mutesAndEnds() throws {
    let bench = try AmplifierBench { $0.hangsAfter = 9000 }
    bench.play([GeneratedTrack(frames: 30011).request(1)])
    bench.wait { _ in ((try? bench.pcm.captured().count) ?? 0) >= 9000 * 8 }
    bench.engine.shutDown()
    bench.wait { _ in true }
    // The shutdown did not wait until the engine counts the hanging device as lost. Otherwise the engine would have
    // reported a failure.
    #expect(bench.failures.isEmpty)
    #expect(try bench.control.changes().map(\.isOn) == [false, true, false])
  }

  @Test func open_deviceDoesNotStart_staysMutedAndIsReported() throws {
    let bench = try AmplifierBench { $0.hangsAfter = 100 }
    bench.play([GeneratedTrack(frames: 5000).request(1)])
    bench.wait { !$0.failures.isEmpty }
    #expect(try bench.control.changes().map(\.isOn) == [false])
    #expect(bench.failures.map(\.isAbsent) == [false])
    let reason = try #require(bench.failures.first?.reason)
    #expect(reason.hasPrefix(bench.pcm.name) && reason.hasSuffix("Connection timed out"))
    bench.finish()
    #expect(try bench.control.changes().map(\.isOn) == [false, true, false])
  }

  @Test func open_underrunWhileSettling_settlesAgain() throws {
    try repeatedWhileBusy {
      let bench = try AmplifierBench { $0.starveAfter = 400 }
      bench.play([GeneratedTrack(frames: 9000).request(1)])
      bench.finish()
      try requireNoUnderrun(bench)
      // The card ran dry after the first hand-overs. The next hand-over found an empty card, which then started again.
      let streams = try PlayedStream.all(of: bench.pcm, rates: [44100])
      let dry = try #require(try bench.pcm.stamps().dropFirst().first { $0.ahead == 0 })
      let changes = try bench.control.changes()
      try #require(changes.map(\.isOn) == [false, true, false])
      #expect(bench.failures.isEmpty)
      let settle = 20 * Self.milliseconds - streams[0].periodNanoseconds
      #expect(changes[1].nanoseconds >= dry.nanoseconds + settle)
    }
  }

  @Test func play_missingAmplifier_isReportedOnceAndPlaysAll() throws {
    let bench = try AmplifierBench(isPlugged: false)
    let tracks = [GeneratedTrack(frames: 9000), GeneratedTrack(rate: 48000, frames: 9000, seed: 2)]
    bench.play([tracks[0].request(1), tracks[1].request(2)])
    bench.finish()
    #expect(bench.amplifierFailures.map(\.isAbsent) == [true])
    #expect(bench.amplifierFailures.first?.reason.contains(bench.control.name) == true)
    let streams = try PlayedStream.all(of: bench.pcm, rates: [44100, 48000])
    for (stream, track) in zip(streams, tracks) {
      #expect(stream.bytes.withoutSilence(frameBytes: 8) == track.bytes(4))
    }
  }

  @Test func play_amplifierFailsTwice_isReportedTwice() throws {
    let bench = try AmplifierBench(isPlugged: false)
    try bench.control.plugIn()
    bench.play([GeneratedTrack(frames: 20011).request(1)])
    bench.wait {
      ((try? $0.control.isOn()) ?? false) && ($0.engine.heardPosition()?.seconds ?? 0) > 0.1
    }
    try bench.control.unplug()
    bench.finish()
    #expect(bench.amplifierFailures.count == 2)
  }

  @Test func open_withoutAmplifier_writesNoSilence() throws {
    let pcm = try PacedPCM(.init())
    let sink = ALSASink(name: pcm.name)
    _ = try sink.open(GeneratedTrack(frames: 1).format)
    sink.close(draining: true)
    #expect(try pcm.stamps().isEmpty)
  }

  // MARK: Position

  /// After each opening the card first plays silence. This silence is not part of the music, so it does not change the
  /// heard position. The same is true for an opening in the middle of a track.
  @Test func heardPosition_aroundAnOpening_isTheFrameThatTheCardPlays() throws {
    try repeatedWhileBusy {
      let bench = try AmplifierBench { $0.goneAfter = 9000 }
      let track = GeneratedTrack(frames: 40000)
      var samples: [(nanoseconds: Int64, seconds: Double)] = []
      bench.onRound = { bench in
        let before = PlaybackEngine.nanoseconds()
        guard let heard = bench.engine.heardPosition() else { return }
        let after = PlaybackEngine.nanoseconds()
        if after - before < 1_000_000 { samples.append(((before + after) / 2, heard.seconds)) }
      }
      bench.play([track.request(1)])
      bench.finish()
      try requireNoUnderrun(bench)
      let streams = try PlayedStream.all(of: bench.pcm, rates: [44100, 44100])
      // The first stream begins with the first frame of the track. The second stream ends with the last frame of the
      // track.
      let firsts = [0, track.frameCount - streams[1].content.count]
      var compared = [0, 0]
      var worst = 0.0
      for (at, stream) in streams.enumerated() {
        for sample in samples {
          let frame = stream.frame(at: sample.nanoseconds)
          guard stream.content.contains(frame) else { continue }
          compared[at] += 1
          let played = Double(firsts[at] + frame - stream.content.lowerBound) / 44100
          worst = max(worst, abs(played - sample.seconds))
        }
      }
      // On a busy machine, too few positions are read quickly enough for a comparison.
      guard compared.allSatisfy({ $0 > 10 }) else { throw MachineTooBusy() }
      // The tolerance is one period plus 5 ms. The 5 ms are for the time that passes in the test between the reading of
      // the clock and the reading of the position.
      #expect(worst <= 512.0 / 44100 + 0.005, "\(worst * 1000) ms")
    }
  }
}
