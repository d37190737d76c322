/// All settings of the driver, and the clock of the machine.
public struct SettingsState: Equatable, Sendable {
  /// What keeps the time of day.
  public enum Clock: String, Sendable, CaseIterable {
    /// Nothing, so the time is unknown.
    case unknown
    /// A clock chip has kept the time.
    case chip
    /// A person has set the time.
    case person
    /// The network keeps the time.
    case network
  }

  /// Increased by each change.
  public var revision = 0
  /// The settings, in the order of the configuration.
  public var settings: [SettingReport] = []
  /// What keeps the time of day.
  public var clock = Clock.unknown
  /// True if the time can be set: this machine permits it, and nothing else keeps the time.
  public var canSetTime = false

  /// No settings.
  public init() {}

  /// The setting of a key. Nil if the driver cannot change this key.
  public func setting(_ key: String) -> SettingReport? { settings.first { $0.key == key } }
}
