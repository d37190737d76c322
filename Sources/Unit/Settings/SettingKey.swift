/// Checks of values that other modules understand. Each takes the text, opens nothing, and returns
/// what is wrong with it, nil for nothing.
///
/// They are handed in, so that whoever only reads settings need not be linked with a sound card.
public struct SettingChecks: Sendable {
  /// A check: nil, or the end of the sentence that says why not.
  public typealias Check = @Sendable (String) -> String?

  var output: Check
  var amplifier: Check
  var key: Check

  /// Joins them; without one, any key is taken.
  public init(
    output: @escaping Check, amplifier: @escaping Check, key: @escaping Check = { _ in nil }
  ) {
    self.output = output
    self.amplifier = amplifier
    self.key = key
  }
}

/// One key of the configuration, as data: all that reads it, writes it or explains it is made from
/// this.
public struct SettingKey: Sendable {
  /// As it stands in a file.
  public let name: String
  /// Type, range and unit, for people.
  public let words: String
  /// What it does, and why its default is what it is.
  public let about: String
  /// Whether each line of it adds a value, instead of replacing the one before.
  public let isList: Bool

  /// Sets it from what stands behind the `=`.
  let set: @Sendable (String, inout Settings, SettingChecks) throws(ValueRefusal) -> Void
  /// Takes all values of a list away; nothing for other keys.
  let clear: @Sendable (inout Settings) -> Void
  /// Its values as they would be written, one for each line; none for an empty list.
  let texts: @Sendable (Settings) -> [String]

  /// A key with one value.
  ///
  /// - Parameter check: a further check of what was read well.
  init<Value>(
    _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
    _ format: ValueFormat<Value>,
    check: (@Sendable (SettingChecks, Value) -> String?)? = nil, _ about: String
  ) {
    self.name = name
    words = format.words
    self.about = about
    isList = false
    set = { text, settings, checks throws(ValueRefusal) in
      let value = try format.read(text)
      if let reason = check?(checks, value) { throw ValueRefusal(reason) }
      settings[keyPath: path] = value
    }
    clear = { _ in }
    texts = { [format.text($0[keyPath: path])] }
  }

  /// A key whose lines are a list.
  ///
  /// - Parameter check: a further check of each value that was read well.
  init<Value>(
    _ name: String, listOf path: any WritableKeyPath<Settings, [Value]> & Sendable,
    _ format: ValueFormat<Value>, atMost limit: Int,
    check: (@Sendable (SettingChecks, Value) -> String?)? = nil, _ about: String
  ) {
    self.name = name
    words = "\(format.words); a line for each of at most \(limit), an empty one for none"
    self.about = about
    isList = true
    set = { text, settings, checks throws(ValueRefusal) in
      if text.isEmpty { return }
      let value = try format.read(text)
      if let reason = check?(checks, value) { throw ValueRefusal(reason) }
      guard settings[keyPath: path].count < limit else {
        throw ValueRefusal("there are \(limit) already, and no more are taken")
      }
      guard !settings[keyPath: path].contains(value) else {
        throw ValueRefusal("it is there already")
      }
      settings[keyPath: path].append(value)
    }
    clear = { $0[keyPath: path] = [] }
    texts = { $0[keyPath: path].map(format.text) }
  }

  /// For a sentence: `none` where nothing is written.
  func shown(_ settings: Settings) -> String {
    let texts = texts(settings).filter { !$0.isEmpty }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }
}
