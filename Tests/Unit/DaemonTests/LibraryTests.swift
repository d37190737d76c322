import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

/// The daemon with its library, both as processes.
@Suite struct LibraryTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
    let template = try TaggedFLAC(home.folder)
    for number in 1...3 {
      let tags = ["TITLE=Track \(number)", "ALBUM=Moon Safari", "ARTIST=Air"]
      try home.folder.write(
        "music/\(number).flac", template.file(tags, sound: UInt32(number)))
    }
  }

  /// Waits until the library is in this condition. For `.ready`, the library must also have read all files.
  private func wait(_ client: ControlClient, for condition: LibraryState.Condition) throws {
    if condition == .ready { return try waitForSongs(client, 3) }
    try loop.turn {
      (try? answer { client.libraryState($0) }.get())?.condition == condition
    }
  }

  private func titles(_ client: ControlClient) throws -> [String] {
    try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }.get().batch.rows.map(
      \.title)
  }

  @Test func pagesAreAnswered_andAKilledLibraryComesBack() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try wait(client, for: .ready)
    #expect(try titles(client) == ["Track 1", "Track 2", "Track 3"])
    let doubts = try answer { client.call(Library1.getDoubts, $0) }.get()
    #expect(doubts == LibraryDoubts(LibraryDoubts.Kind.allCases.map { .init($0) }))
    kill(try libraryProcess(), SIGKILL)
    #expect(daemon.waits(for: .libraryLost) != nil)
    let refused = try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }
    #expect(throws: ControlError.self) { try refused.get() }
    try wait(client, for: .ready)
    #expect(try titles(client).count == 3)
    #expect(daemon.end() == 0)
  }

  @Test func aMusicFolderThatIsMissing_isNoError() throws {
    try home.configure([
      "library = yes", "library-folder = \(home.folder.path("library"))",
      "music-folder = \(home.folder.path("missing"))",
      "music-folder = \(home.folder.path("music"))",
    ])
    let daemon = try ServeProcess(home)
    let client = try client()
    try wait(client, for: .ready)
    let state = try answer { client.libraryState($0) }.get()
    #expect(state.volumes.map(\.path) == [home.folder.path("music")])
    #expect(daemon.waits(for: .musicFound, "3 files") != nil)
    #expect(!daemon.logged(.musicSilent))
    #expect(daemon.end() == 0)
  }

  @Test func aStoppedLibrary_isUnavailable_andTheMusicGoesOn() throws {
    try home.music("long", seconds: 60)
    try FileManager.default.removeItem(atPath: home.folder.path("music/3.flac"))
    try home.configure([
      "library = yes", "library-folder = \(home.folder.path("library"))", "start = play",
    ])
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted) != nil)
    let client = try client()
    try wait(client, for: .ready)
    let stopped = try libraryProcess()
    kill(stopped, SIGSTOP)
    defer { kill(stopped, SIGCONT) }
    let refused = try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }
    #expect(throws: ControlError.self) { try refused.get() }
    try wait(client, for: .unavailable)
    _ = try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    #expect(daemon.waits(for: .trackStarted, "2/3") != nil)
    kill(stopped, SIGCONT)
    try wait(client, for: .ready)
    #expect(try titles(client).count == 3)
    #expect(daemon.end() == 0)
  }

  @Test func aThumbnail_arrivesAtAClient_alsoAfterTheMusicIsGone() throws {
    try home.folder.write("music/cover.png", GeneratedPNG.halves(300, 300).bytes)
    let daemon = try ServeProcess(home)
    let client = try client()
    try wait(client, for: .ready)
    var album: LibraryRow?
    try loop.turn {
      album = try? answer { client.call(Library1.getRows, RowsRequest(.albums), $0) }.get().batch
        .rows.first
      return album?.artwork != nil
    }
    let row = RowReference(kind: .album, id: try #require(album).id)
    let thumbnail = try answer {
      client.call(Library1.getItemArtwork, row, $0)
    }.get()
    #expect(thumbnail.starts(with: [0xFF, 0xD8, 0xFF]) && thumbnail.count < 4000)
    try FileManager.default.removeItem(atPath: home.folder.path("music/cover.png"))
    #expect(
      try answer { client.call(Library1.getItemArtwork, row, $0) }.get()
        == thumbnail)
    #expect(daemon.end() == 0)
  }

  @Test func theLibraryEndsWithTheDaemon() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try wait(client, for: .ready)
    let library = try libraryProcess()
    daemon.end(SIGKILL)
    // The library is not a child of this process, so the test looks for it in `/proc`.
    try loop.turn { kill(library, 0) != 0 || isZombie(library) }
  }

  private func isZombie(_ process: pid_t) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return text.contains(") Z ")
  }
}
