internal import ALSASink
public import AudioEngine
public import GPIO

/// What switches the amplifier, as one text says it:
///
/// - `switch:CONTROL,ELEMENT`: the playback switch of an element of an ALSA mixer, as in
///   `switch:hw:0,Master`. The control's name may have commas, the element's may not.
/// - `gpio:CHIP,LINE`: a GPIO line that mutes while it is active, as in `gpio:gpiochip0,17`, or
///   `gpio:gpiochip0,AMP_MUTE` where the board has given it a name.
/// - `gpio:NAME`: a line by its name, on whichever chip has it.
///
/// After a line `,active-low` says that it mutes while it is low, as one does that switches the
/// amplifier on.
public enum AmplifierConfiguration: Equatable, Sendable {
  /// A mixer's switch.
  case mixerSwitch(control: String, element: String)
  /// A GPIO line.
  case gpioLine(GPIOLine.Address, isActiveLow: Bool)

  /// A text that is none; nothing was opened.
  public struct Invalid: Error, Equatable, Sendable {
    /// What is wrong with it, for people.
    public let reason: String
  }

  /// Reads the text. Opens nothing: whether all that exists is known with the first switching.
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

  /// What it describes; opens nothing yet. Two of one description are two, so one is enough for a
  /// process.
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
      return .gpioLine(choice.address, isActiveLow: choice.isActiveLow)
    } catch {
      throw Invalid(reason: error.reason)
    }
  }

  private static func split(
    _ text: String, at separator: Character
  ) -> (Substring, Substring) {
    guard let place = text.firstIndex(of: separator) else { return (text[...], "") }
    return (text[..<place], text[text.index(after: place)...])
  }
}
