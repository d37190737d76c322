import Foundation
import TestKit
import Testing

// Tests of `autoharp probe`.
extension CommandTests {
  /// Makes so many files that the program shows a progress line while it reads the folder.
  func makeManyFiles() throws {
    try GeneratedMusic(channels: 1, frames: 200).flac(folder, "one")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("many"), withIntermediateDirectories: true)
    for number in 0..<30_000 {
      #expect(link(folder.path("one"), folder.path("many/\(number)")) == 0)
    }
  }

  @Test func probe_JSON_hasTheContentsOfTheFile() throws {
    try GeneratedMusic(bits: 24, rate: 96000, frames: 9600).flac(
      folder, "a.flac", ["--tag=ARTIST=One", "--tag=artist=Two \"quoted\""])
    let result = try run("probe", "--json", "--verify", "a.flac")
    #expect(result.status == 0)
    let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    let file = try #require(list?.first)
    #expect(file["codec"] as? String == "FLAC")
    #expect(file["sampleRate"] as? Int == 96000)
    #expect(file["bitsPerSample"] as? Int == 24)
    #expect(file["frames"] as? Int == 9600)
    #expect(file["duration"] as? Double == 0.1)
    #expect((file["tags"] as? [String: [String]])?["ARTIST"] == ["One", "Two \"quoted\""])
    let verification = file["verification"] as? [String: Any]
    #expect(verification?["whole"] as? Bool == true)
    #expect(verification?["md5Matches"] as? Bool == true)
  }

  @Test func probe_truncatedFile_isIncomplete_withStatus1() throws {
    try GeneratedMusic(frames: 50_000).flac(folder, "a.flac")
    let bytes = try folder.read("a.flac")
    try folder.write("a.flac", Array(bytes[..<(bytes.count * 2 / 3)]))
    let result = try run("probe", "--json", "--verify", "a.flac")
    #expect(result.status == 1)
    let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    let file = try #require(list?.first)
    #expect((file["verification"] as? [String: Any])?["whole"] as? Bool == false)
    #expect((file["damage"] as? [Any])?.isEmpty == false)
  }

  @Test(arguments: [[], ["--json"]]) func probe_noMusic_isReported(options: [String]) throws {
    let result = try self.result(of: start(["probe"] + options + [folder.url.path]))
    #expect(result.status == 1)
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.output == (options.isEmpty ? "" : "[]\n"))
  }

  @Test func probe_JSON_keepsTheGivenOrder() throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac")
    try folder.write("b.flac", Array("not music at all".utf8))
    let paths = ["missing.flac", "a.flac", "b.flac", "a.flac"]
    let result = try self.result(of: start(["probe", "--json"] + paths))
    #expect(result.status == 1)
    let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    #expect(list?.map { $0["path"] as? String } == paths)
    #expect(list?.map { $0["error"] != nil } == [true, false, true, false])
    #expect(list?.map { $0["format"] as? String } == [nil, nil, "text", nil])
  }

  @Test func probe_manyTags_areLimitedInText_andCompleteInJSON() throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac", (1...250).map { "--tag=N\($0)=1" })
    let text = try run("probe", "a.flac").output
    #expect(text.contains("tag         N200=1\n"))
    #expect(!text.contains("N201=1\n"))
    #expect(text.contains("tag         and 50 more\n"))
    let json = try run("probe", "--json", "a.flac").output
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    let tags = try #require(list?.first?["tags"] as? [String: [String]])
    #expect(tags == Dictionary(uniqueKeysWithValues: (1...250).map { ("N\($0)", ["1"]) }))
    #expect(list?.first?["cutTagValues"] as? Int == 0)
  }

  @Test func probe_longTags_areCutAndCounted() throws {
    let long = String(repeating: "la", count: 2000)
    try GeneratedMusic(frames: 100).flac(
      folder, "a.flac", (1...70).map { "--tag=NAME=\($0)" } + ["--tag=LYRICS=\(long)"])
    #expect(try run("probe", "a.flac").output.contains("tag         7 values "))
    let json = try run("probe", "--json", "a.flac").output
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    let tags = try #require(list?.first?["tags"] as? [String: [String]])
    #expect(tags["NAME"]?.count == 64 && tags["LYRICS"] == [String(long.prefix(1024))])
    #expect(list?.first?["cutTagValues"] as? Int == 7)
  }

  @Test(arguments: ["probe", "probe --json"]) func probe_fullDisk_isReported(words: String) throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac")
    let result = try run(shell: "exec \"$0\" \(words) a.flac > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
  }

  @Test(arguments: [["probe"], ["probe", "--json"], ["probe", "--verify"]])
  func probe_closedOutput_endsSilently(words: [String]) throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac")
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let (process, _, errors) = try start(words + ["a.flac"], to: pipe.fileHandleForWriting)
    process.waitUntilExit()
    #expect(try Data(contentsOf: errors).isEmpty)
    // SIGPIPE ends the process. If the environment of the tests ignores SIGPIPE, the process exits with 1.
    #expect(process.terminationStatus == (process.terminationReason == .exit ? 1 : SIGPIPE))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func probe_signal_clearsTheProgressLine_andEndsTheProgram(signal: Int32) throws {
    try makeManyFiles()
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" probe many > out", in: folder, Self.program.path)
    #expect(terminal.waits(for: "Reading folders… "))
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    #expect(terminal.rest().hasSuffix("\r\u{1B}[K"))
    #expect(try folder.read("out").isEmpty)
  }
}
