import Artwork
import AudioCodecs
import AudioEngine
import Foundation
@testable import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Synchronization
import SystemClock
import TestKit
import Testing

/// Tests all parts of playback together. The files and threads are real. The sink needs no sound card.
@Suite struct HeadUnitTests {
  /// A head unit with one surface, and a loop that the test runs.
  final class Bench {
    let folder: TemporaryFolder
    let unit: HeadUnit
    private(set) var port: SurfacePort?
    private(set) var states: [NowPlayingState] = []
    private(set) var events: [LocalPlayer.Event] = []

    /// - Parameter prepare: writes files for a track, such as a picture. Returns the options with which `flac` reads
    ///   these files.
    init(
      _ names: [String], seconds: Double = 1, sink: any AudioSink = NullSink(),
      _ set: (inout HeadUnit.Options) -> Void = { _ in },
      prepare: (TemporaryFolder, String) throws -> [String] = { _, _ in [] }
    ) throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      for name in names {
        try GeneratedMusic(rate: 8000, frames: Int(8000 * seconds)).flac(
          folder, "\(name).flac", ["--tag=TITLE=\(name)"] + prepare(folder, name))
      }
      var options = HeadUnit.Options()
      options.artworkCache = ArtworkCache(folder: folder.path("covers"))
      set(&options)
      unit = HeadUnit(
        files: MusicScan(paths: names.map { folder.path("\($0).flac") }).files, sink: sink,
        options: options)
      port = unit.center.connect(SurfaceDescription(id: "test", showsTemplate: true), at: .now()) {
        [weak self] in self?.states.append($0)
      }
    }

    deinit { unit.shutDown() }

    private(set) var notices: [CoverNotice] = []

    var state: NowPlayingState { unit.center.state }

    func send(_ request: CommandRequest) -> CommandRecord? {
      let number = port?.send(request, on: .text, at: .now())
      return number.flatMap { unit.center.trace[$0] }
    }

    func record(_ number: Int?) -> CommandRecord? { number.flatMap { unit.center.trace[$0] } }

    /// Runs the control loop until the condition holds. The limit (`Hang.limit`) is much longer than any test takes.
    func wait(sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool) {
      let limit = MonotonicInstant.now().advanced(by: Hang.limit)
      while true {
        for event in unit.turn() {
          switch event {
          case .player(let event): events.append(event)
          case .cover(let notice): notices.append(notice)
          case .starved: break
          }
        }
        if condition() { return }
        guard MonotonicInstant.now() < limit else {
          Issue.record("the condition was not met in time", sourceLocation: sourceLocation)
          return
        }
        var entries = unit.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // The elapsed time changes without events, so wait for at most 5 ms.
        _ = poll(&entries, nfds_t(entries.count), 5)
      }
    }
  }

  // MARK: The trace of commands

  @Test(arguments: [
    MediaRequest.pause, .next, .previous, .skipForward(nil), .seekToPosition(.seconds(5)), .stop,
  ])
  func trace_commandWhilePlaying_isHeard(request: MediaRequest) throws {
    let bench = try Bench(["a", "b"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let number = bench.send(.media(request))?.number
    bench.wait { bench.record(number)?.heard != nil }
    let record = try #require(bench.record(number))
    let handedOver = try #require(record.handedOver)
    #expect(record.received <= handedOver)
    #expect(handedOver <= (try #require(record.heard)))
  }

  @Test func trace_volumeAndMute_areHeard() throws {
    let bench = try Bench(["a"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    for request in [VolumeRequest.change(thousandths: -100), .toggleMuted, .toggleMuted] {
      let number = bench.send(.volume(request))?.number
      bench.wait { bench.record(number)?.heard != nil }
      #expect(bench.record(number)?.answer == .success)
    }
    #expect(bench.state.volume.level == VolumeLevel(thousandths: 900))
  }

  @Test func trace_commandWithoutChange_isNotHeard() throws {
    let bench = try Bench(["a"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let again = bench.send(.media(.play))?.number
    let louder = bench.send(.volume(.change(thousandths: 25)))?.number
    let pause = bench.send(.media(.pause))?.number
    bench.wait { bench.record(pause)?.heard != nil }
    #expect(bench.record(again)?.verdict == .unchanged)
    #expect(bench.record(again)?.heard == nil)
    #expect(bench.record(louder)?.heard == nil)
  }

  /// If another track is selected during a pause, this track is heard only after the pause. The trace must not count
  /// the rest of the pause as the latency of the press.
  @Test func trace_nextWhilePaused_isNotHeardAfterResume() throws {
    let bench = try Bench(["a", "b"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    _ = bench.send(.media(.pause))
    let next = bench.send(.media(.next))?.number
    let play = bench.send(.media(.play))?.number
    bench.wait { bench.record(play)?.heard != nil && bench.state.lines.title == "b" }
    #expect(bench.record(next)?.answer == .success)
    #expect(bench.record(next)?.heard == nil)
  }

  /// Without an output, the effect of a command is not heard. If a user presses again and again, the list of effects
  /// that are still expected must not fill the memory.
  @Test func trace_awaitedEffects_areBounded() throws {
    let sink = UnpluggableSink()
    let bench = try Bench(["a"], seconds: 30, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isUnplugged.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    let volumes = (1...40).map { _ in
      let number = bench.send(.volume(.change(thousandths: -10)))?.number
      _ = bench.unit.turn()
      return number
    }
    sink.isUnplugged.store(false, ordering: .relaxed)
    bench.wait { bench.record(volumes.last ?? nil)?.heard != nil }
    #expect(volumes.filter { bench.record($0)?.heard != nil }.count == 32)
    bench.wait { bench.state.status == .playing }
    let toggles = (1...40).map { _ in bench.send(.media(.togglePlayPause))?.number }
    bench.wait { bench.record(toggles.last ?? nil)?.heard != nil }
    #expect(toggles.filter { bench.record($0)?.heard != nil }.count == 32)
  }

  // MARK: Messages

  @Test func queueIndex_duringASeek_isThatOfThePublishedTrack() throws {
    let bench = try Bench(["a", "b"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    _ = bench.send(.media(.next))
    #expect(bench.state.lines.title == "a")
    #expect(bench.unit.queueIndex == 0)
    bench.wait { bench.state.lines.title == "b" }
    #expect(bench.unit.queueIndex == 1)
  }

  // MARK: The end

  @Test func C6_releasedHeadUnit_deallocatesAllItsObjects() throws {
    weak var unit: HeadUnit?
    weak var center: NowPlayingCenter?
    weak var player: LocalPlayer?
    weak var engine: PlaybackEngine?
    func use() throws {
      let bench = try Bench(["a", "b"], seconds: 30, prepare: { try cover($0, $1, mark: 1) })
      (unit, center) = (bench.unit, bench.unit.center)
      (player, engine) = (bench.unit.player, bench.unit.engine)
      _ = bench.send(.media(.play))
      bench.wait { bench.state.status == .playing }
      // Start every kind of work. The results are still pending when the objects are released.
      let id = try #require(bench.state.content?.id)
      bench.unit.center.artwork(for: id, size: .largest, at: .now()) { _ in }
      #expect(bench.unit.playChime(path: bench.folder.path("a.flac"), name: "bell") == nil)
      _ = bench.send(.volume(.change(thousandths: -100)))
      _ = bench.send(.media(.next))
      _ = bench.send(.media(.seekForward(.begin)))
    }
    try use()
    #expect(unit == nil && center == nil && player == nil && engine == nil)
  }

  // MARK: Volume

  @Test func init_initialVolume_isPublished() throws {
    let bench = try Bench(["a"]) { $0.volume = Volume(level: VolumeLevel(thousandths: 500)) }
    #expect(bench.state.volume.level == VolumeLevel(thousandths: 500))
  }

  // MARK: An output that is unplugged and plugged in again

  /// A sink that takes frames in real time. The test can unplug it.
  final class UnpluggableSink: AudioSink, @unchecked Sendable {
    let isUnplugged = Atomic(false)
    let name = "unpluggable"

    func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
      if isUnplugged.load(ordering: .relaxed) { throw SinkError("the device is unplugged") }
      return DeviceFormat(
        sampleRate: wanted.sampleRate, layout: wanted.layout, samples: .s32, periodFrames: 80,
        bufferFrames: 160)
    }

    func run(_ renderer: Renderer) -> SinkExit {
      var period = [UInt8](repeating: 0, count: 80 * 8)
      while !renderer.mustLeave {
        if isUnplugged.load(ordering: .relaxed) { return .failed(ENODEV) }
        period.withUnsafeMutableBytes {
          _ = renderer.render(into: $0.baseAddress!, frames: 80, pads: true)
        }
        renderer.handedOver(deviceDelay: 80)
        usleep(10_000)
      }
      return .left
    }

    func close(draining: Bool) {}
  }

  @Test func E7_P1_unpluggedOutput_holdsTheMusicUntilItIsPluggedIn() throws {
    let sink = UnpluggableSink()
    let bench = try Bench(["a"], seconds: 60, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isUnplugged.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    let count = bench.states.count
    let elapsed = bench.state.elapsed(at: .now())
    // If surfaces computed a position that advances, a difference of more than one second to the real position would
    // cause a publication. So wait longer than a second.
    let later = MonotonicInstant.now().advanced(by: .seconds(1.5))
    bench.wait { MonotonicInstant.now() > later }
    #expect(bench.states.count == count, "no publication without an event")
    #expect(bench.state.elapsed(at: .now()) == elapsed)
    sink.isUnplugged.store(false, ordering: .relaxed)
    bench.wait { bench.state.status == .playing }
  }

  @Test func E7_pauseWithoutOutput_staysPausedWhenItReturns() throws {
    let sink = UnpluggableSink()
    let bench = try Bench(["a"], seconds: 60, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isUnplugged.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    _ = bench.send(.media(.pause))
    #expect(bench.state.status == .paused)
    sink.isUnplugged.store(false, ordering: .relaxed)
    bench.wait { bench.unit.center.arbitration[LocalSource.sessionID]?.sound == .free }
    #expect(bench.state.status == .paused)
  }

  // MARK: The chime, an overlay over the music

  @Test func E3_chime_ducksTheMusicAndStaysSecondary() throws {
    let bench = try Bench(["a"], seconds: 30)
    try GeneratedMusic(rate: 8000, frames: 4000).flac(bench.folder, "chime.flac", [])
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let before = bench.states.count
    #expect(bench.unit.playChime(path: bench.folder.path("chime.flac"), name: "bell") == nil)
    bench.wait {
      bench.events.contains { if case .overlayBegan = $0 { true } else { false } }
    }
    #expect(bench.unit.center.arbitration.primary == LocalSource.sessionID)
    #expect(
      bench.unit.center.arbitration[LocalSource.sessionID]?.sound
        == .ducked(by: ChimeSource.sessionID))
    bench.wait { !bench.unit.isChiming }
    #expect(bench.unit.center.arbitration[LocalSource.sessionID]?.sound == .free)
    #expect(bench.unit.center.arbitration[ChimeSource.sessionID] == nil)
    #expect(bench.states.count == before, "the published state has not changed")
  }

  /// Overlays also play during an interruption, for example a prompt during a call, or a signal tone while the car is
  /// reversing.
  @Test func E4_chimeDuringAnInterruption_soundsAndTheMusicIsHeld() throws {
    let bench = try Bench(["a"], seconds: 30)
    try GeneratedMusic(rate: 8000, frames: 4000).flac(bench.folder, "chime.flac", [])
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let reversing = bench.unit.center.beginInterruption(.reversing, at: .now())
    #expect(bench.state.status == .interrupted)
    #expect(bench.unit.playChime(path: bench.folder.path("chime.flac"), name: "bell") == nil)
    bench.wait { !bench.unit.isChiming }
    #expect(bench.events.contains { if case .overlayBegan = $0 { true } else { false } })
    #expect(bench.state.status == .interrupted)
    bench.unit.center.endInterruption(reversing, shouldResume: true, at: .now())
    bench.wait { bench.state.status == .playing }
  }

  @Test func E3_secondChime_keepsTheMusicDuckedUntilItsEnd() throws {
    let bench = try Bench(["a"], seconds: 30)
    try GeneratedMusic(rate: 8000, frames: 80_000).flac(bench.folder, "chime.flac", [])
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let path = bench.folder.path("chime.flac")
    #expect(bench.unit.playChime(path: path, name: "bell") == nil)
    bench.wait { bench.events.contains { if case .overlayBegan = $0 { true } else { false } } }
    #expect(bench.unit.playChime(path: path, name: "bell") == nil)
    bench.wait { bench.events.contains { if case .overlayEnded(1) = $0 { true } else { false } } }
    #expect(bench.unit.isChiming)
    #expect(
      bench.unit.center.arbitration[LocalSource.sessionID]?.sound
        == .ducked(by: ChimeSource.sessionID))
  }

  @Test func chime_unreadableFile_endsItsSession() throws {
    let bench = try Bench(["a"])
    #expect(bench.unit.playChime(path: bench.folder.path("nowhere.flac"), name: "bell") == nil)
    bench.wait { !bench.unit.isChiming }
    #expect(bench.events.contains { if case .overlayFailed = $0 { true } else { false } })
  }
}
