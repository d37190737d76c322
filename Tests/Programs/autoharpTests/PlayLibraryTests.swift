import Foundation
import TestKit
import Testing

/// Tests `autoharp play --library` with a real library process.
@Suite struct PlayLibraryTests {
  private let folder: TemporaryFolder
  private let template: TaggedFLAC

  init() throws {
    folder = try TemporaryFolder()
    template = try TaggedFLAC(folder)
    for name in ["music", "cache", "run"] { try makeFolder(name) }
    try configure(folder.path("music"))
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
  }

  private func configure(_ music: String) throws {
    try folder.write("unit.conf", Array("music-folder = \(music)\n".utf8))
  }

  private func addAlbum(_ title: String, songs: Int = 2) throws {
    for number in 1...songs {
      let tags = [
        "TITLE=\(title) \(number)", "ALBUM=\(title)", "ARTIST=Air", "TRACKNUMBER=\(number)",
      ]
      try folder.write(
        "music/\(title) \(number).flac", template.file(tags, sound: UInt32(number)))
    }
  }

  private func process(_ words: [String]) -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "setsid", "--wait", CommandTests.program.path, "play", "--config", folder.path("unit.conf"),
        "--output", "null", "--library",
      ] + words
    process.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_CACHE_HOME": folder.path("cache"), "XDG_RUNTIME_DIR": folder.path("run"),
      "TERM": "dumb", "LC_ALL": "C.UTF-8",
    ]) { $1 }
    return process
  }

  /// Runs the program. Returns the titles that were played, the errors and the exit status.
  private func play(_ words: String...) throws -> (titles: [String], errors: String, status: Int32)
  {
    let process = process(words)
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let texts = [output, errors].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    // After its end, the program leaves no files of its connection to the library in the folder `run`.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("run")) == [])
    return (titles(texts[0]), texts[1], process.terminationStatus)
  }

  private func titles(_ output: String) -> [String] {
    output.matches(of: /\n\d+\/\d+ Air – .* – (.*?) {2}\[/).map { String($0.1) }
  }

  @Test func album_isPlayedAfterTheFirstScan_andNewFilesAreFound() throws {
    try addAlbum("Moon Safari")
    try addAlbum("Talkie Walkie", songs: 3)
    let first = try play("moon", "safari")
    #expect(first.titles == ["Moon Safari 1", "Moon Safari 2"])
    #expect(first.status == 0 && first.errors == "")
    #expect(try play("talkie walkie 2").titles == ["Talkie Walkie 2", "Talkie Walkie 3"])
    // The library knows the files of the first run, but not the new file. The search finds nothing, so the folder is
    // scanned again.
    try addAlbum("Premiers Symptomes", songs: 1)
    #expect(try play("premiers").titles == ["Premiers Symptomes 1"])
    #expect(try play("albums").titles.count == 6)
    #expect(try play("--shuffle", "songs").titles.sorted().first == "Moon Safari 1")
  }

  @Test func misspeltName_withoutATerminal_isAnErrorWithTheSuggestion() throws {
    try addAlbum("Moon Safari")
    let result = try play("mon safary")
    #expect(result.titles == [] && result.status == 1)
    #expect(result.errors.contains("'mon safary'") && result.errors.contains("'Moon Safari'"))
    let nothing = try play("zzzzz")
    #expect(nothing.titles == [] && nothing.status == 1)
    #expect(nothing.errors.contains("'zzzzz'"))
  }

  @Test(arguments: [("\n", 0 as Int32, 2), ("y\n", 0, 2), ("n\n", 1, 0), ("\u{4}", 0, 0)])
  func misspeltName_onATerminal_isAsked(answer: String, status: Int32, songs: Int) throws {
    try addAlbum("Moon Safari")
    let terminal = try PseudoTerminal(columns: 120)
    let process = process(["mon safary"])
    let end = FileHandle(fileDescriptor: terminal.descriptor, closeOnDealloc: false)
    process.standardInput = end
    process.standardOutput = end
    process.standardError = end
    try process.run()
    #expect(terminal.waits(forEnd: "Did you mean \"Moon Safari\"? [Y/n] ▏"))
    terminal.type(answer)
    if songs > 0 { #expect(terminal.waits { $0.screen.contains("– Moon Safari \(songs) ") }) }
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
    #expect(terminal.screen.screen.contains("– Moon Safari 1 ") == (songs > 0))
  }

  @Test func missingFolderAndFolderWithoutMusic_areErrors() throws {
    let empty = try play("moon")
    #expect(empty.status == 1 && empty.errors.contains(folder.path("music")))
    try configure("/missing/folder")
    let missing = try play("moon")
    #expect(missing.status == 1 && missing.errors.contains("/missing/folder"))
    #expect(missing.errors.contains("music-folder"))
  }
}
