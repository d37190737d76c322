// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import TestKit
import Testing

/// Tests the elapsed time, which is computed from the snapshot and the current time: rules P1, P8 and P10.
@Suite struct ElapsedTimeTests {
  private let start = MonotonicInstant(awake: .seconds(500), suspended: .seconds(70))

  private func snapshot(
    _ state: MediaPlaybackSnapshot.PlaybackState, at elapsed: Double = 100,
    inSuspend: Bool = false
  ) -> MediaPlaybackSnapshot {
    MediaPlaybackSnapshot(
      state: state, elapsedTime: .seconds(elapsed), timestamp: start, advancesInSuspend: inSuspend)
  }

  private func position(
    _ snapshot: MediaPlaybackSnapshot, after passed: Double, slept: Double = 0,
    duration: MediaDuration? = .finite(.seconds(240))
  ) -> Double? {
    let now = MonotonicInstant(
      awake: start.awake + .seconds(passed), suspended: start.suspended + .seconds(slept))
    return snapshot.position(at: now, duration: duration).map(seconds)
  }

  @Test(arguments: [(1.0, 110.0), (0.5, 105), (2, 120), (-1, 90), (-5, 50), (1.25, 112.5)])
  func P10_extrapolation_followsTheRate(rate: Double, expected: Double) {
    #expect(position(snapshot(.playing(rate: rate)), after: 10) == expected)
  }

  @Test func P1_stateOtherThanPlaying_hasAConstantPosition() {
    for state in [MediaPlaybackSnapshot.PlaybackState.paused, .buffering, .interrupted, .stopped] {
      #expect(position(snapshot(state), after: 10) == 100)
    }
  }

  @Test func P1_extrapolation_stopsAtStartAndEnd() {
    #expect(position(snapshot(.playing()), after: 1000) == 240)
    #expect(position(snapshot(.playing(rate: -2)), after: 1000) == 0)
    #expect(position(snapshot(.playing()), after: 1000, duration: nil) == 1100)
    #expect(position(snapshot(.playing()), after: 1000, duration: .continuous) == 1100)
    #expect(position(snapshot(.paused, at: 300), after: 0) == 240)
    #expect(position(snapshot(.paused, at: -3), after: 0) == 0)
    #expect(position(snapshot(.playing(rate: 1e300)), after: 1e9) == 240)
    #expect(position(snapshot(.playing(rate: -1e300)), after: 1e9) == 0)
    #expect(position(snapshot(.paused), after: 0, duration: .finite(.seconds(-5))) == 0)
  }

  @Test func P1_momentBeforeTheSnapshot_hasThePositionOfTheSnapshot() {
    #expect(position(snapshot(.playing()), after: -3) == 100)
  }

  @Test func P1_suspend_stopsLocalPlayback_butNotThatOfAPhone() {
    #expect(position(snapshot(.playing()), after: 10, slept: 60) == 110)
    #expect(position(snapshot(.playing(), inSuspend: true), after: 10, slept: 60) == 170)
  }

  @Test func P1_bothClocks_giveTheSameInstant() {
    // CLOCK_BOOTTIME is 570 s and contains 70 s of suspend, so CLOCK_MONOTONIC is 500 s.
    #expect(MonotonicInstant(countingSuspend: .seconds(570), suspended: .seconds(70)) == start)
    #expect(start.sinceOrigin == .seconds(570))
  }

  @Test func P1_order_comparesWholeTime() {
    let awakeLonger = MonotonicInstant(awake: .seconds(510), suspended: .seconds(70))
    let sleptLonger = MonotonicInstant(awake: .seconds(501), suspended: .seconds(100))
    #expect(start < awakeLonger)
    #expect(awakeLonger < sleptLonger)
    #expect(sleptLonger.awakeTime(since: awakeLonger) == .zero)
    #expect(sleptLonger.wholeTime(since: awakeLonger) == .seconds(21))
  }

  @Test func P1_broadcast_hasNoElapsedTime() {
    let snapshot = MediaPlaybackSnapshot(state: .playing(), elapsedTime: nil, timestamp: start)
    #expect(position(snapshot, after: 10) == nil)
  }

  // MARK: P8

  private func timeline(_ ads: [(Double, Double)], duration: Double? = 100) -> PlaybackTimeline {
    PlaybackTimeline(
      duration: duration.map { .finite(.seconds($0)) },
      adTimeRanges: ads.map { AdTimeRange(start: .seconds($0.0), duration: .seconds($0.1)) })
  }

  private func net(_ gross: Double, _ timeline: PlaybackTimeline) -> Double {
    seconds(timeline.advertisements.net(.seconds(gross)))
  }

  private func gross(_ net: Double, _ timeline: PlaybackTimeline) -> Double {
    seconds(timeline.seekTarget(net: .seconds(net)))
  }

  @Test func P8_durationAndElapsed_areNet() {
    let ads = timeline([(0, 30), (50, 10)])
    #expect(ads.netDuration == .finite(.seconds(60)))
    let times = [
      (0.0, 0.0), (29, 0), (30, 0), (31, 1), (50, 20), (55, 20), (60, 20), (61, 21), (100, 60),
    ]
    for (gross, expected) in times { #expect(net(gross, ads) == expected, "gross \(gross)") }
  }

  @Test func P8_seekTarget_isContent_andExactAtTheEdges() {
    let ads = timeline([(0, 30), (50, 10)])
    for (net, expected) in [(0.0, 30.0), (1, 31), (19.5, 49.5), (20, 60), (21, 61), (60, 100)] {
      #expect(gross(net, ads) == expected, "net \(net)")
      #expect(!ads.advertisements.isAdvertisement(at: .seconds(gross(net, ads))))
    }
    #expect(gross(-5, ads) == 30)
    #expect(gross(1000, ads) == 100)
  }

  @Test func P8_range_includesItsStart_andExcludesItsEnd() {
    let ads = timeline([(50, 10)]).advertisements
    #expect(!ads.isAdvertisement(at: .seconds(49.999)))
    #expect(ads.isAdvertisement(at: .seconds(50)))
    #expect(ads.isAdvertisement(at: .seconds(59.999)))
    #expect(!ads.isAdvertisement(at: .seconds(60)))
  }

  @Test func P8_netTime_isConstantWithinAnAdvertisement() {
    let ads = timeline([(50, 10), (80, 5)], duration: 200)
    func clock(_ gross: Double, rate: Double = 1) -> (rate: Double, edge: Double?) {
      let playing = snapshot(.playing(rate: rate), at: gross)
      return (
        ads.netRate(of: playing, at: start),
        ads.timeToNextEdge(of: playing, at: start).map(seconds)
      )
    }
    #expect(clock(0) == (1, 50))
    #expect(clock(50) == (0, 10))
    #expect(clock(59) == (0, 1))
    #expect(clock(60) == (1, 20))
    #expect(clock(20, rate: 2) == (2, 15))
    #expect(clock(85) == (1, nil))
    #expect(clock(60, rate: -1) == (-1, nil))
    #expect(ads.timeToNextEdge(of: snapshot(.paused, at: 0), at: start) == nil)
    let live = MediaPlaybackSnapshot(state: .playing(), elapsedTime: nil, timestamp: start)
    #expect(ads.netRate(of: live, at: start) == 1)
    #expect(ads.timeToNextEdge(of: live, at: start) == nil)
  }

  @Test func P8_unsortedOrOverlappingRanges_areNormalized() {
    let ads = timeline([
      (60, 10), (-5, 10), (65, 10), (75, 5), (95, 50), (20, 0), (30, -4), (200, 9),
    ])
    #expect(
      ads.advertisements.ranges == [
        AdTimeRange(start: .zero, duration: .seconds(5)),
        AdTimeRange(start: .seconds(60), duration: .seconds(20)),
        AdTimeRange(start: .seconds(95), duration: .seconds(5)),
      ])
    #expect(ads.netDuration == .finite(.seconds(70)))
  }

  @Test func P8_unknownDuration_hasNetTimes() {
    let ads = timeline([(10, 10)], duration: nil)
    #expect(ads.netDuration == nil)
    #expect(net(25, ads) == 15)
    #expect(gross(10, ads) == 20)
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4, 5, 6, 7, 8])
  func P8_netAndGross_areInverse(seed: UInt64) {
    var random = SeededRandom(seed)
    for _ in 0..<50 {
      let ranges = (0..<random.below(6)).map { _ in
        AdTimeRange(
          start: random.seconds(-20...120), duration: .seconds(Int64(random.below(30)) - 3))
      }
      let timeline = PlaybackTimeline(duration: .finite(.seconds(100)), adTimeRanges: ranges)
      let length = timeline.netDuration!.length!
      var last = Duration.zero - .seconds(1)
      for step in 0...40 {
        let net = length * step / 40
        let gross = timeline.seekTarget(net: net)
        #expect(timeline.advertisements.net(gross) == net, "seed \(seed), net \(net)")
        #expect(!timeline.advertisements.isAdvertisement(at: gross), "seed \(seed), net \(net)")
        #expect(gross >= .zero && gross <= .seconds(100), "seed \(seed)")
        #expect(
          gross > last || length == .zero, "seed \(seed): a later target has a later gross time")
        last = gross
      }
    }
  }

  @Test func P8_advertisement_stopsTheTimeOfSurfaces_andSeeksGoPastIt() {
    let bench = Bench(tracks: [adSong()])
    bench.source.play()
    #expect(bench.state.duration == .finite(.seconds(210)))
    bench.clock.advance(seconds: 20)
    #expect(bench.screen.elapsed == 0, "the content starts with an advertisement")
    bench.clock.advance(seconds: 25)
    #expect(bench.screen.elapsed == 15)
    bench.screen.send(.seekToPosition(.seconds(0)))
    #expect(bench.source.performed == ["to 30.0"], "the source receives gross time")
    #expect(bench.screen.elapsed == 0)
    bench.screen.send(.seekToPosition(.seconds(1e6)))
    #expect(bench.screen.elapsed == 210)
  }

  /// 30 s of advertisement, then music.
  private func adSong() -> MediaContent {
    var content = MusicContent(
      id: "ad", songTitle: "Song", artistName: "", albumName: "", duration: .finite(.seconds(240)))
    content.adTimeRanges = [AdTimeRange(start: .zero, duration: .seconds(30))]
    return .music(content)
  }
}
