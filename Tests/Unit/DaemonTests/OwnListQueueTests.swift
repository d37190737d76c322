import AudioEngine
import EventLoop
import Foundation
import HeadUnit
import LibraryModel
import LocalPlayer
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon
@testable import Settings

/// Jumps from one playlist of the unit to another, without the daemon and without the library. The playlists are real
/// files.
@Suite struct OwnListQueueTests {
  private let folder: TemporaryFolder
  private let loop = EventLoop()
  private let unit = HeadUnit(files: [], sink: NullSink())
  private let parts: QueueParts
  private let lists: UnitLists

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("playlists"), withIntermediateDirectories: true)
    let log = UnitLog(level: .info)
    var settings = Settings()
    settings.stateFolder = folder.url.path
    let (mounted, turns) = (MountedVolumes(), Turns(loop))
    let library = UnitLibrary(
      loop, settings, absence: .off, configurationFiles: [], socket: folder.path("control"), turns,
      log: log)
    lists = UnitLists(UnitPlaylists(loop, settings, mounted, turns, log: log), library)
    parts = QueueParts(unit, lists, mounted, folder: folder.path(""), turns, log: log)
    let music = MusicVolume(path: folder.url.path, mount: "1", name: "MUSIC", isStick: false)
    mounted.set(PresentVolumes([music], sticks: []))
    parts.queue.volumesChanged()
  }

  private func write(_ name: String, _ entries: String...) throws {
    try folder.write(
      "playlists/\(name).m3u8", Array((entries.joined(separator: "\n") + "\n").utf8))
  }

  private func here(_ name: String) -> String { folder.path("\(name).flac") }

  private var list: String? { unit.player.context?.title }

  private func identity(_ name: String) throws -> LibraryNode {
    .own(try #require(PlaylistName(name)).identity)
  }

  @Test func nextAndPreviousPlaylist_followTheOrder_andPassOverListsThatCannotPlay() throws {
    defer {
      parts.shutDown()
      lists.playlists.shutDown()
      unit.shutDown()
    }
    try write("Favourites", here("a"))
    try write("10", here("b"))
    try write("9", here("c"))
    try write(
      "The Absent", "#AUTOHARP-LIST:1", "#AUTOHARP:vfat 1 2,0,1", "gone.flac",
      "#AUTOHARP-END:1")
    try write("Äther", here("d"))
    try write("Empty", "#EXTM3U")
    try lists.playlists.load(loop)
    // No playlist plays, so the jump leads to the first playlist.
    parts.send(.jump(.nextPlaylist))
    try loop.turn { list == "Favourites" }
    for name in ["9", "10", "Äther"] {
      parts.send(.jump(.nextPlaylist))
      try loop.turn { list == name }
      let node = try identity(name)
      #expect(unit.player.context?.list == node.text)
      #expect(unit.player.queue.count == 1)
    }
    // No playlist follows the last playlist, so the jump changes nothing.
    parts.send(.jump(.nextPlaylist))
    try lists.playlists.load(loop)
    #expect(list == "Äther")
    for name in ["10", "9", "Favourites"] {
      parts.send(.jump(.previousPlaylist))
      try loop.turn { list == name }
    }
  }
}
