import AVRCPTarget
import NowPlaying
import TestKit
import Testing

/// Tests the rules of `PropertiesChange` one by one, without a bus.
@Suite struct PropertiesChangeTests {
  private let start = MonotonicInstant(awake: .seconds(1000))
  private let track = PlayerProperties.Track(title: "a", artist: "b", length: .seconds(200))

  private func after(_ seconds: Double) -> MonotonicInstant {
    start.advanced(by: .milliseconds(Int64(seconds * 1000)))
  }

  /// BlueZ's state after a registration.
  private func registered(_ playerProperties: PlayerProperties, _ elapsed: Duration? = .zero)
    -> PlayerSnapshot
  {
    var snapshot = PlayerSnapshot(at: start)
    snapshot.apply(
      PropertiesChange.registration(playerProperties, elapsed: elapsed, at: start), at: start)
    return snapshot
  }

  private func playerProperties(
    _ status: PlayerProperties.Status, _ track: PlayerProperties.Track? = nil
  )
    -> PlayerProperties
  {
    PlayerProperties(track: track ?? self.track, status: status)
  }

  @Test func changes_nothingChanged_areEmpty() {
    let playing = registered(playerProperties(.playing))
    for second in [0.0, 0.05, 60, 300] {
      #expect(
        PropertiesChange.changes(
          from: playing, to: playerProperties(.playing),
          elapsed: .milliseconds(Int64(second * 1000)),
          at: after(second)
        ) == [])
    }
  }

  @Test func registration_hasAllProperties_inBluezsOrder() {
    let properties = PropertiesChange.registration(
      playerProperties(.playing), elapsed: .seconds(12), at: start)
    #expect(
      properties == [
        .metadata(track), .status(.playing), .position(.seconds(12)), .shuffle(false),
        .loop(.off), .flag(.canPlay, false), .flag(.canPause, false), .flag(.canGoNext, false),
        .flag(.canGoPrevious, false), .flag(.canControl, true),
      ])
    // BlueZ itself begins at position 0, so position 0 is not sent. Without content, no metadata is sent.
    #expect(
      PropertiesChange.registration(playerProperties(.playing), elapsed: .zero, at: start).prefix(2)
        == [.metadata(track), .status(.playing)])
    #expect(
      PropertiesChange.registration(PlayerProperties(track: nil), elapsed: nil, at: start).first
        == .status(.stopped))
  }

  @Test func changes_nextTrack_areMetadataAlone() {
    var next = playerProperties(.playing)
    next.track?.title = "c"
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.playing)), to: next, elapsed: .milliseconds(30),
        at: after(100)
      ) == [.metadata(next.track!)])
  }

  @Test func changes_metadataDuringATrack_restoreThePosition_afterTheSameStatus() {
    var next = playerProperties(.playing)
    next.track?.artist = "late"
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.playing)), to: next, elapsed: .seconds(100),
        at: after(100)
      ) == [
        .metadata(next.track!), .status(.playing, .capitals), .position(.seconds(100)),
      ])
  }

  @Test func changes_trackAndStatus_precedeThePosition() {
    var next = playerProperties(.playing)
    next.track?.title = "c"
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.paused)), to: next, elapsed: .seconds(40), at: after(5)
      ) == [.metadata(next.track!), .status(.playing), .position(.seconds(40))])
  }

  @Test func changes_pauseAndPlay_areTheStatusAlone() {
    var snapshot = registered(playerProperties(.playing))
    let pause = PropertiesChange.changes(
      from: snapshot, to: playerProperties(.paused), elapsed: .milliseconds(10_060), at: after(10))
    #expect(pause == [.status(.paused)])
    snapshot.apply(pause, at: after(10))
    #expect(snapshot.position(at: after(50)) == .seconds(10))
    let play = PropertiesChange.changes(
      from: snapshot, to: playerProperties(.playing), elapsed: .milliseconds(10_060), at: after(50))
    #expect(play == [.status(.playing)])
  }

  /// After a seek, the unit sends the same status again, and then the position. BlueZ notifies the phone of *playing*,
  /// and the phone reads the new position. BlueZ would ignore a status that is already set in the same
  /// ``StatusVariant``, so the unit sends the status in the other variant.
  @Test func changes_seek_areTheOtherStatusVariant_andThePosition() {
    var snapshot = registered(playerProperties(.playing))
    for (seconds, variant) in [(100, StatusVariant.capitals), (50, .plain), (70, .capitals)] {
      let changes = PropertiesChange.changes(
        from: snapshot, to: playerProperties(.playing), elapsed: .seconds(seconds), at: after(5))
      #expect(changes == [.status(.playing, variant), .position(.seconds(seconds))])
      snapshot.apply(changes, at: after(5))
      #expect(snapshot.position(at: after(7)) == .seconds(seconds + 2))
    }
    #expect(
      PropertiesChange.changes(
        from: snapshot, to: playerProperties(.paused), elapsed: .seconds(72), at: after(7)) == [
          .status(.paused)
        ])
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.paused)), to: playerProperties(.paused), elapsed: .zero,
        at: after(5)
      ) == [])
  }

  @Test func changes_drift_isCorrectedAboveTheTolerance() {
    let snapshot = registered(playerProperties(.playing))
    func changes(_ milliseconds: Int64) -> [PlayerProperty] {
      PropertiesChange.changes(
        from: snapshot, to: playerProperties(.playing), elapsed: .milliseconds(milliseconds),
        at: after(10))
    }
    #expect(changes(10_100) == [])
    #expect(changes(10_101).last == .position(.milliseconds(10_101)))
    #expect(changes(9_900) == [])
    #expect(changes(9_899).last == .position(.milliseconds(9_899)))
  }

  @Test func changes_stop_setThePositionToZero() {
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.playing)), to: playerProperties(.stopped),
        elapsed: .seconds(10), at: after(10)
      ) == [.status(.stopped), .position(.zero)])
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.paused)), to: playerProperties(.stopped), elapsed: nil,
        at: after(10)
      ) == [.status(.stopped)])
  }

  @Test func changes_withoutALength_haveNoPosition() {
    let live = PlayerProperties.Track(title: "radio")
    let snapshot = registered(playerProperties(.playing, live), .seconds(5))
    #expect(snapshot.duration == nil)
    #expect(
      PropertiesChange.changes(
        from: snapshot, to: playerProperties(.playing, live), elapsed: .seconds(500), at: after(10))
        == [])
    #expect(
      PropertiesChange.changes(
        from: snapshot, to: playerProperties(.paused, live), elapsed: .seconds(500), at: after(10)
      ) == [.status(.paused)])
  }

  @Test func changes_trackWithoutALength_clearTheLength() {
    var snapshot = registered(playerProperties(.playing))
    let live = PlayerProperties.Track(title: "radio")
    let changes = PropertiesChange.changes(
      from: snapshot, to: playerProperties(.playing, live), elapsed: nil, at: after(1))
    snapshot.apply(changes, at: after(1))
    #expect(snapshot.duration == nil)
  }

  @Test func changes_seekingKey_areTheStatus_untilTheRelease() {
    var snapshot = registered(playerProperties(.playing))
    let begin = PropertiesChange.changes(
      from: snapshot, to: playerProperties(.forwardSeek), elapsed: .seconds(10), at: after(10))
    #expect(begin == [.status(.forwardSeek)])
    snapshot.apply(begin, at: after(10))
    #expect(
      PropertiesChange.changes(
        from: snapshot, to: playerProperties(.forwardSeek), elapsed: .seconds(50), at: after(12))
        == [])
    #expect(
      PropertiesChange.changes(
        from: snapshot, to: playerProperties(.playing), elapsed: .seconds(60), at: after(13)
      ) == [.status(.playing), .position(.seconds(60))])
  }

  /// When the same track starts again, its metadata is sent again. Otherwise a phone whose own Bluetooth stack is BlueZ
  /// would keep the old position, because this stack reads the position only after a new track or a new status.
  @Test(arguments: [PlayerProperties.Status.playing, .paused])
  func changes_trackStartsAgain_areItsMetadata(_ status: PlayerProperties.Status) {
    let same = playerProperties(status)
    #expect(
      PropertiesChange.changes(
        from: registered(same, .seconds(8)), to: same, elapsed: .milliseconds(30), at: after(0)
      ) == [.metadata(track)])
    // A position that differs from 0 follows the metadata.
    #expect(
      PropertiesChange.changes(
        from: registered(same, .seconds(8)), to: same, elapsed: .milliseconds(800), at: after(0)
      ) == [
        .metadata(track), .status(same.status, .capitals), .position(.milliseconds(800)),
      ])
    // These changes are not restarts of the track: a jump to 1.5 s, and two corrections near the start of the track.
    for (old, new) in [(8, 1.5), (1, 0.2), (0, 0.5)] as [(Double, Double)] {
      let elapsed = Duration.seconds(new)
      let changes = PropertiesChange.changes(
        from: registered(same, .seconds(old)), to: same, elapsed: elapsed, at: after(0))
      #expect(changes == [.status(same.status, .capitals), .position(elapsed)])
    }
  }

  @Test func changes_settingsAndFlags_areSentAlone() {
    var next = playerProperties(.playing)
    next.isShuffled = true
    next.loop = .all
    next.flags = [.canControl, .canGoNext]
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.playing)), to: next, elapsed: .seconds(1), at: after(1)
      ) == [.shuffle(true), .loop(.all), .flag(.canGoNext, true)])
  }

  @Test func changes_nothingToPlay_afterATrack_areNoTrack() {
    let nothing = PlayerProperties(track: nil)
    #expect(
      PropertiesChange.changes(
        from: registered(playerProperties(.playing)), to: nothing, elapsed: nil, at: after(3)
      ) == [.metadata(nil), .status(.stopped)])
    #expect(
      PropertiesChange.changes(
        from: registered(nothing, nil), to: nothing, elapsed: nil, at: after(3))
        == [])
  }

  @Test func status_rawValues_areThoseOfBluez() {
    let values = PlaybackStatus.allCases.map { PlayerProperties.Status($0).rawValue }
    #expect(
      values == [
        "Stopped", "Playing", "Paused", "Paused", "forward-seek", "reverse-seek", "Paused",
      ])
  }

  /// After each step of a random sequence, the model of BlueZ (`PlayerSnapshot`) equals the state of the unit.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func changes_anySequence_keepTheSnapshotCorrect(_ seed: UInt64) {
    var random = SeededRandom(seed)
    var snapshot = registered(playerProperties(.paused))
    var now = start
    for _ in 0..<500 {
      now = now.advanced(by: .milliseconds(Int64.random(in: 0...20_000, using: &random)))
      var playerProperties = playerProperties(
        PlayerProperties.Status.allCases.randomElement(using: &random)!,
        PlayerProperties.Track(
          title: "\(Int.random(in: 0...2, using: &random))",
          length: Bool.random(using: &random) ? .seconds(200) : nil))
      if Int.random(in: 0...9, using: &random) == 0 { playerProperties.track = nil }
      playerProperties.isShuffled = .random(using: &random)
      playerProperties.loop = PlayerProperties.Loop.allCases.randomElement(using: &random)!
      let elapsed = Duration.milliseconds(Int64.random(in: 0...200_000, using: &random))
      snapshot.apply(
        PropertiesChange.changes(from: snapshot, to: playerProperties, elapsed: elapsed, at: now),
        at: now)
      #expect(snapshot.playerProperties.status == playerProperties.status)
      #expect(
        snapshot.playerProperties.track ?? .init(title: "") == playerProperties.track
          ?? .init(title: ""))
      #expect(
        snapshot.playerProperties.loop == playerProperties.loop
          && snapshot.playerProperties.isShuffled == playerProperties.isShuffled)
      #expect(snapshot.duration == playerProperties.track?.length)
      switch playerProperties.status {
      case .stopped: #expect(snapshot.position(at: now) == .zero)
      case .playing, .paused:
        if snapshot.duration != nil {
          let error = snapshot.position(at: now) - elapsed
          #expect(
            error <= PropertiesChange.tolerance && error >= .zero - PropertiesChange.tolerance)
        }
      case .forwardSeek, .reverseSeek: break
      }
    }
  }
}
