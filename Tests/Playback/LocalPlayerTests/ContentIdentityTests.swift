import Foundation
import LocalPlayer
import MusicFiles
import NowPlaying
import TestKit
import Testing

/// Tests that a file always has the same identity, and that another file has another identity. So a surface can keep
/// what it knows about a track, such as its cover.
@Suite struct ContentIdentityTests {
  typealias HeadUnit = LocalSourceTests.HeadUnit

  @Test func P5_aFile_hasTheSameIdentityInTheNextRun_andAfterItWasOpened() throws {
    let unit = try HeadUnit(["a", "b"], frames: 80_000)
    let first = try #require(unit.state.content?.id)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    #expect(unit.state.content?.id == first)
    _ = unit.send(.next)
    unit.wait { unit.state.lines.title == "Song b" }
    let second = try #require(unit.state.content?.id)
    #expect(second != first)
    let next = try HeadUnit(["b", "a"], in: unit.folder)
    #expect(next.state.content?.id == second)
    _ = next.send(.play)
    next.wait { next.state.status == .playing }
    _ = next.send(.next)
    next.wait { next.state.lines.title == "Song a" }
    #expect(next.state.content?.id == first)
  }

  @Test func P5_anotherFileAtTheSamePath_hasItsOwnIdentity() throws {
    let unit = try HeadUnit(["a", "b"])
    let found = try #require(unit.state.content?.id)
    try GeneratedMusic(rate: 8000, frames: 80_000).flac(
      unit.folder, "a.flac", ["--tag=TITLE=Other", "--tag=ARTIST=Artist"])
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    #expect(unit.state.lines.title == "Other")
    #expect(unit.state.content?.id != found)
    let changes = unit.center.publications.filter { $0.reasons.contains(.trackChange) }
    #expect(changes.count == 2, "the file that was found, and the one that plays")
  }

  @Test func P2_theSameFileAgain_isASeek() throws {
    let unit = try HeadUnit(["a"])
    _ = unit.send(.changeRepeatMode(.one))
    _ = unit.send(.play)
    func seeks() -> Int { unit.center.publications.filter { $0.reasons.contains(.seek) }.count }
    unit.wait { seeks() == 2 }
    #expect(unit.state.status == .playing)
    let changes = unit.center.publications.filter { $0.reasons.contains(.trackChange) }
    #expect(changes.count == 1, "the content that was published first")
    let elapsed = try #require(unit.state.elapsed(at: HeadUnit.now()))
    #expect(elapsed < .milliseconds(900), "the second playback began at 0: \(elapsed)")
  }

  @Test func P2_theSameFileAgain_onSlowStorage_isOneSeek() throws {
    let unit = try HeadUnit(["a"], frames: 80_000)
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.player.play(path: unit.folder.path("a.flac"))
    unit.source.update()
    unit.skipped.duration += LocalSource.bufferingDelay
    unit.source.update()
    #expect(unit.state.status == .buffering)
    unit.wait { unit.state.status == .playing }
    #expect(unit.center.publications.filter { $0.reasons.contains(.seek) }.count == 1)
    _ = unit.send(.seekToPosition(.seconds(5)))
    unit.wait { unit.center.publications.filter { $0.reasons.contains(.seek) }.count == 2 }
  }
}
