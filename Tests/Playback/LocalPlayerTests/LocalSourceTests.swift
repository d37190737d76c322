import AudioCodecs
import AudioEngine
import Foundation
import MusicFiles
import NowPlaying
import TestKit
import Testing
import Threads

@testable import LocalPlayer

/// Tests the local player together with the model of Now Playing. The files and threads are real. The sink needs no
/// sound card.
@Suite struct LocalSourceTests {
  /// A head unit with one source and one surface.
  final class HeadUnit {
    /// A time that is added to the clock of the source, so that tests need not wait.
    final class Skipped { var duration = Duration.zero }

    let skipped = Skipped()
    let folder: TemporaryFolder
    let engine = PlaybackEngine(sink: NullSink())
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let player: LocalPlayer
    let source: LocalSource
    private(set) var port: SurfacePort?
    private(set) var states: [NowPlayingState] = []

    /// - Parameter frames: length of each track, at 8 kHz.
    /// - Parameter hasTitles: true if the tags of each track contain a title.
    /// - Parameter present: a folder that already contains the tracks; nil if the tracks must be created.
    init(
      _ names: [String], frames: Int = 8000, hasTitles: Bool = true,
      in present: TemporaryFolder? = nil
    ) throws {
      let folder = try present ?? TemporaryFolder()
      self.folder = folder
      for name in present == nil ? names : [] {
        try GeneratedMusic(rate: 8000, frames: frames).flac(
          folder, "\(name).flac",
          (hasTitles ? ["--tag=TITLE=Song \(name)"] : []) + ["--tag=ARTIST=Artist"])
      }
      let player = LocalPlayer(
        files: MusicScan(paths: names.map { folder.path("\($0).flac") }).files, engine: engine)
      self.player = player
      source = LocalSource(player: player, center: center) { [skipped] in
        Self.now().advanced(by: skipped.duration)
      }
      port = center.connect(SurfaceDescription(id: "test", showsTemplate: true), at: Self.now()) {
        [weak self] in self?.states.append($0)
      }
    }

    deinit {
      source.end()
      engine.shutDown()
    }

    static func now() -> MonotonicInstant {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return MonotonicInstant(awake: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    var state: NowPlayingState { center.state }

    /// Runs the control loop until the condition holds. The limit (`Hang.limit`) is much longer than any test takes.
    func wait(sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool) {
      let limit = Self.now().advanced(by: Hang.limit)
      while !condition() {
        guard Self.now() < limit else {
          Issue.record("the condition was not met in time", sourceLocation: sourceLocation)
          return
        }
        _ = player.handleEvents()
        source.update()
        var entry = pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        // The elapsed time changes without events, so wait for at most 5 ms.
        _ = poll(&entry, 1, 5)
      }
    }

    func send(_ request: MediaRequest) -> CommandAnswer? {
      var result: CommandAnswer?
      port?.send(.media(request), on: .text, at: Self.now()) { result = $0 }
      return result
    }
  }

  @Test func P7_play_publishesContentDurationAndStatus() throws {
    let unit = try HeadUnit(["a", "b"])
    #expect(unit.send(.play) == .success)
    unit.wait { unit.state.status == .playing }
    #expect(unit.state.session == LocalSource.sessionID)
    #expect(unit.state.lines == ContentLines(title: "Song a", subtitle: "Artist"))
    #expect(unit.state.duration == .finite(.seconds(1)))
    #expect(unit.state.upNext.map(\.title) == ["Song b"])
    #expect(unit.state.template.buttons.map(\.kind) == [.shuffle, .repeat])
  }

  @Test func play_tracksWithoutTitles_showTheirFileNamesWithoutSuffixes() throws {
    let unit = try HeadUnit(["01. Čaj 茶", "b"], hasTitles: false)
    #expect(unit.send(.play) == .success)
    unit.wait { unit.state.status == .playing }
    #expect(unit.state.lines.title == "01. Čaj 茶")
    #expect(unit.state.upNext.map(\.title) == ["b"])
  }

  @Test func C4_commandsForTheQueue_areAnswered_andHeard() throws {
    let unit = try HeadUnit(["a", "b", "c", "d"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    var queue: PlayQueue<MusicFile> { unit.player.queue }
    var order: [String] { queue.playingOrder.map { $0.item.fileName } }
    let items = unit.state.upNext.map(\.id)
    #expect(unit.state.command(.undoQueue)?.isEnabled == false)
    #expect(unit.send(.undoQueue(revision: queue.revision))?.refusal?.code == .nothingToUndo)
    #expect(unit.send(.removeQueueItem(items[0], revision: queue.revision)) == .success)
    #expect(order == ["a.flac", "c.flac", "d.flac"])
    unit.wait { unit.state.upNext.map(\.title) == ["Song c", "Song d"] }
    let old = unit.send(.undoQueue(revision: queue.revision - 1))
    #expect(old?.refusal?.code == .queueChanged && order.count == 3)
    #expect(unit.send(.undoQueue(revision: queue.revision)) == .success && order.count == 4)
    #expect(
      unit.send(.moveQueueItem(items[2], before: items[0], revision: queue.revision)) == .success)
    #expect(unit.send(.moveQueueItem(items[0], before: nil, revision: queue.revision)) == .success)
    #expect(order == ["a.flac", "d.flac", "c.flac", "b.flac"])
    for id in ["queue:99", "queue:", "b", ""] {
      let answers = [
        unit.send(.playQueueItem(id)), unit.send(.removeQueueItem(id, revision: queue.revision)),
        unit.send(.moveQueueItem(items[0], before: id, revision: queue.revision)),
        unit.send(.moveQueueItem(id, before: nil, revision: queue.revision)),
      ]
      #expect(answers.map { $0?.refusal?.code } == Array(repeating: .noSuchItem, count: 4), "\(id)")
    }
    #expect(order == ["a.flac", "d.flac", "c.flac", "b.flac"])
    var answer: CommandAnswer?
    let number = try #require(
      unit.port?.send(.media(.playQueueItem(items[1])), on: .text, at: HeadUnit.now()) {
        answer = $0
      })
    #expect(answer == .success)
    unit.wait { unit.state.lines.title == "Song c" }
    #expect(unit.center.trace[number]?.request == .media(.playQueueItem(items[1])))
    #expect(unit.send(.clearQueue(revision: queue.revision)) == .success)
    #expect(order == ["c.flac"] && unit.state.command(.clearQueue)?.isEnabled == false)
  }

  @Test func playQueueItem_ofTheCurrentTrackInTheAlbum_beginsTheTrackAgain() throws {
    let unit = try HeadUnit(["a", "b"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    #expect(unit.send(.seekToPosition(.seconds(5))) == .success)
    unit.wait { unit.player.elapsedSeconds > 4 }
    let item = try #require(unit.source.album(limit: 9)?.items.first)
    #expect(unit.send(.playQueueItem(item.id)) == .success)
    unit.wait { !unit.player.isSeeking }
    #expect(unit.player.elapsedSeconds < 4 && unit.state.lines.title == "Song a")
  }

  @Test func playQueueItem_ofTheAlbumWhileShuffled_leavesTheOthersInFront() throws {
    let unit = try HeadUnit((1...8).map { "\($0)" }, frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    #expect(unit.send(.changeShuffleMode(.items)) == .success)
    #expect(unit.send(.next) == .success)
    unit.wait { unit.state.lines.title != "Song 1" && unit.state.status == .playing }
    let noted = unit.player.queue.currentID
    let front = unit.player.queue.upNext(limit: 9).map(\.id)
    let items = try #require(unit.source.album(limit: 9)?.items)
    let touched = try #require(items.first { $0.id == "queue:\(front[3])" })
    #expect(unit.send(.playQueueItem(touched.id)) == .success)
    unit.wait { unit.player.queue.currentID == front[3] }
    #expect(unit.player.queue.upNext(limit: 9).map(\.id) == front.filter { $0 != front[3] })
    #expect(unit.send(.previous) == .success)
    unit.wait { unit.player.queue.currentID == noted }
  }

  @Test func P2_twoTracks_publishOncePerEvent() throws {
    let unit = try HeadUnit(["a", "b"])
    _ = unit.send(.play)
    unit.wait { unit.player.state.isStopped && unit.state.status == .stopped }
    let reasons = unit.center.publications.flatMap(\.reasons).filter(\.changesTheAnchor)
    #expect(reasons.filter { $0 == .start }.count == 1)
    #expect(reasons.filter { $0 == .pause }.count == 1)
    #expect(reasons.filter { $0 == .seek }.isEmpty)
    #expect(unit.states.count < 10, "\(unit.center.publications.map(\.reasons))")
  }

  @Test func C2_everyCommand_isAnswered() throws {
    let unit = try HeadUnit(["a", "b"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    #expect(unit.send(.pause) == .success)
    #expect(unit.state.status == .paused)
    #expect(unit.send(.next) == .success)
    unit.wait { unit.state.lines.title == "Song b" }
    // No track follows, so the command is disabled.
    #expect(unit.state.command(.next)?.isEnabled == false)
    #expect(unit.send(.changeRepeatMode(.all)) == .success)
    #expect(unit.state.repeatMode == .all)
    #expect(unit.state.command(.next)?.isEnabled == true)
    #expect(unit.send(.changeShuffleMode(.items)) == .success)
    #expect(unit.state.shuffleMode == .items)
    #expect(unit.send(.changeShuffleMode(.collections)) == .success)
    #expect(unit.state.shuffleMode == .collections)
    #expect(unit.send(.stop) == .success)
    #expect(unit.state.status == .stopped)
    #expect(unit.send(.play) == .success)
    unit.wait { unit.state.status == .playing }
  }

  /// Each command works, or the refusal says why without the name that the command has in the protocol.
  @Test func everyCommandOfTheProtocol_worksOrIsRefusedInWords() throws {
    let unit = try HeadUnit(["a", "b"], frames: 800_000)
    let requests: [MediaRequest] = [
      .next, .previous, .skipForward(.seconds(2)), .skipBackward(nil), .seekForward(.begin),
      .seekForward(.end), .seekBackward(.begin), .seekBackward(.end), .seekToPosition(.seconds(1)),
      .changePlaybackRate(1.5), .changeRepeatMode(.one), .changeShuffleMode(.collections),
      .stars(2), .like(true), .dislike(true), .bookmark(true), .enableLanguageOption("de"),
      .disableLanguageOption("de"), .playQueueItem("x"),
      .moveQueueItem("x", before: nil, revision: 0), .removeQueueItem("x", revision: 0),
      .clearQueue(revision: 0), .undoQueue(revision: 0), .play, .togglePlayPause, .pause, .stop,
    ]
    #expect(Set(requests.map(\.kind)) == Set(CommandKind.allCases))
    func refusals() -> [Refusal] {
      requests.compactMap { request in
        guard let answer = unit.send(request) else {
          Issue.record("\(request) has no answer")
          return nil
        }
        if let sentence = answer.refusal?.sentence {
          let hasCapital = zip(sentence, sentence.dropFirst()).contains {
            $0.isLowercase && $1.isUppercase
          }
          #expect(!sentence.isEmpty && !hasCapital, "\(sentence)")
        }
        return answer.refusal
      }
    }
    #expect(!refusals().isEmpty)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    let whilePlaying = refusals().map(\.code)
    #expect(whilePlaying.contains(.fixedSpeed) && whilePlaying.contains(.notOffered))
  }

  @Test(arguments: [(2.0, "a", 0.0), (3, "a", 0), (3.1, "b", 0), (8, "b", 0)])
  func previous_afterMoreThanThreeSeconds_restartsTheTrack(
    at seconds: Double, title: String, start: Double
  ) throws {
    let unit = try HeadUnit(["a", "b"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.send(.next)
    unit.wait { unit.state.lines.title == "Song b" }
    #expect(unit.send(.seekToPosition(.seconds(seconds))) == .success)
    #expect(unit.send(.previous) == .success)
    #expect(unit.player.state.file?.fileName == "\(title).flac")
    #expect(unit.player.elapsedSeconds == start)
    // At the start of a track, `previous` goes to the track before it, if there is one.
    #expect(unit.send(.previous) == .success)
    #expect(unit.player.state.file?.fileName == "a.flac")
  }

  @Test func C3_skip_usesTheIntervalOfTheCommand() throws {
    let unit = try HeadUnit(["a"], frames: 800_000)
    for kind in [CommandKind.skipForward, .skipBackward] {
      #expect(unit.state.command(kind)?.parameters == .intervals([.seconds(15)]))
    }
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    #expect(unit.send(.skipForward(.seconds(40))) == .success)
    #expect(unit.send(.skipForward(nil)) == .success)
    unit.wait { !unit.player.isSeeking }
    unit.wait { (unit.state.elapsed(at: HeadUnit.now()) ?? .zero) > .seconds(54) }
    #expect((unit.state.elapsed(at: HeadUnit.now()) ?? .zero) < .seconds(70))
    // Both skips together are published as one seek, when the seek is complete.
    #expect(unit.center.publications.filter { $0.reasons.contains(.seek) }.count == 1)
  }

  @Test func E4_interruption_holdsAndResumesAutomatically() throws {
    let unit = try HeadUnit(["a"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    let call = unit.center.beginInterruption(.call, at: HeadUnit.now())
    #expect(unit.state.status == .interrupted)
    #expect(unit.player.state.isPaused)
    #expect(unit.center.endInterruption(call, shouldResume: true, at: HeadUnit.now()))
    unit.wait { unit.state.status == .playing }
    #expect(!unit.player.state.isPaused)
  }

  @Test func S1_heldSeekKey_increasesTheRate() {
    var seek = HeldSeek(of: 1, from: 10, direction: 1, at: MonotonicInstant(awake: .zero))
    var rates: [Double] = []
    var positions: [Double] = []
    for step in 0...40 {
      let now = MonotonicInstant(awake: HeldSeek.interval * step)
      positions.append(seek.step(at: now, end: nil) ?? -1)
      rates.append(seek.rate)
    }
    #expect(rates.first == 4)
    #expect(rates[8] == 8)
    #expect(rates.last == 32)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
    var back = HeldSeek(of: 1, from: 1, direction: -1, at: MonotonicInstant(awake: .zero))
    _ = back.step(at: MonotonicInstant(awake: .zero), end: 240)
    #expect(back.step(at: MonotonicInstant(awake: .seconds(1)), end: 240) == 0)
  }

  @Test func stop_keepsThePositionThatWasHeard() throws {
    let unit = try HeadUnit(["a", "b"], frames: 400_000)
    _ = unit.send(.play)
    unit.wait { unit.player.elapsedSeconds > 1 }
    let before = unit.player.elapsedSeconds
    #expect(unit.send(.stop) == .success)
    let elapsed = unit.state.elapsed(at: HeadUnit.now()) ?? .zero
    #expect(
      elapsed >= .seconds(before) && elapsed < .seconds(before + 1), "decoded frames do not count")
    // The engine has dropped its decoded frames, so the position of the engine is now after these frames. The published
    // position does not change.
    unit.wait { (unit.engine.heardPosition()?.seconds ?? 0) > before + 1 }
    unit.source.update()
    #expect(unit.state.elapsed(at: HeadUnit.now()) == elapsed)
    #expect(unit.player.cue(path: unit.folder.path("b.flac"), at: 0))
    unit.source.update()
    #expect(unit.player.elapsedSeconds == 0)
  }

  // MARK: Before the first sound

  /// The test handles no event of the engine, as if the engine read from a stick that does not answer.
  @Test func update_seekIsSlow_isBufferingWithoutFurtherDeadline() throws {
    let unit = try HeadUnit(["a"])
    _ = unit.send(.play)
    #expect(unit.source.nextDeadline != nil)
    #expect(unit.state.status == .stopped)
    unit.skipped.duration += LocalSource.bufferingDelay
    unit.source.update()
    #expect(unit.state.status == .buffering)
    #expect(unit.source.nextDeadline == nil)
  }

  @Test func S3_modesSetDuringASeek_arePublishedAtOnce() throws {
    let unit = try HeadUnit(["a", "b", "c"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.send(.next)
    _ = unit.send(.changeRepeatMode(.all))
    _ = unit.send(.changeShuffleMode(.items))
    #expect(unit.state.lines.title == "Song a", "the title of the track that is heard")
    #expect(unit.state.repeatMode == .all)
    #expect(unit.state.shuffleMode == .items)
    unit.wait { unit.state.lines.title == "Song b" }
    let changes = unit.center.publications.filter { $0.reasons.contains(.trackChange) }
    #expect(changes.last?.reasons.contains(.commands) == false, "no other change is published")
  }

  /// Before anything was played, only what is possible is enabled.
  @Test func C2_beforePlayback_onlyPossibleCommandsAreEnabled() throws {
    let unit = try HeadUnit(["a", "b"])
    let moves: [(CommandKind, MediaRequest)] = [
      (.skipForward, .skipForward(nil)), (.skipBackward, .skipBackward(nil)),
      (.previous, .previous), (.seekToPosition, .seekToPosition(.seconds(1))),
      (.seekForward, .seekForward(.begin)),
    ]
    for (kind, request) in moves {
      #expect(unit.state.command(kind)?.isEnabled == false, "\(kind)")
      #expect(unit.send(request)?.refusal?.code == .disabled, "\(kind)")
    }
    #expect(unit.state.command(.next)?.isEnabled == true)
    #expect(unit.state.status == .stopped)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    for (kind, _) in moves { #expect(unit.state.command(kind)?.isEnabled == true, "\(kind)") }
  }

  /// The session ends its sound with the queue. The last track stays shown, and *play* works (E2).
  @Test func E2_endOfTheQueue_deactivatesTheSession_andPlayWorks() throws {
    let unit = try HeadUnit(["a"], frames: 4000)
    _ = unit.send(.play)
    unit.wait { unit.center.inspection(at: HeadUnit.now()).sessions.first?.hasEnded == true }
    #expect(unit.state.session == LocalSource.sessionID && unit.state.lines.title == "Song a")
    #expect(unit.state.status == .stopped)
    #expect(unit.center.soundChanges.last?.event == .stopped("local", .stopped))
    let plays = unit.center.publications.count { $0.reasons.contains(.start) }
    #expect(unit.send(.play) == .success)
    unit.wait { unit.center.publications.count { $0.reasons.contains(.start) } > plays }
  }

  // MARK: Interruptions

  @Test func E4_nextWhileStoppedAndInterrupted_soundsAfterTheInterruption() throws {
    let unit = try HeadUnit(["a", "b"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.send(.stop)
    let call = unit.center.beginInterruption(.call, at: HeadUnit.now())
    #expect(unit.send(.next) == .success)
    #expect(unit.player.state.isPaused, "before the engine has opened the track")
    #expect(unit.state.lines.title == "Song b")
    #expect(unit.state.status == .interrupted)
    #expect(unit.center.endInterruption(call, shouldResume: true, at: HeadUnit.now()))
    unit.wait { unit.state.status == .playing }
  }

  // MARK: Held seek keys

  /// Runs the control loop while a seek key is held: for this number of jumps, or until the condition holds.
  private func hold(_ unit: HeadUnit, jumps: Int, until condition: () -> Bool = { false }) {
    for _ in 0..<jumps where !condition() {
      unit.skipped.duration += HeldSeek.interval
      unit.wait { !unit.player.isSeeking || condition() }
      unit.source.update()
    }
  }

  @Test func heldSeek_acrossTheEnd_playsTheNextTrackFromItsStart() throws {
    let unit = try HeadUnit(["a", "b"], frames: 160_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.send(.seekForward(.begin))
    hold(unit, jumps: 60) { unit.state.lines.title == "Song b" }
    unit.wait { unit.state.lines.title == "Song b" }
    hold(unit, jumps: 8)
    #expect(unit.state.lines.title == "Song b")
    #expect(unit.player.elapsedSeconds < 10, "\(unit.player.elapsedSeconds)")
    #expect(unit.send(.seekForward(.end)) == .success)
    unit.wait { unit.state.status == .playing }
  }

  @Test func heldSeek_atTheEndOfTheQueue_stopsOnce() throws {
    let unit = try HeadUnit(["a"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.send(.seekForward(.begin))
    hold(unit, jumps: 60) { unit.player.state.isStopped }
    unit.wait { unit.state.status == .stopped }
    unit.skipped.duration += .seconds(1)
    unit.source.update()
    #expect(unit.player.state.isStopped)
    #expect(unit.source.nextDeadline == nil)
  }

  @Test(arguments: [MediaRequest.stop, .next, .pause])
  func heldSeek_otherCommand_endsTheSeek(request: MediaRequest) throws {
    let unit = try HeadUnit(["a", "b"], frames: 800_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.send(.seekForward(.begin))
    hold(unit, jumps: 20)
    #expect(unit.player.elapsedSeconds > 20)
    _ = unit.send(request)
    unit.wait { !unit.player.isSeeking }
    let elapsed = unit.player.elapsedSeconds
    hold(unit, jumps: 8)
    #expect(unit.player.state.isStopped == (request == .stop))
    #expect(unit.player.elapsedSeconds < elapsed + 5)
    #expect(unit.send(.seekForward(.end)) == .success)
  }

  @Test func C6_endedSource_removesItsSession() throws {
    let unit = try HeadUnit(["a"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    unit.source.end()
    #expect(unit.state.session == nil)
    #expect(unit.state.commands.isEmpty)
    #expect(unit.send(.pause) == .nothingPlaying)
  }

  /// Before playback, the first track of the shuffled order is shown.
  @Test func shuffleFromTheStart_beforePlayback_showsTheSelectedTrack() throws {
    let unit = try HeadUnit(["a", "b", "c", "d"], frames: 80_000)
    for _ in 0..<20 {
      unit.player.setShuffle(.off)
      unit.player.shuffleFromTheStart()
      #expect(unit.player.state.file?.path == unit.player.queue.current?.item.path)
    }
  }

  // MARK: Files that appear and disappear

  @Test func setFiles_afterAnEmptyQueue_canPlay() throws {
    let unit = try HeadUnit(["a"], frames: 80_000)
    let files = unit.player.queue.entries.map(\.item)
    unit.player.setFiles([])
    unit.source.update()
    #expect(unit.state.content == nil)
    #expect(unit.send(.play) == .nothingPlaying)
    unit.player.setFiles(files)
    unit.source.update()
    #expect(unit.state.lines.title == "Song a")
    #expect(unit.send(.play) == .success)
    unit.wait { unit.state.status == .playing }
  }

  @Test func setFiles_whilePlaying_continuesWithinTheNewFiles() throws {
    let unit = try HeadUnit(["a", "b", "c"], frames: 400_000)
    let files = unit.player.queue.entries.map(\.item)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    unit.player.setFiles([files[2], files[0], files[1]])
    unit.wait { unit.state.upNext.map(\.title) == ["Song b"] }
    #expect(unit.state.lines.title == "Song a")
    #expect(unit.state.status == .playing)
    #expect(unit.player.state.queueIndex == 1)
    _ = unit.send(.next)
    unit.wait { unit.state.lines.title == "Song b" }
    _ = unit.send(.previous)
    unit.wait { unit.state.lines.title == "Song a" && unit.state.status == .playing }
  }

  @Test func setFiles_ofAShuffledQueue_keepsWherePreviousGoes() throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let unit = try HeadUnit(names, frames: 80_000)
    let files = unit.player.queue.entries.map(\.item)
    _ = unit.send(.changeShuffleMode(.items))
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    let heard = try #require(unit.player.state.file)
    _ = unit.send(.next)
    unit.wait { unit.player.state.file != heard && !unit.player.isSeeking }
    let current = try #require(unit.player.state.file)
    // The medium of all files except the current file is removed and inserted again.
    unit.player.setFiles([current])
    unit.player.setFiles(files.reversed())
    #expect(unit.player.state.file == current)
    #expect(unit.send(.previous) == .success)
    #expect(unit.player.state.file == heard)
    #expect(unit.player.upNext(limit: 9).count == 5)
  }

  /// The stick with the current file is removed. When the playback of this file ends, no other file starts by itself.
  @Test func setFiles_withoutTheCurrentFile_hasNoSuccessor() throws {
    let unit = try HeadUnit(["a", "b"], frames: 400_000)
    let files = unit.player.queue.entries.map(\.item)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    unit.player.setFiles([files[1]])
    _ = unit.send(.seekToPosition(.seconds(49)))
    unit.wait { unit.player.state.isStopped }
    #expect(unit.player.state.file?.fileName == "a.flac")
    _ = unit.send(.play)
    unit.wait { unit.state.lines.title == "Song b" && unit.state.status == .playing }
  }

  @Test(arguments: [false, true]) func resume_atASavedPosition_restoresTheState(plays: Bool) throws
  {
    let unit = try HeadUnit(["a", "b"], frames: 400_000)
    let path = unit.folder.path("b.flac")
    #expect(!unit.player.hold(path: "/nowhere.flac", at: 3))
    #expect(!unit.player.cue(path: "/nowhere.flac", at: 3))
    if plays {
      #expect(unit.player.cue(path: path, at: 20))
      unit.source.update()
      #expect(unit.send(.play) == .success)
    } else {
      #expect(unit.player.hold(path: path, at: 20))
    }
    unit.wait { unit.state.duration != nil && unit.state.lines.title == "Song b" }
    unit.wait { unit.state.status == (plays ? .playing : .paused) }
    let elapsed = try #require(unit.state.elapsed(at: HeadUnit.now()))
    #expect(elapsed >= .seconds(20) && elapsed < .seconds(50))
    #expect(plays || elapsed == .seconds(20))
  }
}
