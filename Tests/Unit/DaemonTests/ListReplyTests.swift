import AudioEngine
import EventLoop
import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Settings
import SystemClock
import TestKit
import Testing

@testable import Daemon

/// Tests when a request for a list is answered, and which state is published until the songs arrive.
@Suite struct ListReplyTests {
  private final class Owner: ListOwner {
    let listSession = LocalSource.sessionID
    let source: LocalSource
    let loop: EventLoop
    var reply: ListReply?
    var refusals: [Refusal.Code] = []

    init(_ source: LocalSource, _ loop: EventLoop) {
      (self.source, self.loop) = (source, loop)
    }

    func perform(_ request: ListRequest, _ command: CommandReply) {
      reply = ListReply(command, source, loop) { [unowned self] in refusals.append($0.code) }
      reply?.begin()
    }
  }

  private final class Bench {
    let loop = EventLoop()
    let folder: TemporaryFolder
    let unit: HeadUnit
    let owner: Owner
    let port: SurfacePort

    init() throws {
      folder = try TemporaryFolder()
      for name in ["a", "b"] {
        try GeneratedMusic(channels: 1, rate: 8000, frames: 80_000).flac(folder, "\(name).flac")
      }
      let files = Self.files("a", "b", in: folder)
      unit = HeadUnit(files: files, sink: NullSink(periodFrames: 512, bufferMilliseconds: 50))
      owner = Owner(unit.source, loop)
      unit.center.add(listOwner: owner)
      port = unit.center.connect(SurfaceDescription(id: "test"), at: .now()) { _ in }
    }

    deinit { unit.shutDown() }

    private static func files(_ names: String..., in folder: TemporaryFolder) -> [MusicFile] {
      var list = MusicFileList()
      for name in names {
        list.add(
          VolumeMount(identity: "drive", path: folder.path("")), path: "\(name).flac", title: name,
          artist: nil, album: nil, seconds: nil)
      }
      return list.take()
    }

    var status: PlaybackStatus? { unit.center.state.playback?.status }

    func send(_ answers: @escaping (CommandAnswer) -> Void) -> Int {
      port.send(.list(.playSource("stick")), on: .text, at: .now(), answer: answers)
    }

    /// Opens the session of a phone that plays.
    func phone(_ instruct: @escaping (SessionInstruction) -> Void) throws -> MediaSession {
      let session = unit.center.openSession("phone", instruct: instruct, at: .now())
      session.activate(at: .now())
      session.publish(
        SessionDescription(
          content: .music(
            MusicContent(id: "1", metadata: MetadataItems([.init(.title, "A")]), duration: nil)),
          playback: .snapshot(
            MediaPlaybackSnapshot(state: .playing(), elapsedTime: nil, timestamp: .now())),
          commands: [.pause { $0(.success, at: .now()) }]), at: .now())
      return session
    }

    /// Simulates the arrival of the songs of the list.
    func arrive(_ name: String) throws {
      let reply = try #require(owner.reply)
      unit.source.choose(
        Self.files(name, in: folder), first: 0, at: 0, shuffled: false,
        from: QueueContext(list: "", title: "The list"), reply.command)
      owner.reply = nil
    }
  }

  /// A slow stick must not cause an error before its music plays.
  @Test func songsThatComeLate_areAccepted_andTheStateIsBuffering() throws {
    let bench = try Bench()
    var answers: [CommandAnswer] = []
    let number = bench.send { answers.append($0) }
    #expect(bench.status == .stopped)
    try bench.loop.turn { !answers.isEmpty }
    #expect(answers == [.success])
    #expect(bench.unit.center.trace[number]?.verdict == .deferred)
    #expect(bench.status == .buffering)
    try bench.arrive("b")
    #expect(bench.unit.player.context?.title == "The list" && !bench.unit.player.state.isPaused)
    #expect(answers == [.success])
  }

  @Test func refusalAfterTheAnswer_isTold_andTheStateIsThatOfBefore() throws {
    let bench = try Bench()
    var answers: [CommandAnswer] = []
    _ = bench.send { answers.append($0) }
    bench.owner.reply?.accept()
    #expect(bench.status == .buffering)
    bench.owner.reply?.refuse(Refusal(.failed, "late"))
    #expect(answers == [.success] && bench.owner.refusals == [.failed])
    #expect(bench.status == .stopped)
  }

  @Test func refusalInTime_isARefusal() throws {
    let bench = try Bench()
    var answers: [CommandAnswer] = []
    let number = bench.send { answers.append($0) }
    bench.owner.reply?.refuse(Refusal(.sourceAbsent, "not there"))
    #expect(answers.map(\.refusal?.code) == [.sourceAbsent] && bench.owner.refusals == [])
    #expect(bench.unit.center.trace[number]?.verdict == .accepted(LocalSource.sessionID))
  }

  @Test func pauseWhileAListIsAwaited_leavesItPaused() throws {
    let bench = try Bench()
    _ = bench.send { _ in }
    bench.owner.reply?.accept()
    var answers: [CommandAnswer] = []
    bench.port.send(.media(.pause), on: .text, at: .now()) { answers.append($0) }
    #expect(answers == [.success] && bench.status != .buffering)
    try bench.arrive("b")
    #expect(bench.unit.player.context?.title == "The list" && bench.unit.player.state.isPaused)
  }

  @Test func listThatIsChosenWhileAPhonePlays_plays_andThePhoneIsSilenced() throws {
    let bench = try Bench()
    var instructions: [SessionInstruction] = []
    let phone = try bench.phone { instructions.append($0) }
    #expect(bench.unit.center.state.session == "phone")
    var answers: [CommandAnswer] = []
    _ = bench.send { answers.append($0) }
    #expect(bench.unit.center.state.session == "phone")
    try bench.arrive("b")
    #expect(answers == [.success] && bench.unit.center.state.session == LocalSource.sessionID)
    #expect(instructions.last == .pause(.takenOver(by: LocalSource.sessionID)))
    withExtendedLifetime(phone) {}
  }

  /// E4: a list that arrives during an interruption replaces the queue, but does not play yet. It plays after the
  /// interruption, even if the interruption ends with *do not resume*.
  @Test(arguments: [true, false])
  func listThatArrivesDuringAnInterruption_playsAfterIt(_ shouldResume: Bool) throws {
    let bench = try Bench()
    let center = bench.unit.center
    let interruption = center.beginInterruption(.call, at: .now())
    _ = bench.send { _ in }
    bench.owner.reply?.accept()
    #expect(bench.status != .buffering)
    try bench.arrive("b")
    #expect(bench.unit.player.context?.title == "The list" && bench.unit.player.state.isPaused)
    #expect(bench.status == .interrupted)
    center.endInterruption(interruption, shouldResume: shouldResume, at: .now())
    #expect(!bench.unit.player.state.isPaused)
  }

  @Test func interruptionThatEndsWhileAListIsAwaited_doesNotPlayTheOldSong() throws {
    let bench = try Bench()
    let center = bench.unit.center
    _ = bench.send { _ in }
    bench.owner.reply?.accept()
    let interruption = center.beginInterruption(.call, at: .now())
    #expect(bench.status != .buffering)
    center.endInterruption(interruption, shouldResume: true, at: .now())
    #expect(bench.status == .buffering && bench.unit.player.state.isStopped)
    try bench.arrive("b")
    #expect(!bench.unit.player.state.isPaused && !bench.unit.player.state.isStopped)
  }

  @Test func phoneThatIsChosenAfterAList_keepsTheSound() throws {
    let bench = try Bench()
    _ = bench.send { _ in }
    let phone = try bench.phone { _ in }
    bench.owner.reply?.accept()
    #expect(bench.unit.center.state.session == "phone")
    try bench.arrive("b")
    #expect(bench.unit.center.state.session == "phone" && bench.unit.player.state.isPaused)
    #expect(bench.unit.player.context?.title == "The list")
    withExtendedLifetime(phone) {}
  }

  /// The unit's own player becomes the source in place of the phone, and has the status *buffering*. Its previous song
  /// must not play.
  @Test func listThatIsLateWhileAPhonePlays_doesNotPlayTheOldSong() throws {
    let bench = try Bench()
    let phone = try bench.phone { _ in }
    _ = bench.send { _ in }
    bench.owner.reply?.accept()
    #expect(bench.status == .buffering && bench.unit.player.state.isStopped)
    withExtendedLifetime(phone) {}
  }

  /// *Pause* reaches the unit's own player although nothing plays, so the list is paused when its songs arrive.
  @Test func pauseOfASilentUnit_countsForTheListThatIsAwaited() throws {
    let bench = try Bench()
    bench.port.send(.media(.play), on: .text, at: .now())
    bench.port.send(.media(.pause), on: .text, at: .now())
    _ = bench.send { _ in }
    bench.port.send(.media(.pause), on: .text, at: .now())
    try bench.arrive("b")
    #expect(bench.unit.player.context?.title == "The list" && bench.unit.player.state.isPaused)
  }

  @Test func pauseDuringAnInterruption_countsForTheListThatIsAwaited() throws {
    let bench = try Bench()
    let interruption = bench.unit.center.beginInterruption(.call, at: .now())
    _ = bench.send { _ in }
    bench.port.send(.media(.pause), on: .text, at: .now())
    try bench.arrive("b")
    bench.unit.center.endInterruption(interruption, shouldResume: true, at: .now())
    #expect(bench.unit.player.context?.title == "The list" && bench.unit.player.state.isPaused)
  }

  @Test func songOfTheQueue_thatIsChosenAfterAList_plays() throws {
    let bench = try Bench()
    _ = bench.send { _ in }
    bench.owner.reply?.accept()
    let song = try #require(bench.unit.player.queue.ids.last)
    bench.port.send(.media(.playQueueItem("queue:\(song)")), on: .text, at: .now())
    #expect(bench.owner.reply?.isLatest == false)
    try bench.loop.turn {
      _ = bench.unit.turn()
      return bench.status == .playing
    }
    #expect(bench.unit.player.queue.currentID == song)
  }
}
