import Foundation
import TestKit
import Testing

/// The program as a whole: what it prints, writes and returns.
@Suite struct CommandTests {
  private struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The executable stands beside the tests.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("autoharp")

  /// Starts the program, or a shell with the program as `$0`.
  ///
  /// - Parameter output: where its standard output goes; by default a file, which is returned.
  private func start(
    _ arguments: [String], shell script: String? = nil, to output: FileHandle? = nil
  ) throws -> (ChildProcess, output: URL, errors: URL) {
    let process = ChildProcess()
    process.executableURL = script == nil ? Self.program : URL(fileURLWithPath: "/bin/sh")
    process.arguments = (script.map { ["-c", $0, Self.program.path] } ?? []) + arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    var files: [URL] = []
    for name in ["output", "errors"] {
      let url = folder.url.appendingPathComponent("\(name)-\(UUID().uuidString)")
      try Data().write(to: url)
      files.append(url)
    }
    process.standardOutput = try output ?? FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    return (process, files[0], files[1])
  }

  private func run(_ arguments: String...) throws -> Result { try result(of: start(arguments)) }

  private func run(shell script: String, _ arguments: String...) throws -> Result {
    try result(of: start(arguments, shell: script))
  }

  private func result(of started: (process: ChildProcess, output: URL, errors: URL)) throws
    -> Result
  {
    started.process.waitUntilExit()
    return Result(
      status: started.process.terminationStatus,
      output: try String(contentsOf: started.output, encoding: .utf8),
      errors: try String(contentsOf: started.errors, encoding: .utf8))
  }

  /// Waits until `file` has more than `count` lines, or the process is over.
  private func wait(for process: ChildProcess, toWriteMoreThan count: Int, linesTo file: URL) throws
  {
    while process.isRunning,
      try Data(contentsOf: file).count(where: { $0 == UInt8(ascii: "\n") }) <= count
    { usleep(1000) }
  }

  @Test func version_isOneLineWithTheLibraries() throws {
    let result = try run("--version")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("autoharp "))
    #expect(result.output.contains("libFLAC"))
  }

  @Test(arguments: ["--version", "--help", "--list-outputs", "probe --help"])
  func question_fullDisk_saysSo(question: String) throws {
    let result = try run(shell: "exec \"$0\" \(question) > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
  }

  @Test func usage_wrongOption_isStatus2() throws {
    let result = try run("play", "--outptu", "x", "y")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("--output"))
  }

  @Test func play_toWAV_isTheRawFileAndTheLog() throws {
    let music = GeneratedMusic(frames: 30_000)
    try music.flac(folder, "a.flac", ["--tag=TITLE=Song", "--tag=ARTIST=Band"])
    let result = try run("play", "--output", "wav:out.wav", "a.flac")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains("1/1 Band – Song  [FLAC 16/44.1 stereo, 0:00]"))
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw)
  }

  @Test func play_formatChanges_goesOnInASecondFile() throws {
    let first = GeneratedMusic(frames: 3000)
    let second = GeneratedMusic(bits: 24, rate: 48000, frames: 2000)
    try first.flac(folder, "a.flac")
    try second.flac(folder, "b.flac")
    #expect(try run("play", "--output", "wav:out.wav", "a.flac", "b.flac").status == 0)
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == first.raw)
    #expect(Array(try folder.read("out-2.wav").dropFirst(68)) == second.raw)
  }

  @Test func play_damagedFileInAFolder_playsTheRestAndIsStatus1() throws {
    try GeneratedMusic(frames: 1000).flac(folder, "a.flac")
    try folder.write("b.flac", Array("not music at all".utf8))
    let result = try run("play", "--output", "wav:out.wav", ".")
    #expect(result.status == 1)
    #expect(result.errors.contains("b.flac: byte 0: this is neither FLAC nor Ogg Vorbis"))
    #expect(try folder.read("out.wav").count == 44 + 4000)
  }

  @Test func play_nothing_saysSo() throws {
    let result = try run("play", "--output", "null", folder.url.path)
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: nothing to play\n")
  }

  @Test func play_outputThatIsNone_saysSo() throws {
    try GeneratedMusic(frames: 1000).flac(folder, "a.flac")
    let result = try run("play", "--output", "nosuch", "a.flac")
    #expect(result.status == 1)
    #expect(result.errors.contains("nosuch cannot be opened"))
  }

  @Test func play_fullDisk_saysSo() throws {
    try GeneratedMusic(frames: 100_000).flac(folder, "a.flac")
    let result = try run("play", "--output", "wav:/dev/full", "a.flac")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: /dev/full: No space left on device\n")
    // It does not try its luck with a second file.
    #expect(!FileManager.default.fileExists(atPath: "/dev/full-2"))
  }

  @Test(.timeLimit(.minutes(1))) func play_interrupted_endsCleanly() throws {
    // It would repeat for ever, in real time.
    try GeneratedMusic(channels: 1, rate: 8000, frames: 16_000).flac(folder, "a.flac")
    let (process, output, errors) = try start(["play", "--output", "null", "--repeat", "a.flac"])
    while process.isRunning, try Data(contentsOf: output).isEmpty { usleep(1000) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try Data(contentsOf: errors).isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func play_interruptedWhileItReadsFolders_isStatus0() throws {
    try makeManyFiles()
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null many > out", in: folder, Self.program.path)
    // Shown on a terminal, when it takes long enough to wonder.
    #expect(terminal.waits(for: "Reading folders… "))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(terminal.rest().hasSuffix("\r\u{1B}[K"))
    #expect(try folder.read("out").isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func play_dumbTerminal_getsPlainLines() throws {
    try GeneratedMusic(channels: 1, rate: 8000, frames: 16_000).flac(folder, "a.flac")
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "TERM=dumb exec \"$0\" play --output null --repeat a.flac", in: folder,
      Self.program.path)
    #expect(terminal.waits(for: "1/1 a.flac"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!(terminal.seen + terminal.rest()).contains("\u{1B}"))
  }

  @Test(.timeLimit(.minutes(1))) func play_terminalButNoKeys_drawsAndHintsAtNone() throws {
    try GeneratedMusic(channels: 1, rate: 8000, frames: 16_000).flac(folder, "a.flac")
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null --repeat a.flac", in: folder, Self.program.path)
    #expect(terminal.waits(for: "Ctrl-C quit"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The cursor is back.
    #expect(terminal.rest().hasSuffix("\u{1B}[?25h"))
    #expect(!terminal.seen.contains("q quit"))
  }

  /// From the key to the loudspeaker, through the model of Now Playing.
  @Test(.timeLimit(.minutes(1))) func play_trace_tellsWhatBecameOfEachKey() throws {
    for name in ["a", "b"] {
      try GeneratedMusic(channels: 1, rate: 8000, frames: 400_000).flac(folder, "\(name).flac")
    }
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null --trace --chime a.flac a.flac b.flac <&1",
      in: folder, Self.program.path)
    #expect(terminal.waits(for: "q quit"))
    for (key, words) in [
      (" ", "#2 terminal/text togglePlayPause, accepted by local, success after "),
      (" ", "#3 terminal/text togglePlayPause, accepted by local, success after "),
      ("-", "#4 terminal/text volume -2.5 %, accepted by head unit, success after "),
      ("r", "#5 terminal/text changeRepeatMode all, accepted by local, success"),
      ("n", "#6 terminal/text next, accepted by local, success after "),
      ("m", "#7 terminal/text volume mute or unmute, accepted by head unit, success"),
    ] {
      terminal.type(key)
      #expect(terminal.waits(for: words))
    }
    terminal.type("cq")
    let rest = terminal.rest()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let told = (terminal.seen + rest).split(whereSeparator: \.isNewline)
    for number in [1, 2, 3, 4, 6, 7] {
      let line = told.first { $0.contains("#\(number) ") }
      #expect(line?.contains("heard after ") == true, "\(line ?? "nothing")")
    }
    #expect(!told.contains { $0.contains("#5 ") && $0.contains("heard after ") })
  }

  @Test(.timeLimit(.minutes(1))) func play_startedToOutliveAHangUp_does() throws {
    try GeneratedMusic(channels: 1, rate: 8000, frames: 800).flac(folder, "a.flac")
    let (process, output, _) = try start(
      ["play", "--output", "null", "--repeat", "a.flac"], shell: "trap '' HUP; exec \"$0\" \"$@\"")
    try wait(for: process, toWriteMoreThan: 1, linesTo: output)
    kill(process.processIdentifier, SIGHUP)
    let count = try Data(contentsOf: output).count { $0 == UInt8(ascii: "\n") }
    try wait(for: process, toWriteMoreThan: count + 1, linesTo: output)
    #expect(process.isRunning)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func play_logThatCannotBeWritten_saysSoOnceAndPlaysOn() throws {
    let music = GeneratedMusic(frames: 30_000)
    try music.flac(folder, "a.flac")
    let result = try run(
      shell: "exec \"$0\" play --output wav:out.wav a.flac a.flac > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw + music.raw)
  }

  @Test func play_standardStreamsClosed_keepsTheLogOutOfTheMusic() throws {
    let music = GeneratedMusic(frames: 30_000)
    try music.flac(folder, "a.flac")
    _ = try run(shell: "exec \"$0\" play --output wav:out.wav a.flac <&- >&- 2>&-")
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw)
  }

  @Test func play_damagedHeader_isToldOnceWithItsPlace() throws {
    let music = GeneratedMusic(frames: 3000)
    try music.flac(folder, "a.flac", ["--tag=TITLE=Song"])
    var bytes = try folder.read("a.flac")
    let tag = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("TITLE=Song".utf8)) })
    bytes[tag - 2] = 1
    try folder.write("a.flac", bytes)
    let result = try run("play", "--output", "wav:out.wav", "a.flac", "a.flac")
    #expect(result.status == 0)
    #expect(
      result.errors
        == "autoharp: a.flac: byte \(tag): tag 1 of 1 claims 65546 bytes, 10 are left\n")
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw + music.raw)
  }

  /// So many that reading them takes longer than anybody waits without a word.
  private func makeManyFiles() throws {
    try GeneratedMusic(channels: 1, frames: 200).flac(folder, "one")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("many"), withIntermediateDirectories: true)
    for number in 0..<30_000 {
      #expect(link(folder.path("one"), folder.path("many/\(number)")) == 0)
    }
  }

  @Test func probe_JSON_isJSONWithWhatIsInTheFile() throws {
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

  @Test func probe_truncatedFile_isNotWholeAndStatus1() throws {
    try GeneratedMusic(frames: 50_000).flac(folder, "a.flac")
    let bytes = try folder.read("a.flac")
    try folder.write("a.flac", Array(bytes[..<(bytes.count * 2 / 3)]))
    let result = try run("probe", "--verify", "a.flac")
    #expect(result.status == 1)
    #expect(result.output.contains("NOT whole"))
    #expect(result.output.contains("the file ends here"))
  }

  @Test(arguments: [[], ["--json"]]) func probe_nothing_saysSo(options: [String]) throws {
    let result = try self.result(of: start(["probe"] + options + [folder.url.path]))
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: no music found\n")
    #expect(result.output == (options.isEmpty ? "" : "[]\n"))
  }

  @Test func probe_JSON_keepsTheOrderGiven() throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac")
    try folder.write("b.flac", Array("not music at all".utf8))
    let paths = ["missing.flac", "a.flac", "b.flac", "a.flac"]
    let result = try self.result(of: start(["probe", "--json"] + paths))
    #expect(result.status == 1)
    let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
    #expect(list?.map { $0["path"] as? String } == paths)
    #expect(list?.map { $0["error"] != nil } == [true, false, true, false])
  }

  @Test func probe_manyTags_areCountedInTextAndAllInJSON() throws {
    try GeneratedMusic(frames: 100).flac(
      folder, "a.flac", (1...250).map { "--tag=NAME=\($0)" } + ["--tag=LYRICS=\(longText)"])
    let text = try run("probe", "a.flac").output
    #expect(text.contains("tag         NAME=200\n"))
    #expect(!text.contains("NAME=201\n"))
    #expect(text.contains("tag         and 51 more\n"))
    let json = try run("probe", "--json", "a.flac").output
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    let tags = try #require(list?.first?["tags"] as? [String: [String]])
    #expect(tags["NAME"] == (1...250).map(String.init))
    #expect(tags["LYRICS"] == [longText])
  }

  @Test func probe_longTag_showsThatItIsCut() throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac", ["--tag=LYRICS=\(longText)"])
    #expect(try run("probe", "a.flac").output.contains("lalal…\n"))
  }

  private var longText: String { String(repeating: "la", count: 2000) }

  @Test(arguments: ["probe", "probe --json"]) func probe_fullDisk_saysSo(words: String) throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac")
    let result = try run(shell: "exec \"$0\" \(words) a.flac > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
  }

  @Test(arguments: [["probe"], ["probe", "--json"], ["probe", "--verify"]])
  func probe_readerGone_endsWithoutAWord(words: [String]) throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac")
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let (process, _, errors) = try start(words + ["a.flac"], to: pipe.fileHandleForWriting)
    process.waitUntilExit()
    #expect(try Data(contentsOf: errors).isEmpty)
    // By SIGPIPE, unless whoever runs the tests has it ignored.
    #expect(process.terminationStatus == (process.terminationReason == .exit ? 1 : SIGPIPE))
  }

  @Test(.timeLimit(.minutes(1)), arguments: [SIGINT, SIGTERM])
  func probe_interrupted_endsByTheSignalAndClearsItsLine(signal: Int32) throws {
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

  // MARK: config

  @Test func config_shippedFile_isWellAndTheDefaults() throws {
    let shipped = ProjectFile.url("rootfs-overlay/etc/autoharp.conf").path
    let check = try run("config", "check", shipped)
    #expect(check.output == "Nothing is wrong.\n")
    #expect(check.status == 0)
    let show = try run("config", "show", shipped)
    #expect(show.output.contains(/skip-interval = 15 s +\(default\)\n/))
    #expect(show.status == 0)
    #expect(show.errors.isEmpty)
  }

  @Test func config_wrongLines_areNamedAndStatus1() throws {
    try folder.write(
      "a.conf", Array("strat = play\namplifier = gpio:\noutput = wav:\nlanguage = de\n".utf8))
    let check = try run("config", "check", "a.conf")
    #expect(
      check.output == """
        a.conf:1: 'strat = play': there is no such key; did you mean 'start'?; ignored
        a.conf:2: 'amplifier = gpio:': 'gpio:' needs a line, as in 'gpio:gpiochip0,17', not ''; \
        the default none is used
        a.conf:3: 'output = wav:': 'wav:' needs the name of a file, as in 'wav:out.wav'; \
        the default default is used

        """)
    #expect(check.errors.isEmpty)
    #expect(check.status == 1)
    let show = try run("config", "show", "a.conf")
    #expect(show.output.contains(/language = de +\(a.conf:4\)\n/))
    #expect(show.errors.split(separator: "\n").count == 3)
    #expect(show.status == 1)
  }

  @Test func config_namedFileThatIsMissing_isStatus1() throws {
    let result = try run("config", "check", "none.conf")
    #expect(
      result.output == "none.conf: it cannot be read: No such file or directory; ignored\n")
    #expect(result.status == 1)
  }

  @Test func config_fullDisk_saysSo() throws {
    let result = try run(shell: "exec \"$0\" config show > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
  }
}
