public import LibraryModel
internal import NameKeys
public import SQLite

// The headings that divide a long list.
extension LibraryReader {
  /// The headings of a list, in the order of the list. The headings of an alphabetical list are one, two or three
  /// letters. The headings of a list that is not alphabetical are ranges of rows. If no headings with more letters can
  /// divide the rows under a heading, ranges divide them. Few rows are not divided into ranges.
  ///
  /// - Parameter heading: a heading with too many rows. The result then contains the headings that divide these rows.
  ///   Nil for the headings of the whole list.
  public func letters(
    of node: LibraryNode, under heading: String? = nil
  ) throws(DatabaseError) -> [LetterGroup] {
    try forgetOldCounts()
    let segments = ListSegment.all(of: node)
    guard segments.allSatisfy(\.isAlphabetical) else {
      return RowRange.groups(ofRows: try count(segments, nil), under: heading)
    }
    guard let heading = heading.map({ ListHeading($0) }) else {
      return try groups(node, nil, length: 1).map(\.group)
    }
    guard let letters = heading.letters, let keys = try self.letters(node, letters) else {
      return []
    }
    if heading.range == nil, SortKey.isDivided(letters) {
      return try groups(node, keys, length: letters.unicodeScalars.count + 1).map(\.group)
    }
    return RowRange.groups(
      of: try count(segments, keys), under: heading.range, letters: letters)
  }

  /// The rows under a heading. `keys` is the range of the sort keys of these rows; nil if the sort keys are not
  /// limited. `rows` selects some of these rows by their numbers; nil to select all of them.
  typealias Part = (keys: KeyRange?, rows: Range<Int>?, count: Int)

  /// Finds the rows under a heading, or all rows without a heading. Nil if the list has no such heading.
  func part(
    of node: LibraryNode, _ segments: [ListSegment], under heading: String?
  ) throws(DatabaseError) -> Part? {
    guard let heading = heading.map({ ListHeading($0) }) else {
      return (nil, nil, try count(segments, nil))
    }
    let isAlphabetical = segments.allSatisfy(\.isAlphabetical)
    guard isAlphabetical == (heading.letters != nil) else { return nil }
    var keys: KeyRange?
    if let letters = heading.letters {
      keys = try self.letters(node, letters)
      if keys == nil { return nil }
    }
    let count = try count(segments, keys)
    guard let range = heading.range else { return (keys, nil, count) }
    let rows = range.rows.clamped(to: 0..<count)
    return (keys, rows, rows.count)
  }

  func count(_ segments: [ListSegment], _ keys: KeyRange?) throws(DatabaseError) -> Int {
    var sum = 0
    for segment in segments { sum += try count(segment, keys) }
    return sum
  }

  // MARK: Ranges

  /// The first and the last row of a range. Nil if the range contains no rows.
  func bounds(
    of rows: Range<Int>, _ segments: [ListSegment], _ keys: KeyRange?
  ) throws(DatabaseError) -> ListBounds? {
    guard !rows.isEmpty, let first = try rowKeys(rows.lowerBound, segments, keys),
      let last = try rowKeys(rows.upperBound - 1, segments, keys)
    else { return nil }
    return ListBounds(first: first, last: last)
  }

  /// The values of ``ListSegment/keys`` in the row with this number. Nil if the row does not exist.
  func rowKeys(
    _ number: Int, _ segments: [ListSegment], _ range: KeyRange?
  ) throws(DatabaseError) -> RowKeys? {
    guard number >= 0 else { return nil }
    var left = number
    for (index, segment) in segments.enumerated() {
      let count = try count(segment, range)
      if left >= count {
        left -= count
        continue
      }
      let (source, values) = segment.limited(to: range)
      var keys: RowKeys?
      try statement(
        """
        SELECT \(segment.keys.joined(separator: ", ")) \(source)
        ORDER BY \(segment.order()) LIMIT 1 OFFSET ?\(values.count + 1)
        """
      ).execute(values + [.integer(left)]) { row throws(DatabaseError) in
        keys = RowKeys(segment: index, values: segment.keyValues(row))
        return false
      }
      return keys
    }
    return nil
  }

  // MARK: Letters

  /// The range of sort keys under a heading. Nil if the list has no such heading.
  private func letters(_ node: LibraryNode, _ heading: String) throws(DatabaseError) -> KeyRange? {
    var range: KeyRange?
    let key = SortKey(ofHeading: heading).bytes
    for length in 1...SortKey.longestHeading {
      let groups = try groups(node, range, length: length)
      if let found = groups.first(where: { $0.group.heading == heading }) { return found.keys }
      // The next round divides the group that contains the heading. To find this group, sort keys are compared and not
      // letters, because in Kana and Hangul a longer heading does not begin with the letters of the shorter heading.
      let scalars = heading.unicodeScalars
      guard scalars.count > length,
        let wider = groups.first(where: { group in
          !key.lexicographicallyPrecedes(group.keys.lower)
            && key.lexicographicallyPrecedes(group.keys.upper)
        })
      else { return nil }
      range = wider.keys
    }
    return nil
  }

  private func groups(
    _ node: LibraryNode, _ limits: KeyRange?, length: Int
  ) throws(DatabaseError) -> [(group: LetterGroup, keys: KeyRange)] {
    let segments = ListSegment.all(of: node)
    let name = "\(node.text) \(length) \(limits?.lower ?? [])"
    if let known = groups[name] { return known }
    var found: [(group: LetterGroup, keys: KeyRange)] = []
    var next = limits?.lower ?? []
    while let key = try firstKey(segments, from: next, before: limits?.upper) {
      let range = key.keys(withHeadingOf: length)
      // If a damaged key is not text, the loop would find the same key again and again.
      guard key.bytes.lexicographicallyPrecedes(range.upper) else {
        throw DatabaseError.damaged("a sort key is not text")
      }
      let count = try count(segments, range)
      found.append((LetterGroup(heading: key.heading(length: length), count: count), range))
      next = range.upper
    }
    groups[name] = found
    return found
  }

  private func firstKey(
    _ segments: [ListSegment], from lower: [UInt8], before upper: [UInt8]?
  ) throws(DatabaseError) -> SortKey? {
    var first: SortKey?
    for segment in segments {
      let column = segment.keys[0]
      let statement = try statement(
        """
        SELECT \(column) \(segment.plainSource ?? segment.source) AND \(column) >= ?\(segment.values.count + 1)
        ORDER BY \(column) LIMIT 1
        """)
      try statement.execute(segment.values + [.bytes(lower)]) { row throws(DatabaseError) in
        let key = SortKey(bytes: row.bytes(0))
        if first.map({ key < $0 }) ?? true { first = key }
        return false
      }
    }
    guard let first, let upper else { return first }
    return first.bytes.lexicographicallyPrecedes(upper) ? first : nil
  }
}
