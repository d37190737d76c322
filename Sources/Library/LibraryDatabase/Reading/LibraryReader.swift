internal import Files
public import LibraryModel
internal import NameKeys
public import SQLite

/// Answers questions about the library.
///
/// - Thread: one thread at a time.
/// - Blocks: each call reads the storage; pages take some milliseconds at most with 100 000 tracks.
public final class LibraryReader {
  let database: Database
  private var compiled: [String: Statement] = [:]
  /// What was counted, for the revision of the database at that time.
  private var counts: [String: Int] = [:]
  private var groups: [String: [(group: LetterGroup, keys: KeyRange)]] = [:]
  private var countedRevision: Int64 = -1
  /// A bit for each volume that is present.
  public var presentVolumes: Int64 = .max

  /// - Parameter database: of ``LibraryFile/reader(in:)``.
  public init(_ database: Database) { self.database = database }

  /// Counts the changes of the library.
  public var revision: Int64 {
    get throws(DatabaseError) {
      try statement("SELECT value FROM meta WHERE name = 'revision'").integer() ?? 0
    }
  }

  func statement(_ text: String) throws(DatabaseError) -> Statement {
    if let known = compiled[text] { return known }
    let new = try database.statement(text)
    compiled[text] = new
    return new
  }

  // MARK: Pages

  /// A page of a list.
  ///
  /// - Parameters:
  ///   - cursor: ``LibraryPage/next`` or ``LibraryPage/previous`` of another page; nil for the first page.
  ///     A text that is no cursor begins the list.
  ///   - limit: number of rows, 1 … 100.
  ///   - heading: only the rows under this heading of ``letters(of:under:)``; nil for all rows.
  public func page(
    _ node: LibraryNode, cursor: String? = nil, limit: Int, heading: String? = nil
  ) throws(DatabaseError) -> LibraryPage {
    try forgetOldCounts()
    let segments = ListSegment.all(of: node)
    var range: KeyRange?
    if let heading {
      range = try letters(node, heading)
      if range == nil { return LibraryPage() }
    }
    let limit = min(max(limit, 1), 100)
    var start =
      cursor.flatMap { LibraryCursor(text: $0) }
      ?? LibraryCursor(isBackward: false, segment: 0, keys: [], position: 0)
    start.segment = min(start.segment, segments.count - 1)
    let found = try rows(segments, range, from: start, limit: limit)
    var page = LibraryPage()
    page.rows = found.map(\.row)
    for segment in segments { page.count += try count(segment, range) }
    page.position = start.isBackward ? max(0, start.position - found.count) : start.position
    guard let first = found.first, let last = found.last else { return page }
    let end = page.position + found.count
    let next = LibraryCursor(
      isBackward: false, segment: last.segment, keys: last.keys, position: end)
    let previous = LibraryCursor(
      isBackward: true, segment: first.segment, keys: first.keys, position: page.position)
    if try !rows(segments, range, from: next, limit: 1).isEmpty { page.next = next.text }
    if try !rows(segments, range, from: previous, limit: 1).isEmpty {
      page.previous = previous.text
    }
    return page
  }

  private typealias Found = (row: LibraryRow, keys: [Value], segment: Int)

  private func rows(
    _ segments: [ListSegment], _ range: KeyRange?, from start: LibraryCursor, limit: Int
  ) throws(DatabaseError) -> [Found] {
    var found: [Found] = []
    var keys = start.keys
    let order =
      start.isBackward
      ? Array((0...start.segment).reversed()) : Array(start.segment..<segments.count)
    for number in order where found.count < limit {
      found += try rows(
        segments[number], range, after: keys, isBackward: start.isBackward,
        limit: limit - found.count
      ).map { ($0.row, $0.keys, number) }
      keys = []
    }
    return start.isBackward ? found.reversed() : found
  }

  func rows(
    _ segment: ListSegment, _ range: KeyRange?, after keys: [Value], isBackward: Bool, limit: Int
  ) throws(DatabaseError) -> [(row: LibraryRow, keys: [Value])] {
    guard keys.isEmpty || keys.count == segment.keys.count else { return [] }
    var (source, values) = segment.limited(to: range)
    let isDescending = segment.isDescending != isBackward
    let columns = segment.keys.joined(separator: ", ")
    if !keys.isEmpty {
      let places = keys.indices.map { "?\(values.count + $0 + 1)" }.joined(separator: ", ")
      source += " AND (\(columns)) \(isDescending ? "<" : ">") (\(places))"
      values += keys
    }
    let order = segment.keys.map { $0 + (isDescending ? " DESC" : "") }.joined(separator: ", ")
    let statement = try statement(
      """
      SELECT \(segment.columns), \(columns) \(source) ORDER BY \(order)
      LIMIT ?\(values.count + 1)
      """)
    var rows: [(row: LibraryRow, keys: [Value])] = []
    try statement.execute(values + [.integer(limit)]) { row throws(DatabaseError) in
      let keys = segment.keys.indices.map { index -> Value in
        let column = RowReader.columns + Int32(index)
        return segment.keys[index].hasSuffix("sortkey")
          ? .bytes(row.bytes(column)) : .integer(row.integer(column))
      }
      rows.append((RowReader.read(row, segment.kind, present: presentVolumes), keys))
      return true
    }
    return rows
  }

  private func count(_ segment: ListSegment, _ range: KeyRange?) throws(DatabaseError) -> Int {
    let (source, values) = segment.counted(in: range)
    let key = "\(source) \(values)"
    if let known = counts[key] { return known }
    var count = 0
    try statement("SELECT count(*) \(source)").execute(values) { row throws(DatabaseError) in
      count = Int(row.integer(0))
      return false
    }
    counts[key] = count
    return count
  }

  private func forgetOldCounts() throws(DatabaseError) {
    let now = try revision
    if now == countedRevision, counts.count < 1000, groups.count < 100 { return }
    counts = [:]
    groups = [:]
    countedRevision = now
  }

  // MARK: Letters

  /// The headings under which a list is divided, in the order of the list. Empty if the list has an order of
  /// its own.
  ///
  /// - Parameter heading: a heading that has too many rows. The answer then has longer headings, up to three
  ///   letters.
  public func letters(
    of node: LibraryNode, under heading: String? = nil
  ) throws(DatabaseError) -> [LetterGroup] {
    try forgetOldCounts()
    guard let heading else { return try groups(node, nil, length: 1).map(\.group) }
    // No letter follows the letters of a heading that ends with a space.
    guard let range = try letters(node, heading), heading.unicodeScalars.count < 3,
      heading.last != " "
    else { return [] }
    return try groups(node, range, length: heading.unicodeScalars.count + 1).map(\.group)
  }

  /// The keys under a heading; nil if the list has no such heading.
  private func letters(_ node: LibraryNode, _ heading: String) throws(DatabaseError) -> KeyRange? {
    var range: KeyRange?
    for length in 1...3 {
      let groups = try groups(node, range, length: length)
      if let found = groups.first(where: { $0.group.heading == heading }) { return found.keys }
      // A longer heading begins with the first letter of this heading, except in Kana and Hangul.
      let scalars = heading.unicodeScalars
      guard scalars.count > length,
        let wider = groups.first(where: { group in
          let key = SortKey(FoldedName(heading), articles: LibraryWriter.noArticles).bytes
          return !key.lexicographicallyPrecedes(group.keys.lower)
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
    let segments = ListSegment.all(of: node).filter(\.isAlphabetical)
    let name = "\(node.text) \(length) \(limits?.lower ?? [])"
    if let known = groups[name] { return known }
    var found: [(group: LetterGroup, keys: KeyRange)] = []
    var next = limits?.lower ?? []
    while let key = try firstKey(segments, from: next, before: limits?.upper) {
      let range = key.keys(withHeadingOf: length)
      // A damaged key may be no text. The next key would be the same again.
      guard key.bytes.lexicographicallyPrecedes(range.upper) else {
        throw DatabaseError.damaged("a sort key is no text")
      }
      var group = LetterGroup(heading: key.heading(length: length), count: 0)
      for segment in segments { group.count += try count(segment, range) }
      found.append((group, range))
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

/// Reads the columns of ``ListSegment/columns``.
enum RowReader {
  static let columns: Int32 = 11

  static func read(
    _ row: borrowing Row, _ kind: LibraryRow.Kind, present: Int64
  ) -> LibraryRow {
    // The name of a file is bytes.
    let title = kind == .problem ? FileName.text(row.bytes(1)) : row.text(1)
    var result = LibraryRow(kind: kind, id: row.integer(0), title: title)
    result.artist = row.optionalText(2).map(LibraryWriter.joined)
    result.detail = row.optionalText(3)
    result.isVarious = row.integer(4) != 0
    result.count = Int(row.integer(5))
    result.milliseconds = row.integer(6)
    result.disc = Int(row.integer(7))
    result.number = Int(row.integer(8))
    result.year = Int(row.integer(9))
    result.isAbsent = row.integer(10) & present == 0
    return result
  }
}
