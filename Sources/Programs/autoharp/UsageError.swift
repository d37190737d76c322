import Text

/// The error for a command line that is not valid. Nothing was executed.
struct UsageError: Error, Equatable {
  /// The kind of error, with the words that the user has typed.
  enum Kind: Equatable {
    case unknownCommand(String, nearest: String?)
    /// The word is not an action of `config`.
    case unknownAction(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    /// The option belongs to another command.
    case optionOfOtherCommand(String, HelpTopic)
    case unknownHelpTopic(String)
    case missingPath
    /// `--library` was given without a name to search for.
    case missingName
    /// The option is permitted only with `--library`.
    case needsLibrary(option: String)
    case missingAction
    case unexpectedPath(String)
    case emptyWord
    case standardInput
    case missingValue(option: String, expected: String)
    /// The option has no value.
    case unexpectedValue(option: String)
    case invalidValue(option: String, String, expected: String)
    /// The value is refused for this reason.
    case refusedValue(option: String, String, reason: String)
    /// The WAV file would grow without an end.
    case endlessFile
  }

  /// The kind of error.
  var kind: Kind
  /// The help text that explains the correct use.
  var topic: HelpTopic

  init(_ kind: Kind, topic: HelpTopic) {
    self.kind = kind
    self.topic = topic
  }
}

extension UsageError {
  /// The message for the user: one line, safe for a terminal.
  var message: String {
    switch kind {
    case .unknownCommand(let word, let nearest?):
      "unknown command \(quoted(word)); did you mean '\(nearest)'?"
    case .unknownCommand(let word, nil) where word.contains("/") || word.contains("."):
      "unknown command \(quoted(word)); to play a file: autoharp play FILE"
    case .unknownCommand(let word, nil): "unknown command \(quoted(word))"
    case .unknownAction(let word, let nearest?):
      "unknown action \(quoted(word)); did you mean '\(nearest)'?"
    case .unknownAction(let word, nil):
      "unknown action \(quoted(word)); the actions are 'check' and 'show'"
    case .unknownOption(let name, let nearest?):
      "unknown option \(quoted(name)); did you mean '\(nearest)'?"
    case .unknownOption(let name, nil): "unknown option \(quoted(name))"
    case .optionOfOtherCommand(let name, let topic): "\(quoted(name)) is an option of \(topic)"
    case .unknownHelpTopic(let word): "no help about \(quoted(word))"
    case .missingPath: "\(topic) needs a file or a folder"
    case .missingName: "--library needs the name of music"
    case .needsLibrary(let option): "\(option) needs --library"
    case .missingAction: "\(topic) needs 'check' or 'show'"
    case .unexpectedPath(let path):
      "\(topic) accepts no path: \(quoted(path)); set 'music-folder' in the configuration"
    case .emptyWord: "a word of the command line is empty"
    case .standardInput: "'-' (standard input) cannot be read: files must allow seeking"
    case .missingValue(let option, let expected): "\(option) needs \(expected)"
    case .unexpectedValue(let option): "\(option) accepts no value"
    case .invalidValue(let option, let value, let expected):
      "\(option): expected \(expected), found \(quoted(value))"
    case .refusedValue(let option, let value, let reason): "\(option) \(quoted(value)): \(reason)"
    case .endlessFile: "--repeat with --output wav: would write a file without an end"
    }
  }

  /// The two lines for standard error: the error, and the command that shows the help.
  var report: String {
    let command =
      switch topic {
      case .main: "autoharp"
      case .play: "autoharp play"
      case .probe: "autoharp probe"
      case .serve: "autoharp serve"
      case .config: "autoharp config"
      case .console: "autoharp console"
      }
    return "autoharp: \(message)\nTry '\(command) --help'.\n"
  }

  /// The error for an unknown option. It names the command that has this option, or the nearest option.
  static func unknownOption(_ option: Option, topic: HelpTopic) -> UsageError {
    if let other = [HelpTopic.play, .probe, .console].first(where: {
      $0 != topic && $0.optionNames.contains(option.name)
    }) {
      return UsageError(.optionOfOtherCommand(option.name, other), topic: topic)
    }
    let nearest = nearestWord(to: option.name, among: topic.optionNames)
    return UsageError(.unknownOption(option.name, nearest: nearest), topic: topic)
  }

  /// The error for an unknown command. It names the nearest command.
  static func unknownCommand(_ word: String) -> UsageError {
    let nearest = nearestWord(
      to: word, among: ["play", "probe", "serve", "config", "console", "help"])
    return UsageError(.unknownCommand(word, nearest: nearest), topic: .main)
  }

  /// The error for an unknown action of `config`. It names the nearest action.
  static func unknownAction(_ word: String) -> UsageError {
    let nearest = nearestWord(to: word, among: ConfigOptions.Action.allCases.map(\.rawValue))
    return UsageError(.unknownAction(word, nearest: nearest), topic: .config)
  }
}

extension HelpTopic {
  /// The options of the command that this topic explains. They must match the parser and the help texts.
  var optionNames: [String] {
    switch self {
    case .main: ["--list-outputs", "--version", "--help"]
    case .play:
      [
        "--output", "--latency", "--buffer", "--period", "--rate", "--amplifier", "--gain",
        "--replaygain",
        "--start",
        "--library", "--config", "--repeat",
        "--shuffle", "--chime", "--trace", "--list-outputs", "--version", "--help",
      ]
    case .probe: ["--json", "--verify", "--version", "--help"]
    case .serve: ["--config", "--socket", "--version", "--help"]
    case .config: ["--version", "--help"]
    case .console: ["--json", "--socket", "--history", "--end-on-interrupt", "--version", "--help"]
    }
  }
}

/// Puts a word of the user into quotes, for a message. The word is made safe for a terminal and truncated.
func quoted(_ word: String) -> String {
  "'\(TextWidth.truncated(TextWidth.sanitized(word, limit: 200), to: 60))'"
}
