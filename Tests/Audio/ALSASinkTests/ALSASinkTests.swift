import ALSASink
import AudioCodecs
import AudioEngine
import TestKit
import Testing

/// Plays tracks through the whole engine, with its threads and libasound, to a simulated sound card (``PacedPCM``). The
/// tests compare the frames that the device plays, and not the times at which it plays them. So on an overloaded
/// machine the tests are slow, but they do not fail.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct ALSASinkTests {
  /// Creates a bench whose device plays four times as fast as real devices.
  private func bench(_ change: (inout PacedPCM.Options) -> Void = { _ in }) throws -> DeviceBench {
    var options = PacedPCM.Options()
    options.speed = 4
    change(&options)
    return DeviceBench(try PacedPCM(options))
  }

  // MARK: Formats

  @Test(arguments: [
    (16, "S32_LE", DeviceSamples.s32), (24, "S32_LE", .s32), (16, "S16_LE", .s16),
    (24, "S24_3LE", .s24Packed),
  ])
  func play_deviceWithTheSourcesDepth_isBitExact(bits: Int, alsa: String, samples: DeviceSamples)
    throws
  {
    let bench = try bench { $0.formats = [alsa] }
    let track = GeneratedTrack(bits: bits, frames: 20011)
    bench.playToEnd([track.request(1)])
    let device = try #require(bench.devices.first)
    #expect(device.format.samples == samples)
    #expect(device.format.sampleRate == 44100)
    #expect(device.conversion == nil)
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 2 * samples.bytes)
    #expect(difference(captured, track.bytes(samples.bytes)) == nil)
  }

  @Test func play_deviceWithSeveralFormats_usesTheWidest() throws {
    let bench = try bench { $0.formats = ["S16_LE", "S24_3LE", "FLOAT_LE"] }
    let track = GeneratedTrack(frames: 3000)
    bench.playToEnd([track.request(1)])
    #expect(bench.devices.map(\.format.samples) == [.s24Packed])
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 6)
    #expect(difference(captured, track.bytes(3)) == nil)
  }

  @Test func play_deviceOfAnotherRate_convertsAndReportsTheConversion() throws {
    let bench = try bench {
      $0.formats = ["S16_LE"]
      $0.rates = [48000]
    }
    bench.playToEnd([GeneratedTrack(frames: 22050).request(1)])
    let device = try #require(bench.devices.first)
    #expect(device.format.sampleRate == 48000)
    #expect(device.conversion == "44100 to 48000 Hz")
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 4)
    #expect(captured.count / 4 == 24000)
  }

  @Test func play_surroundOnAStereoDevice_mixesAndReportsTheConversion() throws {
    let bench = try bench { $0.channels = [2] }
    let layout = ChannelLayout([
      .frontLeft, .frontRight, .rearLeft, .rearRight, .frontCenter, .lowFrequency,
    ])
    let track = GeneratedTrack(rate: 48000, layout, frames: 12000)
    bench.playToEnd([track.request(1)])
    let device = try #require(bench.devices.first)
    #expect(device.format.layout == .stereo)
    #expect(device.conversion == "5.1 to stereo")
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8).samples32
    #expect(captured.count / 2 == 12000)
    // The coefficients of ITU-R BS.775, scaled so that full scale on all channels does not clip.
    let half = 0.5.squareRoot()
    var expected: [Double] = []
    for at in stride(from: 0, to: track.samples.count, by: 6) {
      let center = Double(track.samples[at + 4])
      for side in 0..<2 {
        let sum = Double(track.samples[at + side]) + half * Double(track.samples[at + side + 2])
        expected.append((sum + half * center) / (1 + 2 * half))
      }
    }
    // Three additions of single-precision floats (24 significant bits) cause a small rounding error.
    let worst = zip(captured, expected).map { abs(Double($0) - $1) }.max() ?? 0
    #expect(worst < 1024)
  }

  /// The device supports its widest samples (32 bits) only with two channels, as some sound cards do.
  @Test func play_surroundSupportedOnlyWithNarrowSamples_keepsTheChannels() throws {
    let bench = try bench {
      $0.formats = ["S32_LE", "S16_LE"]
      // The buffer holds 2047 frames of 8 × 16 bits, or 4094 frames of 2 × 32 bits. With 8 × 32 bits it would hold
      // 1023.5 frames, which is impossible.
      $0.bufferBytes = 16 * 2047
    }
    let track = GeneratedTrack(
      ChannelLayout([
        .frontLeft, .frontRight, .rearLeft, .rearRight, .frontCenter, .lowFrequency, .sideLeft,
        .sideRight,
      ]), frames: 12000)
    bench.playToEnd([track.request(1)])
    let device = try #require(bench.devices.first)
    #expect(device.conversion == nil)
    #expect(device.format.samples == .s16)
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 16)
    #expect(difference(captured, track.bytes(2)) == nil)
  }

  @Test func play_monoOnAStereoDevice_isCopiedExactly() throws {
    let bench = try bench {
      $0.formats = ["S16_LE"]
      $0.channels = [2]
    }
    let track = GeneratedTrack(.mono, frames: 20000)
    bench.playToEnd([track.request(1)])
    #expect(bench.devices.map(\.conversion) == ["mono to stereo"])
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 4)
    var expected: [UInt8] = []
    for sample in track.samples {
      let bytes = [
        UInt8(truncatingIfNeeded: sample >> 16), UInt8(truncatingIfNeeded: sample >> 24),
      ]
      expected += bytes + bytes
    }
    #expect(difference(captured, expected) == nil)
  }

  @Test func play_bufferOfLessThanTwoPeriods_startsAndPlaysAll() throws {
    let bench = try bench {
      $0.periodBytes = 512 * 8
      $0.bufferBytes = 768 * 8
    }
    let track = GeneratedTrack(frames: 20011)
    bench.playToEnd([track.request(1)])
    let device = try #require(bench.devices.first)
    #expect(device.format.periodFrames == 512)
    #expect(device.format.bufferFrames == 768)
    #expect(bench.failures.isEmpty)
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, track.bytes(4)) == nil)
  }

  // MARK: Transitions between tracks

  @Test func play_twoTracksOfOneRate_areGaplessOnTheDevice() throws {
    let bench = try bench()
    let tracks = [GeneratedTrack(frames: 20011), GeneratedTrack(bits: 24, frames: 10007, seed: 2)]
    bench.playToEnd([tracks[0].request(1), tracks[1].request(2)])
    #expect(bench.started == [1, 2])
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, tracks[0].bytes(4) + tracks[1].bytes(4)) == nil)
  }

  @Test func play_twoRates_drainsTheFirstTrackBeforeReopeningTheDevice() throws {
    let bench = try bench()
    let tracks = [
      GeneratedTrack(frames: 20011), GeneratedTrack(rate: 96000, frames: 30000, seed: 2),
    ]
    bench.playToEnd([tracks[0].request(1), tracks[1].request(2)])
    #expect(bench.devices.map(\.format.sampleRate) == [44100, 96000])
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    let first = tracks[0].bytes(4)
    #expect(difference(Array(captured.prefix(first.count)), first) == nil)
    // Until frames of the second track are decoded, the device can play silence between the tracks.
    let second = Array(captured.dropFirst(first.count)).withoutSilence(frameBytes: 8)
    #expect(difference(second, tracks[1].bytes(4)) == nil)
  }

  /// The card stays at the same rate and channels, so that the tracks join without closing the card. Each track is
  /// converted exactly as alone.
  @Test(arguments: [[48000], [44100, 48000]])
  func play_tracksThatTheDeviceConvertsToOneFormat_joinWithoutAGap(rates: [Int]) throws {
    let tracks = [
      GeneratedTrack(rate: 48000, frames: 9600),
      GeneratedTrack(rate: 96000, frames: 24001, seed: 2),
      GeneratedTrack(rate: 88200, .mono, frames: 22050, seed: 3),
      GeneratedTrack(rate: 192_000, frames: 48000, seed: 4),
    ]
    func play(_ tracks: [GeneratedTrack]) throws -> DeviceBench {
      let bench = try bench {
        $0.rates = rates
        $0.channels = [2]
      }
      bench.playToEnd(tracks.enumerated().map { $1.request($0 + 1) })
      return bench
    }
    let joined = try play(tracks)
    #expect(joined.started == [1, 2, 3, 4])
    #expect(Set(joined.devices.map(\.format.sampleRate)) == [48000])
    #expect(joined.changeovers == 0)
    #expect(joined.devices.map(\.conversion).count == 4)
    let alone = try tracks.map { try play([$0]).pcm.captured().withoutSilence(frameBytes: 8) }
    let captured = try joined.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, alone.flatMap(\.self)) == nil)
  }

  /// The nearest rate of the next track is another rate, so the card changes its rate.
  @Test func play_trackWithANearerRate_setsTheDeviceUpAgain() throws {
    let bench = try bench { $0.rates = [44100, 48000, 96000] }
    let rates = [44100, 88200, 192_000, 47000]
    bench.playToEnd(
      rates.enumerated().map { GeneratedTrack(rate: $1, frames: 9000).request($0 + 1) })
    #expect(bench.devices.map(\.format.sampleRate) == [44100, 96000, 96000, 48000])
    #expect(bench.changeovers == 2)
  }

  // MARK: Faults

  @Test func play_underrun_isCountedAndLosesNoFrame() throws {
    let bench = try bench { $0.starveAfter = 9000 }
    let track = GeneratedTrack(frames: 20011)
    bench.playToEnd([track.request(1)])
    #expect(bench.engine.xrunCount >= 1)
    // Each xrun is reported with its time. This time must be between two hand-overs.
    #expect(bench.xruns.count == bench.engine.xrunCount)
    let handOvers = try bench.pcm.stamps().map(\.nanoseconds)
    let first = try #require(bench.xruns.first)
    #expect(handOvers.contains { $0 < first } && handOvers.contains { $0 > first })
    #expect(bench.failures.isEmpty)
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, track.bytes(4)) == nil)
  }

  @Test func play_deviceIsUnplugged_isReportedAndContinuesWhenPluggedIn() throws {
    let bench = try bench { $0.goneAfter = 9000 }
    let track = GeneratedTrack(frames: 30011)
    bench.playToEnd([track.request(1)])
    #expect(bench.failures == [SinkError("\(bench.pcm.name): No such device")])
    try expectTheDevicesBufferIsMissing(bench, track)
  }

  @Test func play_deviceHangs_isReportedAndContinuesAfterReopening() throws {
    let bench = try bench { $0.hangsAfter = 9000 }
    let track = GeneratedTrack(frames: 30011)
    bench.playToEnd([track.request(1)])
    #expect(bench.failures == [SinkError("\(bench.pcm.name): Input/output error")])
    try expectTheDevicesBufferIsMissing(bench, track)
  }

  @Test func play_deviceHangsWhileDraining_continuesWithTheNextTrack() throws {
    // The track is shorter than the device's buffer, so it is completely handed over before the hang.
    let bench = try bench { $0.hangsAfter = 500 }
    let tracks = [
      GeneratedTrack(frames: 1000), GeneratedTrack(rate: 96000, frames: 30000, seed: 2),
    ]
    bench.playToEnd([tracks[0].request(1), tracks[1].request(2)])
    #expect(bench.devices.map(\.format.sampleRate) == [44100, 96000])
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured.suffix(30000 * 8), tracks[1].bytes(4)) == nil)
  }

  @Test func shutDown_deviceHangs_endsBeforeTheTimeout() throws {
    let bench = try bench { $0.hangsAfter = 9000 }
    bench.play([GeneratedTrack(frames: 30011).request(1)])
    bench.wait { _ in ((try? bench.pcm.captured().count) ?? 0) >= 9000 * 8 }
    bench.engine.shutDown()
    bench.wait { _ in true }
    #expect(bench.failures.isEmpty)
  }

  /// Checks that only the contents of the device's buffer are missing. Before the fault (the device is removed or
  /// hangs), the device plays the start of the track. After the fault, it plays all frames that were not handed over
  /// before the fault.
  private func expectTheDevicesBufferIsMissing(_ bench: DeviceBench, _ track: GeneratedTrack) throws
  {
    let all = try bench.pcm.captured()
    let captured = all.withoutSilence(frameBytes: 8)
    let silence = (all.firstIndex { $0 != 0 } ?? 0) / 8
    let expected = track.bytes(4)
    let head = zip(captured, expected).prefix { $0 == $1 }.count / 8
    let tail = zip(captured.reversed(), expected.reversed()).prefix { $0 == $1 }.count / 8
    #expect(silence + head >= 9000)
    #expect(head + tail == captured.count / 8)
    // The contents of the device's buffer are missing, and perhaps the period that the device refused.
    let device = try #require(bench.devices.first?.format)
    let missing = track.frameCount - head - tail
    #expect((1...device.bufferFrames + device.periodFrames).contains(missing))
  }

  @Test func play_deviceIsReplacedByOneOfAnotherRate_continuesAtTheSamePosition() throws {
    let bench = try bench { $0.rates = [48000] }
    let track = GeneratedTrack(frames: 44100)
    bench.play([track.request(1)])
    bench.wait { ($0.engine.heardPosition()?.seconds ?? 0) > 0.2 }
    try bench.pcm.unplug()
    bench.wait { !$0.failures.isEmpty }
    let first = try bench.pcm.captured()
    try bench.pcm.replace(rates: [44100, 96000])
    try bench.pcm.plugIn()
    bench.finish()
    #expect(bench.devices.map(\.conversion) == ["44100 to 48000 Hz", nil])
    // The second device plays the rest of the track without conversion.
    let second = try bench.pcm.captured().dropFirst(first.count)
    let rest = Array(second).withoutSilence(frameBytes: 8)
    #expect(difference(rest, track.bytes(4).suffix(rest.count)) == nil)
    // The contents of the first device's buffer are missing, and perhaps the period that this device refused.
    let device = try #require(bench.devices.first?.format)
    let head = first.withoutSilence(frameBytes: 8).count / 8
    let missing = 1 - Double(head) / 48000 - Double(rest.count / 8) / 44100
    let lost = Double(device.bufferFrames + device.periodFrames) / 48000
    #expect((-0.001...lost + 0.001).contains(missing))
    let last = try #require(bench.engine.heardPosition()?.seconds)
    #expect(abs(last - 1) <= 512.0 / 44100)
  }

  /// Both cards play the first track without conversion. The second track must not keep the rate of the removed card.
  @Test func play_deviceIsReplacedByOneOfMoreRates_usesThemForTheNextTrack() throws {
    let bench = try bench { $0.rates = [48000] }
    let tracks = [
      GeneratedTrack(rate: 48000, frames: 48000), GeneratedTrack(rate: 96000, frames: 9600),
    ]
    bench.play([tracks[0].request(1), tracks[1].request(2)])
    bench.wait { ($0.engine.heardPosition()?.seconds ?? 0) > 0.2 }
    try bench.pcm.unplug()
    bench.wait { !$0.failures.isEmpty }
    // The engine asks again what follows, because the tracks are decoded again.
    bench.queue = [tracks[1].request(2)]
    try bench.pcm.replace(rates: [48000, 96000])
    try bench.pcm.plugIn()
    bench.finish()
    #expect(bench.devices.last?.format.sampleRate == 96000)
    #expect(bench.devices.last?.conversion == nil)
  }

  @Test func play_deviceIsAbsentAtFirst_isReportedAndPlaysFromTheStartWhenPluggedIn() throws {
    let bench = try bench()
    try bench.pcm.unplug()
    let track = GeneratedTrack(frames: 5000)
    bench.play([track.request(1)])
    bench.wait { !$0.failures.isEmpty }
    #expect(
      bench.failures == [
        SinkError("\(bench.pcm.name) cannot be opened: No such device", isAbsent: true)
      ])
    try bench.pcm.plugIn()
    bench.finish()
    let captured = try bench.pcm.captured().withoutSilence(frameBytes: 8)
    #expect(difference(captured, track.bytes(4)) == nil)
  }

  @Test func open_unknownPCM_namesThePCM() throws {
    let error = #expect(throws: SinkError.self) {
      try ALSASink(name: "nowhere").open(GeneratedTrack(frames: 1).format)
    }
    #expect(error?.isAbsent == true)
    #expect(error?.reason.contains("nowhere") == true)
    #expect(ALSASink.problem(opening: "nowhere") == error)
  }

  @Test func problem_unpluggedPCM_isAbsent() throws {
    let pcm = try PacedPCM(.init())
    try pcm.unplug()
    let problem = try #require(ALSASink.problem(opening: pcm.name))
    #expect(problem.isAbsent)
    #expect(problem.reason.contains(pcm.name))
  }

  @Test func problem_busyPCM_isAProblemButNotAbsent() throws {
    let pcm = try PacedPCM(.init())
    try pcm.occupy()
    let problem = try #require(ALSASink.problem(opening: pcm.name))
    #expect(!problem.isAbsent)
    #expect(problem.reason.contains(pcm.name))
  }

  @Test func problem_presentPCM_isNil() throws {
    let pcm = try PacedPCM(.init())
    withExtendedLifetime(pcm) {
      #expect(ALSASink.problem(opening: pcm.name) == nil)
    }
  }

  @Test func list_describedPCM_containsIt() throws {
    _ = try PacedPCM(.init())
    let output = ALSAOutputs.list().first { $0.name == "paced" }
    #expect(output?.description == "A clock and a file")
  }

  // MARK: Time

  @Test func heardPosition_fromStartToEnd_growsToTheLengthOfTheTrack() throws {
    let bench = try bench()
    let track = GeneratedTrack(rate: 48000, frames: 24000)
    bench.play([track.request(1)])
    var seconds: [Double] = []
    bench.wait { bench in
      if let heard = bench.engine.heardPosition() {
        #expect(heard.trackID == 1)
        seconds.append(heard.seconds)
      }
      return bench.hasEnded && bench.engine.secondsToEnd == 0
    }
    let last = try #require(bench.engine.heardPosition()?.seconds)
    bench.engine.shutDown()
    let steps = zip(seconds, seconds.dropFirst())
    #expect(steps.filter { $0 > $1 }.map { "\($0) > \($1)" } == [])
    #expect(Set(seconds).count > 2)
    #expect(abs(last - 0.5) <= 512.0 / 48000)
  }

  @Test func heardPosition_twoRates_staysWithinEachTrack() throws {
    let bench = try bench()
    let tracks = [
      GeneratedTrack(rate: 96000, frames: 24000), GeneratedTrack(rate: 8000, frames: 2000),
    ]
    bench.play([tracks[0].request(0), tracks[1].request(1)])
    var heard: [(trackID: Int, seconds: Double)] = []
    bench.wait { bench in
      bench.engine.heardPosition().map { heard.append($0) }
      return bench.hasEnded && bench.engine.secondsToEnd == 0
    }
    bench.engine.shutDown()
    #expect(Set(heard.map(\.trackID)) == [0, 1])
    #expect(heard.map(\.seconds).filter { $0 > 0.25 } == [])
  }

  @Test func stamps_wholeTrack_areContiguous() throws {
    let bench = try bench()
    bench.playToEnd([GeneratedTrack(frames: 5000).request(1)])
    let stamps = try bench.pcm.stamps()
    #expect(stamps.count > 5)
    for (stamp, next) in zip(stamps, stamps.dropFirst()) {
      #expect(stamp.nanoseconds <= next.nanoseconds)
      #expect(stamp.offset + stamp.frames == next.offset)
      #expect((0...stamp.ahead + stamp.frames).contains(next.ahead))
    }
  }
}
