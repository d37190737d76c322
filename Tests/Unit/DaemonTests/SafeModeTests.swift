import Foundation
import Reports
import TestKit
import Testing
import UnitState

@testable import Daemon

/// After three failed starts, the daemon does not use the library, the playlists and the saved queue, because their
/// files can cause the failures.
struct SafeModeTests {
  private let home: ServeProcess.Home

  init() throws {
    home = try ServeProcess.Home(["start = play", "library = yes"])
    try home.configure([
      "start = play", "library = yes", "library-folder = \(home.folder.path("database"))",
    ])
    for name in ["a", "b"] { try home.music(name, seconds: 600) }
    try FileManager.default.createDirectory(
      atPath: home.folder.path("data/playlists"), withIntermediateDirectories: true)
    try home.folder.write("data/playlists/Drive.m3u8", Array(drive.utf8))
  }

  private var drive: String {
    ["b", "a"].map { home.folder.path("music/\($0).flac") + "\n" }.joined()
  }

  /// Starts the daemon three times, and kills it each time. Then the next start is in safe mode.
  private func failThreeTimes() throws {
    let first = try SavedUnitState(home).latest?.starts.starts.last?.number ?? 0
    for number in first + 1...first + 3 {
      let daemon = try ServeProcess(home)
      #expect(try SavedUnitState(home).waits { $0.starts.starts.last?.number == number })
      daemon.end(SIGKILL)
    }
  }

  private func code(_ words: String...) throws -> String? {
    let run = try ConsoleProcess(home.socket, words, options: ["--json"])
    let reply = try JSONSerialization.jsonObject(with: Data((run.output + run.errors).utf8))
    return (reply as? [String: Any])?["code"] as? String
  }

  @Test func safeMode_startsNeitherTheLibraryNorTheLists() throws {
    try failThreeTimes()
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .unitSafeMode, "3 ") != nil)
    #expect(daemon.waits(for: .musicFound, "2 files") != nil)
    #expect(!FileManager.default.fileExists(atPath: home.folder.path("library.socket")))
    #expect(try code("artists") == "safe-mode")
    #expect(try code("playlist") == "safe-mode")
    #expect(try code("playlist", "delete", "--yes", "Drive") == "safe-mode")
    #expect(try code("play", "Drive") == "safe-mode")
    let checks = try ConsoleProcess(home.socket, ["diagnose", "--details"])
    #expect(checks.output.contains("boot retry"))
    // Music can be played.
    #expect(try ConsoleProcess(home.socket, ["play"]).status == 0)
    #expect(daemon.waits(for: .trackStarted) != nil)
    #expect(daemon.end() == 0)
    let list = try String(
      contentsOfFile: home.folder.path("data/playlists/Drive.m3u8"), encoding: .utf8)
    #expect(list == drive)
  }

  @Test func safeMode_keepsTheSavedQueue() throws {
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted) != nil)
    #expect(try ConsoleProcess(home.socket, ["play", "Drive"]).status == 0)
    #expect(daemon.waits(for: .trackStarted, "1/2 ") != nil)
    #expect(daemon.end() == 0)
    try failThreeTimes()
    let careful = try ServeProcess(home)
    #expect(careful.waits(for: .unitSafeMode) != nil)
    #expect(careful.waits(for: .musicFound, "2 files") != nil)
    #expect(!careful.logged(.queueRestored))
    #expect(try ConsoleProcess(home.socket, ["jump", "1"]).status == 0)
    #expect(careful.end() == 0)
    let normal = try ServeProcess(home)
    #expect(normal.waits(for: .queueRestored, "2 ") != nil)
    #expect(normal.end() == 0)
  }

  @Test func endSafeMode_theNextStartIsNormal() throws {
    try failThreeTimes()
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let careful = try ServeProcess(home, environment: manager.environment())
    #expect(careful.waits(for: .musicFound, "2 files") != nil)
    #expect(try code("boot", "retry") == "retry")
    #expect(careful.waits(for: .unitStopping) != nil)
    #expect(careful.end() == 0)
    let normal = try ServeProcess(home, environment: manager.environment())
    #expect(normal.waits(for: .libraryFound) != nil)
    #expect(!normal.logged(.unitSafeMode))
    #expect(try code("boot", "retry") == "no-safe-mode")
    #expect(normal.end() == 0)
  }

  @Test func endSafeMode_withoutAServiceManager_isRefused() throws {
    try failThreeTimes()
    let careful = try ServeProcess(home)
    #expect(careful.waits(for: .musicFound, "2 files") != nil)
    #expect(try code("boot", "retry") == "no-service")
    #expect(careful.end() == 0)
  }
}
