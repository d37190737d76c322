internal import Files
internal import ScreenLayout
internal import Settings

/// Chooses day or night by the rule that the setting `screen-light` selects.
struct AppearanceSelector {
  /// The interval at which the light sensor is read. Dusk lasts much longer than this interval.
  static let sensorInterval = Duration.seconds(3)
  /// The screen changes to night when the light is 20 % below the threshold, and to day when the light is 20 % above
  /// it. So a street lamp does not change the screen.
  private static let hysteresis = 0.2

  private var last: Appearance?

  /// - Parameters:
  ///   - minute: the minute of the day; nil if unknown.
  ///   - light: the value of the light sensor; nil if the sensor cannot be read.
  ///   - headlights: true if the headlights are on; nil if unknown.
  mutating func appearance(
    _ preferences: ScreenPreferences, minute: Int?, light: Double?, headlights: Bool? = nil
  ) -> Appearance {
    let found: Appearance?
    switch preferences.light {
    case .day: found = .day
    case .night: found = .night
    case .clock: found = Self.byClock(preferences, minute)
    case .headlights:
      found = headlights.map { $0 ? .night : .day } ?? Self.byClock(preferences, minute)
    case .sensor: found = bySensor(preferences, light) ?? Self.byClock(preferences, minute)
    }
    // If the appearance is unknown, night is used. A bright screen at night blinds the driver. A dark screen by day is
    // only hard to read.
    let result = found ?? .night
    last = result
    return result
  }

  private static func byClock(_ preferences: ScreenPreferences, _ minute: Int?) -> Appearance? {
    guard let minute else { return nil }
    let (begins, ends) = (preferences.dayBegins, preferences.dayEnds)
    let isDay =
      begins <= ends ? (begins..<ends).contains(minute) : minute >= begins || minute < ends
    return isDay ? .day : .night
  }

  private func bySensor(_ preferences: ScreenPreferences, _ light: Double?) -> Appearance? {
    guard let light else { return nil }
    let threshold = Double(preferences.lightThreshold)
    let margin = threshold * Self.hysteresis
    switch last {
    case .day?: return light < threshold - margin ? .night : .day
    case .night?: return light > threshold + margin ? .day : .night
    case nil: return light >= threshold ? .day : .night
    }
  }

  /// Reads the number at the beginning of a file, for example of a sensor file of the kernel. Nil if the file does not
  /// begin with a number. Does not block.
  static func read(_ path: String) -> Double? {
    FirstWord.of(path).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
