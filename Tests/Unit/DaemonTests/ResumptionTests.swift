import Files
import MusicFiles
import NowPlaying
import Testing
import UnitState

@testable import Daemon

/// The track with which the music resumes. The tests use no files and no player.
@Suite struct ResumptionTests {
  private let song = FileLocation(path: FileName.bytes("/music/a/song.flac"), folderBytes: 6)!
  private let other = FileLocation(path: FileName.bytes("/music/b/other.flac"), folderBytes: 6)!

  private func resumption(plays: Bool = false, _ file: FileLocation? = nil) -> Resumption {
    var state = UnitState()
    state.file = file
    state.elapsed = .init(nearestSeconds: 90)
    return Resumption(.music(plays: plays), state)
  }

  private func position(_ path: String) -> Resumption.Position {
    .init(path: path, location: nil, seconds: 5, plays: true)
  }

  @Test func startPlan_decidesWhetherTheLastTrackPlays() {
    #expect(resumption(plays: true).playsLastRun)
    let phone = UnitState.PhoneSource(address: "AA", name: "Ann's", wasPlaying: true)
    for plan in [StartPlan.music(plays: false), .phone(phone), .safeMode(failures: 3)] {
      #expect(!Resumption(plan, UnitState()).playsLastRun)
    }
  }

  // MARK: Early commands

  @Test func commandWhileNoMusicIsSought_isNotCarriedOutLater() {
    let resumption = resumption()
    #expect(!resumption.note(.play, isOfPerson: true) && !resumption.takePlayAsked())
    resumption.update(isMusicSought: true, awaitedPosition: nil)
    #expect(resumption.note(.play, isOfPerson: true))
    #expect(resumption.takePlayAsked() && !resumption.takePlayAsked())
  }

  @Test func toggle_beginsMusicThatWouldBeSilent_andEndsMusicThatWouldPlay() {
    for plays in [false, true] {
      let resumption = resumption(plays: plays, song)
      resumption.update(isMusicSought: true, awaitedPosition: nil)
      #expect(resumption.note(.togglePlayPause, isOfPerson: true))
      #expect(resumption.isPlayAsked == !plays && !resumption.playsLastRun)
    }
  }

  @Test func commandForAnotherTrack_isRefused_andChangesNothing() {
    let resumption = resumption(plays: true, song)
    resumption.update(isMusicSought: true, awaitedPosition: nil)
    #expect(!resumption.note(.next, isOfPerson: true) && resumption.playsLastRun)
  }

  // MARK: What is waited for

  @Test func trackOfTheLastRun_isWaitedFor_untilAnyTrackStarts() {
    let resumption = resumption(song)
    #expect(
      resumption.fileToFind == song && resumption.keepsSavedPosition && resumption.waitsForTrack)
    resumption.trackStarted()
    #expect(
      resumption.fileToFind == nil && !resumption.keepsSavedPosition && !resumption.waitsForTrack)
  }

  /// The user has chosen another track, and then the medium of this track was removed.
  @Test func lostTrack_andTheOneOfTheLastRun_areBothWaitedFor() {
    let resumption = resumption(song)
    resumption.lose(position("/stick/x.flac"))
    #expect(resumption.lastRun?.file == song && resumption.lost?.path == "/stick/x.flac")
    #expect(resumption.fileToFind == song)
    resumption.endLastRun()
    #expect(resumption.keepsSavedPosition && resumption.waitsForTrack)
    resumption.endLoss()
    #expect(!resumption.keepsSavedPosition && !resumption.waitsForTrack)
  }

  @Test func suspect_isForgotten_whenATrackStartsOrIsLost() {
    let ends: [(Resumption) -> Void] = [
      { $0.trackStarted() }, { $0.lose(position("/x")) }, { $0.clearSuspect() },
    ]
    for end in ends {
      let resumption = resumption()
      resumption.setSuspect(position("/stick/x.flac"))
      #expect(resumption.suspect?.path == "/stick/x.flac")
      end(resumption)
      #expect(resumption.suspect == nil)
    }
  }

  @Test func waitForAnotherFile_beginsAtItsBeginning() {
    let resumption = resumption(song)
    resumption.wait(for: other)
    #expect(resumption.lastRun?.file == other && resumption.lastRun?.elapsed == .zero)
  }

  @Test func movedFile_keepsItsPosition() {
    let resumption = resumption(song)
    resumption.move(to: other)
    #expect(resumption.lastRun?.file == other && resumption.lastRun?.elapsed.seconds == 90)
    resumption.endLastRun()
    resumption.lose(position("/stick/x.flac"))
    resumption.move(to: song)
    #expect(resumption.lost?.location == song && resumption.lost?.seconds == 5)
    resumption.endLoss()
    resumption.move(to: song)
    #expect(resumption.fileToFind == nil)
  }
}
