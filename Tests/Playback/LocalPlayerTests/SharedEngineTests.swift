import Threads
import AudioEngine
import Foundation
import MusicFiles
import NowPlaying
import TestKit
import Testing

@testable import LocalPlayer

/// Tests the player while another source, for example a phone, uses the engine.
@Suite struct SharedEngineTests {
  /// Another source, which only takes the engine.
  private final class Other: EngineUser {
    var losses = 0
    func engineWillBeTaken() { losses += 1 }
  }

  private final class Bench {
    let folder: TemporaryFolder
    let engine = PlaybackEngine(sink: NullSink())
    let player: LocalPlayer
    let other = Other()
    var failed = false

    init(_ names: String = "abc") throws {
      folder = try TemporaryFolder()
      for name in names {
        try GeneratedMusic(rate: 8000, frames: 8000 * 10).flac(folder, "\(name).flac", [])
      }
      player = LocalPlayer(
        files: MusicScan(paths: names.map { [folder] in folder.path("\($0).flac") }).files,
        engine: engine)
    }

    deinit { engine.shutDown() }

    func wait(_ condition: () -> Bool) throws {
      let limit = ContinuousClock.now + Hang.limit
      while !condition() {
        try #require(ContinuousClock.now < limit)
        _ = player.handleEvents()
        var entry = pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 5)
      }
    }

    /// Plays for a moment; then the other source takes the engine. Returns the position at this moment.
    func playAndLose() throws -> Double {
      player.start(at: 2)
      try wait { player.elapsedSeconds > 2.2 }
      engine.acquire(for: other)
      engine.stop()
      return player.elapsedSeconds
    }
  }

  @Test func take_keepsThePosition_andResumeContinuesThere() throws {
    let bench = try Bench()
    let position = try bench.playAndLose()
    #expect(
      position > 2.1 && position < 9 && bench.player.state.isPaused && !bench.player.hasEngine)
    #expect(!bench.player.isSeeking)
    bench.player.resume()
    #expect(bench.player.hasEngine && bench.other.losses == 1)
    try bench.wait { bench.player.elapsedSeconds > position + 0.2 }
    #expect(bench.player.elapsedSeconds < position + 3)
  }

  @Test func pauseStopAndSeek_whileAnotherHasTheEngine_doNotTakeIt() throws {
    let bench = try Bench()
    _ = try bench.playAndLose()
    bench.player.pause()
    #expect(bench.player.seek(to: 7) && bench.player.elapsedSeconds == 7)
    #expect(!bench.player.hasEngine && bench.other.losses == 0)
    bench.player.resume()
    try bench.wait { bench.player.elapsedSeconds > 7.1 }
    bench.engine.acquire(for: bench.other)
    bench.player.stop()
    #expect(!bench.player.hasEngine && bench.other.losses == 1 && bench.player.state.isStopped)
    bench.player.resume()
    #expect(bench.player.hasEngine)
  }

  @Test func hold_whileAnotherHasTheEngine_opensTheFileLater() throws {
    let bench = try Bench()
    _ = try bench.playAndLose()
    #expect(bench.player.hold(path: bench.folder.path("c.flac"), at: 3))
    #expect(!bench.player.hasEngine && bench.player.elapsedSeconds == 3)
    #expect(bench.player.state.file?.path.hasSuffix("c.flac") == true)
    bench.player.resume()
    try bench.wait { bench.player.elapsedSeconds > 3.1 }
  }

  @Test func removeCurrent_whileAnotherHasTheEngine_showsTheNextFile() throws {
    let bench = try Bench()
    _ = try bench.playAndLose()
    let current = try #require(bench.player.queue.currentID)
    #expect(bench.player.remove(entry: current))
    #expect(!bench.player.hasEngine && bench.player.elapsedSeconds == 0)
    #expect(bench.player.state.file?.path.hasSuffix("b.flac") == true)
  }

  @Test func next_takesTheEngine_andPlays() throws {
    let bench = try Bench()
    _ = try bench.playAndLose()
    #expect(bench.player.next() && bench.other.losses == 1)
    // The player was paused, so the next file does not play before the resume.
    #expect(bench.player.state.isPaused)
    bench.player.resume()
    try bench.wait { bench.player.elapsedSeconds > 0.1 }
    #expect(bench.player.state.file?.path.hasSuffix("b.flac") == true)
  }

  /// While the other source uses the engine, an edit of the queue must not pass a next track to the engine.
  @Test func insert_afterTheEnd_whileAnotherHasTheEngine_plansNoTrack() throws {
    let bench = try Bench("a")
    bench.player.start(at: 9.8)
    try bench.wait { bench.player.state.isStopped }
    bench.engine.acquire(for: bench.other)
    bench.player.insert(
      MusicScan(paths: [bench.folder.path("a.flac")]).files, .last)
    #expect(!bench.engine.withdrawUpcoming())
  }

  /// The player ignores events of the tracks of the other source.
  @Test func eventsOfTheOtherSource_changeNothing() throws {
    let bench = try Bench()
    let position = try bench.playAndLose()
    #expect(bench.player.handle(.ended(after: -1)) == nil)
    #expect(bench.player.handle(.starved(nanoseconds: 1)) == nil)
    #expect(bench.player.handle(.needsUpcoming(after: -1)) == nil)
    #expect(!bench.player.state.isStopped && bench.player.awaited == nil)
    #expect(bench.player.elapsedSeconds == position)
  }
}
