/// A command line that cannot be followed; nothing was done.
struct UsageError: Error, Equatable {
  /// What is wrong with which word, for a person; one line, safe for a terminal.
  var message: String
  /// The help text that would have prevented it.
  var topic: HelpTopic
}

extension UsageError {
  /// The two lines for standard error: what is wrong, and where it is explained.
  var report: String {
    let command =
      switch topic {
      case .main: "autoharp"
      case .play: "autoharp play"
      case .probe: "autoharp probe"
      }
    return "autoharp: \(message)\nTry '\(command) --help'.\n"
  }

  /// Points to the command that has the option, or to the nearest one.
  static func unknownOption(_ option: Option, topic: HelpTopic) -> UsageError {
    let message: String
    if let other = [HelpTopic.play, .probe].first(where: {
      $0 != topic && $0.optionNames.contains(option.name)
    }) {
      message = "\(quoted(option.name)) is an option of \(other)"
    } else if let nearest = nearest(to: option.name, among: topic.optionNames) {
      message = "unknown option \(quoted(option.name)); did you mean '\(nearest)'?"
    } else {
      message = "unknown option \(quoted(option.name))"
    }
    return UsageError(message: message, topic: topic)
  }

  /// Points to the nearest command, or to what plays a file.
  static func unknownCommand(_ word: String) -> UsageError {
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
}

extension HelpTopic {
  /// The options of the command, as the parser and the help texts know them.
  var optionNames: [String] {
    switch self {
    case .main: ["--list-outputs", "--version", "--help"]
    case .play:
      [
        "--output", "--buffer", "--period", "--rate", "--amplifier", "--gain", "--replaygain",
        "--start",
        "--repeat",
        "--shuffle", "--list-outputs", "--version", "--help",
      ]
    case .probe: ["--json", "--verify", "--version", "--help"]
    }
  }
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
func quoted(_ word: String) -> String {
  "'\(TextWidth.truncated(TextWidth.sanitized(word, limit: 200), to: 60))'"
}
