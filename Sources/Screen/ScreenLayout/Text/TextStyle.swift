/// How a text is set. One family for all (Inter); what it lacks comes from the system's fonts.
public struct TextStyle: Hashable, Sendable {
  /// Two weights carry the hierarchy; the third is for what is set in capitals.
  public enum Weight: Int, Hashable, Sendable {
    case medium = 500
    case semibold = 600
    case bold = 700
  }

  /// Of the font, in pixels.
  public let size: Int
  /// See ``Weight``.
  public let weight: Weight
  /// The narrower cut for large sizes.
  public let isDisplay: Bool
  /// All digits of one width, so that a running clock stands still.
  public let hasTabularDigits: Bool

  /// See the fields.
  public init(size: Int, weight: Weight, isDisplay: Bool = false, hasTabularDigits: Bool = false) {
    self.size = max(1, size)
    self.weight = weight
    self.isDisplay = isDisplay
    self.hasTabularDigits = hasTabularDigits
  }

  /// Height of a capital letter in pixels: Inter's is 0.727 of its size.
  public var capHeight: Int { Int((Double(size) * 0.727).rounded()) }
  /// Above the baseline that a line may paint: room for accents on capitals, and for the taller
  /// letters of other scripts.
  var ascent: Int { Int((Double(size) * 1.02).rounded(.up)) }
  /// Below the baseline.
  var descent: Int { Int((Double(size) * 0.36).rounded(.up)) }
}

/// What a text needs.
public struct TextExtent: Hashable, Sendable {
  /// Of the widest line, in pixels, rounded up.
  public let width: Int
  /// How many there are; at least 1.
  public let lines: Int

  /// See the fields.
  public init(width: Int, lines: Int) {
    self.width = width
    self.lines = lines
  }
}

/// Knows how wide texts are. The painter asks Pango; tests use ``FixedWidthMeasure``, so that
/// goldens are the same wherever they are made.
public protocol TextMeasuring {
  /// Breaks `text` at `width` pixels (nil: not at all) into at most `lines` lines, cutting the last
  /// one off with an ellipsis, and says what that needs. Never wider than `width`.
  func extent(of text: String, style: TextStyle, width: Int?, lines: Int) -> TextExtent
}

/// Every character is 0.55 of the font's size wide. Breaks at spaces, and within words that are too
/// long.
public struct FixedWidthMeasure: TextMeasuring {
  /// No state.
  public init() {}

  /// See ``TextMeasuring``.
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
