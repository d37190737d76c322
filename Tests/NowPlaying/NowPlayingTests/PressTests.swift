// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import TestKit
import Testing

/// Tests that one press acts once, even if it arrives twice, and that two presses act twice: rule C9.
@Suite struct PressTests {
  private func bench() -> (Bench, ScriptedSurface) {
    let bench = Bench(tracks: (1...50).map { song("\($0)") }, playing: true)
    return (bench, ScriptedSurface("phone", in: bench.center, clock: bench.clock))
  }

  @Test func C9_onePress_onTwoInputPaths_actsOnce_andBothAreAnswered() {
    let (bench, phone) = bench()
    let first = phone.send(.next, on: .dbus)
    bench.clock.advance(.milliseconds(12))
    let second = phone.send(.next, on: .keys)
    #expect(bench.source.performed == ["next"])
    #expect(bench.center.trace[second]?.verdict == .merged(with: first))
    #expect(phone.answers == [.success, .success])
  }

  @Test func C9_twoPresses_eachOnTwoInputPaths_actTwice() {
    let (bench, phone) = bench()
    for _ in 0..<2 {
      phone.send(.next, on: .dbus)
      bench.clock.advance(.milliseconds(10))
      phone.send(.next, on: .keys)
      bench.clock.advance(.milliseconds(90))
    }
    #expect(bench.source.performed == ["next", "next"])
  }

  @Test func C9_twoPresses_onOneInputPath_actTwice() {
    let (bench, phone) = bench()
    phone.send(.next, on: .keys)
    bench.clock.advance(.milliseconds(120))
    phone.send(.next, on: .keys)
    #expect(bench.source.performed == ["next", "next"])
  }

  @Test func C9_twoPresses_withALateSecondInputPath_actTwice() {
    let (bench, phone) = bench()
    phone.send(.next, on: .dbus)
    bench.clock.advance(.milliseconds(80))
    phone.send(.next, on: .dbus)
    bench.clock.advance(.milliseconds(10))
    phone.send(.next, on: .keys)
    phone.send(.next, on: .keys)
    #expect(bench.source.performed == ["next", "next"])
  }

  @Test func C9_completedPress_mergesNoFurtherArrival() {
    let (bench, phone) = bench()
    phone.send(.next, on: .dbus)
    bench.clock.advance(.milliseconds(10))
    phone.send(.next, on: .keys)
    bench.clock.advance(.milliseconds(90))
    phone.send(.next, on: .keys)
    #expect(bench.source.performed == ["next", "next"])
  }

  @Test func C9_mergeWindow_hasItsExactLength() {
    for (milliseconds, count) in [(150, 1), (151, 2)] {
      let (bench, phone) = bench()
      phone.send(.next, on: .dbus)
      bench.clock.advance(.milliseconds(milliseconds))
      phone.send(.next, on: .keys)
      #expect(bench.source.performed.count == count, "\(milliseconds) ms")
    }
    for (milliseconds, count) in [(40, 1), (41, 2)] {
      let (bench, phone) = bench()
      phone.send(.next, on: .keys)
      bench.clock.advance(.milliseconds(milliseconds))
      phone.send(.next, on: .keys)
      #expect(bench.source.performed.count == count, "\(milliseconds) ms")
    }
  }

  @Test func C9_laterArrivalWithAnEarlierTime_isMerged() {
    let (bench, phone) = bench()
    let pressed = bench.clock.now
    bench.clock.advance(.milliseconds(30))
    phone.send(.next, on: .dbus)
    phone.port.send(.media(.next), on: .keys, at: pressed)
    #expect(bench.source.performed == ["next"])
  }

  @Test func C9_twoSurfacesOrTwoButtons_areSeparatePresses() {
    let (bench, phone) = bench()
    phone.send(.next, on: .dbus)
    bench.screen.send(.next, on: .touch)
    phone.send(.previous, on: .keys)
    #expect(bench.source.performed == ["next", "next", "previous"])
  }

  @Test func C9_typedCommands_areNeverMerged() {
    let (bench, phone) = bench()
    phone.send(.next, on: .text)
    phone.send(.next, on: .text)
    #expect(bench.source.performed == ["next", "next"])
  }

  @Test func C9_keyRepeat_actsOnce_butEveryTurnOfAKnobCounts() {
    let (bench, phone) = bench()
    phone.send(.next, on: .keys)
    for _ in 0..<20 {
      bench.clock.advance(.milliseconds(250))
      phone.send(.next, on: .keys, isRepeat: true)
    }
    #expect(bench.source.performed == ["next"])
    #expect(phone.answers.allSatisfy { $0 == .success })

    for index in 0..<20 {
      bench.clock.advance(.milliseconds(5))
      phone.send(.volume(.change(thousandths: 10)), on: .keys, isRepeat: index > 0)
    }
    #expect(bench.state.volume.level.thousandths == 500)
    for _ in 0..<20 {
      bench.clock.advance(.milliseconds(5))
      phone.send(.volume(.change(thousandths: 10)), on: .keys)
    }
    #expect(bench.state.volume.level.thousandths == 700)
  }

  @Test func C9_playAndPause_areIdempotent() {
    let (bench, phone) = bench()
    for _ in 0..<3 {
      phone.send(.play)
      bench.clock.advance(seconds: 1)
    }
    #expect(bench.source.performed == [], "the source already plays")
    #expect(bench.center.trace[1]?.verdict == .unchanged)
    for _ in 0..<3 {
      phone.send(.pause)
      bench.clock.advance(seconds: 1)
    }
    #expect(bench.source.performed == ["pause"])
    #expect(phone.answers == Array(repeating: .success, count: 6))
  }

  @Test func C9_alternatingPlayAndPause_areAllPerformed_beforeTheSourceReacts() {
    let (bench, phone) = bench()
    bench.source.pause()
    bench.source.keepsReplies = true
    phone.send(.play)
    bench.clock.advance(seconds: 0.3)
    phone.send(.pause)
    #expect(bench.source.performed == ["play", "pause"], "the pause reaches the source")
    bench.clock.advance(seconds: 0.3)
    phone.send(.play)
    #expect(bench.source.performed == ["play", "pause", "play"])
  }

  @Test func C9_pauseThenPlay_beforeTheSourceReacts_plays() {
    let (bench, phone) = bench()
    bench.source.keepsReplies = true
    phone.send(.pause)
    phone.send(.play)
    #expect(bench.source.performed == ["pause", "play"])
  }

  @Test func C9_toggleAfterAFailedPlay_plays() {
    let (bench, phone) = bench()
    bench.source.pause()
    bench.source.failure = .failed(Refusal(.failed, "no sound card"))
    phone.send(.play)
    phone.send(.togglePlayPause)
    #expect(bench.source.performed == ["play", "play"])
  }

  @Test func C9_playAfterAFailedPlay_isPerformed() {
    let (bench, phone) = bench()
    bench.source.pause()
    bench.source.failure = .failed(Refusal(.failed, "no sound card"))
    phone.send(.play)
    phone.send(.play)
    #expect(bench.source.performed == ["play", "play"])
    #expect(phone.answers.map(\.refusal?.code) == [.failed, .failed])
  }

  @Test func C9_play_endsFastForward() {
    let (bench, phone) = bench()
    phone.send(.seekForward(.begin))
    phone.send(.play)
    #expect(bench.source.performed == ["ff", "play"])
    #expect(bench.state.status == .playing)
  }

  @Test func C9_stopWhilePaused_stopsOnce() {
    let (bench, phone) = bench()
    bench.source.pause()
    phone.send(.stop)
    phone.send(.stop)
    #expect(bench.source.performed == ["stop"])
    #expect(bench.state.status == .stopped)
  }

  @Test func C9_mergedPress_receivesTheAnswerOfTheFirst() {
    let (bench, phone) = bench()
    bench.source.keepsReplies = true
    phone.send(.next, on: .dbus)
    let second = phone.send(.next, on: .keys)
    #expect(phone.answers == [])
    bench.source.replies[0](.noSuchContent(), at: bench.clock.now)
    #expect(phone.answers == [.noSuchContent(), .noSuchContent()])
    #expect(bench.center.trace[second]?.answer == .noSuchContent())
    phone.send(.next, on: .touch)
    #expect(phone.answers.last == .noSuchContent(), "a later arrival receives the known answer")
  }

  // MARK: Origin of a press

  /// Classifies the arrivals one after the other. Each arrival has a time in milliseconds, a surface, an origin and an
  /// input path.
  private func classify(_ arrivals: [(Int, SurfaceID, PressOrigin?, InputPath)]) -> [PressMerger
    .Classification]
  {
    var merger = PressMerger()
    return arrivals.enumerated().map { number, arrival in
      merger.classify(
        .media(.next), from: arrival.1, of: arrival.2, on: arrival.3, isRepeat: false,
        number: number,
        at: MonotonicInstant(awake: .seconds(10)).advanced(by: .milliseconds(arrival.0)))
    }
  }

  @Test func C9_callAndKeyOfOnePhone_onTwoSurfaces_areOnePress() {
    let pixel = PressOrigin.bluetooth("Pixel")
    #expect(
      classify([(0, "phone", pixel, .dbus), (12, "keys", pixel, .keys(deviceNumber: 4))])
        == [.new, .same(as: 0)])
    #expect(
      classify([(12, "keys", pixel, .keys(deviceNumber: 4)), (0, "phone", pixel, .dbus)])
        == [.new, .same(as: 0)])
  }

  @Test func C9_twoDevicesOfOneSurface_areTwoOrigins() {
    let (wheel, remote) = (PressOrigin(name: "Wheel", id: "1"), PressOrigin(name: "Wheel", id: "2"))
    #expect(
      classify([
        (0, "keys", wheel, .keys(deviceNumber: 1)), (5, "keys", remote, .keys(deviceNumber: 2)),
      ])
        == [.new, .new])
  }

  /// Two remotes of one model have the same name, so origins are compared by address. If an origin has no address, the
  /// names are compared.
  @Test func C9_twoBluetoothDevicesOfOneName_areTwoOrigins() {
    let one = PressOrigin.bluetooth("Ring", address: "AA:BB:CC:DD:EE:01")
    let other = PressOrigin.bluetooth("Ring", address: "AA:BB:CC:DD:EE:02")
    #expect(
      classify([
        (0, "keys", one, .keys(deviceNumber: 1)), (5, "keys", other, .keys(deviceNumber: 2)),
        (9, "phone", one, .dbus),
      ]) == [.new, .new, .same(as: 0)])
    #expect(
      classify([(0, "phone", one, .dbus), (5, "keys", .bluetooth("Ring"), .keys)])
        == [.new, .same(as: 0)])
  }

  @Test func C9_twoNodesOfOneDevice_areOneOrigin() {
    let keyboard = PressOrigin(name: "Keyboard", id: "usb-1")
    #expect(
      classify([
        (0, "keys", keyboard, .keys(deviceNumber: 1)),
        (5, "keys", keyboard, .keys(deviceNumber: 2)),
      ])
        == [.new, .same(as: 0)])
  }

  @Test func C9_callWithoutDevice_hasItsSurfaceAsOrigin() {
    let pixel = PressOrigin.bluetooth("Pixel")
    #expect(
      classify([
        (0, "phone", nil, .dbus), (5, "keys", pixel, .keys), (10, "phone", pixel, .keys),
      ]) == [.new, .new, .same(as: 0)])
  }

  /// While a key is held for a second, the AVRCP controller repeats the message of the key every 30 ms. Then a second
  /// press follows.
  @Test func C9_repeatedMessageOfAHeldKey_isOnePress() {
    let pixel = PressOrigin.bluetooth("Pixel")
    let times = Array(stride(from: 0, to: 1000, by: 30)) + [1200]
    let classifications = classify(times.map { ($0, "phone", pixel, .dbus) })
    #expect(classifications.first == .new)
    #expect(classifications.last == .new)
    #expect(classifications.dropFirst().dropLast().allSatisfy { $0 == .same(as: 0) })
  }

  @Test func C9_keyReportedAtItsRelease_isComparedByTheTimeOfItsPress() {
    let (bench, phone) = bench()
    let pressed = bench.clock.now
    phone.send(.next, on: .dbus)
    bench.clock.advance(.milliseconds(400))
    phone.port.send(.media(.next), on: .keys, pressed: pressed, at: bench.clock.now)
    #expect(bench.source.performed == ["next"])
    #expect(bench.center.trace[2]?.received == bench.clock.now)
  }

  @Test func C9_trace_namesTheOrigin() {
    let (bench, phone) = bench()
    phone.port.send(
      .media(.next), on: .keys(deviceNumber: 7), of: .bluetooth("Pixel"), at: bench.clock.now)
    #expect(bench.center.trace.text.hasPrefix("#1 phone/keys (Pixel) next"))
  }

  @Test func C9_manyArrivals_areBounded_andStillClassified() {
    var merger = PressMerger()
    let start = MonotonicInstant(awake: .seconds(10))
    for number in 0..<10_000 {
      _ = merger.classify(
        .volume(.change(thousandths: number)), from: "keys", on: .keys, isRepeat: false,
        number: number, at: start)
    }
    for number in 1...2 {
      let classification = merger.classify(
        .media(.next), from: "keys", on: .keys, isRepeat: false, number: number, at: start)
      #expect(classification == (number == 1 ? .new : .same(as: 1)))
    }
  }

  /// Random presses. Each arrival is delayed by less than 30 ms. In about half of the runs, the presses are at least
  /// 181 ms apart, and each press arrives over D-Bus, as a key event, or both. In the other runs, the presses are at
  /// least 71 ms apart, and each press arrives both over D-Bus and as a key event.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func C9_randomPresses_onRandomInputPaths_actOnceEach(seed: UInt64) {
    var random = SeededRandom(seed)
    var merger = PressMerger()
    let start = MonotonicInstant(awake: .seconds(10))
    let isQuick = random.chance(50)
    let presses = 1 + random.below(12)
    var arrivals: [(time: Int, inputPath: InputPath)] = []
    var time = 0
    for _ in 0..<presses {
      time += isQuick ? 71 + random.below(80) : 181 + random.below(400)
      let both = isQuick || random.chance(40)
      let paths: [InputPath] = both ? [.dbus, .keys] : [random.chance(50) ? .dbus : .keys]
      for inputPath in paths { arrivals.append((time + random.below(30), inputPath)) }
    }
    arrivals.sort { $0.time < $1.time }
    var acted = 0
    for (number, arrival) in arrivals.enumerated() {
      let classification = merger.classify(
        .media(.next), from: "phone", on: arrival.inputPath, isRepeat: false, number: number,
        at: start.advanced(by: .milliseconds(arrival.time)))
      if classification == .new { acted += 1 }
    }
    #expect(acted == presses, "seed \(seed)")
  }
}
