import Foundation
import TestKit
import Testing

/// Runs `autoharp-library` as a process, with real files.
@Suite struct ProgramTests {
  private let folder: TemporaryFolder
  private let template: TaggedFLAC

  init() throws {
    folder = try TemporaryFolder()
    template = try TaggedFLAC(folder)
    try FileManager.default.createDirectory(
      atPath: folder.path("music"), withIntermediateDirectories: true)
  }

  private func process(_ arguments: [String]) -> ChildProcess {
    let process = ChildProcess()
    // The executable is in the same folder as the tests.
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("autoharp-library")
    process.arguments = arguments + ["--database", folder.path("library")]
    return process
  }

  private func run(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = process(arguments)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  private func add(_ number: Int) throws {
    let tags = ["TITLE=Song \(number)", "ARTIST=Air", "ALBUM=Moon \(number / 10)"]
    try folder.write("music/\(number).flac", template.file(tags, sound: UInt32(number)))
  }

  @Test func scanListFind_ofAFolder() throws {
    for number in 1...3 { try add(number) }
    #expect(try run("list").status == 1)
    #expect(try run("scan", folder.path("music")).status == 0)
    let artists = try run("list", "artists")
    #expect(artists.status == 0 && artists.output.contains("Air"))
    #expect(try run("list", "songs", "--letters").output == "S  3\n")
    #expect(try run("find", "moon").output.contains("album: Moon 0"))
    #expect(try run("find", "--keys", "247").status == 0)
    #expect(try run("find", "nothing").status == 1)
    #expect(try run("find", "moom").status == 1)
    #expect(try run("list", "nothing").status == 1)
    #expect(try run("scan", folder.path("missing")).status == 1)
    #expect(try run("other").status == 2)
  }

  /// A preloaded library reports that SQLite has no FTS5, because the SQLite of Debian always has FTS5.
  @Test func scan_withoutFullTextSearch_isAClearError_andKeepsTheDatabase() throws {
    try add(1)
    #expect(try run("scan", folder.path("music")).status == 0)
    let before = try folder.read("library/library.db")
    try folder.write(
      "none.c", Array("int sqlite3_compileoption_used(const char *n) { return 0; }\n".utf8))
    try Tools.run("cc", ["-shared", "-fPIC", "-o", "none.so", "none.c"], in: folder.url)
    let process = process(["scan", folder.path("music")])
    process.environment = ProcessInfo.processInfo.environment
      .merging(["LD_PRELOAD": folder.path("none.so")]) { $1 }
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let bytes = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(String(decoding: bytes, as: UTF8.self).contains("FTS5"))
    #expect(try folder.read("library/library.db") == before)
  }

  /// The systemd service of the library has a memory limit of 64 MB, which includes the cached pages of files. In a
  /// debug build, the program needs about 18 MB without playlists.
  @Test func scan_playlistsOfAnyContent_needsLittleMemory() throws {
    try add(1)
    let alone = try peakKilobytes(scanning: "music")
    let size = 4 << 20
    func lines(_ line: [UInt8]) -> [UInt8] {
      Array(repeatElement(line + [0x0A], count: size / (line.count + 1)).joined())
    }
    let lists: [String: [UInt8]] = [
      "newlines": [UInt8](repeating: 0x0A, count: size), "entries": lists(lines, "1"),
      "line": [UInt8](repeating: 0x61, count: size), "zeros": [UInt8](repeating: 0, count: size),
      "old": lines([UInt8](repeating: 0x80, count: 400)),
      "folders": lines(Array(repeatElement("a/", count: 2000).joined().utf8)),
      "titles": lists(lines, "#EXTINF:1,title"),
    ]
    for (name, bytes) in lists { try folder.write("music/\(name).m3u", bytes) }
    let peak = try peakKilobytes(scanning: "music")
    #expect(peak < 64 << 10, "\(peak) kB")
    #expect(peak - alone < 12 << 10, "\(alone) kB without playlists, \(peak) kB with them")
    #expect(try run("list", "playlists").output.contains("entries · 10000 songs"))
  }

  private func lists(_ lines: ([UInt8]) -> [UInt8], _ line: String) -> [UInt8] {
    lines(Array(line.utf8))
  }

  /// The peak memory of a scan in kB, as the kernel has measured it.
  private func peakKilobytes(scanning name: String) throws -> Int {
    let script = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
      print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let program = process([])
    let output = try Tools.run(
      "python3",
      ["-c", script, try #require(program.executableURL).path, "scan", folder.path(name)]
        + program.arguments)
    let words = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    try #require(words.first == "0", "\(words)")
    return try #require(words.last.flatMap { Int($0) })
  }

  @Test func scan_emptyFolderThatHadMusic_failsAndKeepsTheSongs() throws {
    try add(1)
    #expect(try run("scan", folder.path("music")).status == 0)
    try FileManager.default.removeItem(atPath: folder.path("music/1.flac"))
    #expect(try run("scan", folder.path("music")).status == 1)
    #expect(try run("list", "songs").output.contains("Song 1"))
  }

  /// `AUTOHARP_CUTS` sets the number of kills; the default is 8.
  @Test func scan_killedAtRandomTimes_completesWithEachSongOnce() throws {
    let songs = 600
    for number in 0..<songs { try add(number) }
    let cuts = ProcessInfo.processInfo.environment["AUTOHARP_CUTS"].flatMap { Int($0) } ?? 8
    var random = SeededRandom(25)
    for _ in 0..<cuts {
      let process = process(["scan", folder.path("music")])
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      // The test needs a kill at a random time. This is not a wait for an event.
      usleep(UInt32.random(in: 1000...250_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // After the kill, the lists can be read, or the library does not exist yet.
      _ = try run("list", "songs")
      #expect(try run("find", "song").status <= 1)
      // The changed files give work to the next scan.
      for _ in 0..<100 { try add(Int.random(in: 0..<songs, using: &random)) }
    }
    #expect(try run("scan", folder.path("music")).status == 0)
    #expect(try run("list", "songs").output.contains("1 to 24 of \(songs)\n"))
    #expect(try run("list", "songs", "--letters").output == "S  \(songs)\n")
  }
}
