import Foundation
import TestKit
import Testing

@testable import UnitState

/// The program `StateStoreWriter` saves states or playlists as fast as it can, and is killed at random moments. Then
/// the saved data must be complete. The tests run one after the other. Otherwise a child process that one test starts
/// could hold the lock of the other test's file for a moment.
@Suite(.serialized) struct KilledWriterTests {
  private static let kills = 100
  /// Fewer kills than ``kills``, because a save of a playlist takes longer than a save of a state: it writes a new
  /// file.
  private static let killsOfPlaylists = 25

  /// The executable is in the same folder as the tests.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("StateStoreWriter")

  @Test func killedProcess_leavesItsLastSavedState() throws {
    let folder = try TemporaryFolder()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<Self.kills {
      let process = ChildProcess()
      process.executableURL = Self.program
      process.arguments = [folder.url.path]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      // The process is killed after it has printed this number of bytes. So the kill comes at a random moment of a
      // later save.
      let count = Int.random(in: 1...60, using: &random)
      var printed = Data()
      while printed.count < count {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        printed += more
      }
      kill(process.processIdentifier, SIGKILL)
      printed += output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)

      // The last line can be incomplete.
      let lines = String(decoding: printed, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      let last = try #require(lines.dropLast().last.flatMap { Int($0) })
      let store = StateStore(folder: folder.url.path)
      let opening = try #require(store.opening(within: Hang.milliseconds))
      let payload = String(decoding: try #require(opening.payload), as: UTF8.self)
      let number = try #require(payload.split(separator: " ").first.flatMap { Int($0) })
      #expect((last...last + 1).contains(number))
      #expect(
        payload
          == "\(number) " + String(repeating: "\(number % 10)", count: number * 37 % 6000))
      #expect(store.takeNotices().isEmpty)
      #expect(store.shutDown(within: Hang.milliseconds))
    }
  }

  @Test func killedProcess_leavesTheOldOrTheNewPlaylist() throws {
    let folder = try TemporaryFolder()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<Self.killsOfPlaylists {
      let process = ChildProcess()
      process.executableURL = Self.program
      process.arguments = [folder.url.path, "playlists"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let count = Int.random(in: 1...60, using: &random)
      var printed = Data()
      while printed.count < count {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        printed += more
      }
      kill(process.processIdentifier, SIGKILL)
      printed += output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let lines = String(decoding: printed, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      let last = try #require(lines.dropLast().last.flatMap { Int($0) })
      var store = PlaylistStore(folder: folder.url.path)
      store.load()
      #expect(store.index.lists.map(\.name.text) == ["Favourites", "list"])
      let list = try store.read("list")
      #expect(list.isWhole)
      let number = list.entries[0].duration.milliseconds
      #expect((last...last + 1).contains(number))
      #expect(list.entries.count == 1 + number * 37 % 300)
    }
  }
}

/// A medium that is really full, and a medium that is really read-only. These tests need the right to mount.
@Suite struct MountedMediumTests {
  private func mount(_ options: String, on path: String) -> Bool {
    (try? Tools.run("mount", ["-t", "tmpfs", "-o", options, "autoharp", path])) != nil
  }

  private static let mayMount: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let path = folder.url.path
    guard (try? Tools.run("mount", ["-t", "tmpfs", "autoharp", path])) != nil else { return false }
    return (try? Tools.run("umount", [path])) != nil
  }()

  @Test(.enabled(if: mayMount, "needs the right to mount a tmpfs"))
  func fullMedium_isReported_andAllSpaceIsReservedOnce() throws {
    let folder = try TemporaryFolder()
    #expect(mount("size=1m", on: folder.url.path))
    defer { _ = try? Tools.run("umount", [folder.url.path]) }
    try folder.write("music", [UInt8](repeating: 1, count: 700 << 10))
    let store = StateStore(folder: folder.url.path)
    #expect(store.opening(within: Hang.milliseconds)?.payload == nil)
    store.save([1])
    #expect(!store.flush(within: Hang.milliseconds))
    let notice = try #require(store.takeNotices().first)
    #expect(notice.refusal == .system(StateFailure(operation: .write, code: ENOSPC)))
    try FileManager.default.removeItem(atPath: folder.path("music"))
    #expect(store.flush(within: Hang.milliseconds))
    #expect(store.takeNotices().map(\.kind) == [.savingAgain])
    // Fill the remaining space to the last byte.
    #expect(throws: (any Error).self) {
      try folder.write("more", [UInt8](repeating: 1, count: 1 << 20))
    }
    for number in 2...100 {
      store.save([UInt8(number)])
      #expect(store.flush(within: Hang.milliseconds))
    }
    #expect(store.shutDown(within: Hang.milliseconds))
    #expect(SlotScan(try folder.read("state")).newest?.payload == [100])
  }

  @Test(.enabled(if: mayMount, "needs the right to mount a tmpfs"))
  func readOnlyMedium_isReadAndReported_andWrittenWhenWritable() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    #expect(mount("size=1m", on: path))
    defer { _ = try? Tools.run("umount", [path]) }
    let first = StateStore(folder: path)
    first.save([1])
    #expect(first.shutDown(within: Hang.milliseconds))
    try Tools.run("mount", ["-o", "remount,ro", path])
    let store = StateStore(folder: path)
    #expect(store.opening(within: Hang.milliseconds)?.payload == [1])
    store.save([2])
    #expect(!store.flush(within: Hang.milliseconds))
    let notice = try #require(store.takeNotices().first)
    #expect(notice.refusal == .system(StateFailure(operation: .open, code: EROFS)))
    try Tools.run("mount", ["-o", "remount,rw", path])
    #expect(store.shutDown(within: Hang.milliseconds))
    #expect(store.takeNotices().map(\.kind) == [.savingAgain])
    #expect(SlotScan(try folder.read("state")).newest?.payload == [2])
  }
}
