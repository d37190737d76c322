internal import Files
public import LibraryModel
internal import NameKeys
public import SQLite

/// Answers questions about the library.
///
/// - Thread: one thread at a time.
/// - Blocks: each call reads the storage. A batch takes at most some milliseconds with 100 000 tracks.
public final class LibraryReader {
  let database: Database
  private var compiled: [String: Statement] = [:]
  /// A cache of the numbers of rows, keyed by the source and the values of a ``ListSegment``. It is valid for
  /// `countedRevision`.
  private var counts: [String: Int] = [:]
  var groups: [String: [(group: LetterGroup, keys: KeyRange)]] = [:]
  private var countedRevision: Int64 = -1
  /// A bit mask of the present volumes. The id of a volume is the number of its bit.
  public var presentVolumes: Int64 = .max

  /// - Parameter database: the result of ``LibraryFile/reader(in:)``.
  public init(_ database: Database) { self.database = database }

  /// A number that increases with each change of the library.
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

  // MARK: Batches

  /// A batch of rows of a list.
  ///
  /// - Parameters:
  ///   - cursor: ``RowBatch/next`` or ``RowBatch/previous`` of another batch; nil for the first batch. An invalid
  ///     cursor counts as nil.
  ///   - limit: maximum number of rows, 1 … 100.
  ///   - heading: a heading of ``letters(of:under:)``. Only rows under this heading are returned. Nil to return all
  ///     rows.
  public func batch(
    _ node: LibraryNode, cursor: String? = nil, limit: Int, heading: String? = nil
  ) throws(DatabaseError) -> RowBatch {
    try forgetOldCounts()
    let segments = ListSegment.all(of: node)
    guard let part = try part(of: node, segments, under: heading) else { return RowBatch() }
    let cursor = cursor.flatMap { LibraryCursor(text: $0, lists: segments.count) }
    var bounds: ListBounds?
    var start = cursor ?? LibraryCursor(after: nil)
    if let rows = part.rows {
      // The first batch of a range determines its first and last row. The cursors pass these bounds to further batches.
      bounds = cursor?.bounds
      if bounds == nil {
        bounds = try self.bounds(of: rows, segments, part.keys)
        start = LibraryCursor(after: try rowKeys(rows.lowerBound - 1, segments, part.keys))
      }
      if bounds == nil { return RowBatch() }
    }
    let limit = min(max(limit, 1), 100)
    // One additional row is read. It shows whether the list continues in this direction.
    var found = try rows(segments, part.keys, from: start, within: bounds, limit: limit + 1)
    let isLonger = found.count > limit
    if isLonger { found.remove(at: start.isBackward ? 0 : limit) }
    var batch = RowBatch()
    batch.rows = found.map(\.row)
    batch.position = start.isBackward ? max(0, start.position - found.count) : start.position
    // If the list has become shorter, the number of the last row of the batch can be larger than the number of rows of
    // the list.
    batch.count = max(part.count, batch.position + found.count)
    guard let first = found.first, let last = found.last else { return batch }
    let next = LibraryCursor(
      isBackward: false, keys: last.keys, position: batch.position + found.count, bounds: bounds)
    let previous = LibraryCursor(
      isBackward: true, keys: first.keys, position: batch.position, bounds: bounds)
    func hasRows(_ cursor: LibraryCursor) throws(DatabaseError) -> Bool {
      // With bounds, the additional row can be missing although the list continues: rows that a scan has added before
      // the range count for the limit, but are filtered out.
      if cursor.isBackward == start.isBackward, isLonger || bounds == nil { return isLonger }
      return try !rows(segments, part.keys, from: cursor, within: cursor.bounds, limit: 1).isEmpty
    }
    if try hasRows(next) { batch.next = next.text }
    if try hasRows(previous) { batch.previous = previous.text }
    return batch
  }

  private typealias Found = (row: LibraryRow, keys: RowKeys)

  private func rows(
    _ segments: [ListSegment], _ range: KeyRange?, from start: LibraryCursor,
    within bounds: ListBounds?, limit: Int
  ) throws(DatabaseError) -> [Found] {
    var found: [Found] = []
    var keys = start.keys.values
    let order =
      start.isBackward
      ? Array((0...start.keys.segment).reversed())
      : Array(start.keys.segment..<segments.count)
    for number in order where found.count < limit {
      found += try rows(
        segments[number], range, after: keys, isBackward: start.isBackward,
        limit: limit - found.count
      ).map { ($0.row, RowKeys(segment: number, values: $0.keys)) }
      keys = []
    }
    if start.isBackward { found.reverse() }
    return bounds.map { bounds in found.filter { bounds.contain($0.keys, segments) } } ?? found
  }

  func rows(
    _ segment: ListSegment, _ range: KeyRange?, after keys: [Value], isBackward: Bool, limit: Int
  ) throws(DatabaseError) -> [(row: LibraryRow, keys: [Value])] {
    guard keys.isEmpty || keys.count == segment.keys.count else { return [] }
    var (source, values) = segment.limited(to: range)
    let isDescending = segment.isDescending != isBackward
    let columns = segment.keys.joined(separator: ", ")
    if !keys.isEmpty {
      let parameters = keys.indices.map { "?\(values.count + $0 + 1)" }.joined(separator: ", ")
      source += " AND (\(columns)) \(isDescending ? "<" : ">") (\(parameters))"
      values += keys
    }
    let statement = try statement(
      """
      SELECT \(segment.columns), \(columns) \(source)
      ORDER BY \(segment.order(isBackward: isBackward)) LIMIT ?\(values.count + 1)
      """)
    var rows: [(row: LibraryRow, keys: [Value])] = []
    try statement.execute(values + [.integer(limit)]) { row throws(DatabaseError) in
      rows.append(
        (
          RowReader.read(row, segment.kind, present: presentVolumes),
          segment.keyValues(row, from: RowReader.columns)
        ))
      return true
    }
    return rows
  }

  func count(_ segment: ListSegment, _ range: KeyRange?) throws(DatabaseError) -> Int {
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

  func forgetOldCounts() throws(DatabaseError) {
    let now = try revision
    if now == countedRevision, counts.count < 1000, groups.count < 100 { return }
    counts = [:]
    groups = [:]
    countedRevision = now
  }
}

/// Creates rows from results with the columns ``ListSegment/columns``.
enum RowReader {
  static let columns: Int32 = 11

  static func read(
    _ row: borrowing Row, _ kind: LibraryRow.Kind, present: Int64
  ) -> LibraryRow {
    // The title of a problem is the name of a file, which is stored as bytes.
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

extension LibraryReader {
  /// A volume that the library knows, with the number of its songs.
  public struct StoredVolume: Equatable, Sendable {
    /// The number of its bit in ``presentVolumes``.
    public let id: Int64
    /// The identity. For a stick, it depends neither on the port nor on the device name of the kernel.
    public let identity: String
    /// The name that the user sees.
    public let label: String
    /// The id of the folder of the volume itself. 0 if this folder is not stored yet.
    public let folder: Int64
    /// The number of songs.
    public let songs: Int
    /// The numbers of files that cannot be played, keyed by the word for the cause.
    public let problems: [String: Int]
  }

  /// All volumes that the library knows. Reads all files, which takes some hundredths of a second with 100 000 files.
  public func volumes() throws(DatabaseError) -> [StoredVolume] {
    let songs = try numbers("SELECT volume, count(*) FROM track GROUP BY volume")
    var problems: [Int64: [String: Int]] = [:]
    try statement(
      """
      SELECT folder.volume, file.codec, count(*) FROM file JOIN folder ON folder.id = file.folder
      WHERE file.state = 3 GROUP BY folder.volume, file.codec
      """
    ).execute { row throws(DatabaseError) in
      problems[row.integer(0), default: [:]][row.text(1)] = Int(row.integer(2))
      return true
    }
    var volumes: [StoredVolume] = []
    let folders = try numbers("SELECT volume, id FROM folder WHERE parent = 0")
    try statement("SELECT id, identity, label FROM volume ORDER BY id").execute {
      row throws(DatabaseError) in
      let id = row.integer(0)
      volumes.append(
        StoredVolume(
          id: id, identity: row.text(1), label: row.text(2), folder: Int64(folders[id] ?? 0),
          songs: songs[id] ?? 0,
          problems: problems[id] ?? [:]))
      return true
    }
    return volumes
  }

  /// For each identity of a volume, the number of its bit in ``presentVolumes``.
  public func volumeBits() throws(DatabaseError) -> [String: Int64] {
    var bits: [String: Int64] = [:]
    try statement("SELECT identity, id FROM volume").execute { row throws(DatabaseError) in
      bits[row.text(0)] = row.integer(1)
      return true
    }
    return bits
  }

  private func numbers(_ text: String) throws(DatabaseError) -> [Int64: Int] {
    var numbers: [Int64: Int] = [:]
    try statement(text).execute { row throws(DatabaseError) in
      numbers[row.integer(0)] = Int(row.integer(1))
      return true
    }
    return numbers
  }
}
