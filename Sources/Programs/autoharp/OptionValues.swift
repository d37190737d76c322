import ALSASink
import AmplifierControl

/// Parses the values of options. The message of an error names the permitted values.
enum OptionValues {
  /// Parses the name of an output.
  static func output(_ text: String) throws(UsageError) -> OutputChoice {
    if text == "null" { return .null }
    guard text.hasPrefix("wav:") else { return .alsa(text) }
    let file = text.dropFirst(4)
    if file.isEmpty {
      throw UsageError(
        .invalidValue(option: "--output", text, expected: "a file name after 'wav:'"), topic: .play)
    }
    return .wav(String(file))
  }

  /// Parses the name of the switch that mutes the amplifier.
  static func amplifier(_ text: String) throws(UsageError) -> AmplifierConfiguration {
    do {
      return try AmplifierConfiguration(text)
    } catch {
      throw UsageError(
        .refusedValue(option: "--amplifier", text, reason: error.reason), topic: .play)
    }
  }

  /// Parses `auto`, `rewind` or `periods`.
  static func latency(_ text: String) throws(UsageError) -> ALSASink.Latency {
    guard let latency = ALSASink.Latency(rawValue: text) else {
      throw UsageError(
        .invalidValue(option: "--latency", text, expected: "auto, rewind or periods"), topic: .play)
    }
    return latency
  }

  /// Parses `off`, `track`, `album` or `auto`.
  static func replayGain(_ text: String) throws(UsageError) -> ReplayGainChoice {
    guard let choice = ReplayGainChoice(rawValue: text) else {
      throw UsageError(
        .invalidValue(option: "--replaygain", text, expected: "off, track, album or auto"),
        topic: .play)
    }
    return choice
  }

  /// Parses a whole number of `unit` within `range`.
  static func wholeNumber(
    _ text: String, of option: Option, in range: ClosedRange<Int>, unit: String
  ) throws(UsageError) -> Int {
    // `Int(_:)` also returns nil for a number that is too large. The message is correct for this case too.
    guard let number = Int(text), range.contains(number) else {
      let expected = "a whole number from \(range.lowerBound) to \(range.upperBound) \(unit)"
      throw UsageError(
        .invalidValue(option: option.name, text, expected: expected), topic: .play)
    }
    return number
  }

  /// Parses decibels.
  static func gain(_ text: String) throws(UsageError) -> Double {
    guard let decibels = decimal(text), PlayOptions.gainRange.contains(decibels) else {
      let expected = "a number from −60 to +12 dB"
      throw UsageError(.invalidValue(option: "--gain", text, expected: expected), topic: .play)
    }
    return decibels
  }

  /// Parses seconds, `m:ss` or `h:mm:ss`. The last part can have decimals. Each part after the first must be less than
  /// 60.
  static func start(_ text: String) throws(UsageError) -> Double {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var seconds = 0.0
    var isValid = parts.count <= 3
    for (index, part) in parts.enumerated() where isValid {
      let isLast = index == parts.count - 1
      guard let value = decimal(String(part)), part.first != "+", part.first != "-",
        isLast || !part.contains("."), index == 0 || value < 60
      else {
        isValid = false
        break
      }
      seconds = seconds * 60 + value
    }
    guard isValid else {
      throw UsageError(
        .invalidValue(
          option: "--start", text, expected: "a time such as '90', '1:30' or '1:02:03.5'"),
        topic: .play)
    }
    return seconds
  }

  /// A finite number: digits, at most one decimal point, and an optional sign. `Double` alone would also accept `nan`,
  /// `infinity`, hexadecimal numbers and exponents.
  private static func decimal(_ text: String) -> Double? {
    let digits = text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]
    let isPlain = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
