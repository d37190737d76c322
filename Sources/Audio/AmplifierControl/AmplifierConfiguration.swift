internal import ALSASink
public import AudioEngine
public import GPIO

/// The switch that mutes the amplifier, parsed from a text. The text has one of these forms:
///
/// - `switch:CONTROL,ELEMENT`: the playback switch of an element of an ALSA mixer, as in `switch:hw:0,Master`. The name
///   of the control can contain commas. The name of the element must not contain a comma.
/// - `gpio:CHIP,LINE`: a GPIO line that mutes while it is active. `LINE` is the number of the line, as in
///   `gpio:gpiochip0,17`, or the name that the board gives the line, as in `gpio:gpiochip0,AMP_MUTE`.
/// - `gpio:NAME`: the GPIO line with this name, on any chip.
///
/// If the text of a GPIO line ends with `,active-low`, the line mutes while it is low. Use this for a line that
/// switches the amplifier *on* while it is high.
public enum AmplifierConfiguration: Equatable, Sendable {
  case mixerSwitch(control: String, element: String)
  case gpioLine(GPIOLine.Address, isActiveLow: Bool)

  /// The error if the text is not valid.
  public struct Invalid: Error, Equatable, Sendable {
    /// What is wrong with the text, as a message to the user.
    public let reason: String
  }

  /// Parses the text without opening the mixer or the GPIO line. If the mixer or the GPIO line does not exist, the
  /// error occurs only when the amplifier is switched for the first time.
  public init(_ text: String) throws(Invalid) {
    let (kind, rest) = Self.split(text, at: ":")
    switch kind {
    case "switch": self = try Self.mixerSwitch(rest)
    case "gpio": self = try Self.gpioLine(rest)
    default:
      throw Invalid(
        reason: "an amplifier is 'switch:CONTROL,ELEMENT', 'gpio:CHIP,LINE' or 'gpio:NAME', "
          + "not '\(text)'")
    }
  }

  /// Creates the amplifier without opening the mixer or the GPIO line. Each call creates a separate object, so a
  /// process calls this once.
  public func makeAmplifier() -> any Amplifier {
    switch self {
    case .mixerSwitch(let control, let element):
      MixerSwitch(control: control, element: element)
    case .gpioLine(let address, let isActiveLow):
      GPIOLine(address, isActiveLow: isActiveLow)
    }
  }

  // MARK: Parts

  private static func mixerSwitch(_ text: Substring) throws(Invalid) -> Self {
    guard let comma = text.lastIndex(of: ","), comma != text.startIndex,
      text.index(after: comma) != text.endIndex
    else {
      throw Invalid(
        reason: "'switch:' needs a control and an element, as in 'switch:hw:0,Master', "
          + "not '\(text)'")
    }
    return .mixerSwitch(
      control: String(text[..<comma]), element: String(text[text.index(after: comma)...]))
  }

  private static func gpioLine(_ text: Substring) throws(Invalid) -> Self {
    do throws(GPIOLineChoice.Invalid) {
      let choice = try GPIOLineChoice(text, prefix: "gpio:")
      if let pull = choice.pull {
        throw GPIOLineChoice.Invalid(
          reason: "an output has no resistor, so '\(pull.rawValue)' is wrong")
      }
      return .gpioLine(choice.address, isActiveLow: choice.isActiveLow)
    } catch {
      throw Invalid(reason: error.reason)
    }
  }

  private static func split(
    _ text: String, at separator: Character
  ) -> (Substring, Substring) {
    guard let index = text.firstIndex(of: separator) else { return (text[...], "") }
    return (text[..<index], text[text.index(after: index)...])
  }
}
