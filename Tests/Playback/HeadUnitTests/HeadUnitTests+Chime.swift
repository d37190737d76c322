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

// The chime, an overlay over the music.
extension HeadUnitTests {
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

  /// Overlays also play during an interruption, for example a prompt during a call, or a signal
  /// tone while the car is reversing.
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
