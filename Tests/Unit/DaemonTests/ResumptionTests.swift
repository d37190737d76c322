import Files
import MusicFiles
import NowPlaying
import Testing
import UnitState

@testable import Daemon

/// The track to which the music returns, without files and without a player.
@Suite struct ResumptionTests {
  private let song = FilePlace(path: FileName.bytes("/music/a/song.flac"), folderBytes: 6)!
  private let other = FilePlace(path: FileName.bytes("/music/b/other.flac"), folderBytes: 6)!

  private func resumption(plays: Bool = false, _ file: FilePlace? = nil) -> Resumption {
    var state = UnitState()
    state.file = file
    state.elapsed = .init(nearestSeconds: 90)
    return Resumption(.music(plays: plays), state)
  }

  private func position(_ path: String) -> Resumption.Position {
    .init(path: path, place: nil, seconds: 5, plays: true)
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
    resumption.setMusicSought(true)
    #expect(resumption.note(.play, isOfPerson: true))
    #expect(resumption.takePlayAsked() && !resumption.takePlayAsked())
  }

  @Test func toggle_beginsMusicThatWouldBeSilent_andEndsMusicThatWouldPlay() {
    for plays in [false, true] {
      let resumption = resumption(plays: plays, song)
      resumption.setMusicSought(true)
      #expect(resumption.note(.togglePlayPause, isOfPerson: true))
      #expect(resumption.isPlayAsked == !plays && !resumption.playsLastRun)
    }
  }

  @Test func commandForAnotherTrack_isRefused_andChangesNothing() {
    let resumption = resumption(plays: true, song)
    resumption.setMusicSought(true)
    #expect(!resumption.note(.next, isOfPerson: true) && resumption.playsLastRun)
  }

  // MARK: What is waited for

  @Test func trackOfTheLastRun_isWaitedFor_untilAnyTrackStarts() {
    let resumption = resumption(song)
    #expect(resumption.file == song && resumption.keepsSavedPosition && resumption.waitsForTrack)
    resumption.trackStarted()
    #expect(resumption.file == nil && !resumption.keepsSavedPosition && !resumption.waitsForTrack)
  }

  /// A person has chosen something else, whose medium was then removed. The saved position of the last run stays.
  @Test func lostTrack_replacesTheOneOfTheLastRun() {
    let resumption = resumption(song)
    resumption.lose(position("/stick/x.flac"))
    #expect(resumption.lastRun == nil && resumption.lost?.path == "/stick/x.flac")
    #expect(resumption.keepsSavedPosition)
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
    resumption.lose(position("/stick/x.flac"))
    resumption.move(to: song)
    #expect(resumption.lost?.place == song && resumption.lost?.seconds == 5)
    resumption.end()
    resumption.move(to: song)
    #expect(resumption.file == nil)
  }

  @Test func awaitedPosition_namesTheFileBelowItsVolume() throws {
    let volume = MusicVolume(path: "/music", mount: "1", name: "MUSIC", isStick: false)
    let volumes = PresentVolumes([volume], sticks: [])
    let resumption = resumption(song)
    let awaited = try #require(resumption.awaitedPosition(volumes))
    #expect(awaited.file == .init(volume: "folder /music", path: FileName.bytes("a/song.flac")))
    #expect(awaited.elapsed.seconds == 90)
    #expect(resumption.awaitedPosition(PresentVolumes()) == nil)
    resumption.lose(position("/music/b/other.flac"))
    #expect(resumption.awaitedPosition(volumes) == nil)
  }

  /// A stick has an identity, so its file is known also while the stick is away.
  @Test func awaitedPlace_ofAStickThatIsAway_hasItsIdentity() {
    let file = FilePlace(
      path: FileName.bytes("/media/usb1/a.flac"), folderBytes: 6, stick: ("vfat 1", 11))
    let place = resumption(file).awaitedPlace(PresentVolumes())
    #expect(place == .init(volume: "vfat 1", path: FileName.bytes("a.flac")))
  }
}
