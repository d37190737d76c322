import Foundation
import TestKit
import Testing

/// Runs the whole program, and checks its output, its files and its exit status.
@Suite struct CommandTests {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The executable is in the same folder as the tests.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("autoharp")

  /// Starts the program, or a shell with the program as `$0`.
  ///
  /// - Parameter output: the standard output of the program. By default, this is a new file, whose URL is returned.
  func start(
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

  func run(_ arguments: String...) throws -> Result { try result(of: start(arguments)) }

  func run(shell script: String, _ arguments: String...) throws -> Result {
    try result(of: start(arguments, shell: script))
  }

  func result(of started: (process: ChildProcess, output: URL, errors: URL)) throws
    -> Result
  {
    started.process.waitUntilExit()
    return Result(
      status: started.process.terminationStatus,
      output: try String(contentsOf: started.output, encoding: .utf8),
      errors: try String(contentsOf: started.errors, encoding: .utf8))
  }

  /// Waits until `file` has more than `count` lines, or until the process has ended.
  func wait(for process: ChildProcess, toWriteMoreThan count: Int, linesTo file: URL) throws {
    while process.isRunning,
      try Data(contentsOf: file).count(where: { $0 == UInt8(ascii: "\n") }) <= count
    { usleep(1000) }
  }

  @Test func version_namesTheLibraries() throws {
    let result = try run("--version")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("autoharp "))
    #expect(result.output.contains("libFLAC"))
  }

  @Test(arguments: ["--version", "--help", "--list-outputs", "probe --help"])
  func helpOrVersion_fullDisk_isReported(question: String) throws {
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

  @Test func play_toWAV_writesTheExactSamplesAndTheLog() throws {
    let music = GeneratedMusic(frames: 30_000)
    try music.flac(folder, "a.flac", ["--tag=TITLE=Song", "--tag=ARTIST=Band"])
    let result = try run("play", "--output", "wav:out.wav", "a.flac")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains("1/1 Band – Song  [FLAC 16/44.1 stereo, 0:00]"))
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw)
  }

  @Test func play_formatChange_startsASecondFile() throws {
    let first = GeneratedMusic(frames: 3000)
    let second = GeneratedMusic(bits: 24, rate: 48000, frames: 2000)
    try first.flac(folder, "a.flac")
    try second.flac(folder, "b.flac")
    #expect(try run("play", "--output", "wav:out.wav", "a.flac", "b.flac").status == 0)
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == first.raw)
    #expect(Array(try folder.read("out-2.wav").dropFirst(68)) == second.raw)
  }

  @Test func play_damagedFileInAFolder_playsTheRest_withStatus1() throws {
    try GeneratedMusic(frames: 1000).flac(folder, "a.flac")
    try folder.write("b.flac", Array("not music at all".utf8))
    let result = try run("play", "--output", "wav:out.wav", ".")
    #expect(result.status == 1)
    #expect(result.errors.contains("b.flac: byte 0: "))
    #expect(try folder.read("out.wav").count == 44 + 4000)
  }

  @Test func play_noMusic_isReported() throws {
    let result = try run("play", "--output", "null", folder.url.path)
    #expect(result.status == 1)
    #expect(result.output.isEmpty && !result.errors.isEmpty)
  }

  @Test func play_unknownOutput_isReported() throws {
    try GeneratedMusic(frames: 1000).flac(folder, "a.flac")
    let result = try run("play", "--output", "nosuch", "a.flac")
    #expect(result.status == 1)
    #expect(result.errors.contains("nosuch"))
  }

  @Test func play_fullDisk_isReported() throws {
    try GeneratedMusic(frames: 100_000).flac(folder, "a.flac")
    let result = try run("play", "--output", "wav:/dev/full", "a.flac")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: /dev/full: No space left on device\n")
    // After the error, the program does not try to continue in a second file, `full-2`.
    #expect(!FileManager.default.fileExists(atPath: "/dev/full-2"))
  }

  @Test func play_interrupted_endsCleanly() throws {
    // Without the signal, the program would repeat the file for ever, in real time.
    try GeneratedMusic(channels: 1, rate: 8000, frames: 16_000).flac(folder, "a.flac")
    let (process, output, errors) = try start(["play", "--output", "null", "--repeat", "a.flac"])
    while process.isRunning, try Data(contentsOf: output).isEmpty { usleep(1000) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try Data(contentsOf: errors).isEmpty)
  }

  @Test func play_interruptedWhileReadingFolders_isStatus0() throws {
    try makeManyFiles()
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null many > out", in: folder, Self.program.path)
    // This line is shown only on a terminal, and only if reading the folders takes long.
    #expect(terminal.waits(for: "Reading folders… "))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(terminal.rest().hasSuffix("\r\u{1B}[K"))
    #expect(try folder.read("out").isEmpty)
  }

  @Test func play_dumbTerminal_writesPlainLines() throws {
    try GeneratedMusic(channels: 1, rate: 8000, frames: 16_000).flac(folder, "a.flac")
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "TERM=dumb exec \"$0\" play --output null --repeat a.flac", in: folder,
      Self.program.path)
    #expect(terminal.waits(for: "1/1 a"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!(terminal.seen + terminal.rest()).contains("\u{1B}"))
  }

  @Test func play_terminalWithoutKeys_drawsWithoutKeyHints() throws {
    try GeneratedMusic(channels: 1, rate: 8000, frames: 16_000).flac(folder, "a.flac")
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null --repeat a.flac", in: folder, Self.program.path)
    #expect(terminal.waits(for: "Ctrl-C quit"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The cursor is visible again.
    #expect(terminal.rest().hasSuffix("\u{1B}[?25h"))
    #expect(!terminal.seen.contains("q quit"))
  }

  @Test func play_questionMark_showsTheKeys_andAnyKeyClosesThem() throws {
    try GeneratedMusic(channels: 1, rate: 8000, frames: 400_000).flac(folder, "a.flac")
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null a.flac <&1", in: folder, Self.program.path)
    #expect(terminal.waits(for: "q quit"))
    terminal.type("?")
    #expect(terminal.waits(for: "mute on, off"))
    terminal.type(" ")
    #expect(terminal.waits(for: "space play"))
    terminal.resize(columns: 80, rows: 5)
    #expect(terminal.waits(for: "❚❚ 0:0"))
    terminal.type("q")
    _ = terminal.rest()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: ["", " <&1"])
  func play_closedTerminal_ends(_ input: String) throws {
    try GeneratedMusic(channels: 1, rate: 8000, frames: 400_000).flac(folder, "a.flac")
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null --repeat a.flac\(input)", in: folder,
      Self.program.path)
    #expect(terminal.waits(for: "quit"))
    terminal.hangUp()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  /// For each key press, the trace shows the steps from the key, through the model of Now Playing, to the sound.
  @Test func play_trace_showsTheStepsOfEachKey() throws {
    for name in ["a", "b"] {
      try GeneratedMusic(channels: 1, rate: 8000, frames: 400_000).flac(folder, "\(name).flac")
    }
    let terminal = try Terminal()
    let process = try terminal.start(
      shell: "exec \"$0\" play --output null --trace --chime a.flac a.flac b.flac <&1",
      in: folder, Self.program.path)
    #expect(terminal.waits(for: "q quit"))
    for (key, command) in [
      (" ", "#2 terminal/text togglePlayPause, "), (" ", "#3 terminal/text togglePlayPause, "),
      ("-", "#4 terminal/text volume -2.5 %, "), ("r", "#5 terminal/text changeRepeatMode all, "),
      ("n", "#6 terminal/text next, "), ("m", "#7 terminal/text volume "),
    ] {
      terminal.type(key)
      #expect(terminal.waits(for: command))
    }
    terminal.type("cq")
    let rest = terminal.rest()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = (terminal.seen + rest).split(whereSeparator: \.isNewline)
    for number in [1, 2, 3, 4, 6, 7] {
      let line = lines.first { $0.contains("#\(number) ") }
      #expect(line?.contains("heard after ") == true, "\(line ?? "nothing")")
    }
    #expect(!lines.contains { $0.contains("#5 ") && $0.contains("heard after ") })
  }

  @Test func play_withIgnoredHangUp_continues() throws {
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

  @Test func play_failedLog_isReportedOnce_andPlaybackContinues() throws {
    let music = GeneratedMusic(frames: 30_000)
    try music.flac(folder, "a.flac")
    let result = try run(
      shell: "exec \"$0\" play --output wav:out.wav a.flac a.flac > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw + music.raw)
  }

  @Test func play_closedStandardStreams_writesNoLogIntoTheMusic() throws {
    let music = GeneratedMusic(frames: 30_000)
    try music.flac(folder, "a.flac")
    _ = try run(shell: "exec \"$0\" play --output wav:out.wav a.flac <&- >&- 2>&-")
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw)
  }

  @Test func play_damagedHeader_isReportedOnceWithItsOffset() throws {
    let music = GeneratedMusic(frames: 3000)
    try music.flac(folder, "a.flac", ["--tag=TITLE=Song"])
    var bytes = try folder.read("a.flac")
    let tag = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("TITLE=Song".utf8)) })
    bytes[tag - 2] = 1
    try folder.write("a.flac", bytes)
    let result = try run("play", "--output", "wav:out.wav", "a.flac", "a.flac")
    #expect(result.status == 0)
    #expect(result.errors.hasPrefix("autoharp: a.flac: byte \(tag): "))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(Array(try folder.read("out.wav").dropFirst(44)) == music.raw + music.raw)
  }

  // MARK: `autoharp config`

  @Test func config_shippedFile_isValid_andHasTheDefaults() throws {
    let shipped = ProjectFile.url("rootfs-overlay/etc/autoharp.conf").path
    let check = try run("config", "check", shipped)
    #expect(check.status == 0)
    let show = try run("config", "show", shipped)
    #expect(show.output.contains(/skip-interval = 15 s +\(default\)\n/))
    #expect(show.status == 0)
    #expect(show.errors.isEmpty)
  }

  @Test func config_wrongLines_areListed_withStatus1() throws {
    try folder.write(
      "a.conf", Array("strat = play\namplifier = gpio:\noutput = wav:\nlanguage = de\n".utf8))
    let check = try run("config", "check", "a.conf")
    let lines = check.output.split(separator: "\n")
    let begins = [
      "a.conf:1: 'strat = play': ", "a.conf:2: 'amplifier = gpio:': ",
      "a.conf:3: 'output = wav:': ",
    ]
    #expect(lines.count == begins.count, "\(check.output)")
    #expect(zip(lines, begins).allSatisfy { $0.hasPrefix($1) }, "\(check.output)")
    #expect(lines.first?.contains("'start'") == true)
    #expect(check.errors.isEmpty)
    #expect(check.status == 1)
    let show = try run("config", "show", "a.conf")
    #expect(show.output.contains(/language = de +\(owner, a.conf:4\)\n/))
    #expect(show.errors.split(separator: "\n").count == 3)
    #expect(show.status == 1)
  }

  @Test func config_missingNamedFile_isStatus1() throws {
    let result = try run("config", "check", "none.conf")
    #expect(result.output.hasPrefix("none.conf: "))
    #expect(result.status == 1)
  }

  @Test func config_fullDisk_isReported() throws {
    let result = try run(shell: "exec \"$0\" config show > /dev/full")
    #expect(result.status == 1)
    #expect(result.errors == "autoharp: standard output: No space left on device\n")
  }
}
