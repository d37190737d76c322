package import NowPlaying
package import ScreenLayout
package import Settings
package import SystemClock

/// The settings of the screen.
package struct ScreenPreferences: Equatable, Sendable {
  /// The diagonal of the panel in inches. If it is nil, the screen uses the size that the panel reports. If that size
  /// is missing or not plausible, the screen assumes seven inches.
  package var diagonalInches: Double?
  /// The scale of the texts. If it is nil, the texts are as large as is necessary to read them on the panel.
  package var textScale: Double?
  /// The language of the screen's own words. If it is nil, the screen uses the language of the state, or English.
  package var language: LanguageTag?
  /// The greatest number of rows in a list. Nil if there is no limit.
  package var rowLimit: Int?
  /// The format of the time of day.
  package var clock = Settings.ScreenClock.hours24
  /// The time zone of the clock, and of the hours at which day and night begin. If it is nil, the screen uses the time
  /// zone of the machine.
  package var zone: ClockZone?
  /// The rule that decides between day and night.
  package var light = Settings.LightRule.clock
  /// The perceived brightness of the panel by day and at night, in per cent.
  package var brightness: [Appearance: Int] = [:]
  /// The start of the day, in minutes after midnight.
  package var dayBegins = 7 * 60
  /// The end of the day, in minutes after midnight.
  package var dayEnds = 19 * 60
  /// The file from which the value of the light sensor is read. Nil if there is no sensor.
  package var lightSensor: String?
  /// The value of the light sensor that separates night from day. ``AppearanceSelector`` adds a hysteresis.
  package var lightThreshold = 50
  /// The folder of the state that the daemon saves.
  package var stateFolder = ""

  package init() {}

  package init(_ settings: Settings) {
    diagonalInches = settings.screenDiagonal
    textScale = settings.screenTextScale.map { Double($0) / 100 }
    language = settings.screenLanguage == "und" ? nil : LanguageTag(settings.screenLanguage)
    rowLimit = settings.screenRows
    clock = settings.screenClock
    zone = settings.timeZone
    light = settings.lightRule
    brightness = [
      .day: settings.brightnessByDay, .night: settings.brightnessAtNight,
    ]
    dayBegins = settings.dayBegins
    dayEnds = settings.dayEnds
    lightSensor = settings.lightSensor
    lightThreshold = settings.lightThreshold
    stateFolder = settings.stateFolder
  }

  func language(of state: NowPlayingState) -> LanguageTag {
    language ?? (state.language == .undefined ? "en" : state.language)
  }
}
