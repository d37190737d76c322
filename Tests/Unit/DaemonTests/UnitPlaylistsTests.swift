import EventLoop
import Foundation
import LibraryModel
import MusicFiles
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The playlists of the unit with real files, without the daemon.
@Suite struct UnitPlaylistsTests {
  private let context: PartContext
  private let mounted = MountedVolumes()

  init() throws {
    context = try PartContext()
    try FileManager.default.createDirectory(
      atPath: context.folder.path("data/playlists"), withIntermediateDirectories: true)
  }

  private func playlists(isHeld: Bool = false) -> UnitPlaylists {
    UnitPlaylists(
      context.loop, context.settings, isHeld: isHeld, mounted, context.turns, log: context.log)
  }

  private func write(_ file: String, _ entries: String...) throws {
    try context.folder.write(
      "data/playlists/\(file)", Array((entries.joined(separator: "\n") + "\n").utf8))
  }

  private func load(_ playlists: UnitPlaylists) throws {
    try playlists.load(context.loop)
  }

  /// Makes a change. Returns the code of the refusal; nil if the change was made.
  private func change(
    _ playlists: UnitPlaylists,
    _ body: @escaping @Sendable (inout PlaylistStore) throws(PlaylistFailure) -> Void
  ) throws -> Refusal.Code? {
    var answer: Refusal??
    playlists.change(body) { answer = .some($0) }
    try context.loop.turn { answer != nil }
    return answer??.code
  }

  @Test func whenLoaded_hasTheListsOfTheStorage_andAsksForATurn() throws {
    try write("Drive.m3u8", "/music/a.flac", "/music/b.flac")
    let playlists = playlists()
    defer { playlists.shutDown() }
    #expect(!playlists.takeChange() && playlists.revision == 0)
    try load(playlists)
    #expect(playlists.rows.map(\.row.title) == ["Favourites", "Drive"])
    #expect(playlists.rows.map(\.row.count) == [0, 2])
    #expect(playlists.takeChange() && !playlists.takeChange() && playlists.revision == 1)
    try context.loop.turn { context.turnCount == 1 }
    // Later calls of `whenLoaded` do not wait.
    var isCalled = false
    playlists.whenLoaded { isCalled = true }
    #expect(isCalled)
  }

  @Test func filesThatAreNoLists_areReportedOnce() throws {
    try write("drive.m3u8", "/music/a.flac")
    try write("Drive.m3u8", "/music/b.flac")
    try write(".hidden.m3u8", "/music/b.flac")
    let playlists = playlists()
    defer { playlists.shutDown() }
    try load(playlists)
    #expect(playlists.rows.count == 2 && context.logged(.playlistsIgnored) == 1)
    #expect(context.logged(.playlistDamaged) == 0)
  }

  @Test func change_isAnsweredWhenItIsOnTheStorage_andChangesTheLists() throws {
    let playlists = playlists()
    defer { playlists.shutDown() }
    try load(playlists)
    _ = playlists.takeChange()
    let revision = playlists.revision
    let entry = OwnPlaylist.Entry(SongReference(volume: "", path: Array("/music/a.flac".utf8)))
    let saved = try change(playlists) { store throws(PlaylistFailure) in
      try store.save([entry], as: "Drive", replacing: nil)
    }
    #expect(saved == nil)
    let file = try String(decoding: context.folder.read("data/playlists/Drive.m3u8"), as: UTF8.self)
    #expect(file.contains("/music/a.flac\n"))
    #expect(playlists.takeChange() && playlists.revision == revision + 1)
    // A change that is refused leaves the playlists as they are.
    let refused = try change(playlists) { store throws(PlaylistFailure) in
      try store.save([entry], as: "drive", replacing: nil)
    }
    #expect(refused == .playlistExists)
    #expect(!playlists.takeChange() && playlists.revision == revision + 1)
  }

  @Test func storageThatCannotBeWritten_isReportedOnce() throws {
    try FileManager.default.removeItem(atPath: context.folder.path("data/playlists"))
    try context.folder.write("data/playlists", [])
    let playlists = playlists()
    defer { playlists.shutDown() }
    let entry = OwnPlaylist.Entry(SongReference(volume: "", path: Array("/music/a.flac".utf8)))
    for _ in 1...2 {
      let code = try change(playlists) { store throws(PlaylistFailure) in
        try store.save([entry], as: "Drive", replacing: nil)
      }
      #expect(code == .playlistsNotSaved)
    }
    #expect(context.logged(.playlistsNotSaved) == 1)
  }

  @Test func safeMode_readsNothing_andRefusesChanges() throws {
    try write("Drive.m3u8", "/music/a.flac")
    let playlists = playlists(isHeld: true)
    var isCalled = false
    playlists.whenLoaded { isCalled = true }
    #expect(isCalled && playlists.rows.map(\.row.title) == ["Favourites"])
    var codes: [Refusal.Code?] = []
    playlists.change({ store throws(PlaylistFailure) in try store.delete("Drive") }) {
      codes.append($0?.code)
    }
    playlists.read { _ throws(PlaylistFailure) in
      0
    } completion: {
      if case .failure(let refusal) = $0 { codes.append(refusal.code) }
    }
    #expect(codes == [.safeMode, .safeMode])
    playlists.shutDown()
    #expect(try !context.folder.read("data/playlists/Drive.m3u8").isEmpty)
  }

  @Test func shutDown_storesTheChangesThatWait_andRefusesLaterOnes() throws {
    let playlists = playlists()
    let entry = OwnPlaylist.Entry(SongReference(volume: "", path: Array("/music/a.flac".utf8)))
    var codes: [Refusal.Code?] = []
    for name in ["a", "b"] {
      playlists.change({ store throws(PlaylistFailure) in
        try store.save([entry], as: name, replacing: nil)
      }) { codes.append($0?.code) }
    }
    playlists.shutDown()
    #expect(codes == [nil, nil] && context.logged(.stateLost) == 0)
    #expect(try !context.folder.read("data/playlists/b.m3u8").isEmpty)
    playlists.change({ store throws(PlaylistFailure) in try store.delete("a") }) {
      codes.append($0?.code)
    }
    #expect(codes.last == .tooManyCalls)
  }
}
