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

/// All that plays, joined: real files, real threads, a sink without a card.
@Suite(.timeLimit(.minutes(1))) struct HeadUnitTests {
  /// A head unit with one surface, and a loop that a test turns.
  private final class Bench {
    let folder: TemporaryFolder
    let unit: HeadUnit
    private(set) var port: SurfacePort?
    private(set) var states: [NowPlayingState] = []
    private(set) var events: [LocalPlayer.Event] = []

    /// - Parameter prepare: options of `flac` for a track, after it has made what they name.
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

    var state: NowPlayingState { unit.center.state }

    func send(_ request: CommandRequest) -> CommandRecord? {
      let number = port?.send(request, on: .text, at: .now())
      return number.flatMap { unit.center.trace[$0] }
    }

    func record(_ number: Int?) -> CommandRecord? { number.flatMap { unit.center.trace[$0] } }

    /// Turns the control loop until something is so; far longer than any test takes.
    func wait(sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () -> Bool) {
      let limit = MonotonicInstant.now().advanced(by: .seconds(30))
      while true {
        events += unit.turn()
        if isSo() { return }
        guard MonotonicInstant.now() < limit else {
          Issue.record("it never came", sourceLocation: sourceLocation)
          return
        }
        var entries = unit.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Time passes without an event.
        _ = poll(&entries, nfds_t(entries.count), 5)
      }
    }
  }

  // MARK: The trace of commands

  @Test(arguments: [
    MediaRequest.pause, .next, .previous, .skipForward(nil), .seekToPosition(.seconds(5)), .stop,
  ])
  func trace_aCommandWhilePlaying_isHeard(request: MediaRequest) throws {
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

  @Test func trace_whatIsSoAlready_isNotHeard() throws {
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

  /// Another track under a pause sounds some day; no answer to a press takes minutes.
  @Test func trace_nextWhilePaused_isNotHeardWhenPlaybackGoesOn() throws {
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

  /// Without an output nothing is heard, and who presses on must not fill the memory.
  @Test func trace_whatWaitsToBeHeard_isBounded() throws {
    let sink = PulledSink()
    let bench = try Bench(["a"], seconds: 30, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isPulled.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    let volumes = (1...40).map { _ in
      let number = bench.send(.volume(.change(thousandths: -10)))?.number
      _ = bench.unit.turn()
      return number
    }
    sink.isPulled.store(false, ordering: .relaxed)
    bench.wait { bench.record(volumes.last ?? nil)?.heard != nil }
    #expect(volumes.filter { bench.record($0)?.heard != nil }.count == 32)
    bench.wait { bench.state.status == .playing }
    let toggles = (1...40).map { _ in bench.send(.media(.togglePlayPause))?.number }
    bench.wait { bench.record(toggles.last ?? nil)?.heard != nil }
    #expect(toggles.filter { bench.record($0)?.heard != nil }.count == 32)
  }

  // MARK: What is said

  @Test func place_isThatOfTheTrackThatIsSaid() throws {
    let bench = try Bench(["a", "b"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    _ = bench.send(.media(.next))
    #expect(bench.state.lines.title == "a")
    #expect(bench.unit.place == 0)
    bench.wait { bench.state.lines.title == "b" }
    #expect(bench.unit.place == 1)
  }

  // MARK: The output

  /// Takes frames in real time, and is pulled when a test says so.
  private final class PulledSink: AudioSink, @unchecked Sendable {
    let isPulled = Atomic(false)
    let name = "pulled"

    func open(_ wanted: StreamFormat) throws(SinkError) -> DeviceFormat {
      if isPulled.load(ordering: .relaxed) { throw SinkError("it is away") }
      return DeviceFormat(
        sampleRate: wanted.sampleRate, layout: wanted.layout, samples: .s32, periodFrames: 80,
        bufferFrames: 160)
    }

    func run(_ renderer: Renderer) -> SinkExit {
      var period = [UInt8](repeating: 0, count: 80 * 8)
      while !renderer.mustLeave {
        if isPulled.load(ordering: .relaxed) { return .failed(ENODEV) }
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

  @Test func E7_P1_anOutputThatIsPulled_holdsTheMusicUntilItIsBack() throws {
    let sink = PulledSink()
    let bench = try Bench(["a"], seconds: 60, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isPulled.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    let count = bench.states.count
    let place = bench.state.elapsed(at: .now())
    // So long surfaces that went on by themselves would be wrong by more than is forgiven.
    let later = MonotonicInstant.now().advanced(by: .seconds(1.5))
    bench.wait { MonotonicInstant.now() > later }
    #expect(bench.states.count == count, "nothing is published while nothing happens")
    #expect(bench.state.elapsed(at: .now()) == place)
    sink.isPulled.store(false, ordering: .relaxed)
    bench.wait { bench.state.status == .playing }
  }

  @Test func E7_aPauseWhileTheOutputIsAway_wins() throws {
    let sink = PulledSink()
    let bench = try Bench(["a"], seconds: 60, sink: sink)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    sink.isPulled.store(true, ordering: .relaxed)
    bench.wait { bench.state.status == .interrupted }
    _ = bench.send(.media(.pause))
    #expect(bench.state.status == .paused)
    sink.isPulled.store(false, ordering: .relaxed)
    bench.wait { bench.unit.center.arbitration[LocalSource.sessionID]?.sound == .free }
    #expect(bench.state.status == .paused)
  }

  // MARK: The end

  @Test func C6_aHeadUnitThatIsLetGo_isFreedWithAllThatItHolds() throws {
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
      // Everything that waits for something.
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

  @Test func theVolumeToBeginWith_isTheEngines() throws {
    let bench = try Bench(["a"]) { $0.volume = Volume(level: VolumeLevel(thousandths: 500)) }
    #expect(bench.state.volume.level == VolumeLevel(thousandths: 500))
  }

  // MARK: Chime

  @Test func E3_chime_ducksTheMusicAndNeverBecomesPrimary() throws {
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
    #expect(bench.states.count == before, "nothing that a surface shows has changed")
  }

  /// An interruption sounds with what mixes: a prompt in a call, a reversing signal.
  @Test func E4_chimeInAnInterruption_soundsAndTheMusicIsHeld() throws {
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

  @Test func E3_anotherChime_keepsTheMusicDownBeyondTheEndOfTheFirst() throws {
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

  @Test func aChimeThatCannotBeOpened_endsItsSession() throws {
    let bench = try Bench(["a"])
    #expect(bench.unit.playChime(path: bench.folder.path("nowhere.flac"), name: "bell") == nil)
    bench.wait { !bench.unit.isChiming }
    #expect(bench.events.contains { if case .overlayFailed = $0 { true } else { false } })
  }

  // MARK: Covers

  /// - Parameter mark: makes it another picture.
  private func cover(_ folder: TemporaryFolder, _ name: String, mark: Int) throws -> [String] {
    let path = folder.path("\(name).jpg")
    try Data(GeneratedPictures.jpeg(800, 700, mark: mark)).write(to: URL(fileURLWithPath: path))
    return ["--picture=3|image/jpeg||800x700x24|\(path)"]
  }

  @Test func A4_theCoverOfATrack_comesAtTheSizeThatWasAskedFor() throws {
    let bench = try Bench(["a"], seconds: 30, prepare: { try cover($0, $1, mark: 1) })
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    var answers: [ArtworkAnswer] = []
    let id = try #require(bench.state.content?.id)
    bench.unit.center.artwork(for: id, size: ArtworkSize(width: 400, height: 400), at: .now()) {
      answers.append($0)
    }
    bench.wait { !answers.isEmpty }
    guard case .image(let picture) = answers.first else {
      Issue.record("no picture: \(answers)")
      return
    }
    #expect(picture.size == ArtworkSize(width: 400, height: 350))
    #expect(picture.originalSize == ArtworkSize(width: 800, height: 700))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: picture.reference))
    #expect(Array(bytes) == GeneratedPictures.jpeg(800, 700, mark: 1))
  }

  /// Ten tracks with ten covers: each is asked for once and comes once.
  @Test func A5_tenTracks_haveTenCoversAndNoOther() throws {
    let names = (0..<10).map { "track\($0)" }
    let bench = try Bench(
      names, seconds: 30,
      prepare: { folder, name in
        try cover(folder, name, mark: 1 + (names.firstIndex(of: name) ?? 0))
      })
    _ = bench.send(.media(.play))
    var shown: [String] = []
    for (number, name) in names.enumerated() {
      bench.wait { bench.state.lines.title == name && bench.state.status == .playing }
      var answer: ArtworkAnswer?
      let id = try #require(bench.state.content?.id)
      bench.unit.center.artwork(for: id, size: .largest, at: .now()) { answer = $0 }
      bench.wait { answer != nil }
      guard case .image(let picture) = answer else {
        Issue.record("\(name): \(answer.map { "\($0)" } ?? "nothing")")
        return
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: picture.reference))
      #expect(Array(bytes) == GeneratedPictures.jpeg(800, 700, mark: number + 1))
      shown.append(picture.reference)
      if number < 9 { _ = bench.send(.media(.next)) }
    }
    #expect(Set(shown).count == 10)
    #expect(bench.unit.center.inspection(at: .now()).artwork.changesWithinContent == 0)
  }

  /// An album has one cover, known by its bytes once it was found in advance.
  @Test func A1_theNextTracksCover_isThereBeforeItPlays() throws {
    let bench = try Bench(
      ["a", "b"], seconds: 30, prepare: { folder, _ in try cover(folder, "same", mark: 7) })
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let path = bench.folder.path("b.flac")
    bench.wait { bench.unit.hasPreparedCover(of: path) }
    _ = bench.send(.media(.next))
    bench.wait { bench.state.lines.title == "b" }
    var answer: ArtworkAnswer?
    let id = try #require(bench.state.content?.id)
    bench.unit.center.artwork(for: id, size: .largest, at: .now()) { answer = $0 }
    #expect(answer != nil, "at once, so that nothing flickers")
  }

  @Test func A3_noCover_isAPlaceholder() throws {
    let bench = try Bench(["a"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    var answer: ArtworkAnswer?
    let id = try #require(bench.state.content?.id)
    bench.unit.center.artwork(for: id, size: .largest, at: .now()) { answer = $0 }
    bench.wait { answer != nil }
    #expect(answer == .placeholder)
  }
}
