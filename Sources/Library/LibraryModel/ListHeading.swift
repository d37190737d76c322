/// The rows of a list from one number to another. A list without letters is divided into ranges, so that each row is
/// reached in few steps, although a list ends after some rows while the car moves.
public struct RowRange: Equatable, Sendable {
  /// Number of rows of a range that is not divided further. A longer range has at most as many ranges.
  public static let rows = 12

  /// The rows, from 0.
  public var rows: Range<Int>

  public init(_ rows: Range<Int>) { self.rows = rows }

  /// The range with this heading, such as `13–24`. Nil if the text is not a heading of a range.
  public init?(heading: Substring) {
    let parts = heading.split(separator: "–" as Character, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), let last = Int(parts[1]), first > 0,
      first <= last
    else { return nil }
    rows = first - 1..<last
  }

  /// The numbers of the first and the last row, from 1.
  public var heading: String { "\(rows.lowerBound + 1)–\(rows.upperBound)" }

  /// The ranges into which a list with an order of its own is divided, or those under a heading of this list.
  public static func groups(ofRows count: Int, under heading: String?) -> [LetterGroup] {
    let heading = heading.map { ListHeading($0) }
    return heading?.letters == nil ? groups(of: count, under: heading?.range) : []
  }

  /// The ranges into which rows are divided; none if there are few. All ranges but the last one have 12, 144, 1728 …
  /// rows.
  ///
  /// - Parameters:
  ///   - count: number of rows.
  ///   - range: the range that is divided; nil for all rows.
  ///   - letters: the letters under which the rows are; nil if their list has an order of its own.
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

/// A heading under which rows of a list are: letters (`St`), a range (`13–24`), or a range of the rows under letters
/// (`Sta 13–24`). Letters have no space.
public struct ListHeading: Equatable, Sendable {
  /// The letters. Nil for a range of a list that has an order of its own.
  public var letters: String?
  /// The range of the rows under the letters; nil for all of them.
  public var range: RowRange?

  public init(letters: String?, range: RowRange? = nil) {
    self.letters = letters
    self.range = range
  }

  /// The heading with this text. A text with no range has only letters.
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

  /// The heading, for people and on the wire.
  public var text: String {
    [letters, range?.heading].compactMap { $0 }.joined(separator: " ")
  }
}
