import AudioEngine
import EventLoop
import Files
import Foundation
import HeadUnit
import LibraryModel
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon
@testable import Settings

/// Jumps to albums and folders that are not in the queue. The library is the real program.
@Suite struct QueueJumpTests {
  private let folder: TemporaryFolder
  private let loop = EventLoop()
  private let unit = HeadUnit(files: [], sink: NullSink())
  private let parts: QueueParts
  private let lists: UnitLists
  private let library: UnitLibrary
  private let process = ChildProcess()
  private static let albums = ["Amnesiac", "Bends", "Computer"]

  init() throws {
    folder = try TemporaryFolder()
    // The order of the folders differs from the order of the albums.
    for (number, album) in Self.albums.enumerated() {
      let place = folder.path("music/\(9 - number)")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      for title in ["1", "2"] {
        try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * (40 + number)).flac(
          folder, "music/\(9 - number)/\(title).flac",
          ["--tag=ALBUM=\(album)", "--tag=TITLE=\(album) \(title)", "--tag=ARTIST=Radiohead"])
      }
    }
    let log = UnitLog(level: .info)
    var settings = Settings()
    settings.stateFolder = folder.path("state")
    let (mounted, turns) = (MountedVolumes(), Turns(loop))
    library = UnitLibrary(
      loop, settings, configurationFiles: [], socket: folder.path("control"), turns, log: log)
    library.open()
    lists = UnitLists(UnitPlaylists(loop, settings, mounted, turns, log: log), library)
    parts = QueueParts(unit, lists, mounted, folder: folder.path(""), turns, log: log)
    let volumes = PresentVolumes(MusicVolume.all(in: [folder.path("music")]), sticks: [])
    mounted.set(volumes)
    parts.queue.volumesChanged()
    library.setVolumes(volumes)
    // The test ends the library process and waits for it. Otherwise this process could become a zombie, which disturbs
    // other tests (see ``ChildProcess``).
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("autoharp-library")
    process.arguments = [
      "serve", "--socket", folder.path("library.socket"), "--database", folder.path("library"),
    ]
    try process.run()
  }

  private func end() {
    process.terminate()
    process.waitUntilExit()
    parts.shutDown()
    lists.playlists.shutDown()
    unit.shutDown()
  }

  private func row(_ list: LibraryNode, _ title: String) throws -> LibraryNode {
    var batch: Result<RowBatch, LibraryFailure>?
    lists.rows(RowsRequest(list, limit: 20)) { batch = $0 }
    try loop.turn { batch != nil }
    let row = try #require(try batch?.get().rows.first { $0.title == title })
    return try #require(row.node)
  }

  /// Plays a list, and then jumps once for each title. Each jump must lead to the list with this title.
  private func expect(
    from node: LibraryNode, _ jump: ListJump, _ titles: [String]
  ) throws {
    var refusal: Refusal??
    parts.play(.node(node), .now) { refusal = .some($0) }
    try loop.turn { refusal != nil }
    #expect(refusal == .some(nil))
    for title in titles {
      var answers: [CommandAnswer] = []
      parts.send(.jump(jump)) { answers.append($0) }
      try loop.turn { unit.player.context?.title == title && answers == [.success] }
      let record = unit.center.trace.records.last
      #expect(record?.request == .list(.jump(jump)) && record?.verdict == .accepted("local"))
      // The whole list plays, from its first song on.
      #expect(unit.player.queue.count == 2)
      #expect(unit.player.queue.current?.item.title?.hasSuffix(" 1") == true)
    }
  }

  @Test func jumpToAnAlbumOrFolder_thatIsNotInTheQueue_followsTheLibrary() throws {
    defer { end() }
    try loop.turn {
      library.state.condition == .ready && library.state.volumes.first?.report.songs == 6
    }
    let names = Self.albums
    try expect(from: row(.albums, names[0]), .nextAlbum, [names[1], names[2]])
    try expect(from: row(.albums, names[2]), .previousAlbum, [names[1], names[0]])
    let music = try row(.volumes, "music")
    try expect(from: row(music, "7"), .nextFolder, ["8", "9"])
    try expect(from: row(music, "9"), .previousFolder, ["8", "7"])
  }
}
