// This reader is written by hand, because swift-argument-parser would link FoundationEssentials into the program.

package import ScreenLayout

/// The error for a command line that is not valid. The program then does nothing else.
package struct UsageError: Error, Equatable, Sendable {
  /// The error and the word that caused it, in one line.
  package let message: String

  package init(_ message: String) { self.message = message }
}

/// Reads the options of a command line and their values. The command line does not contain the name of the program.
package struct OptionReader {
  private var words: ArraySlice<String>
  private var word = ""
  /// The text after `=` in the word that contains the option. Nil if there is no `=`.
  private var attached: String?
  /// The option that was read last.
  package private(set) var option = ""

  package init(_ words: [String]) { self.words = words[...] }

  /// Reads the next option. Returns nil at the end of the command line.
  package mutating func next() -> String? {
    guard let next = words.popFirst() else { return nil }
    word = next
    let parts = next.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    option = parts.first.map(String.init) ?? ""
    attached = parts.count > 1 ? String(parts[1]) : nil
    return option
  }

  /// Reads the option's value: the text after `=`, or the next word. `expected` describes the value in the error
  /// message.
  package mutating func value(_ expected: String) throws(UsageError) -> String {
    let found = attached ?? words.first.map { $0.hasPrefix("--") ? "" : $0 } ?? ""
    guard !found.isEmpty else { throw UsageError("\(option) needs \(expected)") }
    if attached == nil { words.removeFirst() }
    return found
  }

  /// Reads the value of an option that names a file.
  package mutating func file() throws(UsageError) -> String { try value("the name of a file") }

  /// Reads the value of an option that is a size, such as `800x480`.
  package mutating func size() throws(UsageError) -> PixelSize {
    let text = try value("a size, as in 800x480")
    guard let size = Self.size(text) else {
      throw UsageError(
        "a size is WIDTHxHEIGHT, from 320x240 to 4096x4096, not \(Self.quoted(text))")
    }
    return size
  }

  /// Converts a text such as `800x480` to a size. Returns nil if the text is not a size.
  package static func size(_ text: String) -> PixelSize? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (320...4096).contains(width), (240...4096).contains(height)
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Reads the value of an option that is a number in `range`. `expected` describes the number in the error message.
  package mutating func number(_ expected: String, _ range: ClosedRange<Double>)
    throws(UsageError) -> Double
  {
    let text = try value(expected)
    guard let number = Double(text), range.contains(number) else {
      throw UsageError(
        "\(option) is a number from \(range.lowerBound) to \(range.upperBound), "
          + "not \(Self.quoted(text))")
    }
    return number
  }

  /// The error for an option that does not exist.
  package var unknownOption: UsageError { UsageError("unknown option \(Self.quoted(word))") }

  /// Quotes a word of the command line for an error message. Each control character becomes a question mark, and a long
  /// word is truncated.
  package static func quoted(_ word: String) -> String {
    let clean = word.unicodeScalars.prefix(60).map { scalar in
      scalar.properties.generalCategory == .control ? "?" : String(scalar)
    }
    return "'\(clean.joined())'"
  }
}
