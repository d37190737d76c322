import Files
import Foundation
import TestKit
import Testing

@testable import Settings

/// The file that stores the settings of the driver.
@Suite struct DriverFileTests {
  private let folder: TemporaryFolder
  private let checks = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("unit.conf", Array("state-folder = \(folder.url.path)\n".utf8))
  }

  private var file: DriverFile { DriverFile(folder: folder.url.path) }

  private func read() -> Configuration {
    Configuration(files: [folder.path("unit.conf")], hasDriver: true, checks: checks)
  }

  private func write(_ text: String) throws {
    try folder.write("settings.conf", Array(text.utf8))
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).sorted()
  }

  @Test func missingFile_isNoError() {
    #expect(read().notices.isEmpty && read().driver == DriverSettings())
    #expect(
      Configuration(files: [folder.path("unit.conf")], checks: checks).driver == DriverSettings())
  }

  @Test func change_isReadAtTheNextStart() throws {
    var one = read()
    _ = try one.setForDriver("replay-gain", "album")
    try file.write(one.driver)
    #expect(read().settings.replayGain == .album && read().notices.isEmpty)
    _ = try one.setForDriver("replay-gain", nil)
    try file.write(one.driver)
    #expect(read().settings == one.settings)
    #expect(names == ["settings.conf", "unit.conf"])
    var status = stat()
    #expect(stat(folder.path("settings.conf"), &status) == 0 && status.st_mode & 0o777 == 0o644)
  }

  /// After a power cut, the new file can be incomplete. But it still has its temporary name, so the old file is read.
  @Test func powerCutAtEachByte_leavesTheOldValues() throws {
    var one = read()
    _ = try one.setForDriver("replay-gain", "track")
    try file.write(one.driver)
    _ = try one.setForDriver("replay-gain", "album")
    let bytes = one.driver.bytes
    for count in 0...bytes.count {
      try folder.write(".settings.conf.new", Array(bytes.prefix(count)))
      #expect(read().settings.replayGain == .track && !read().driver.isDamaged)
    }
    try file.write(one.driver)
    #expect(read().settings.replayGain == .album)
    #expect(names == ["settings.conf", "unit.conf"])
  }

  @Test func damagedFile_isKept_whenItIsReplaced() throws {
    let damaged = "replay-gain = album\nlanguage = \u{0}\n"
    try write(damaged)
    var one = read()
    #expect(one.driver.isDamaged && one.settings.replayGain == .album)
    #expect(names == ["settings.conf", "unit.conf"], "reading changes nothing")
    _ = try one.setForDriver("start", "play")
    try file.write(one.driver)
    #expect(try folder.read("settings.conf.damaged") == Array(damaged.utf8))
    let again = read()
    #expect(!again.driver.isDamaged && again.notices.isEmpty)
    #expect(again.settings.replayGain == .album && again.settings.start == .play)
    // If `settings.conf` is damaged again later, its copy replaces the copy of the earlier damaged file.
    try write("garbage\n")
    try file.write(read().driver)
    #expect(try folder.read("settings.conf.damaged") == Array("garbage\n".utf8))
  }

  @Test func movedFile_isKept_alsoIfThereAreOthers() throws {
    for number in 1...12 {
      try write("garbage \(number)\n")
      #expect(try file.moveAway() == "settings.conf.wrong-\(min(number, 9))")
    }
    #expect(names == (1...9).map { "settings.conf.wrong-\($0)" } + ["unit.conf"])
    #expect(try folder.read("settings.conf.wrong-1") == Array("garbage 1\n".utf8))
    #expect(try folder.read("settings.conf.wrong-9") == Array("garbage 12\n".utf8))
    _ = try file.moveAway()
  }

  @Test func replacedFile_hasNoNotices_andOtherFilesKeepTheirs() throws {
    try folder.write(
      "unit.conf", Array("state-folder = \(folder.url.path)\nnonsense\n".utf8))
    try write("garbage\n")
    var one = read()
    #expect(one.notices.count == 2)
    one.replacedDriverFile()
    #expect(one.notices.map(\.file) == [folder.path("unit.conf")] && !one.driver.isDamaged)
  }

  @Test func foreignEntry_isPutAside() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("settings.conf/inside"), withIntermediateDirectories: true)
    var one = read()
    #expect(one.notices.map(\.cause) == [.notAFile] && one.driver.isDamaged)
    _ = try one.setForDriver("start", "play")
    try file.write(one.driver)
    #expect(read().settings.start == .play && read().notices.isEmpty)
    #expect(FileManager.default.fileExists(atPath: folder.path("settings.conf.damaged/inside")))
  }

  @Test func largeFile_isReadInPart_andKept() throws {
    let comment = "# " + String(repeating: "x", count: 1000) + "\n"
    let text = "start = play\n" + String(repeating: comment, count: 300) + "replay-gain = album\n"
    try write(text)
    let one = read()
    #expect(one.settings.start == .play && one.settings.replayGain == .off)
    #expect(one.driver.isDamaged)
    try file.write(one.driver)
    #expect(try folder.read("settings.conf.damaged").count == text.utf8.count)
  }

  @Test func linkInPlaceOfTheNewFile_isNotFollowed() throws {
    try folder.write("victim", [1])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".settings.conf.new"), withDestinationPath: folder.path("victim"))
    try file.write(DriverSettings())
    #expect(try folder.read("victim") == [1])
    #expect(names == ["settings.conf", "unit.conf", "victim"])
  }

  @Test func missingFolder_isReported() {
    #expect(throws: ReplacedFile.Failure(code: ENOENT)) {
      try DriverFile(folder: "/nowhere/at/all").write(DriverSettings())
    }
  }

  @Test(.enabled(if: MemoryFileSystem.obstacle == nil, "needs the right to mount a tmpfs"))
  func fullStorage_keepsTheOldFile() throws {
    let place = folder.path("full")
    let storage = try MemoryFileSystem(at: place, size: "64k")
    defer { storage.end() }
    let file = DriverFile(folder: place)
    var one = read()
    _ = try one.setForDriver("replay-gain", "track")
    try file.write(one.driver)
    let old = try folder.read("full/settings.conf")
    while (try? folder.write("full/\(UUID())", [UInt8](repeating: 1, count: 4096))) != nil {}
    _ = try one.setForDriver("replay-gain", "album")
    #expect(throws: ReplacedFile.Failure(code: ENOSPC)) { try file.write(one.driver) }
    #expect(try folder.read("full/settings.conf") == old)
    #expect(!FileManager.default.fileExists(atPath: folder.path("full/.settings.conf.new")))
  }
}
