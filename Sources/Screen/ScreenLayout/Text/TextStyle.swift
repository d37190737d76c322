/// The font of a text. All texts use one family (Inter); fonts of the system provide missing characters.
public struct TextStyle: Hashable, Sendable {
  /// Most texts are `semibold` or, if they are less important, `medium`. `bold` is for the word LIVE, for the current
  /// row of a list, and for labels in icons.
  public enum Weight: Int, Hashable, Sendable {
    case medium = 500
    case semibold = 600
    case bold = 700
  }

  /// The size of the font, in pixels.
  public let size: Int
  /// The weight of the font.
  public let weight: Weight
  /// True if the narrower variant of the font for large sizes is used.
  public let isDisplay: Bool
  /// True if all digits have the same width, so that the text of a time does not move when a digit changes.
  public let hasTabularDigits: Bool

  public init(size: Int, weight: Weight, isDisplay: Bool = false, hasTabularDigits: Bool = false) {
    self.size = max(1, size)
    self.weight = weight
    self.isDisplay = isDisplay
    self.hasTabularDigits = hasTabularDigits
  }

  /// The height of a capital letter, in pixels. In Inter this height is 0.727 of the font size.
  public var capHeight: Int { Int((Double(size) * 0.727).rounded()) }
  /// The height above the baseline that is reserved for a line. It leaves room for accents on capitals, and for taller
  /// letters of other scripts.
  var ascent: Int { Int((Double(size) * 1.02).rounded(.up)) }
  /// The height below the baseline that is reserved for a line.
  var descent: Int { Int((Double(size) * 0.36).rounded(.up)) }
}

/// The room that a text needs.
public struct TextExtent: Hashable, Sendable {
  /// The width of the widest line, in pixels, rounded up.
  public let width: Int
  /// The number of lines, at least 1.
  public let lines: Int

  public init(width: Int, lines: Int) {
    self.width = width
    self.lines = lines
  }
}

/// Measures texts. The painter measures with Pango. Tests use ``FixedWidthMeasure``, so that golden files do not depend
/// on the machine.
public protocol TextMeasuring {
  /// Breaks `text` into at most `lines` lines of at most `width` pixels, and measures the result. If `width` is nil,
  /// there are no line breaks. If the text needs more room, the last line ends with an ellipsis.
  func extent(of text: String, style: TextStyle, width: Int?, lines: Int) -> TextExtent
}

/// A measure in which the width of each character is 0.55 of the font size. Lines break at spaces, and inside words
/// that are too long for a line.
public struct FixedWidthMeasure: TextMeasuring {
  public init() {}

  /// Measures without a font.
  public func extent(of text: String, style: TextStyle, width: Int?, lines: Int) -> TextExtent {
    let advance = Double(style.size) * 0.55
    func pixels(_ characters: Int) -> Int { Int((Double(characters) * advance).rounded(.up)) }
    guard let width else { return TextExtent(width: pixels(text.count), lines: 1) }
    let room = max(1, Int(Double(width) / advance))
    var filled = [0]
    for word in text.split(separator: " ") {
      var rest = word.count
      if filled[filled.count - 1] > 0, filled[filled.count - 1] + 1 + rest <= room {
        filled[filled.count - 1] += 1 + rest
        continue
      }
      while rest > 0 {
        if filled[filled.count - 1] > 0 { filled.append(0) }
        filled[filled.count - 1] = min(rest, room)
        rest -= min(rest, room)
      }
    }
    if filled.count > lines { filled = Array(filled.prefix(lines - 1)) + [room] }
    return TextExtent(
      width: min(width, pixels(filled.max() ?? 0)), lines: max(1, min(filled.count, lines)))
  }
}
