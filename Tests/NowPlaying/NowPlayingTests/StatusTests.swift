// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import Testing

/// Status, repeat and shuffle: rules S1 to S4.
@Suite struct StatusTests {
  private func snapshot(
    _ state: MediaPlaybackSnapshot.PlaybackState, defaultRate: Double = 1
  ) -> MediaPlaybackSnapshot {
    MediaPlaybackSnapshot(
      state: state, defaultPlaybackRate: defaultRate, elapsedTime: .zero,
      timestamp: MonotonicInstant(awake: .zero))
  }

  @Test func S1_everyStatus_isDerivedFromTheSnapshot() {
    let derived: [(MediaPlaybackSnapshot, PlaybackStatus)] = [
      (snapshot(.stopped), .stopped), (snapshot(.playing()), .playing),
      (snapshot(.paused), .paused), (snapshot(.interrupted), .interrupted),
      (snapshot(.playing(rate: 5)), .seekingForward),
      (snapshot(.playing(rate: -5)), .seekingBackward), (snapshot(.buffering), .buffering),
    ]
    #expect(Set(derived.map(\.1)) == Set(PlaybackStatus.allCases))
    for (snapshot, status) in derived { #expect(snapshot.status == status) }
  }

  @Test func S1_seeking_isARateThatDiffersFromTheDefaultRate() {
    #expect(snapshot(.playing(rate: 2), defaultRate: 2).status == .playing)
    #expect(snapshot(.playing(rate: 0.5), defaultRate: 1).status == .playing)
    #expect(snapshot(.playing(rate: 2.5), defaultRate: 2).status == .seekingForward)
    #expect(snapshot(.playing(rate: -0.5), defaultRate: 1).status == .seekingBackward)
  }

  @Test func S1_noPlayback_isStopped() {
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    #expect(center.state.status == .stopped)
    #expect(center.state.elapsed(at: MonotonicInstant(awake: .seconds(9))) == nil)
  }

  @Test func S2_everyStatusExceptPlaying_showsThePlayGlyph() {
    #expect(PlaybackStatus.allCases.filter(\.showsPauseGlyph) == [.playing])
    let bench = Bench(playing: true)
    #expect(bench.state.transport.central?.request == .pause)
    bench.source.buffer()
    #expect(bench.state.transport.central?.request == .togglePlayPause)
    bench.source.play()
    bench.screen.send(.seekForward(.begin))
    #expect(bench.state.transport.central?.request == .play)
  }

  @Test func S3_repeatAndShuffle_areState_thatAnySurfaceSets() {
    let bench = Bench(playing: true)
    let phone = ScriptedSurface("phone", in: bench.center, clock: bench.clock)
    #expect(bench.state.repeatMode == .off && bench.state.shuffleMode == .off)
    for mode in MediaCommand.RepeatMode.allCases {
      phone.send(.changeRepeatMode(mode))
      #expect(bench.screen.state.repeatMode == mode)
    }
    bench.screen.send(.changeShuffleMode(.items))
    #expect(phone.state.shuffleMode == .items)
    bench.source.left = [.changeRepeatMode, .changeShuffleMode]
    bench.source.publish()
    #expect(bench.state.repeatMode == .off && bench.state.shuffleMode == .off)
  }

  @Test func S4_pauseWhileBuffering_isPause() throws {
    let bench = Bench(playing: true)
    bench.source.buffer()
    #expect(bench.state.status == .buffering)
    bench.screen.send(.media(try #require(bench.state.transport.central).request))
    #expect(bench.source.performed.last == "pause")
    bench.screen.send(.play)
    bench.source.buffer()
    bench.screen.send(.pause)
    #expect(bench.source.performed.last == "pause")
  }

  @Test func S4_changeByAnySurface_reachesAllSurfaces() {
    let bench = Bench()
    let phone = ScriptedSurface("phone", in: bench.center, clock: bench.clock)
    let changes: [(() -> Void, PlaybackStatus)] = [
      ({ phone.send(.play) }, .playing), ({ bench.screen.send(.togglePlayPause) }, .paused),
      ({ bench.source.play() }, .playing),
      ({ _ = bench.center.beginInterruption(.alarm, at: bench.clock.now) }, .interrupted),
    ]
    for (change, status) in changes {
      change()
      #expect(phone.state.status == status)
      #expect(bench.screen.state.status == status)
      #expect(phone.state.playback?.status == status, "the status is derived from the snapshot")
    }
  }
}
