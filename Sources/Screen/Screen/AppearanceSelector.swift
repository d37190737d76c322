internal import Glibc
internal import ScreenLayout
internal import Settings

/// Day or night, by what the configuration says decides it.
struct AppearanceSelector {
  /// A sensor is looked at so often: it is dusk for longer than that.
  static let sensorInterval = Duration.seconds(3)
  /// Between day and night lies a fifth, so that a lamp post is no sunrise.
  private static let hysteresis = 0.2

  private var last: Appearance?

  /// - Parameters:
  ///   - minute: of the day; nil where nobody knows it.
  ///   - light: what the sensor says; nil where it says nothing.
  ///   - headlights: whether they are on; nil where nobody knows.
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
    // A bright screen at night blinds, a dark one by day is only hard to read.
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

  /// The number at the beginning of a file, as the kernel's sensors give it. Does not wait: such
  /// files are made when they are read, and a pipe is left alone.
  static func read(_ path: String) -> Double? {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
