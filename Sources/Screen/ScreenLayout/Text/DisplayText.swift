/// Other people's words, made fit for a line: bounded, without what moves or hides what stands
/// beside them.
enum DisplayText {
  /// Longer texts cannot be seen anyway, but would be shaped: a tag may hold 64 KB.
  static let limit = 400
  /// Of what is looked at: a text may be nothing but what is left out.
  private static let lookedAt = 1600
  /// Marks on one letter: Thai and Vietnamese need two or three, a prank needs a hundred.
  private static let marksInARow = 4

  /// Control characters and all kinds of white space become one space; marks for direction,
  /// characters without a meaning, and marks beyond four on one letter go. Nil where nothing is
  /// left to be seen.
  static func clean(_ text: String?) -> String? {
    guard let text else { return nil }
    var result = String.UnicodeScalarView()
    var count = 0
    var marks = 0
    var isAfterSpace = true
    for scalar in text.unicodeScalars.prefix(lookedAt) {
      if count == limit { break }
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
        if isAfterSpace { continue }
        isAfterSpace = true
        marks = 0
        result.append(" ")
      case .surrogate, .unassigned, .privateUse:
        continue
      case .format where !isJoining(scalar):
        continue
      case .nonspacingMark, .enclosingMark, .spacingMark:
        marks += 1
        // A mark needs a letter to stand on.
        if marks > marksInARow || isAfterSpace { continue }
        result.append(scalar)
      default:
        marks = 0
        isAfterSpace = false
        result.append(scalar)
      }
      count += 1
    }
    while result.last == " " { result.removeLast() }
    return result.isEmpty ? nil : String(result)
  }

  /// Joiners shape Arabic, Indic scripts and emoji; tags end some flags.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D || (0xE0020...0xE007F).contains(scalar.value)
  }
}
