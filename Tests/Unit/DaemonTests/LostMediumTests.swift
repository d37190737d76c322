import AudioCodecs
import AudioEngine
import Control
import Foundation
import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon
@testable import Settings

/// A medium reports an error, and is then removed while sound that was decoded earlier still plays. A whole daemon in
/// this process plays without a sound card.
@Suite struct LostMediumTests {
  @Test func aDeletedFile_isSkipped_andIsNoRemovedMedium() throws {
    let home = try ServeProcess.Home()
    for name in ["a", "b", "c"] { try home.music(name, seconds: 600) }
    let daemon = UnitDaemon(home)
    try daemon.begin()
    defer { daemon.shutDown() }
    try daemon.loop.turn {
      daemon.unit.player.elapsedSeconds > 0.5 && daemon.unit.player.count == 3
    }
    let deleted = try #require(daemon.unit.player.queue.entries.dropFirst().first?.item.path)
    try FileManager.default.removeItem(atPath: deleted)
    _ = daemon.unit.player.play(path: deleted)
    try daemon.loop.turn {
      daemon.log.lines.contains { $0.text.hasPrefix("\(LogEvent.trackFailed.rawValue): ") }
    }
    #expect(daemon.resumption.lost == nil && daemon.resumption.suspect == nil)
    try daemon.loop.turn { daemon.unit.player.state.file?.path.hasSuffix("c.flac") == true }
    #expect(!daemon.log.lines.contains { $0.text.hasPrefix("\(LogEvent.musicRemoved.rawValue): ") })
  }

  @Test func mediumThatIsGoneWhileTheDecodedSoundIsHeard_continuesWhenItReturns() throws {
    let home = try ServeProcess.Home()
    try home.music("song", seconds: 600)
    let daemon = UnitDaemon(home)
    try daemon.begin()
    defer { daemon.shutDown() }
    try daemon.loop.turn { daemon.unit.player.elapsedSeconds > 0.5 }
    let file = try #require(daemon.unit.player.state.file)
    let error = DecodeError(.endTrack, at: .byte(0), "cannot be read", kind: .unreadable)
    #expect(daemon.music.failed(file, error, isGone: false)?.kind == .cannotPlay)
    let heard = daemon.unit.player.elapsedSeconds
    let away = home.folder.path("away.flac")
    try FileManager.default.moveItem(atPath: file.path, toPath: away)
    daemon.music.find()
    try daemon.loop.turn { daemon.resumption.lost != nil }
    #expect(daemon.log.lines.contains { $0.text.hasPrefix("\(LogEvent.musicRemoved.rawValue): ") })
    #expect(daemon.unit.player.state.isStopped)
    let lost = try #require(daemon.resumption.lost)
    #expect(lost.seconds >= heard && lost.plays)
    try FileManager.default.moveItem(atPath: away, toPath: file.path)
    daemon.music.find()
    try daemon.loop.turn { daemon.unit.center.state.status == .playing }
    #expect(daemon.unit.player.elapsedSeconds >= lost.seconds)
  }
}
