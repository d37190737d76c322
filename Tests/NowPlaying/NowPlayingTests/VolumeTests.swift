import NowPlaying
import Testing

/// Tests the volume, which the section *Volume* of docs/now-playing.md describes. No rule number is about the volume,
/// so the names of these tests begin without a number.
@Suite struct VolumeTests {
  private func level(_ thousandths: Int) -> VolumeLevel { VolumeLevel(thousandths: thousandths) }

  @Test func curve_halfTheLevel_isHalfAsLoud() {
    #expect(Volume(level: .loudest).decibels == 0)
    #expect(Volume(level: level(500)).decibels == -10)
    #expect(Volume(level: level(250)).decibels == -20)
    #expect(Volume(level: level(125)).decibels == -30)
    #expect(Volume(level: .silent).decibels == nil)
    // 10 × log2(0.8), to nine decimal places.
    let fourFifths = Volume(level: level(800)).decibels ?? 0
    #expect(abs(fourFifths - -3.219_280_949) < 1e-8)
  }

  @Test func curve_increasesWithEveryStep() {
    let decibels = (1...1000).compactMap { Volume(level: level($0)).decibels }
    #expect(decibels.count == 1000)
    #expect(zip(decibels, decibels.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func stepsOfEveryScale_areReversible() {
    for last in [1, 10, 100, 127, 999] {
      for step in 0...last { #expect(VolumeLevel(step: step, of: last).step(of: last) == step) }
      #expect(VolumeLevel(step: last, of: last) == .loudest)
      #expect(VolumeLevel(step: last + 50, of: last) == .loudest)
    }
    #expect(VolumeLevel(step: -1, of: 127) == .silent)
    #expect(VolumeLevel(step: 5, of: 0) == .loudest)
  }

  @Test func percent_isZeroOnlyInSilence_andReadsBack() {
    for percent in 0...100 { #expect(VolumeLevel(step: percent, of: 100).percent == percent) }
    #expect([0, 1, 9, 375, 996, 1000].map { level($0).percent } == [0, 1, 1, 38, 100, 100])
    #expect("\(level(425))" == "43 %")
  }

  @Test func mute_keepsTheLevel_andEndsWithAStepUp() {
    var volume = Volume(level: level(400))
    volume.apply(.toggleMuted)
    #expect(volume.decibels == nil && volume.level == level(400))
    volume.apply(.change(thousandths: -50))
    #expect(volume.isMuted && volume.level == level(350))
    volume.apply(.change(thousandths: 25))
    #expect(!volume.isMuted && volume.level == level(375))
    volume.apply(.setMuted(true))
    volume.apply(.set(.silent))
    #expect(volume.isMuted)
    volume.apply(.set(level(10)))
    #expect(!volume.isMuted)
  }

  @Test func extremeNumbers_areClamped() {
    var volume = Volume(level: level(990))
    volume.apply(.change(thousandths: .max))
    #expect(volume.level == .loudest)
    volume.apply(.change(thousandths: .min))
    #expect(volume.level == .silent)
    #expect(level(.max) == .loudest && level(.min) == .silent)
  }

  @Test func restore_isLimitedToTheStartMaximum() {
    let maximum = level(600)
    let loud = Volume(level: level(900), isMuted: true).stored
    #expect(Volume(restoring: loud, startMaximum: maximum) == Volume(level: maximum, isMuted: true))
    let quiet = Volume(level: level(300)).stored
    #expect(Volume(restoring: quiet, startMaximum: maximum).level == level(300))
    #expect(Volume(restoring: nil, startMaximum: maximum).level == level(300))
    let broken = Volume.Stored(level: 1 << 40, isMuted: false)
    #expect(Volume(restoring: broken, startMaximum: maximum).level == maximum)
  }

  @Test func pressAtTheLimit_isUnchanged() {
    let bench = Bench()
    bench.screen.send(.volume(.set(.loudest)))
    let louder = bench.screen.send(.volume(.change(thousandths: Volume.keyStep)))
    bench.screen.send(.volume(.set(.silent)))
    let quieter = bench.screen.send(.volume(.change(thousandths: -Volume.keyStep)))
    let mute = bench.screen.send(.volume(.setMuted(true)))
    for number in [louder, quieter] {
      #expect(bench.center.trace[number]?.verdict == .unchanged)
      #expect(bench.center.trace[number]?.answer == .success)
    }
    #expect(bench.center.trace[mute]?.verdict == .accepted(nil))
  }

  @Test func everySurface_showsAndSetsTheVolume() {
    let bench = Bench()
    let phone = ScriptedSurface("phone", in: bench.center, clock: bench.clock)
    phone.send(.volume(.set(VolumeLevel(step: 64, of: 127))))
    #expect(bench.screen.state.volume.level.step(of: 127) == 64)
    bench.screen.send(.volume(.change(thousandths: Volume.keyStep)))
    #expect(phone.state.volume == bench.screen.state.volume)
    #expect(phone.answers == [.success])
    let reasons = phone.reasons {
      bench.screen.send(.volume(.set(.loudest)))
      bench.screen.send(.volume(.change(thousandths: 25)))
    }
    #expect(reasons == [[.volume]], "a step at the maximum is not a change")
    bench.source.session.end(at: bench.clock.now)
    bench.screen.send(.volume(.toggleMuted))
    #expect(phone.state.volume.isMuted, "the volume needs no primary session")
  }
}
