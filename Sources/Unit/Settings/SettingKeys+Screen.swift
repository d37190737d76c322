internal import GPIO

extension SettingKey {
  static let screen = [
    SettingKey(
      "screen-diagonal", \.screenDiagonal,
      ValueFormat.inches(1...100).orZero("0 for what the panel says of itself"),
      """
      How large the panel is, so that a finger finds every button (9 mm) and letters can be read. \
      Panels often say nothing or nonsense of their size; then it is 7 inches.
      """),
    SettingKey(
      "screen-rotation", \.screenRotation, .choice,
      """
      By how many degrees the picture is turned on the panel, clockwise. Touch turns with it. What is \
      changed counts from the screen's next start on.
      """),
    SettingKey(
      "screen-text", \.screenTextScale,
      ValueFormat.wholeNumber(85...130, "%").orZero("0 for as large as the panel needs"),
      """
      Larger or smaller letters. 0 makes them larger on small panels by itself.
      """),
    SettingKey(
      "screen-language", \.screenLanguage, .language,
      """
      What the screen's own words are in: en, de, fr, ar or he; others are English. und takes \
      that of the titles (language).
      """),
    SettingKey(
      "screen-rows", \.screenRows,
      ValueFormat.wholeNumber(4...500, "rows").orZero("0 for all"),
      """
      Lists end after so many rows, so that nobody reads on while driving. 12 are three pages.
      """),
    SettingKey(
      "screen-clock", \.screenClock, .choice,
      """
      How the time of day is written. It is hidden while nobody knows it: before the network has \
      said it, where no clock chip keeps it.
      """),
    SettingKey(
      "screen-light", \.screenLight, .choice,
      """
      What decides between the colours of day and night: the clock (day-begins, day-ends), a sensor \
      (light-sensor), the headlights (headlight-line), or none of them. While the time is not known it is night, as a bright screen blinds.
      """),
    SettingKey(
      "day-begins", \.dayBegins, .timeOfDay,
      """
      From when on it is day, where the clock decides.
      """),
    SettingKey(
      "day-ends", \.dayEnds, .timeOfDay,
      """
      Until when it is day, where the clock decides.
      """),
    SettingKey(
      "light-sensor", \.lightSensor, ValueFormat.path().orNone("empty for none"),
      """
      A file whose first word is a number, larger with more light, such as an illuminance of the \
      kernel's (/sys/bus/iio/devices/iio:device0/in_illuminance_raw) or what a script writes from \
      the headlights. Read every three seconds.
      """),
    SettingKey(
      "light-threshold", \.lightThreshold, .wholeNumber(1...1_000_000, ""),
      """
      From so much on the sensor's number is day; a fifth more or less is needed to change over.
      """),
    SettingKey(
      "headlight-line", \.headlightLine, ValueFormat.gpioLine.orNone("empty for none"),
      """
      A GPIO line that is active while the car's lights are on, which is night, such as \
      'gpiochip0,17', or 'gpiochip0,17,active-low' behind an optocoupler that pulls it down. Where it \
      cannot be read the clock decides.
      """),
    SettingKey(
      "button", listOf: \.buttons, .screenButton, atMost: 5,
      """
      A button of the screen, leading to trailing. 'shuffle', 'repeat' and 'rate' stand alone; \
      'add', 'more' and any name of yours need what they do behind them, as in 'bell: chime', \
      'skip30: forward 30 s' or 'thumbsUp: like'. Known names have a picture, others are drawn as \
      their key button-picture says. A sixth is left out, and said.
      """),
    SettingKey(
      "button-picture", listOf: \.buttonPictures, .screenButtonPicture, atMost: 5,
      """
      What a button looks like, of which only the shape counts: the path of an SVG in a box of 24 \
      units, or a PNG file of at most 48 KiB, as in 'harp: M4 20V4h2z' or 'harp: /data/harp.png'.
      """),
  ]
}

extension ValueFormat where Value == Double {
  static func inches(_ range: ClosedRange<Double>) -> ValueFormat {
    let words = "\(decimalText(range.lowerBound)) to \(decimalText(range.upperBound)) inches"
    return ValueFormat(
      words: "number, \(words)",
      read: { text throws(ValueRefusal) in
        guard let number = Decimal(withoutUnit(text, "inches"))?.value, range.contains(number)
        else { throw ValueRefusal("it is a number, \(words)") }
        return number
      },
      text: { "\(decimalText($0)) inches" })
  }
}

extension ValueFormat where Value == Int {
  /// Minutes after midnight.
  static let timeOfDay = ValueFormat(
    words: "time of day, 0:00 to 23:59",
    read: { text throws(ValueRefusal) in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
        parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
      else { throw ValueRefusal("it is a time of day, as in '7:30'") }
      return hour * 60 + minute
    },
    text: { "\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)" })
}

extension ValueFormat where Value == GPIOLineChoice {
  /// Whether the line exists is known only when it is opened.
  static let gpioLine = ValueFormat(
    words: "'CHIP,LINE' or 'NAME', ',active-low' behind it",
    read: { text throws(ValueRefusal) in
      do throws(GPIOLineChoice.Invalid) {
        return try GPIOLineChoice(text)
      } catch {
        throw ValueRefusal(error.reason)
      }
    },
    text: \.description)
}

extension ValueFormat where Value == ScreenButton {
  static let screenButton = ValueFormat(
    words: "'shuffle', 'repeat', 'rate', or 'NAME: COMMAND'",
    read: ScreenButton.read, text: \.description)
}

extension ValueFormat where Value == ScreenButtonPicture {
  static let screenButtonPicture = ValueFormat(
    words: "'NAME: PATH OF AN SVG' or 'NAME: /FILE.png'",
    read: ScreenButtonPicture.read, text: \.description)
}
