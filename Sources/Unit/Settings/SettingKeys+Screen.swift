extension SettingKey {
  static let screen = [
    SettingKey(
      "screen-diagonal", \.screenDiagonal,
      ValueFormat.inches(1...100).orZero("0 to use the size that the panel reports"),
      """
      The size of the panel. The screen uses this size to make each button large enough for a \
      finger (9 mm) and letters large enough to read. 0 selects the size that the panel reports. If that \
      size is missing or not plausible, the screen assumes 7 inches.
      """),
    SettingKey(
      "screen-rotation", \.screenRotation, .choice,
      """
      The clockwise rotation of the picture on the panel, in degrees. Touch positions are rotated \
      too. A change takes effect at the next start of the screen.
      """),
    SettingKey(
      "screen-text", \.screenTextScale,
      ValueFormat.wholeNumber(85...130, "%").orZero("0 to let the screen choose"),
      driver: .init(step: 5),
      """
      The size of the letters. 0 selects a size for the panel; letters are larger on small \
      panels.
      """),
    SettingKey(
      "screen-language", \.screenLanguage, .language, driver: .init(),
      """
      The language of the screen's own words: 'en', 'de', 'fr', 'ar' or 'he'. For any other \
      language, the screen uses English. With 'und', it uses the language that the key 'language' \
      sets.
      """),
    SettingKey(
      "screen-rows", \.screenRows,
      ValueFormat.wholeNumber(4...500, "rows").orZero("0 for all"),
      """
      The largest number of rows in a list, so that the driver does not read long lists. 12 rows \
      are three pages.
      """),
    SettingKey(
      "screen-clock", \.screenClock, .choice, driver: .init(),
      """
      The format of the time of day. The screen hides the time while the time is unknown. \
      Example: a unit without a clock chip, until the network sets the time.
      """),
    SettingKey(
      "time-zone", \.timeZone, ValueFormat.timeZone.orNone("empty for the zone of the system"),
      driver: .init(),
      """
      The time zone of the clock. If your place is not in the list, choose a place with the same \
      time. The default is the zone of the system, which is UTC in the image.
      """),
    SettingKey(
      "screen-light", \.screenLight, .choice, driver: .init(),
      """
      What selects the colours of day or night: the clock (day-begins, day-ends), a sensor \
      (light-sensor), the headlights (headlight-line), or a fixed choice. With 'auto', the unit \
      uses the headlights if their line is set, else the sensor if it is set, else the clock. If \
      the clock selects the colours and the time is unknown, the screen uses the colours of night, \
      because a bright screen blinds the driver at night.
      """),
    SettingKey(
      "brightness-day", \.brightnessByDay, .wholeNumber(10...100, "%"), driver: .init(step: 10),
      """
      The brightness of the panel by day, if its light can be set. The value is the brightness \
      that a person perceives: at 50 %, the panel gives a quarter of its light.
      """),
    SettingKey(
      "brightness-night", \.brightnessAtNight, .wholeNumber(10...100, "%"),
      driver: .init(step: 10),
      """
      The brightness of the panel at night. The default is half of the default by day, because the \
      eyes of the driver adapt to the dark road.
      """),
    SettingKey(
      "day-begins", \.dayBegins, .timeOfDay, driver: .init(step: 15),
      """
      When the day begins, if the clock selects the colours.
      """),
    SettingKey(
      "day-ends", \.dayEnds, .timeOfDay, driver: .init(step: 15),
      """
      When the day ends, if the clock selects the colours.
      """),
    SettingKey(
      "light-sensor", \.lightSensor, ValueFormat.path().orNone("empty for none"),
      """
      A file whose first word is a number that grows with the light. Examples are the \
      illuminance of a kernel driver (/sys/bus/iio/devices/iio:device0/in_illuminance_raw) and a \
      file that a script writes. The screen reads this file every three seconds.
      """),
    SettingKey(
      "light-threshold", \.lightThreshold, .wholeNumber(1...1_000_000, ""),
      """
      The sensor value between night and day. The screen changes to day when the value is more \
      than a fifth above this threshold, and to night when the value is more than a fifth below \
      it.
      """),
    SettingKey(
      "button", listOf: \.buttons, .screenButton, atMost: 5,
      """
      A button of the screen. The screen places the buttons in the order of these lines. \
      'shuffle', 'repeat', 'rate' (playback speed) and 'stars' (a tap adds a star) need no command. 'add', 'more' and your own names need a \
      command, as in 'bell: chime', 'skip30: forward 30 s', 'thumbsUp: like' or \
      'nextAlbum: next-album'. Jumps have the names that keys use. Known names \
      have a picture; button-picture sets the picture of any other name. The unit ignores a \
      sixth button and reports it.
      """),
    SettingKey(
      "button-picture", listOf: \.buttonPictures, .screenButtonPicture, atMost: 5,
      """
      The picture of a button; only its shape counts. It is either SVG path data (the attribute \
      'd' of a path, in a view box of 24 by 24 units) or a PNG file of at most 48 KiB, as in \
      'harp: M4 20V4h2z' or 'harp: /data/harp.png'.
      """),
  ]
}

extension ValueFormat where Value == Double {
  static func inches(_ range: ClosedRange<Double>) -> ValueFormat {
    let constraint = "\(decimalText(range.lowerBound)) to \(decimalText(range.upperBound)) inches"
    return ValueFormat(
      constraint: "number, \(constraint)",
      read: { text throws(ValueRefusal) in
        guard let number = Decimal(withoutUnit(text, "inches"))?.value, range.contains(number)
        else { throw ValueRefusal("expected a number, \(constraint)") }
        return number
      },
      text: { "\(decimalText($0)) inches" })
  }
}

extension ValueFormat where Value == Int {
  /// A time of day, in minutes after midnight.
  static let timeOfDay = ValueFormat(
    constraint: "time of day, 0:00 to 23:59",
    read: { text throws(ValueRefusal) in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
        parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
      else { throw ValueRefusal("expected a time of day such as '7:30'") }
      return hour * 60 + minute
    },
    text: { "\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)" },
    domain: .timeOfDay)
}

extension ValueFormat where Value == ScreenButton {
  static let screenButton = ValueFormat(
    constraint: "'shuffle', 'repeat', 'rate', 'stars', or 'NAME: COMMAND'",
    read: ScreenButton.read, text: \.description)
}

extension ValueFormat where Value == ScreenButtonPicture {
  static let screenButtonPicture = ValueFormat(
    constraint: "'NAME: SVG PATH DATA' or 'NAME: /FILE.png'",
    read: ScreenButtonPicture.read, text: \.description)
}
