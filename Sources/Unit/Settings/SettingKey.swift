/// Checks of values that only other modules can interpret. A check receives the text of the value, and opens no file
/// and no device.
///
/// The caller passes the checks as closures. So a program that only reads settings is not linked with the code of sound
/// cards.
public struct SettingChecks: Sendable {
  /// Returns nil if the value is valid. Otherwise returns the error as the end of a sentence.
  public typealias Check = @Sendable (String) -> String?

  var output: Check
  var amplifier: Check
  var key: Check

  /// Creates the checks. Without `key`, all key bindings are accepted.
  public init(
    output: @escaping Check, amplifier: @escaping Check, key: @escaping Check = { _ in nil }
  ) {
    self.output = output
    self.amplifier = amplifier
    self.key = key
  }
}

/// The time at which a new value of a key takes effect.
public enum SettingEffect: Hashable, Sendable {
  case now
  /// The value takes effect at the next start of the daemon.
  case restart
}

/// One key of the configuration, as data. All code that reads, writes or explains the key uses this value.
public struct SettingKey: Sendable {
  /// The name of the key in a file.
  public let name: String
  /// The type, range and unit of the value, as text.
  public let constraint: String
  /// A description of the key, and the reason for its default.
  public let about: String
  /// True if each line adds a value; false if each line replaces the earlier value.
  public let isList: Bool
  /// The time at which a new value takes effect.
  public let effect: SettingEffect
  /// How the driver changes the value on the unit. Nil if only the files of the configuration can set the key.
  public let driver: DriverAccess?
  /// The permitted values.
  public let domain: ValueDomain

  /// Sets the value from the text after the `=`.
  let set: @Sendable (String, inout Settings, SettingChecks) throws(ValueRefusal) -> Void
  /// Removes all values of a list. Has no effect if the key is not a list.
  let clear: @Sendable (inout Settings) -> Void
  /// The values as written in a file, one per line. The array is empty for an empty list.
  let texts: @Sendable (Settings) -> [String]

  /// Creates a key with one value.
  ///
  /// This initializer is not inlined. Otherwise its copies for all keys would need 20 KB of the program.
  ///
  /// - Parameter check: a further check of a value that was read successfully.
  @inline(never) init<Value>(
    _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
    _ format: ValueFormat<Value>, effect: SettingEffect = .now, driver: DriverAccess? = nil,
    check: (@Sendable (SettingChecks, Value) -> String?)? = nil, _ about: String
  ) {
    self.name = name
    constraint = format.constraint
    self.about = about
    isList = false
    self.effect = effect
    self.driver = driver
    domain = format.domain
    set = { text, settings, checks throws(ValueRefusal) in
      let value = try format.read(text)
      if let reason = check?(checks, value) { throw ValueRefusal(reason) }
      settings[keyPath: path] = value
    }
    clear = { _ in }
    texts = { [format.text($0[keyPath: path])] }
  }

  /// Creates a key with a list of values, one value per line.
  ///
  /// - Parameter check: a further check of each value that was read successfully.
  @inline(never) init<Value>(
    _ name: String, listOf path: any WritableKeyPath<Settings, [Value]> & Sendable,
    _ format: ValueFormat<Value>, atMost limit: Int,
    check: (@Sendable (SettingChecks, Value) -> String?)? = nil, _ about: String
  ) {
    self.name = name
    constraint =
      "\(format.constraint); one value per line, at most \(limit) lines; "
      + "an empty value clears the list"
    self.about = about
    isList = true
    effect = .now
    driver = nil
    domain = format.domain
    set = { text, settings, checks throws(ValueRefusal) in
      if text.isEmpty { return }
      let value = try format.read(text)
      if let reason = check?(checks, value) { throw ValueRefusal(reason) }
      guard settings[keyPath: path].count < limit else {
        throw ValueRefusal("the list already has \(limit) values, the maximum", .fullList)
      }
      guard !settings[keyPath: path].contains(value) else {
        throw ValueRefusal("the list already contains this value", .duplicateValue)
      }
      settings[keyPath: path].append(value)
    }
    clear = { $0[keyPath: path] = [] }
    texts = { $0[keyPath: path].map(format.text) }
  }

  /// The names of the keys whose values differ, and whose new values take effect only at the next start.
  public static func waitingForRestart(_ new: Settings, after old: Settings) -> [String] {
    all.filter { $0.effect == .restart && $0.texts(new) != $0.texts(old) }.map(\.name)
  }

  /// The value as part of a sentence. An empty value is shown as `none`.
  func shown(_ settings: Settings) -> String {
    let texts = texts(settings).filter { !$0.isEmpty }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }
}
