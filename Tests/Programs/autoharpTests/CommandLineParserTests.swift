import AmplifierControl
import Console
import Text
import Testing

@testable import autoharp

/// The parser's error for `arguments`. Nil if they are valid.
private func error(_ arguments: [String]) -> UsageError? {
  do {
    _ = try parseCommandLine(arguments)
    return nil
  } catch {
    return error
  }
}

/// The kind of the parser's error for `arguments`. Nil if they are valid.
private func kind(_ arguments: String...) -> UsageError.Kind? { error(arguments)?.kind }

/// The option and its invalid value. Nil if the parser reports no error, or an error of another kind.
private func invalidValue(_ arguments: String...) -> [String]? {
  if case .invalidValue(let option, let value, _)? = error(arguments)?.kind {
    [option, value]
  } else {
    nil
  }
}

/// The option whose value is missing. Nil if the parser reports no error, or an error of another kind.
private func optionWithoutValue(_ arguments: String...) -> String? {
  if case .missingValue(let option, _)? = error(arguments)?.kind { option } else { nil }
}

/// The options of a `play` command line. The command line must be valid.
private func play(_ arguments: String...) throws -> PlayOptions {
  guard case .play(let options) = try parseCommandLine(["play"] + arguments) else {
    throw UsageError(.missingPath, topic: .play)
  }
  return options
}

@Suite struct CommandLineParserTests {
  // MARK: The library

  @Test func library_takesTheWordsAsAName() throws {
    let options = try play(
      "--library", "moon", "--shuffle", "safari", "--config", "a", "--config=b")
    #expect(
      options.library == LibraryChoice(words: "moon safari", configurationFiles: ["a", "b"]))
    #expect(options.paths == [] && options.shuffle)
    #expect(try play("moon safari", "--library").library == LibraryChoice(words: "moon safari"))
    #expect(try play("--library", "--", "--x").library == LibraryChoice(words: "--x"))
    #expect(try play("moon").library == nil)
  }

  @Test func library_withoutAName_orItsOptionWithoutIt_isRefused() {
    #expect(kind("play", "--library") == .missingName)
    #expect(kind("play", "--library=moon") == .unexpectedValue(option: "--library"))
    #expect(kind("play", "--config", "a", "moon") == .needsLibrary(option: "--config"))
    #expect(optionWithoutValue("play", "--library", "moon", "--config") == "--config")
  }

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
    #expect(kind("--version=2") == .unexpectedValue(option: "--version"))
    #expect(kind("play", "--help=all") == .unexpectedValue(option: "--help"))
    #expect(kind("probe", "--help=") == .unexpectedValue(option: "--help"))
  }

  @Test func unknownCommand_suggestsTheNearest() {
    #expect(kind("pley", "a") == .unknownCommand("pley", nearest: "play"))
    #expect(kind("prob", "a") == .unknownCommand("prob", nearest: "probe"))
    #expect(kind("dance") == .unknownCommand("dance", nearest: nil))
    #expect(kind("Music/a.flac") == .unknownCommand("Music/a.flac", nearest: nil))
    #expect(error(["Music/a.flac"])?.message.contains("autoharp play FILE") == true)
    #expect(kind("help", "me") == .unknownHelpTopic("me"))
  }

  @Test func unknownTopOption_suggestsTheNearestOrItsCommand() {
    #expect(kind("--versoin") == .unknownOption("--versoin", nearest: "--version"))
    #expect(kind("--gain=3", "a") == .optionOfOtherCommand("--gain", .play))
    #expect(kind("--json") == .optionOfOtherCommand("--json", .probe))
    #expect(kind("-x") == .unknownOption("-x", nearest: nil))
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
    let latency = try OptionValues.latency("periods")
    let expected = PlayOptions(
      output: .alsa("hw:0,0"), latency: latency, bufferMilliseconds: 100, periodFrames: 256,
      gainDecibels: -3.5,
      replayGain: .album, startSeconds: 90, repeatAll: true, shuffle: true, paths: ["a", "b"])
    #expect(
      try play(
        "--output", "hw:0,0", "--latency", "periods", "--buffer", "100", "--period", "256",
        "--gain", "-3.5",
        "--replaygain", "album", "--start", "90", "--repeat", "--shuffle", "a", "b") == expected)
    #expect(
      try play(
        "--output=hw:0,0", "--latency=periods", "--buffer=100", "--period=256", "--gain=-3.5",
        "--replaygain=album",
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
    #expect(invalidValue("play", "--start=\(text)", "a") == ["--start", text])
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
    #expect(invalidValue("play", "--buffer", text, "a") == ["--buffer", text])
    let message = error(["play", "--buffer", text, "a"])?.message
    #expect(message?.contains("5 to 2000 ms") == true)
  }

  @Test(arguments: ["15", "16385", "many"])
  func play_periodOutOfRange_isRefused(_ text: String) {
    #expect(invalidValue("play", "--period", text, "a") == ["--period", text])
    let message = error(["play", "--period", text, "a"])?.message
    #expect(message?.contains("16 to 16384 frames") == true)
  }

  @Test(arguments: [
    "-60.1", "12.5", "nan", "-inf", "infinity", "1e1", "0x1p1", "3dB", "−3", ".", "-",
  ])
  func play_gainOutOfRange_isRefused(_ text: String) {
    #expect(invalidValue("play", "--gain", text, "a") == ["--gain", text])
    let message = error(["play", "--gain", text, "a"])?.message
    #expect(message?.contains("−60 to +12 dB") == true)
  }

  @Test(arguments: ["off", "track", "album", "auto"])
  func play_replayGain_isParsed(_ text: String) throws {
    #expect(try play("--replaygain", text, "a").replayGain.rawValue == text)
  }

  @Test func play_invalidReplayGain_isRefused() {
    #expect(invalidValue("play", "--replaygain", "on", "a") == ["--replaygain", "on"])
  }

  @Test(arguments: [
    "--output", "--latency", "--buffer", "--period", "--gain", "--replaygain", "--start",
  ])
  func play_missingValue_isRefused(_ option: String) {
    #expect(optionWithoutValue("play", "a", option) == option)
    #expect(optionWithoutValue("play", option, "--shuffle", "a") == option)
    #expect(optionWithoutValue("play", option, "--", "a") == option)
    #expect(optionWithoutValue("play", "\(option)=", "a") == option)
    #expect(optionWithoutValue("play", option, "", "a") == option)
  }

  @Test func play_wavWithoutFile_isRefused() {
    #expect(invalidValue("play", "--output", "wav:", "a") == ["--output", "wav:"])
  }

  @Test func play_wavWithRepeat_isRefusedAsEndless() {
    #expect(kind("play", "--repeat", "--output", "wav:o.wav", "a") == .endlessFile)
  }

  @Test func play_flagWithValue_isRefused() {
    #expect(kind("play", "--repeat=yes", "a") == .unexpectedValue(option: "--repeat"))
    #expect(kind("play", "--shuffle=", "a") == .unexpectedValue(option: "--shuffle"))
  }

  @Test func play_withoutPaths_isRefused() {
    #expect(error(["play"]) == UsageError(.missingPath, topic: .play))
    #expect(kind("play", "--shuffle", "--") == .missingPath)
  }

  @Test func play_emptyPath_isRefused() {
    #expect(kind("play", "") == .emptyWord)
    #expect(kind("play", "--", "") == .emptyWord)
  }

  @Test func play_standardInput_isRefused() {
    #expect(kind("play", "-") == .standardInput)
  }

  @Test func play_unknownOption_suggestsTheNearest() {
    #expect(kind("play", "--ouput", "x") == .unknownOption("--ouput", nearest: "--output"))
    #expect(kind("play", "--bufer=5") == .unknownOption("--bufer", nearest: "--buffer"))
    #expect(kind("play", "-gain") == .unknownOption("-gain", nearest: "--gain"))
    #expect(kind("play", "--frobnicate") == .unknownOption("--frobnicate", nearest: nil))
    #expect(kind("play", "--json", "a") == .optionOfOtherCommand("--json", .probe))
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
    #expect(kind("config") == .missingAction)
    #expect(kind("config", "chekc") == .unknownAction("chekc", nearest: "check"))
    #expect(kind("config", "dance") == .unknownAction("dance", nearest: nil))
    #expect(kind("config", "--json", "show") == .optionOfOtherCommand("--json", .probe))
    #expect(kind("confg") == .unknownCommand("confg", nearest: "config"))
  }

  // MARK: probe

  @Test func probe_options_areParsed() throws {
    #expect(try parseCommandLine(["probe", "a"]) == .probe(ProbeOptions(paths: ["a"])))
    #expect(
      try parseCommandLine(["probe", "--json", "a", "--verify", "--", "-b"])
        == .probe(ProbeOptions(json: true, verify: true, paths: ["a", "-b"])))
  }

  @Test func probe_invalidArguments_areRefused() {
    #expect(error(["probe"]) == UsageError(.missingPath, topic: .probe))
    #expect(kind("probe", "--json=1", "a") == .unexpectedValue(option: "--json"))
    #expect(kind("probe", "--verfiy", "a") == .unknownOption("--verfiy", nearest: "--verify"))
    #expect(kind("probe", "--shuffle", "a") == .optionOfOtherCommand("--shuffle", .play))
    #expect(kind("probe", "--list-outputs") == .optionOfOtherCommand("--list-outputs", .play))
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
      try parseCommandLine(["console", "--end-on-interrupt"])
        == .console(ConsoleOptions(endsOnInterrupt: true)))
    #expect(
      try parseCommandLine(["console", "seek", "-15"])
        == .console(ConsoleOptions(words: ["seek", "-15"])))
    #expect(try parseCommandLine(["console", "--help"]) == .help(.console))
    #expect(try parseCommandLine(["help", "console"]) == .help(.console))
    #expect(HelpTopic.console.text.contains(ConsoleOptions.defaultSocket))
  }

  @Test func console_invalidArguments_areRefused() {
    #expect(optionWithoutValue("console", "--socket") == "--socket")
    #expect(kind("console", "--jsn") == .unknownOption("--jsn", nearest: "--json"))
    #expect(kind("consol") == .unknownCommand("consol", nearest: "console"))
  }

  // MARK: Errors

  @Test func report_namesTheHelpOfTheCommand() {
    #expect(throws: UsageError(.unknownOption("--x", nearest: nil), topic: .probe)) {
      try parseCommandLine(["probe", "--x"])
    }
    for (topic, command) in [
      (HelpTopic.main, "'autoharp --help'"), (.play, "'autoharp play --help'"),
      (.probe, "'autoharp probe --help'"),
    ] {
      let error = UsageError(.emptyWord, topic: topic)
      let lines = error.report.split(separator: "\n")
      #expect(lines.count == 2 && lines[0] == "autoharp: \(error.message)")
      #expect(lines[1].contains(command))
    }
  }

  @Test func message_hostileWord_isSafeAndShort() {
    let hostile = error(["\u{1B}[2J"])?.message ?? ""
    #expect(hostile.contains("'\u{FFFD}[2J'") && !hostile.contains("\u{1B}"))
    let long = error(["play", "--" + String(repeating: "x", count: 100_000)])?.message ?? ""
    #expect(!long.isEmpty && TextWidth.columns(of: long) < 90)
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
        // Skip the lines of "Usage:", and the lines in which an explanation follows the command.
        let words = line.split(separator: " ").map(String.init)
        guard !words.contains("[OPTION]…"), words.count < 9, words[1] != "--help" else { continue }
        let command = words.dropFirst().prefix { $0 != ">" }
        #expect(throws: Never.self, "\(line)") { try parseCommandLine(Array(command)) }
      }
    }
  }
}
