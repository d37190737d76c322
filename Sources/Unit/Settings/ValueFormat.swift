/// The reason why a value was refused, as the end of a sentence.
struct ValueRefusal: Error, Equatable {
  let reason: String
  let cause: SettingsNotice.Cause

  init(_ reason: String, _ cause: SettingsNotice.Cause = .invalidValue) {
    self.reason = reason
    self.cause = cause
  }
}

/// Reads and writes the text of a value in a file.
struct ValueFormat<Value: Sendable & Equatable>: Sendable {
  /// The type, range and unit of the value as text, such as "whole number, 1 to 5".
  let constraint: String
  /// Reads the text after the `=`, without spaces around it.
  let read: @Sendable (String) throws(ValueRefusal) -> Value
  /// The value as written in a file.
  let text: @Sendable (Value) -> String
  /// The permitted values, for a surface that offers them.
  var domain = ValueDomain.text(maximumBytes: maximumTextBytes, mayBeEmpty: false)
}

/// Maximum number of bytes of a text that another module checks in detail.
private let maximumTextBytes = 255

extension ValueFormat where Value == Bool {
  static let yesOrNo = ValueFormat(
    constraint: "yes or no",
    read: { text throws(ValueRefusal) in
      switch text {
      case "yes", "on", "true": return true
      case "no", "off", "false": return false
      default: throw ValueRefusal("expected yes or no")
      }
    },
    text: { $0 ? "yes" : "no" }, domain: .choice(["yes", "no"]))
}

extension ValueFormat where Value: RawRepresentable<String> & CaseIterable {
  /// The format of a value that is one word of a fixed set of words.
  static var choice: ValueFormat {
    let constraint = listed(Value.allCases.map(\.rawValue))
    return ValueFormat(
      constraint: constraint,
      read: { text throws(ValueRefusal) in
        guard let value = Value(rawValue: text) else {
          throw ValueRefusal("expected \(constraint)")
        }
        return value
      },
      text: \.rawValue, domain: .choice(Value.allCases.map(\.rawValue)))
  }
}

extension ValueFormat where Value == Int {
  static func wholeNumber(_ range: ClosedRange<Int>, _ unit: String) -> ValueFormat {
    let end = unit.isEmpty ? "" : " \(unit)"
    let constraint = "\(range.lowerBound) to \(range.upperBound)\(end)"
    return ValueFormat(
      constraint: "whole number, \(constraint)",
      read: { text throws(ValueRefusal) in
        // `Int` returns nil if the text is not a number, and also if the number is too large. The message is correct in
        // both cases.
        guard let number = Int(withoutUnit(text, unit)), range.contains(number) else {
          throw ValueRefusal("expected a whole number, \(constraint)")
        }
        return number
      },
      text: { "\($0)\(end)" },
      domain: .number(
        Double(range.lowerBound)...Double(range.upperBound), unit: unit, special: nil))
  }

  /// The format of a number of bytes, in binary multiples.
  static func size(_ range: ClosedRange<Int>) -> ValueFormat {
    let constraint = "\(sizeText(range.lowerBound)) to \(sizeText(range.upperBound))"
    return ValueFormat(
      constraint: "size, \(constraint); in KiB, MiB or GiB",
      read: { text throws(ValueRefusal) in
        guard let (number, unit) = numberAndUnit(text), let factor = sizeUnits[unit] else {
          throw ValueRefusal("expected a number with KiB, MiB or GiB, such as '64 MiB'")
        }
        guard let whole = number.times(Int64(factor)), range.contains(Int(whole)) else {
          throw ValueRefusal("expected a size, \(constraint)")
        }
        return Int(whole)
      },
      text: sizeText)
  }
}

extension ValueFormat where Value == Double {
  static func decibels(_ range: ClosedRange<Double>) -> ValueFormat {
    let constraint = "\(decimalText(range.lowerBound)) to \(decimalText(range.upperBound)) dB"
    return ValueFormat(
      constraint: "decibels, \(constraint)",
      read: { text throws(ValueRefusal) in
        guard let number = Decimal(withoutUnit(text, "dB"))?.value, range.contains(number) else {
          throw ValueRefusal("expected a number, \(constraint)")
        }
        return number
      },
      text: { "\(decimalText($0)) dB" },
      domain: .number(range, unit: "dB", special: nil))
  }
}

extension ValueFormat where Value == Duration {
  /// The format of a duration in whole milliseconds.
  static func duration(_ range: ClosedRange<Duration>) -> ValueFormat {
    let constraint = "\(durationText(range.lowerBound)) to \(durationText(range.upperBound))"
    return ValueFormat(
      constraint: "time, \(constraint); in ms, s or min",
      read: { text throws(ValueRefusal) in
        guard let (number, unit) = numberAndUnit(text), let factor = durationUnits[unit] else {
          throw ValueRefusal("expected a number with ms, s or min, such as '15 s'")
        }
        guard let whole = number.times(Int64(factor)), range.contains(.milliseconds(whole)) else {
          throw ValueRefusal("expected a time, \(constraint)")
        }
        return .milliseconds(whole)
      },
      text: durationText,
      domain: .number(
        (range.lowerBound / .seconds(1))...(range.upperBound / .seconds(1)), unit: "s",
        special: nil))
  }
}

extension ValueFormat where Value == String {
  /// The format of a text. Another module checks the text in detail.
  static func string(
    _ constraint: String, maximumBytes: Int = maximumTextBytes,
    check: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> ValueFormat {
    ValueFormat(
      constraint: constraint,
      read: { text throws(ValueRefusal) in
        if text.isEmpty { throw ValueRefusal("the value is empty") }
        if text.utf8.count > maximumBytes {
          throw ValueRefusal("the value is longer than \(maximumBytes) bytes")
        }
        if let reason = check(text) { throw ValueRefusal(reason) }
        return text
      },
      text: { $0 }, domain: .text(maximumBytes: maximumBytes, mayBeEmpty: false))
  }

  /// The format of a language tag (BCP 47): letters and digits, joined by hyphens.
  static let language = string("language tag (BCP 47), such as 'de' or 'en-GB'", maximumBytes: 35) {
    text in
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isTag = parts.allSatisfy { part in
      (1...8).contains(part.utf8.count) && part.utf8.allSatisfy(isLetterOrDigit)
    }
    return isTag ? nil : "expected a language tag such as 'de' or 'en-GB'"
  }

  /// The format of a name for Bluetooth. Bluetooth permits 248 bytes, but most phones cut names of more than 60 bytes.
  static let bluetoothName = string("name, at most 60 bytes", maximumBytes: 60)

  /// The format of a password. The text of the value does not show the password.
  static let password = ValueFormat(
    constraint: "password, 8 to 64 bytes",
    read: { text throws(ValueRefusal) in
      guard (8...64).contains(text.utf8.count) else {
        throw ValueRefusal("expected 8 to 64 bytes")
      }
      return text
    },
    text: { _ in "(hidden)" }, domain: .text(maximumBytes: 64, mayBeEmpty: false))

  /// The format of an absolute path. Linux opens paths of at most 4095 bytes.
  static func path(maximumBytes: Int = 4095) -> ValueFormat {
    ValueFormat(
      constraint: maximumBytes == 4095 ? "path" : "path, at most \(maximumBytes) bytes",
      read: { text throws(ValueRefusal) in
        guard text.hasPrefix("/") else {
          throw ValueRefusal("expected a path that begins with '/'")
        }
        guard text.utf8.count <= maximumBytes else {
          throw ValueRefusal("the path is longer than \(maximumBytes) bytes")
        }
        return text
      },
      text: { $0 })
  }
}

extension ValueFormat {
  /// A format that also accepts an empty value, which means nil.
  func orNone(_ constraint: String) -> ValueFormat<Value?> { orNone(written: "", constraint) }

  /// A format that also accepts 0, which means nil. `constraint` explains the effect of 0.
  func orZero(_ constraint: String) -> ValueFormat<Value?> { orNone(written: "0", constraint) }

  private func orNone(written none: String, _ constraint: String) -> ValueFormat<Value?> {
    let (read, text) = (read, text)
    return ValueFormat<Value?>(
      constraint: "\(self.constraint); \(constraint)",
      read: { string throws(ValueRefusal) in
        if string == none { return nil }
        do throws(ValueRefusal) {
          return try read(string)
        } catch {
          throw ValueRefusal("\(error.reason); \(constraint)", error.cause)
        }
      },
      text: { $0.map(text) ?? none }, domain: domain.adding(none))
  }
}
