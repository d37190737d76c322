import Text

/// A command line that is not valid. Nothing was executed.
struct UsageError: Error, Equatable {
  /// The error for a person: one line, safe for a terminal.
  var message: String
  /// The help text that explains the correct use.
  var topic: HelpTopic
}

extension UsageError {
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

  /// Names the command that has this option, or the nearest option.
  static func unknownOption(_ option: Option, topic: HelpTopic) -> UsageError {
    let message: String
    if let other = [HelpTopic.play, .probe, .console].first(where: {
      $0 != topic && $0.optionNames.contains(option.name)
    }) {
      message = "\(quoted(option.name)) is an option of \(other)"
    } else if let nearest = nearestWord(to: option.name, among: topic.optionNames) {
      message = "unknown option \(quoted(option.name)); did you mean '\(nearest)'?"
    } else {
      message = "unknown option \(quoted(option.name))"
    }
    return UsageError(message: message, topic: topic)
  }

  /// Names the nearest command, or the command that plays a file.
  static func unknownCommand(_ word: String) -> UsageError {
    let message: String
    if let nearest = nearestWord(
      to: word, among: ["play", "probe", "serve", "config", "console", "help"])
    {
      message = "unknown command \(quoted(word)); did you mean '\(nearest)'?"
    } else if word.contains("/") || word.contains(".") {
      message = "unknown command \(quoted(word)); to play a file: autoharp play FILE"
    } else {
      message = "unknown command \(quoted(word))"
    }
    return UsageError(message: message, topic: .main)
  }

  /// Names the nearest action of `config`, or all actions.
  static func unknownAction(_ word: String) -> UsageError {
    let actions = ConfigOptions.Action.allCases.map(\.rawValue)
    let hint = nearestWord(to: word, among: actions).map { "did you mean '\($0)'?" }
    return UsageError(
      message: "config cannot \(quoted(word)); \(hint ?? "it can 'check' and 'show'")",
      topic: .config)
  }
}

extension HelpTopic {
  /// The options of the command. They must match the parser and the help texts.
  var optionNames: [String] {
    switch self {
    case .main: ["--list-outputs", "--version", "--help"]
    case .play:
      [
        "--output", "--buffer", "--period", "--rate", "--amplifier", "--gain", "--replaygain",
        "--start",
        "--repeat",
        "--shuffle", "--chime", "--trace", "--list-outputs", "--version", "--help",
      ]
    case .probe: ["--json", "--verify", "--version", "--help"]
    case .serve: ["--config", "--socket", "--version", "--help"]
    case .config: ["--version", "--help"]
    case .console: ["--json", "--socket", "--history", "--version", "--help"]
    }
  }
}

/// A word of the user for a message: safe for a terminal, and truncated so that the rest stays
/// readable.
func quoted(_ word: String) -> String {
  "'\(TextWidth.truncated(TextWidth.sanitized(word, limit: 200), to: 60))'"
}
