/// The values that the driver has set on the unit, as the unit stores them in a file.
public struct DriverSettings: Hashable, Sendable {
  /// The name of the file in the folder of the saved state.
  public static let fileName = "settings.conf"
  /// Maximum number of bytes of a value.
  public static let maximumValueBytes = 1024
  /// Maximum number of unknown keys that are kept.
  private static let maximumUnknownKeys = 100

  /// The values as written in a file. The dictionary keys are the names of the settings.
  public internal(set) var values: [String: String] = [:]
  /// The values of keys that this version of the program does not know.
  private var unknown: [String: String] = [:]
  /// True if the file contained unusable parts. The unit keeps a copy of the file before it replaces the file.
  public internal(set) var isDamaged = false

  /// Creates settings without values.
  public init() {}

  /// Must be called after a copy of the damaged file was stored.
  public mutating func keptDamaged() { isDamaged = false }

  mutating func keepUnknown(_ name: String, _ value: String) {
    if unknown[name] != nil || unknown.count < Self.maximumUnknownKeys { unknown[name] = value }
  }

  /// The contents of the file.
  public var bytes: [UInt8] {
    var lines = [
      "# The settings that the driver has changed on the unit. The unit writes this file. Write your",
      "# own settings into /data/autoharp.conf.",
    ]
    for key in SettingKey.ofDriver {
      if let value = values[key.name] { lines.append("\(key.name) = \(value)") }
    }
    lines += unknown.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }
}

/// The reason why the driver cannot change a setting.
public enum DriverRefusal: Error, Equatable, Sendable {
  case unknownKey(nearest: String?)
  /// Only the files of the owner and of the maker can set the key.
  case notOfDriver
  /// A file of the owner or of the maker sets the key.
  case fixed(Configuration.Origin)
  /// The value is not permitted. The text is the end of a sentence.
  case invalidValue(String)
}

extension Configuration {
  /// Sets the driver's value of a key, or removes this value if `text` is nil. After an error, nothing has changed.
  public mutating func setForDriver(
    _ name: String, _ text: String?
  ) throws(DriverRefusal) -> SettingKey {
    guard let key = SettingKey.named[name] else { throw .unknownKey(nearest: Self.nearest(name)) }
    guard key.driver != nil else { throw .notOfDriver }
    if isFixed(key) { throw .fixed(origin(of: key)) }
    let text = text.map { Self.trimmed($0) }
    if let text { try Self.check(text) }
    do throws(ValueRefusal) {
      try apply(key, text)
    } catch {
      throw .invalidValue(error.reason)
    }
    return key
  }

  /// True if a file of the owner or of the maker sets the key.
  public func isFixed(_ key: SettingKey) -> Bool {
    if let layer = layer(of: key) { layer != .driver } else { false }
  }

  /// Replaces the values of the driver, for example by values that are newer than the values in the file.
  public mutating func use(_ driver: DriverSettings) {
    for key in SettingKey.ofDriver where !isFixed(key) {
      // The values of `DriverSettings` are valid, so no error is expected.
      try? apply(key, driver.values[key.name])
    }
    self.driver = driver
  }

  private mutating func apply(_ key: SettingKey, _ text: String?) throws(ValueRefusal) {
    var changed = settings
    try key.set(text ?? key.text(Settings()), &changed, .none)
    settings = changed
    driver.values[key.name] = text.map { _ in key.text(changed) }
    setOriginOfDriver(key, isSet: text != nil)
  }

  /// Throws an error if the value does not fit into a line of the file.
  private static func check(_ text: String) throws(DriverRefusal) {
    if text.utf8.count > DriverSettings.maximumValueBytes {
      throw .invalidValue("the value is longer than \(DriverSettings.maximumValueBytes) bytes")
    }
    if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw .invalidValue("the value contains a control character")
    }
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension SettingChecks {
  /// Accepts each value, because the driver cannot change the keys whose values these checks examine.
  static let none = SettingChecks(output: { _ in nil }, amplifier: { _ in nil })
}

extension Settings {
  /// The path of the file in which the unit stores the values that the driver has set.
  public var driverFile: String { "\(stateFolder)/\(DriverSettings.fileName)" }

  /// Returns these settings, changed by the values that a daemon has sent. Invalid values and unknown keys are ignored.
  public func using(_ values: [(key: String, value: String)]) -> Settings {
    var changed = self
    for (name, value) in values {
      guard let key = SettingKey.named[name], key.driver != nil else { continue }
      try? key.set(value, &changed, .none)
    }
    return changed
  }
}
