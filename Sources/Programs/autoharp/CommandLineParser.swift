// This parser does not use swift-argument-parser, which would link FoundationEssentials and add 7 MB to a program of
// less than 10 MB.

import Console

/// Parses the command line, without the program's name.
///
/// After the command, options and paths can be in any order. Every word after `--` is a path. If an option other than
/// `--config` is given twice, the last value is used. `--help`, `--version` and `--list-outputs` take effect as soon as
/// the parser reaches them, so later words are not checked. An empty command line shows the main help.
///
/// - Throws: `UsageError` for the first word that is not valid.
func parseCommandLine(_ arguments: [String]) throws(UsageError) -> Invocation {
  guard let first = arguments.first else { return .help(.main) }
  let rest = arguments.dropFirst()
  switch first {
  case "play": return try parsePlay(rest)
  case "probe": return try parseProbe(rest)
  case "serve": return try parseServe(rest)
  case "config": return try parseConfig(rest)
  case "console": return try parseConsole(rest)
  case "help": return try parseHelp(rest)
  default: break
  }

  var words = WordReader(Array(arguments), topic: .main)
  switch try words.next() {
  case .option(let option)?:
    switch option.name {
    case "--help", "-h": return try option.flag(.help(.main), topic: .main)
    case "--version": return try option.flag(.version, topic: .main)
    case "--list-outputs": return try option.flag(.listOutputs, topic: .main)
    default: throw UsageError.unknownOption(option, topic: .main)
    }
  case .path(let word)?:
    throw UsageError.unknownCommand(word)
  case nil:
    // The command line contains only the word `--`.
    return .help(.main)
  }
}

private func parsePlay(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  var options = PlayOptions(paths: [])
  var isFromLibrary = false
  var configurationFiles: [String] = []
  var words = WordReader(Array(arguments), topic: .play)
  while let word = try words.next() {
    guard case .option(let option) = word else {
      if case .path(let path) = word { options.paths.append(path) }
      continue
    }
    switch option.name {
    case "--help", "-h": return try option.flag(.help(.play), topic: .play)
    case "--version": return try option.flag(.version, topic: .play)
    case "--list-outputs": return try option.flag(.listOutputs, topic: .play)
    case "--library": isFromLibrary = try option.flag(true, topic: .play)
    case "--config": configurationFiles.append(try words.value(of: option, "a file"))
    case "--repeat": options.repeatAll = try option.flag(true, topic: .play)
    case "--shuffle": options.shuffle = try option.flag(true, topic: .play)
    case "--trace": options.trace = try option.flag(true, topic: .play)
    case "--chime": options.chime = try words.value(of: option, "a file such as 'bell.flac'")
    case "--output":
      options.output = try OptionValues.output(
        try words.value(of: option, "a name such as 'hw:0,0'"))
    case "--latency":
      options.latency = try OptionValues.latency(
        try words.value(of: option, "auto, rewind or periods"))
    case "--buffer":
      options.bufferMilliseconds = try OptionValues.wholeNumber(
        try words.value(of: option, "a number of milliseconds"), of: option,
        in: PlayOptions.bufferRange, unit: "ms")
    case "--period":
      options.periodFrames = try OptionValues.wholeNumber(
        try words.value(of: option, "a number of frames"), of: option,
        in: PlayOptions.periodRange, unit: "frames")
    case "--rate":
      options.fixedRate = try OptionValues.wholeNumber(
        try words.value(of: option, "a number of hertz"), of: option,
        in: PlayOptions.rateRange, unit: "Hz")
    case "--amplifier":
      options.amplifier = try OptionValues.amplifier(
        try words.value(of: option, "a switch such as 'switch:hw:0,Master'"))
    case "--gain":
      options.gainDecibels = try OptionValues.gain(
        try words.value(of: option, "a number of decibels"))
    case "--replaygain":
      options.replayGain = try OptionValues.replayGain(
        try words.value(of: option, "off, track or album"))
    case "--start":
      options.startSeconds = try OptionValues.start(
        try words.value(of: option, "a time such as '1:30'"))
    default: throw UsageError.unknownOption(option, topic: .play)
    }
  }
  if isFromLibrary {
    guard !options.paths.isEmpty else { throw UsageError(.missingName, topic: .play) }
    options.library = LibraryChoice(
      words: options.paths.joined(separator: " "), configurationFiles: configurationFiles)
    options.paths = []
  } else if options.paths.isEmpty {
    throw UsageError(.missingPath, topic: .play)
  } else if !configurationFiles.isEmpty {
    throw UsageError(.needsLibrary(option: "--config"), topic: .play)
  }
  if options.repeatAll, case .wav? = options.output {
    throw UsageError(.endlessFile, topic: .play)
  }
  return .play(options)
}

private func parseProbe(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  var options = ProbeOptions(paths: [])
  var words = WordReader(Array(arguments), topic: .probe)
  while let word = try words.next() {
    switch word {
    case .path(let path): options.paths.append(path)
    case .option(let option):
      switch option.name {
      case "--help", "-h": return try option.flag(.help(.probe), topic: .probe)
      case "--version": return try option.flag(.version, topic: .probe)
      case "--json": options.json = try option.flag(true, topic: .probe)
      case "--verify": options.verify = try option.flag(true, topic: .probe)
      default: throw UsageError.unknownOption(option, topic: .probe)
      }
    }
  }
  if options.paths.isEmpty {
    throw UsageError(.missingPath, topic: .probe)
  }
  return .probe(options)
}

private func parseServe(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  var options = ServeOptions()
  var words = WordReader(Array(arguments), topic: .serve)
  while let word = try words.next() {
    switch word {
    case .path(let path):
      throw UsageError(.unexpectedPath(path), topic: .serve)
    case .option(let option):
      switch option.name {
      case "--help", "-h": return try option.flag(.help(.serve), topic: .serve)
      case "--version": return try option.flag(.version, topic: .serve)
      case "--config": options.files.append(try words.value(of: option, "a file"))
      case "--socket": options.socket = try words.value(of: option, "the path of a socket")
      default: throw UsageError.unknownOption(option, topic: .serve)
      }
    }
  }
  return .serve(options)
}

private func parseConfig(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  var paths: [String] = []
  var words = WordReader(Array(arguments), topic: .config)
  while let word = try words.next() {
    switch word {
    case .path(let path): paths.append(path)
    case .option(let option):
      switch option.name {
      case "--help", "-h": return try option.flag(.help(.config), topic: .config)
      case "--version": return try option.flag(.version, topic: .config)
      default: throw UsageError.unknownOption(option, topic: .config)
      }
    }
  }
  guard let first = paths.first else {
    throw UsageError(.missingAction, topic: .config)
  }
  guard let action = ConfigOptions.Action(rawValue: first) else {
    throw UsageError.unknownAction(first)
  }
  return .config(ConfigOptions(action: action, files: Array(paths.dropFirst())))
}

/// Parses the options, which must be before the words of the console command. The console parses these words itself.
private func parseConsole(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  var options = ConsoleOptions()
  var words = WordReader(Array(arguments), topic: .console)
  while let word = try words.next() {
    switch word {
    case .path(let first):
      options.words = [first] + words.rest
      return .console(options)
    case .option(let option):
      switch option.name {
      case "--help", "-h": return try option.flag(.help(.console), topic: .console)
      case "--version": return try option.flag(.version, topic: .console)
      case "--json": options.json = try option.flag(true, topic: .console)
      case "--socket":
        options.socket = try words.value(of: option, "the path of the control socket")
      case "--history":
        options.historyFile = try words.value(of: option, "the path of a file")
      case "--end-on-interrupt":
        options.endsOnInterrupt = try option.flag(true, topic: .console)
      default: throw UsageError.unknownOption(option, topic: .console)
      }
    }
  }
  return .console(options)
}

private func parseHelp(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  switch arguments.first {
  case nil: return .help(.main)
  case "play"?: return .help(.play)
  case "probe"?: return .help(.probe)
  case "serve"?: return .help(.serve)
  case "config"?: return .help(.config)
  case "console"?: return .help(.console)
  case let word?:
    throw UsageError(.unknownHelpTopic(word), topic: .main)
  }
}
