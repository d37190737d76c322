internal import GPIO

extension SettingKey {
  static let car = [
    SettingKey(
      "headlight-line", \.headlightLine, ValueFormat.gpioLine.orNone("empty for none"),
      """
      A GPIO line that is active while the car's lights are on. While the line is active, the screen \
      uses the colours of night (see 'screen-light'). Examples: 'gpiochip0,17', or \
      'gpiochip0,17,active-low' behind an optocoupler that sets the line low. If the line cannot be \
      read, the clock decides.
      """),
    SettingKey(
      "reverse-line", \.reverseLine, ValueFormat.gpioLine.orNone("empty for none"),
      """
      A GPIO line that is active while the reverse gear is engaged: see 'reverse'.
      """),
    SettingKey(
      "reverse", \.reverse, .choice, driver: .init(),
      """
      What the unit does with its sound while the reverse gear is engaged. With 'lower', the sound is \
      as quiet as the music under a prompt ('ducking'). With 'mute', all sound is silent, also prompts and the \
      chime, and the music goes on. With 'none', the sound stays as it is.
      """),
    SettingKey(
      "parking-line", \.parkingLine, ValueFormat.gpioLine.orNone("empty for none"),
      """
      A GPIO line that is active while the parking brake is applied: see 'parked'.
      """),
    SettingKey(
      "parked", \.parked, .choice, driver: .init(isForRoot: true),
      """
      How the unit knows whether the car is parked. With 'line', the GPIO line 'parking-line' \
      reports this. Without such a line it is unknown, and the screen behaves as in a moving car. \
      'always' is for a unit that is not in a car. With 'never', the screen always behaves as in a \
      moving car. Only root can change this key on the unit.
      """),
    SettingKey(
      "ignition-line", \.ignitionLine, ValueFormat.gpioLine.orNone("empty for none"),
      """
      A GPIO line that is active while the ignition is on. When the ignition goes off, the unit \
      saves its state and pauses; after 'ignition-off-delay' it powers down. If the ignition is \
      switched on again before this delay is over, the music continues. If the line cannot be read, \
      the ignition counts as on.
      """),
    SettingKey(
      "ignition-off-delay", \.ignitionOffDelay, .duration(.zero ... .seconds(3600)),
      """
      How long the unit waits after the ignition has gone off before it powers down. 30 s are enough for \
      a stalled engine and for a stop at the petrol pump, and little for the battery.
      """),
    SettingKey(
      "power-hold-line", \.powerHoldLine, ValueFormat.gpioOutput.orNone("empty for none"),
      """
      A GPIO line that holds the supply of the unit. It is active from the start of the daemon until the \
      unit is down, also while the daemon is restarted. Use it with 'ignition-line'.
      """),
    SettingKey(
      "encoder-line-a", \.encoderFirst, ValueFormat.gpioLine.orNone("empty for none"),
      """
      The GPIO line of the first contact of a rotary encoder. The encoder appears as the input \
      device 'Encoder' with the knob REL_DIAL and the key KEY_PLAYPAUSE: see 'key'. Both contacts \
      must be on one chip. For contacts that connect the line to ground, as with most encoders: \
      'gpiochip0,5,active-low,pull-up'. If the knob works in the wrong direction, exchange the two \
      lines.
      """),
    SettingKey(
      "encoder-line-b", \.encoderSecond, ValueFormat.gpioLine.orNone("empty for none"),
      """
      The GPIO line of the second contact of the encoder.
      """),
    SettingKey(
      "encoder-button-line", \.encoderButton, ValueFormat.gpioLine.orNone("empty for none"),
      """
      The GPIO line of the push button of the encoder.
      """),
    SettingKey(
      "encoder-detents", \.encoderDetents, .choice,
      """
      Where the encoder rests. With 'full', both contacts are open at each rest, as with most encoders. \
      With 'half', they are both open or both closed. With 'quarter', each change of a contact is a step, \
      for encoders without detents. If two clicks are one step, or one click is two, choose another value.
      """),
  ]
}

extension ValueFormat where Value == GPIOLineChoice {
  /// The text of a GPIO line whose level the unit sets. Reading the text does not open the line.
  static let gpioOutput = ValueFormat(
    constraint: "'CHIP,LINE' or 'NAME', then ',active-low' if low means active",
    read: { text throws(ValueRefusal) in
      let choice = try gpioLine.read(text)
      if let pull = choice.pull {
        throw ValueRefusal("an output has no resistor, so '\(pull.rawValue)' is wrong")
      }
      return choice
    },
    text: \.description)

  /// The text of a GPIO line whose level the unit reads. Reading the text does not open the line, so the name of a line
  /// that does not exist is accepted too.
  static let gpioLine = ValueFormat(
    constraint:
      "'CHIP,LINE' or 'NAME', then ',active-low' if low means active, then ',pull-up' or ',pull-down' for a resistor",
    read: { text throws(ValueRefusal) in
      do throws(GPIOLineChoice.Invalid) {
        return try GPIOLineChoice(text)
      } catch {
        throw ValueRefusal(error.reason)
      }
    },
    text: \.description)
}
