import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The lists of a unit without a library. The unit's own playlists are available. Requests for all other lists, such as
/// the artists, are refused.
@Suite struct UnitListsTests {
  private let context: PartContext
  private let drive: LibraryNode

  init() throws {
    context = try PartContext()
    try FileManager.default.createDirectory(
      atPath: context.folder.path("data/playlists"), withIntermediateDirectories: true)
    try context.folder.write(
      "data/playlists/Drive.m3u8", Array("/music/a.flac\n/music/b.flac\n".utf8))
    drive = .own(try #require(PlaylistName("Drive")).identity)
  }

  private func lists(_ absence: LibraryFailure) throws -> UnitLists {
    let (mounted, turns, log) = (MountedVolumes(), context.turns, context.log)
    let library = UnitLibrary(
      context.loop, context.settings, absence: absence, configurationFiles: [],
      socket: context.folder.path("control"), turns, log: log)
    let playlists = UnitPlaylists(
      context.loop, context.settings, isHeld: absence == .safeMode, mounted, turns, log: log)
    if absence != .safeMode { try playlists.load(context.loop) }
    return UnitLists(playlists, library)
  }

  private func answer<Value>(
    _ ask: (@escaping (Result<Value, LibraryFailure>) -> Void) -> Void
  ) throws -> Result<Value, LibraryFailure> {
    var answer: Result<Value, LibraryFailure>?
    ask { answer = $0 }
    try context.loop.turn { answer != nil }
    return try #require(answer)
  }

  private func failure<Value>(_ result: Result<Value, LibraryFailure>) -> LibraryFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }

  @Test func ownLists_areShownWithoutALibrary() throws {
    let lists = try lists(.off)
    defer { lists.playlists.shutDown() }
    let all = try answer { lists.rows(RowsRequest(.playlists), completion: $0) }.get()
    #expect(all.rows.map(\.title) == ["Favourites", "Drive"])
    let songs = try answer { lists.rows(RowsRequest(drive), completion: $0) }.get()
    #expect(songs.rows.count == 2 && songs.count == 2)
    let found = try answer { lists.find(SearchRequest("dri"), completion: $0) }.get()
    #expect(found.rows.map(\.title) == ["Drive"])
    #expect(lists.state.revision == 1 && lists.state.condition == .unavailable)
  }

  @Test(arguments: [LibraryFailure.off, .safeMode])
  func listsOfTheLibrary_areRefusedWithTheReason(_ absence: LibraryFailure) throws {
    let lists = try lists(absence)
    defer { lists.playlists.shutDown() }
    #expect(failure(try answer { lists.rows(RowsRequest(.artists), completion: $0) }) == absence)
    #expect(
      failure(try answer { lists.letters(of: .albums, under: nil, completion: $0) }) == absence)
    #expect(failure(try answer { lists.doubts(completion: $0) }) == absence)
    #expect(
      failure(try answer { lists.find(SearchRequest("nothing"), completion: $0) }) == absence)
    let code = Refusal(absence).code
    #expect(lists.rescan("")?.code == code && lists.forget("a")?.code == code)
  }

  @Test func safeMode_hidesTheOwnListsToo() throws {
    let lists = try lists(.safeMode)
    let batch = try answer { lists.rows(RowsRequest(drive), completion: $0) }
    #expect(failure(batch) != nil)
    #expect(lists.state.revision == 0)
  }

  @Test func songs_ofAnOwnList_beginAtTheChosenRow() throws {
    let lists = try lists(.off)
    defer { lists.playlists.shutDown() }
    let rows = try answer { lists.rows(RowsRequest(drive), completion: $0) }.get().rows
    let row = RowReference(kind: .song, id: try #require(rows.last).id)
    func songs(isAlone: Bool) throws -> (titles: [String], chosen: Int) {
      var tracks: [LibraryTrack] = []
      let batch = try answer { completion in
        lists.songs(.node(drive), row: row, isAlone: isAlone) { part, _ in
          tracks += part.tracks
        } completion: {
          completion($0)
        }
      }.get()
      return (tracks.map { String(decoding: $0.reference.path, as: UTF8.self) }, batch.chosen)
    }
    let all = try songs(isAlone: false)
    #expect(all.titles.count == 2 && all.chosen == 1)
    let alone = try songs(isAlone: true)
    #expect(alone.titles == [all.titles[1]] && alone.chosen == 0)
  }
}
