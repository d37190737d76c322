/// An option as the user has typed it: its name, and the value after `=`. The value is nil if there is no `=`.
struct Option {
  var name: String
  var joinedValue: String?

  /// Returns `result`. Throws if a value was given. Used for options without a value.
  func flag<Result>(_ result: Result, topic: HelpTopic) throws(UsageError) -> Result {
    guard joinedValue == nil else {
      throw UsageError(.unexpectedValue(option: name), topic: topic)
    }
    return result
  }
}

enum Word {
  case option(Option)
  case path(String)
}

/// Reads the words of the command line and separates options from paths.
struct WordReader {
  private let arguments: [String]
  private let topic: HelpTopic
  private var position = 0
  private var optionsAreOver = false

  init(_ arguments: [String], topic: HelpTopic) {
    self.arguments = arguments
    self.topic = topic
  }

  /// The remaining words, unchanged.
  var rest: [String] { Array(arguments[position...]) }

  /// Reads the next word. Nil at the end.
  mutating func next() throws(UsageError) -> Word? {
    guard position < arguments.count else { return nil }
    let argument = arguments[position]
    position += 1
    if argument.isEmpty {
      // An empty word often comes from an unset variable in quotes. As a path, it would mean the working folder.
      throw UsageError(.emptyWord, topic: topic)
    }
    if optionsAreOver || !argument.hasPrefix("-") { return .path(argument) }
    if argument == "--" {
      optionsAreOver = true
      return try next()
    }
    if argument == "-" {
      throw UsageError(.standardInput, topic: topic)
    }
    guard let equals = argument.firstIndex(of: "=") else {
      return .option(Option(name: argument))
    }
    return .option(
      Option(
        name: String(argument[..<equals]),
        joinedValue: String(argument[argument.index(after: equals)...])))
  }

  /// Reads the value of `option`: the part after `=`, or the next word if there is no `=`.
  ///
  /// If the next word begins with `--`, it is another option and not a value. If it begins with a single `-`, it can be
  /// a negative number.
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
      throw UsageError(.missingValue(option: option.name, expected: expected), topic: topic)
    }
    return value
  }
}
