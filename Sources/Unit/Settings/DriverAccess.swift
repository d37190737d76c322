/// The way in which the driver of the car changes a setting on the unit.
public struct DriverAccess: Hashable, Sendable {
  /// The step in which a surface changes a number, in the unit of the number.
  public let step: Double
  /// True if only root can change the key on the unit.
  public let isForRoot: Bool

  init(step: Double = 1, isForRoot: Bool = false) {
    self.step = step
    self.isForRoot = isForRoot
  }
}

extension SettingKey {
  /// The keys that the driver can change on the unit, in the order of the configuration.
  public static let ofDriver = all.filter { $0.driver != nil }

  /// The value as written in a file. Must be used only for a key that is not a list.
  public func text(_ settings: Settings) -> String { texts(settings).first ?? "" }

  /// The value as a number of ``domain``. Nil if it is not a number.
  public func numericValue(_ settings: Settings) -> Double? { domain.number(text(settings)) }
}
