package import GPIO
package import NowPlaying
internal import ScreenLayout
package import Settings

/// What the configuration says about the screen.
package struct ScreenPreferences: Equatable, Sendable {
  /// Nil: what the panel says of itself, else seven inches.
  package var diagonalInches: Double?
  /// Nil: as the panel needs.
  package var textScale: Double?
  /// Of the screen's own words; nil: as the titles.
  package var language: LanguageTag?
  /// Lists end after so many rows; nil: no limit.
  package var rowLimit: Int?
  /// How the time of day is written.
  package var clock = Settings.ScreenClock.hours24
  /// What decides between day and night.
  package var light = Settings.ScreenLight.clock
  /// Minutes after midnight.
  package var dayBegins = 7 * 60
  /// Minutes after midnight.
  package var dayEnds = 19 * 60
  /// A file with a number; nil for none.
  package var lightSensor: String?
  /// From so much on it is day.
  package var lightThreshold = 50

  /// Active while the headlights are on; nil for none.
  package var headlightLine: GPIOLineChoice?

  /// The defaults.
  package init() {}

  /// As configured.
  package init(_ settings: Settings) {
    diagonalInches = settings.screenDiagonal
    textScale = settings.screenTextScale.map { Double($0) / 100 }
    language = settings.screenLanguage == "und" ? nil : LanguageTag(settings.screenLanguage)
    rowLimit = settings.screenRows
    clock = settings.screenClock
    light = settings.screenLight
    dayBegins = settings.dayBegins
    dayEnds = settings.dayEnds
    lightSensor = settings.lightSensor
    lightThreshold = settings.lightThreshold
    headlightLine = settings.headlightLine
  }

  /// Nil where something else decides between day and night: then nobody holds the line.
  var usedHeadlightLine: GPIOLineChoice? { light == .headlights ? headlightLine : nil }

  func language(of state: NowPlayingState) -> LanguageTag {
    language ?? (state.language == .undefined ? "en" : state.language)
  }
}
