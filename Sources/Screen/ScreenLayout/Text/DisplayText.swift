/// Cleans texts from other sources before the screen shows them. Limits the length of the text, and removes characters
/// that move or hide neighbouring text.
enum DisplayText {
  /// The greatest number of characters in the result. A tag can have 64 KB. Shaping more characters takes time,
  /// although they would not be visible.
  static let limit = 400
  /// The greatest number of characters of a source's text that are read. A text can consist of removed characters only,
  /// so a limit for the result is not enough.
  private static let scannedLimit = 1600
  /// The greatest number of combining marks on one letter. Thai and Vietnamese need two or three marks. Malicious texts
  /// can have a hundred.
  private static let marksInARow = 4

  /// Replaces each group of control characters and white space by one space. Removes marks for the direction,
  /// characters without a meaning, and the fifth and further marks on a letter. Nil if nothing visible remains.
  static func clean(_ text: String?) -> String? {
    guard let text else { return nil }
    var result = String.UnicodeScalarView()
    var count = 0
    var marks = 0
    var isAfterSpace = true
    for scalar in text.unicodeScalars.prefix(scannedLimit) {
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
        // A mark without a letter before it is removed.
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

  /// True for joiners and tag characters. Joiners change the shape of Arabic, Indic scripts and emoji. Tag characters
  /// are part of some flags.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D || (0xE0020...0xE007F).contains(scalar.value)
  }
}
