import AmplifierControl
import Console
import Text
import Testing

@testable import autoharp

/// The parser's error for `arguments`; empty if they are valid.
private func complaint(_ arguments: String...) -> String {
  do {
    _ = try parseCommandLine(arguments)
    return ""
  } catch {
    return error.message
  }
}

/// The options of a `play` command line, which must be valid.
private func play(_ arguments: String...) throws -> PlayOptions {
  guard case .play(let options) = try parseCommandLine(["play"] + arguments) else {
    throw UsageError(message: "not play", topic: .main)
  }
  return options
}

@Suite struct CommandLineParserTests {
  // MARK: Commands

  @Test func noArguments_showTheMainHelp() throws {
    #expect(try parseCommandLine([]) == .help(.main))
    #expect(try parseCommandLine(["--"]) == .help(.main))
  }

  @Test(arguments: [
    (["--help"], Invocation.help(.main)), (["-h"], .help(.main)), (["help"], .help(.main)),
    (["--version"], .version), (["--list-outputs"], .listOutputs),
    (["play", "--help"], .help(.play)), (["play", "-h"], .help(.play)),
    (["help", "play"], .help(.play)), (["play", "--version"], .version),
    (["play", "--list-outputs"], .listOutputs), (["probe", "--help"], .help(.probe)),
    (["probe", "-h"], .help(.probe)), (["help", "probe"], .help(.probe)),
    (["probe", "--version"], .version),
  ])
  func helpAndVersion_areAcceptedAloneAndAfterACommand(_ arguments: [String], _ answer: Invocation)
    throws
  {
    #expect(try parseCommandLine(arguments) == answer)
  }

  @Test func helpAndVersion_havePriorityOverPaths() throws {
    #expect(try parseCommandLine(["play", "a.flac", "--list-outputs", "b.flac"]) == .listOutputs)
    #expect(try parseCommandLine(["--version", "play"]) == .version)
  }

  @Test func helpOrVersion_withValue_isRefused() {
    #expect(complaint("--version=2") == "--version takes no value")
    #expect(complaint("play", "--help=all") == "--help takes no value")
    #expect(complaint("probe", "--help=") == "--help takes no value")
  }

  @Test func unknownCommand_suggestsTheNearest() {
    #expect(complaint("pley", "a") == "unknown command 'pley'; did you mean 'play'?")
    #expect(complaint("prob", "a") == "unknown command 'prob'; did you mean 'probe'?")
    #expect(complaint("dance") == "unknown command 'dance'")
    #expect(
      complaint("Music/a.flac")
        == "unknown command 'Music/a.flac'; to play a file: autoharp play FILE")
    #expect(complaint("help", "me") == "there is no help about 'me'")
  }

  @Test func unknownTopOption_suggestsTheNearestOrItsCommand() {
    #expect(complaint("--versoin") == "unknown option '--versoin'; did you mean '--version'?")
    #expect(complaint("--gain=3", "a") == "'--gain' is an option of play")
    #expect(complaint("--json") == "'--json' is an option of probe")
    #expect(complaint("-x") == "unknown option '-x'")
  }

  // MARK: play

  @Test func play_withoutOptions_hasDefaults() throws {
    let options = try play("a.flac")
    #expect(options == PlayOptions(paths: ["a.flac"]))
    #expect(options.output == nil)
    #expect(options.bufferMilliseconds == nil)
    #expect(options.periodFrames == nil)
    #expect(options.gainDecibels == 0)
    #expect(options.replayGain == .off)
    #expect(options.startSeconds == 0)
    #expect(!options.repeatAll)
    #expect(!options.shuffle)
  }

  @Test func play_everyOption_inBothForms() throws {
    let expected = PlayOptions(
      output: .alsa("hw:0,0"), bufferMilliseconds: 100, periodFrames: 256, gainDecibels: -3.5,
      replayGain: .album, startSeconds: 90, repeatAll: true, shuffle: true, paths: ["a", "b"])
    #expect(
      try play(
        "--output", "hw:0,0", "--buffer", "100", "--period", "256", "--gain", "-3.5",
        "--replaygain", "album", "--start", "90", "--repeat", "--shuffle", "a", "b") == expected)
    #expect(
      try play(
        "--output=hw:0,0", "--buffer=100", "--period=256", "--gain=-3.5", "--replaygain=album",
        "--start=90", "--repeat", "--shuffle", "a", "b") == expected)
  }

  @Test func play_optionsAfterPaths_areAccepted_andTheLastValueIsUsed() throws {
    let options = try play("a", "--gain", "1", "b", "--gain", "2", "--shuffle")
    #expect(options.paths == ["a", "b"])
    #expect(options.gainDecibels == 2)
    #expect(options.shuffle)
  }

  @Test func play_afterTwoDashes_everythingIsAPath() throws {
    #expect(try play("--shuffle", "--", "--repeat", "-", "--").paths == ["--repeat", "-", "--"])
    #expect(try !play("--", "--repeat").repeatAll)
  }

  @Test(arguments: [
    ("default", OutputChoice.alsa("default")),
    ("plughw:CARD=PCH,DEV=0", .alsa("plughw:CARD=PCH,DEV=0")),
    ("wav:out.wav", .wav("out.wav")), ("wav:/tmp/a b=c.wav", .wav("/tmp/a b=c.wav")),
    ("null", .null), ("nullx", .alsa("nullx")), ("wave", .alsa("wave")),
  ])
  func play_output_isParsed(_ text: String, _ choice: OutputChoice) throws {
    #expect(try play("--output", text, "a").output == choice)
    #expect(try play("--output=\(text)", "a").output == choice)
  }

  @Test(arguments: [
    ("0", 0.0), ("90", 90), ("90.25", 90.25), ("1:30", 90), ("0:00", 0), ("1:02:03.5", 3723.5),
    ("90:00", 5400), ("100:00:00", 360_000), ("01:05", 65), ("1:5", 65),
  ])
  func play_start_isParsed(_ text: String, _ seconds: Double) throws {
    #expect(try play("--start", text, "a").startSeconds == seconds)
  }

  @Test(arguments: [
    "-1", "+1", "abc", "1:60", "1:60:00", "1:", ":30", "1::2", "1:2:3:4", "1.5:00", "nan", "inf",
    "1e3", "0x10", "1:-3", "1:30s", " 1", "1,5", String(repeating: "9", count: 400),
  ])
  func play_invalidStart_isRefused(_ text: String) {
    #expect(
      complaint("play", "--start=\(text)", "a").hasPrefix(
        "--start is a time of 0 s or more, as in '90', '1:30' or '1:02:03.5', not '"))
  }

  @Test func play_boundsOfNumbers_areAccepted() throws {
    #expect(try play("--buffer", "5", "a").bufferMilliseconds == 5)
    #expect(try play("--buffer", "2000", "a").bufferMilliseconds == 2000)
    #expect(try play("--period", "16", "a").periodFrames == 16)
    #expect(try play("--period", "16384", "a").periodFrames == 16384)
    #expect(try play("--rate", "48000", "a").fixedRate == 48000)
    #expect(
      try play("--amplifier", "switch:hw:0,Master", "a").amplifier
        == AmplifierConfiguration("switch:hw:0,Master"))
    #expect(try play("--gain", "-60", "a").gainDecibels == -60)
    #expect(try play("--gain", "+12", "a").gainDecibels == 12)
  }

  @Test(arguments: ["4", "2001", "-5", "abc", "1.5", "99999999999999999999", "0x10", "50ms"])
  func play_bufferOutOfRange_isRefused(_ text: String) {
    #expect(
      complaint("play", "--buffer", text, "a")
        == "--buffer is a whole number from 5 to 2000 ms, not '\(text)'")
  }

  @Test(arguments: ["15", "16385", "many"])
  func play_periodOutOfRange_isRefused(_ text: String) {
    #expect(
      complaint("play", "--period", text, "a")
        == "--period is a whole number from 16 to 16384 frames, not '\(text)'")
  }

  @Test(arguments: [
    "-60.1", "12.5", "nan", "-inf", "infinity", "1e1", "0x1p1", "3dB", "−3", ".", "-",
  ])
  func play_gainOutOfRange_isRefused(_ text: String) {
    #expect(
      complaint("play", "--gain", text, "a")
        == "--gain is a number from −60 to +12 dB, not '\(text)'")
  }

  @Test(arguments: ["off", "track", "album"])
  func play_replayGain_isParsed(_ text: String) throws {
    #expect(try play("--replaygain", text, "a").replayGain.rawValue == text)
  }

  @Test func play_invalidReplayGain_isRefused() {
    #expect(
      complaint("play", "--replaygain", "on", "a")
        == "--replaygain is off, track or album, not 'on'")
  }

  @Test(arguments: [
    ("--output", "a name, as in 'hw:0,0'"), ("--buffer", "a number of milliseconds"),
    ("--period", "a number of frames"), ("--gain", "a number of decibels"),
    ("--replaygain", "off, track or album"), ("--start", "a time, as in '1:30'"),
  ])
  func play_missingValue_isRefused(_ option: String, _ expected: String) {
    let message = "\(option) needs \(expected)"
    #expect(complaint("play", "a", option) == message)
    #expect(complaint("play", option, "--shuffle", "a") == message)
    #expect(complaint("play", option, "--", "a") == message)
    #expect(complaint("play", "\(option)=", "a") == message)
    #expect(complaint("play", option, "", "a") == message)
  }

  @Test func play_wavWithoutFile_isRefused() {
    #expect(
      complaint("play", "--output", "wav:", "a")
        == "--output wav: needs the name of a file, as in 'wav:out.wav'")
  }

  @Test func play_wavWithRepeat_isRefusedAsEndless() {
    #expect(
      complaint("play", "--repeat", "--output", "wav:o.wav", "a")
        == "--repeat with --output wav: would write without an end")
  }

  @Test func play_flagWithValue_isRefused() {
    #expect(complaint("play", "--repeat=yes", "a") == "--repeat takes no value")
    #expect(complaint("play", "--shuffle=", "a") == "--shuffle takes no value")
  }

  @Test func play_withoutPaths_isRefused() {
    #expect(complaint("play") == "play needs a file or a folder")
    #expect(complaint("play", "--shuffle", "--") == "play needs a file or a folder")
  }

  @Test func play_emptyPath_isRefused() {
    #expect(complaint("play", "") == "one of the words is empty")
    #expect(complaint("play", "--", "") == "one of the words is empty")
  }

  @Test func play_standardInput_isRefused() {
    #expect(complaint("play", "-").hasPrefix("'-' (standard input) cannot be read"))
  }

  @Test func play_unknownOption_suggestsTheNearest() {
    #expect(
      complaint("play", "--ouput", "x") == "unknown option '--ouput'; did you mean '--output'?")
    #expect(complaint("play", "--bufer=5") == "unknown option '--bufer'; did you mean '--buffer'?")
    #expect(complaint("play", "-gain") == "unknown option '-gain'; did you mean '--gain'?")
    #expect(complaint("play", "--frobnicate") == "unknown option '--frobnicate'")
    #expect(complaint("play", "--json", "a") == "'--json' is an option of probe")
  }

  // MARK: config

  @Test func config_actionAndFiles_areParsed() throws {
    #expect(try parseCommandLine(["config", "check"]) == .config(ConfigOptions(action: .check)))
    #expect(
      try parseCommandLine(["config", "show", "a", "--", "-b"])
        == .config(ConfigOptions(action: .show, files: ["a", "-b"])))
    #expect(try parseCommandLine(["config", "--help"]) == .help(.config))
    #expect(try parseCommandLine(["help", "config"]) == .help(.config))
  }

  @Test func config_invalidArguments_areRefused() {
    #expect(complaint("config") == "config needs 'check' or 'show'")
    #expect(complaint("config", "chekc") == "config cannot 'chekc'; did you mean 'check'?")
    #expect(complaint("config", "dance") == "config cannot 'dance'; it can 'check' and 'show'")
    #expect(complaint("config", "--json", "show") == "'--json' is an option of probe")
    #expect(complaint("confg") == "unknown command 'confg'; did you mean 'config'?")
  }

  // MARK: probe

  @Test func probe_options_areParsed() throws {
    #expect(try parseCommandLine(["probe", "a"]) == .probe(ProbeOptions(paths: ["a"])))
    #expect(
      try parseCommandLine(["probe", "--json", "a", "--verify", "--", "-b"])
        == .probe(ProbeOptions(json: true, verify: true, paths: ["a", "-b"])))
  }

  @Test func probe_invalidArguments_areRefused() {
    #expect(complaint("probe") == "probe needs a file or a folder")
    #expect(complaint("probe", "--json=1", "a") == "--json takes no value")
    #expect(
      complaint("probe", "--verfiy", "a") == "unknown option '--verfiy'; did you mean '--verify'?")
    #expect(complaint("probe", "--shuffle", "a") == "'--shuffle' is an option of play")
    #expect(complaint("probe", "--list-outputs") == "'--list-outputs' is an option of play")
  }

  // MARK: console

  @Test func console_wordsAfterTheOptions_areTheCommand() throws {
    #expect(try parseCommandLine(["console"]) == .console(ConsoleOptions()))
    #expect(
      try parseCommandLine([
        "console", "--json", "--socket", "/tmp/x", "--history=/data/h", "log", "-f", "--help",
      ])
        == .console(
          ConsoleOptions(
            socket: "/tmp/x", json: true, historyFile: "/data/h", words: ["log", "-f", "--help"])))
    #expect(
      try parseCommandLine(["console", "seek", "-15"])
        == .console(ConsoleOptions(words: ["seek", "-15"])))
    #expect(try parseCommandLine(["console", "--help"]) == .help(.console))
    #expect(try parseCommandLine(["help", "console"]) == .help(.console))
    #expect(HelpTopic.console.text.contains(ConsoleOptions.defaultSocket))
  }

  @Test func console_invalidArguments_areRefused() {
    #expect(complaint("console", "--socket") == "--socket needs the path of the control socket")
    #expect(complaint("console", "--jsn") == "unknown option '--jsn'; did you mean '--json'?")
    #expect(complaint("consol") == "unknown command 'consol'; did you mean 'console'?")
  }

  // MARK: Errors

  @Test func report_namesTheHelpOfTheCommand() {
    #expect(throws: UsageError(message: "unknown option '--x'", topic: .probe)) {
      try parseCommandLine(["probe", "--x"])
    }
    #expect(
      UsageError(message: "no", topic: .play).report
        == "autoharp: no\nTry 'autoharp play --help'.\n")
    #expect(UsageError(message: "no", topic: .main).report.hasSuffix("Try 'autoharp --help'.\n"))
    #expect(UsageError(message: "no", topic: .probe).report.hasSuffix("'autoharp probe --help'.\n"))
  }

  @Test func message_hostileWord_isSafeAndShort() {
    #expect(complaint("\u{1B}[2J") == "unknown command '\u{FFFD}[2J'")
    let long = complaint("play", "--" + String(repeating: "x", count: 100_000))
    #expect(TextWidth.columns(of: long) < 90)
  }
}

@Suite struct UsageTests {
  @Test(arguments: HelpTopic.allCases)
  func help_namesEveryOption_andFits80Columns(_ topic: HelpTopic) {
    for name in topic.optionNames {
      #expect(topic.text.contains(name), "\(name) is missing")
    }
    for line in topic.text.split(separator: "\n") {
      #expect(TextWidth.columns(of: String(line)) <= 80, "too wide: \(line)")
    }
    #expect(topic.text.hasSuffix("\n"))
    #expect(!topic.text.hasSuffix("\n\n"))
  }

  @Test func help_namesTheRangesOfTheParser() {
    #expect(HelpTopic.play.text.contains("5 to 2000 ms"))
    #expect(PlayOptions.bufferRange == 5...2000)
    #expect(HelpTopic.play.text.contains("16 to 16384"))
    #expect(PlayOptions.periodRange == 16...16384)
    #expect(HelpTopic.play.text.contains("-60 to +12 dB"))
    #expect(PlayOptions.gainRange == -60...12)
  }

  @Test(arguments: HelpTopic.allCases)
  func help_namesTheExitStatuses(_ topic: HelpTopic) {
    for status in ["\n  0  ", "\n  1  ", "\n  2  "] { #expect(topic.text.contains(status)) }
  }

  @Test func help_examples_areAccepted() throws {
    for topic in HelpTopic.allCases {
      for line in topic.text.split(separator: "\n") where line.hasPrefix("  autoharp ") {
        // Skip lines of "Usage:" whose words are followed by an explanation.
        let words = line.split(separator: " ").map(String.init)
        guard !words.contains("[OPTION]…"), words.count < 9, words[1] != "--help" else { continue }
        let command = words.dropFirst().prefix { $0 != ">" }
        #expect(throws: Never.self, "\(line)") { try parseCommandLine(Array(command)) }
      }
    }
  }
}
