import AudioEngine
import EventLoop
import HeadUnit
import LibraryModel
import LocalPlayer
import NowPlaying
import MusicFiles
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The positions at which lists were left. The player is real.
@Suite struct RecentListSaverTests {
  private let folder: TemporaryFolder
  private let unit = HeadUnit(files: [], sink: NullSink())
  private let recent: RecentListSaver

  init() throws {
    folder = try TemporaryFolder()
    recent = RecentListSaver(
      folder: folder.path(""), isHeld: false, Turns(EventLoop()), log: UnitLog(level: .info))
    try GeneratedMusic(channels: 1, rate: 8000, frames: 80_000).flac(folder, "song.flac", [])
  }

  private func play(on volume: String) {
    var list = MusicFileList()
    list.add(
      VolumeMount(identity: volume, path: folder.path("")), path: "song.flac", title: "Song",
      artist: nil, album: nil, seconds: 10)
    unit.player.choose(
      list.take(), first: 0, shuffled: false, from: QueueContext(list: "songs", title: ""))
  }

  private func end() {
    recent.shutDown()
    unit.shutDown()
  }

  @Test func aListThatWasLeftWhenItsMediumWasRemoved_keepsItsPosition() {
    defer { end() }
    play(on: "red")
    recent.leave(unit.player, at: 7.5)
    unit.player.stop()
    // Another list is chosen.
    recent.leave(unit.player)
    #expect(recent.lists.entries.map(\.elapsed.milliseconds) == [7500])
    // The only song of the list lasts ten seconds, so 7.5 s are 750 thousandths.
    #expect(recent.lists.entries.map(\.heard) == [750])
  }

  @Test func aList_hasAnEntryForEachVolume() {
    defer { end() }
    play(on: "red")
    recent.leave(unit.player, at: 3)
    play(on: "blue")
    recent.leave(unit.player, at: 4)
    play(on: "red")
    recent.leave(unit.player, at: 5)
    #expect(recent.lists.entries.map(\.reference.volume) == ["red", "blue"])
    #expect(recent.lists.entries.map(\.elapsed.milliseconds) == [5000, 4000])
  }
}
