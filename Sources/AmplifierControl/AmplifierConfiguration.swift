internal import ALSASink
public import AudioEngine

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
    var parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let isActiveLow = parts.count > 1 && parts.last == "active-low"
    if isActiveLow { parts.removeLast() }
    guard !parts.contains(where: \.isEmpty) else {
      throw Invalid(reason: "'gpio:' needs a line, as in 'gpio:gpiochip0,17', not '\(text)'")
    }
    switch parts.count {
    case 1:
      let name = parts[0]
      if isNumber(name) {
        throw Invalid(reason: "line \(name) of which chip? As in 'gpio:gpiochip0,\(name)'")
      }
      if chip(name) != nil {
        throw Invalid(reason: "which line of \(name)? As in 'gpio:\(name),17'")
      }
      return .gpioLine(GPIOLine.Address(line: .name(String(name))), isActiveLow: isActiveLow)
    case 2:
      guard let chip = chip(parts[0]) else {
        throw Invalid(reason: "a GPIO chip is 'gpiochip' and a number, not '\(parts[0])'")
      }
      return .gpioLine(
        GPIOLine.Address(chip: chip, line: try line(parts[1])), isActiveLow: isActiveLow)
    default:
      throw Invalid(
        reason:
          "after a GPIO line only 'active-low' may stand, not '\(parts[2...].joined(separator: ","))'"
      )
    }
  }

  private static func line(_ text: Substring) throws(Invalid) -> GPIOLine.Address.Line {
    guard isNumber(text) else { return .name(String(text)) }
    guard let offset = UInt32(text) else {
      throw Invalid(reason: "no GPIO chip has a line \(text)")
    }
    return .offset(offset)
  }

  /// The chip's name, with or without the folder that it is in.
  private static func chip(_ text: Substring) -> String? {
    let name = text.hasPrefix("/dev/") ? text.dropFirst(5) : text
    guard name.hasPrefix("gpiochip"), isNumber(name.dropFirst(8)) else { return nil }
    return String(name)
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func split(
    _ text: String, at separator: Character
  ) -> (Substring, Substring) {
    guard let place = text.firstIndex(of: separator) else { return (text[...], "") }
    return (text[..<place], text[text.index(after: place)...])
  }
}
