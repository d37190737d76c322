// Parsed by hand: swift-argument-parser links FoundationEssentials, which adds 7 MB to a program
// of less than eight.

/// What the user asked the program to do.
enum Invocation: Equatable {
  case play(PlayOptions)
  case probe(ProbeOptions)
  case listOutputs
  case version
  case help(HelpTopic)
}

/// What a help text is about.
enum HelpTopic: Equatable, CaseIterable {
  case main
  case play
  case probe
}

/// A command line that cannot be followed; nothing was done.
struct UsageError: Error, Equatable {
  /// What is wrong with which word, for a person; one line, safe for a terminal.
  var message: String
  /// The help text that would have prevented it.
  var topic: HelpTopic
}

/// Where the sound goes.
enum OutputChoice: Equatable {
  /// An ALSA PCM by its name, such as `default` or `hw:0,0`.
  case alsa(String)
  /// A WAV file by its path, written as fast as it can be.
  case wav(String)
  /// Nowhere, in real time.
  case null
}

/// Which loudness the files are brought to by their ReplayGain tags.
enum ReplayGainChoice: String, Equatable, CaseIterable {
  case off
  case track
  case album
}

/// What `autoharp play` was told.
struct PlayOptions: Equatable {
  /// Length of the device's buffer that `--buffer` may ask for, in milliseconds.
  static let bufferRange = 5...2000
  /// Length of a period that `--period` may ask for, in frames.
  static let periodRange = 16...16384
  /// Change of level that `--gain` may ask for, in decibels.
  static let gainRange = -60.0...12.0

  /// nil where none was named: then `default`, or silence on a machine without a sound card.
  var output: OutputChoice?
  /// Within `bufferRange`; nil leaves the choice to the output.
  var bufferMilliseconds: Int?
  /// Within `periodRange`; nil leaves the choice to the output.
  var periodFrames: Int?
  /// Within `gainRange`; 0 leaves the samples as they are.
  var gainDecibels: Double = 0
  var replayGain: ReplayGainChoice = .off
  /// Place in the first track at which to begin; 0 or more. Whether the track is that long is
  /// not known here.
  var startSeconds: Double = 0
  var repeatAll = false
  var shuffle = false
  /// Files and folders in the order named; at least one.
  var paths: [String]
}

/// What `autoharp probe` was told.
struct ProbeOptions: Equatable {
  var json = false
  /// Decode everything, not only the headers.
  var verify = false
  /// Files and folders in the order named; at least one.
  var paths: [String]
}

/// Understands the words after the program's name.
///
/// Options and paths may come in any order after the command; what follows `--` is a path
/// whatever it looks like. Of an option given twice the last counts. `--help`, `--version` and
/// `--list-outputs` win as soon as they are reached. No word at all asks for the main help.
///
/// - Throws: `UsageError` for the first word that cannot be followed.
func parseCommandLine(_ arguments: [String]) throws(UsageError) -> Invocation {
  guard let first = arguments.first else { return .help(.main) }
  let rest = arguments.dropFirst()
  switch first {
  case "play": return try parsePlay(rest)
  case "probe": return try parseProbe(rest)
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
    default: throw unknownOption(option, topic: .main)
    }
  case .path(let word)?:
    throw unknownCommand(word)
  case nil:
    // Only `--` was there.
    return .help(.main)
  }
}

private func parsePlay(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  var options = PlayOptions(paths: [])
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
    case "--repeat": options.repeatAll = try option.flag(true, topic: .play)
    case "--shuffle": options.shuffle = try option.flag(true, topic: .play)
    case "--output":
      options.output = try outputChoice(try words.value(of: option, "a name, as in 'hw:0,0'"))
    case "--buffer":
      options.bufferMilliseconds = try wholeNumber(
        try words.value(of: option, "a number of milliseconds"), of: option,
        in: PlayOptions.bufferRange, unit: "ms")
    case "--period":
      options.periodFrames = try wholeNumber(
        try words.value(of: option, "a number of frames"), of: option,
        in: PlayOptions.periodRange, unit: "frames")
    case "--gain":
      options.gainDecibels = try gain(try words.value(of: option, "a number of decibels"))
    case "--replaygain":
      options.replayGain = try replayGain(try words.value(of: option, "off, track or album"))
    case "--start":
      options.startSeconds = try start(try words.value(of: option, "a time, as in '1:30'"))
    default: throw unknownOption(option, topic: .play)
    }
  }
  if options.paths.isEmpty {
    throw UsageError(message: "play needs a file or a folder", topic: .play)
  }
  if options.repeatAll, case .wav? = options.output {
    throw UsageError(
      message: "--repeat with --output wav: would write without an end", topic: .play)
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
      default: throw unknownOption(option, topic: .probe)
      }
    }
  }
  if options.paths.isEmpty {
    throw UsageError(message: "probe needs a file or a folder", topic: .probe)
  }
  return .probe(options)
}

private func parseHelp(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
  switch arguments.first {
  case nil: return .help(.main)
  case "play"?: return .help(.play)
  case "probe"?: return .help(.probe)
  case let word?:
    throw UsageError(message: "there is no help about \(quoted(word))", topic: .main)
  }
}

// MARK: - Words

/// An option as written: its name, and the value if one was joined to it by `=`.
private struct Option {
  var name: String
  var joinedValue: String?

  /// `result`, for an option that takes no value and has none.
  func flag<Result>(_ result: Result, topic: HelpTopic) throws(UsageError) -> Result {
    guard joinedValue == nil else {
      throw UsageError(message: "\(name) takes no value", topic: topic)
    }
    return result
  }
}

private enum Word {
  case option(Option)
  case path(String)
}

/// Tells options from paths.
private struct WordReader {
  private let arguments: [String]
  private let topic: HelpTopic
  private var position = 0
  private var optionsAreOver = false

  init(_ arguments: [String], topic: HelpTopic) {
    self.arguments = arguments
    self.topic = topic
  }

  /// The next word, or nil at the end.
  mutating func next() throws(UsageError) -> Word? {
    guard position < arguments.count else { return nil }
    let argument = arguments[position]
    position += 1
    if argument.isEmpty {
      // An unset variable in quotes; taken as a path it would mean the working folder.
      throw UsageError(message: "one of the words is empty", topic: topic)
    }
    if optionsAreOver || !argument.hasPrefix("-") { return .path(argument) }
    if argument == "--" {
      optionsAreOver = true
      return try next()
    }
    if argument == "-" {
      throw UsageError(
        message: "'-' (standard input) cannot be read: files must allow seeking", topic: topic)
    }
    guard let equals = argument.firstIndex(of: "=") else {
      return .option(Option(name: argument))
    }
    return .option(
      Option(
        name: String(argument[..<equals]),
        joinedValue: String(argument[argument.index(after: equals)...])))
  }

  /// The value of `option`: the joined one, or else the next word.
  ///
  /// A next word that begins with `--` is another option, not a value; one with a single `-` can
  /// be a negative number.
  mutating func value(of option: Option, _ expected: String) throws(UsageError) -> String {
    let value: String
    if let joined = option.joinedValue {
      value = joined
    } else if position < arguments.count, !arguments[position].hasPrefix("--") {
      value = arguments[position]
      position += 1
    } else {
      value = ""
    }
    if value.isEmpty {
      throw UsageError(message: "\(option.name) needs \(expected)", topic: topic)
    }
    return value
  }
}

// MARK: - Values

private func outputChoice(_ text: String) throws(UsageError) -> OutputChoice {
  if text == "null" { return .null }
  guard text.hasPrefix("wav:") else { return .alsa(text) }
  let file = text.dropFirst(4)
  if file.isEmpty {
    throw UsageError(
      message: "--output wav: needs the name of a file, as in 'wav:out.wav'", topic: .play)
  }
  return .wav(String(file))
}

private func replayGain(_ text: String) throws(UsageError) -> ReplayGainChoice {
  guard let choice = ReplayGainChoice(rawValue: text) else {
    throw UsageError(
      message: "--replaygain is off, track or album, not \(quoted(text))", topic: .play)
  }
  return choice
}

private func wholeNumber(
  _ text: String, of option: Option, in range: ClosedRange<Int>, unit: String
) throws(UsageError) -> Int {
  // The standard library reads what overflows as no number; the message fits both.
  guard let number = Int(text), range.contains(number) else {
    throw UsageError(
      message: "\(option.name) is a whole number from \(range.lowerBound) to "
        + "\(range.upperBound) \(unit), not \(quoted(text))", topic: .play)
  }
  return number
}

private func gain(_ text: String) throws(UsageError) -> Double {
  guard let decibels = decimal(text), PlayOptions.gainRange.contains(decibels) else {
    throw UsageError(
      message: "--gain is a number from −60 to +12 dB, not \(quoted(text))", topic: .play)
  }
  return decibels
}

/// Reads seconds, `m:ss` or `h:mm:ss`, the last part with decimals if wanted. A part below another
/// is less than 60.
private func start(_ text: String) throws(UsageError) -> Double {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  var seconds = 0.0
  var isValid = parts.count <= 3
  for (index, part) in parts.enumerated() where isValid {
    let isLast = index == parts.count - 1
    guard let value = decimal(String(part)), part.first != "+", part.first != "-",
      isLast || !part.contains("."), index == 0 || value < 60
    else {
      isValid = false
      break
    }
    seconds = seconds * 60 + value
  }
  guard isValid else {
    throw UsageError(
      message: "--start is a time of 0 s or more, as in '90', '1:30' or '1:02:03.5', "
        + "not \(quoted(text))", topic: .play)
  }
  return seconds
}

/// A finite number written with digits, at most one point and a sign. `Double` itself would also
/// read `nan`, `infinity`, hexadecimal and exponents.
private func decimal(_ text: String) -> Double? {
  let digits = text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]
  let isPlain = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  guard isPlain, let value = Double(text), value.isFinite else { return nil }
  return value
}

// MARK: - Messages

/// The options of a command, as the parser and the help texts know them.
func optionNames(of topic: HelpTopic) -> [String] {
  switch topic {
  case .main: ["--list-outputs", "--version", "--help"]
  case .play:
    [
      "--output", "--buffer", "--period", "--gain", "--replaygain", "--start", "--repeat",
      "--shuffle", "--list-outputs", "--version", "--help",
    ]
  case .probe: ["--json", "--verify", "--version", "--help"]
  }
}

private func unknownOption(_ option: Option, topic: HelpTopic) -> UsageError {
  let message: String
  if let other = [HelpTopic.play, .probe].first(where: {
    $0 != topic && optionNames(of: $0).contains(option.name)
  }) {
    message = "\(quoted(option.name)) is an option of \(other)"
  } else if let nearest = nearest(to: option.name, among: optionNames(of: topic)) {
    message = "unknown option \(quoted(option.name)); did you mean '\(nearest)'?"
  } else {
    message = "unknown option \(quoted(option.name))"
  }
  return UsageError(message: message, topic: topic)
}

private func unknownCommand(_ word: String) -> UsageError {
  let message: String
  if let nearest = nearest(to: word, among: ["play", "probe", "help"]) {
    message = "unknown command \(quoted(word)); did you mean '\(nearest)'?"
  } else if word.contains("/") || word.contains(".") {
    message = "unknown command \(quoted(word)); to play a file: autoharp play FILE"
  } else {
    message = "unknown command \(quoted(word))"
  }
  return UsageError(message: message, topic: .main)
}

/// The candidate with the smallest edit distance to `word`, if that is at most 2; of equals the
/// first.
private func nearest(to word: String, among candidates: [String]) -> String? {
  candidates
    .map { (name: $0, distance: editDistance(word, $0)) }
    .filter { $0.distance <= 2 }
    .min { $0.distance < $1.distance }?.name
}

/// The number of characters to insert, delete or replace to make `b` from `a` (Levenshtein).
private func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.utf8), Array(b.utf8))
  /// Distances from the part of `a` seen so far to each beginning of `b`.
  var row = Array(0...b.count)
  for i in a.indices {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let replaced = diagonal + (a[i] == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}

/// A word of the user inside a message: harmless, and short enough to leave the rest readable.
private func quoted(_ word: String) -> String {
  "'\(TextWidth.truncated(TextWidth.sanitized(word, limit: 200), to: 60))'"
}
