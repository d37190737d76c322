/// An option as written: its name, and the value after `=` if there is one.
struct Option {
  var name: String
  var joinedValue: String?

  /// Returns `result`. Use this method for an option that takes no value: it throws if a value was given.
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

/// Separates options from paths.
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

  /// The next word. Nil at the end.
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

  /// The value of `option`: the part after `=`, or else the next word.
  ///
  /// A next word that begins with `--` is another option and not a value. A word with a single `-` can be a negative
  /// number.
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
