/// A range of rows of a list. A list that is not alphabetical has ranges as headings. They are needed because the
/// screen shows only the first rows of a list while the car moves. With ranges, the driver reaches all rows.
public struct RowRange: Equatable, Sendable {
  /// Maximum number of rows of a range that is not divided further. A longer range is divided into at most this number
  /// of ranges.
  public static let rows = 12

  /// The indices of the rows, from 0.
  public var rows: Range<Int>

  public init(_ rows: Range<Int>) { self.rows = rows }

  /// Parses a heading such as `13–24`. Nil if the text is not the heading of a range.
  public init?(heading: Substring) {
    let parts = heading.split(separator: "–" as Character, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), let last = Int(parts[1]), first > 0,
      first <= last
    else { return nil }
    rows = first - 1..<last
  }

  /// The numbers of the first and the last row, counted from 1.
  public var heading: String { "\(rows.lowerBound + 1)–\(rows.upperBound)" }

  /// The ranges of a list that is not alphabetical, or the ranges into which a heading of this list is divided.
  public static func groups(ofRows count: Int, under heading: String?) -> [LetterGroup] {
    let heading = heading.map { ListHeading($0) }
    return heading?.letters == nil ? groups(of: count, under: heading?.range) : []
  }

  /// The ranges into which rows are divided. The result is empty if there are at most ``rows`` rows. All ranges except
  /// the last one have the same size: 12, 144, 1728 … rows.
  ///
  /// - Parameters:
  ///   - count: number of rows.
  ///   - range: the range that is divided. Nil if all rows are divided.
  ///   - letters: the letters under which the rows are. Nil if the list is not alphabetical.
  public static func groups(
    of count: Int, under range: RowRange? = nil, letters: String? = nil
  ) -> [LetterGroup] {
    let all = range?.rows.clamped(to: 0..<max(0, count)) ?? 0..<max(0, count)
    guard all.count > rows else { return [] }
    var size = rows
    while (all.count - 1) / size >= rows { size *= rows }
    return stride(from: all.lowerBound, to: all.upperBound, by: size).map { start in
      let part = RowRange(start..<start + min(size, all.upperBound - start))
      return LetterGroup(
        heading: ListHeading(letters: letters, range: part).text, count: part.rows.count)
    }
  }
}

/// A heading of a list: letters (`St`), a range (`13–24`), or a range of the rows under letters (`Sta 13–24`). Letters
/// do not contain a space.
public struct ListHeading: Equatable, Sendable {
  /// The letters. Nil if the list is not alphabetical.
  public var letters: String?
  /// The range. Nil for all rows under the letters.
  public var range: RowRange?

  public init(letters: String?, range: RowRange? = nil) {
    self.letters = letters
    self.range = range
  }

  /// Parses a heading. A text without a range is taken as letters.
  public init(_ text: String) {
    if let range = RowRange(heading: text[...]) {
      self.init(letters: nil, range: range)
    } else if let space = text.lastIndex(of: " "),
      let range = RowRange(heading: text[text.index(after: space)...])
    {
      self.init(letters: String(text[..<space]), range: range)
    } else {
      self.init(letters: text)
    }
  }

  /// The text of the heading, for display and on the wire.
  public var text: String {
    [letters, range?.heading].compactMap { $0 }.joined(separator: " ")
  }
}
