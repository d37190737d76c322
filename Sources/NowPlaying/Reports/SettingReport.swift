/// A setting that the driver can change on the unit, with its value.
public struct SettingReport: Equatable, Sendable {
  /// The layer of the configuration that sets the value; `standard` if no layer sets the value.
  public enum Source: String, Sendable, CaseIterable {
    case standard = "default"
    case driver
    /// The shipped file of the configuration.
    case shipped
    /// The file of the unit's owner.
    case owner
  }

  /// When a new value takes effect.
  public enum Effect: String, Sendable, CaseIterable {
    case now
    /// At the next start of the daemon.
    case restart
  }

  /// The permitted numbers.
  public struct Numbers: Equatable, Sendable {
    /// The smallest permitted number.
    public var minimum: Double
    /// The greatest permitted number.
    public var maximum: Double
    /// The step by which a surface changes the number.
    public var step: Double
    /// The unit of measurement, as it is written after the number. Empty if there is none.
    public var unit: String
    /// The current number. Nil if the current value is not a number.
    public var current: Double?
    /// A permitted value outside the range, as it is written in a file. Nil if there is none.
    public var special: String?

    public init(
      minimum: Double, maximum: Double, step: Double, unit: String, current: Double?,
      special: String?
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.step = step
      self.unit = unit
      self.current = current
      self.special = special
    }
  }

  /// The permitted values.
  public enum Kind: Equatable, Sendable {
    /// One of these words. An empty word stands for *none*.
    case choice([String])
    /// A number, with or without a unit of measurement.
    case number(Numbers)
    /// A time of day. The numbers are minutes after midnight.
    case timeOfDay(Numbers)
    /// A text.
    case text(maximumBytes: Int, mayBeEmpty: Bool)
  }

  /// The key of the setting in the configuration, such as `replay-gain`.
  public var key: String
  /// The value as it is written in a file. Empty for *none*.
  public var value: String
  /// The default, as it is written in a file.
  public var standard: String
  /// The layer of the configuration that sets the value; `standard` if no layer sets the value.
  public var source: Source
  /// The file and the lines that set the value. Empty if no file of the configuration sets the value.
  public var location: String
  /// When a new value takes effect.
  public var effect: Effect
  /// True if only root is permitted to change the setting.
  public var isForRoot: Bool
  /// The permitted values.
  public var kind: Kind

  public init(
    key: String, value: String, standard: String, source: Source = .standard, location: String = "",
    effect: Effect = .now, isForRoot: Bool = false, kind: Kind
  ) {
    self.key = key
    self.value = value
    self.standard = standard
    self.source = source
    self.location = location
    self.effect = effect
    self.isForRoot = isForRoot
    self.kind = kind
  }

  /// True if a file of the configuration sets the value, so that the driver cannot change it.
  public var isFixed: Bool { source == .shipped || source == .owner }

  /// The current value as a number. Nil if the value is not a number.
  public var number: Double? {
    switch kind {
    case .number(let numbers), .timeOfDay(let numbers): numbers.current
    case .choice, .text: nil
    }
  }

  /// The value of the setting for `number`, as it is written in a file. Nil if the setting does not permit numbers. A
  /// number outside the range is replaced by the nearest number in the range.
  public func text(of number: Double) -> String? {
    switch kind {
    case .number(let numbers):
      let plain = numbers.limited(number).plain
      return numbers.unit.isEmpty ? plain : "\(plain) \(numbers.unit)"
    case .timeOfDay(let numbers):
      let minutes = Int(numbers.limited(number))
      return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    case .choice, .text: return nil
    }
  }
}

extension SettingReport.Numbers {
  fileprivate func limited(_ number: Double) -> Double {
    number.isNaN ? minimum : min(max(number, minimum), maximum)
  }
}
