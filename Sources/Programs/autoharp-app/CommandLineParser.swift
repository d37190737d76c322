import NowPlayingClient
import Text

/// The parsed command line.
enum Invocation: Equatable {
  case help
  case run(Options)
}

struct Options: Equatable {
  enum Start: String, CaseIterable {
    /// PROGRAM is started at once.
    case now
    /// PROGRAM is started at the first *play*, and ends at *stop*.
    case play
  }

  var id = ""
  var name = ""
  var format = PCMFormat()
  var kind = SoundFormat.Kind.track
  var start = Start.now
  var restart = Restarts.Policy.failure
  /// The commands that PROGRAM understands.
  var commands: [CommandKind] = []
  /// PROGRAM and its arguments. Not empty.
  var program: [String] = []
}

/// The error for a command line that is not valid. The program then does nothing else.
struct UsageError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }

  /// Quotes a word of the command line for an error message. Each control character becomes a question mark, and a long
  /// word is truncated.
  static func quoted(_ word: String) -> String {
    let clean = word.unicodeScalars.prefix(60).map { scalar in
      scalar.properties.generalCategory == .control ? "?" : String(scalar)
    }
    return "'\(clean.joined())'"
  }
}

/// The commands that PROGRAM can understand. The others need facts that a command line cannot give.
private let possibleCommands: [CommandKind] = [
  .play, .pause, .stop, .next, .previous, .skipForward, .skipBackward, .seekForward, .seekBackward,
  .seekToPosition, .changeRepeatMode, .changeShuffleMode, .stars, .like, .dislike, .bookmark,
]

/// Parses the command line, without the name of this program.
func parseCommandLine(_ arguments: [String]) throws(UsageError) -> Invocation {
  var options = Options()
  var words = arguments[...]
  reading: while let word = words.popFirst() {
    if word == "--" { break reading }
    if word == "--help" || word == "-h" { return .help }
    guard word.hasPrefix("--") else {
      throw UsageError("\(UsageError.quoted(word)) is not an option; write -- before the program")
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let option = String(parts[0])
    guard let expected = expectations[option] else {
      throw UsageError("unknown option \(UsageError.quoted(word))")
    }
    let next = words.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    guard let value = parts.count > 1 ? String(parts[1]) : next, !value.isEmpty else {
      throw UsageError("\(option) needs \(expected)")
    }
    if parts.count == 1 { words.removeFirst() }
    try options.set(option, value)
  }
  options.program = Array(words)
  guard !options.id.isEmpty else { throw UsageError("--id is missing") }
  guard !options.name.isEmpty else { throw UsageError("--name is missing") }
  guard options.program.first?.isEmpty == false else {
    throw UsageError("the program is missing; it follows after --")
  }
  return .run(options)
}

private let expectations = [
  "--id": "the identity of the app", "--name": "a name for people",
  "--format": "a format, as in s16:44100:2", "--kind": "track or live", "--start": "now or play",
  "--restart": "no, failure or always", "--commands": "names of commands, as in next,previous",
]

extension Options {
  fileprivate mutating func set(_ option: String, _ value: String) throws(UsageError) {
    switch option {
    case "--id": id = try Self.identity(value)
    case "--name": name = value
    case "--format": format = try PCMFormat(value)
    case "--kind": kind = try Self.choice(option, value)
    case "--start": start = try Self.choice(option, value)
    case "--restart": restart = try Self.choice(option, value)
    default: commands = try Self.commands(value)
    }
  }

  private static func identity(_ text: String) throws(UsageError) -> String {
    guard text.isIdentifier else {
      throw UsageError(
        "an identity has 1 to 32 small letters, digits and -, and begins with a letter, "
          + "not \(UsageError.quoted(text))")
    }
    return text
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ value: String
  ) throws(UsageError) -> Choice {
    guard let choice = Choice(rawValue: value) else {
      throw UsageError(
        "\(option) is \(Choice.allCases.map(\.rawValue).joined(separator: ", ")), "
          + "not \(UsageError.quoted(value))")
    }
    return choice
  }

  private static func commands(_ text: String) throws(UsageError) -> [CommandKind] {
    var kinds: [CommandKind] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      let kind = CommandKind(rawValue: name == "seek" ? "seekToPosition" : String(name))
      guard let kind, possibleCommands.contains(kind) else {
        throw UsageError(
          "\(UsageError.quoted(String(name))) is not one of "
            + possibleCommands.map(\.rawValue).joined(separator: ", "))
      }
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds
  }
}
