/// All settings of the driver, and the clock of the machine.
public struct SettingsState: Equatable, Sendable {
  /// Where the time of day comes from.
  public enum Clock: String, Sendable, CaseIterable {
    /// Nothing keeps the time, so the time is unknown.
    case unknown
    /// A clock chip has kept the time.
    case chip
    /// A person has set the time.
    case person
    /// The network keeps the time.
    case network
  }

  /// Increases with each change of this state.
  public var revision = 0
  /// The settings, in the order of the configuration.
  public var settings: [SettingReport] = []
  /// Where the time of day comes from.
  public var clock = Clock.unknown
  /// True if a person can set the time: this machine permits it, and the network does not keep the time.
  public var canSetTime = false

  /// Creates a state without settings.
  public init() {}

  /// The setting with this key. Nil if the driver cannot change a setting with this key.
  public func setting(_ key: String) -> SettingReport? { settings.first { $0.key == key } }
}
