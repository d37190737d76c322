public import LibraryModel
public import NameKeys
public import SQLite

extension LibraryReader {
  /// Finds the artists, albums, songs and so on whose names match a query.
  ///
  /// - Parameters:
  ///   - limits: the kinds of rows to find, with the maximum number of rows of each kind.
  public func find(
    _ query: SearchQuery,
    limits: [(kind: LibraryRow.Kind, rows: Int)] = [
      (.artist, 3), (.album, 3), (.song, 6), (.playlist, 3), (.folder, 3),
    ]
  ) throws(DatabaseError) -> LibraryFindings {
    var findings = LibraryFindings()
    let groups = try searches(query).filter { $0.rowIDs?.isEmpty != true }
    for (kind, limit) in limits {
      guard let words = WordKind(kind) else { continue }
      var found = FoundRows(limit: limit + 1)
      for group in groups where !found.isFull {
        let add = { (rowID: Int64) throws(DatabaseError) -> Bool in
          if let hit = try self.hit(group, kind, at: rowID) { found.add(hit) }
          return !found.isFull
        }
        if let rowIDs = group.rowIDs {
          for rowID in rowIDs where words.rowIDs.contains(rowID) {
            if try !add(rowID) { break }
          }
        } else {
          try search(group, words.rowIDs, add)
        }
        found.endGroup()
      }
      if found.isFull || found.isCut { findings.more.insert(kind) }
      findings.rows += found.rows.prefix(limit)
    }
    return findings
  }

  /// A search of the index. Its results are one group of the found rows.
  private struct IndexSearch {
    let query: SearchQuery
    /// The table of the index.
    let table: String
    let expression: String
    /// The rows of the index, of all kinds, that match. Nil if there are more than ``fewRowIDs``.
    var rowIDs: [Int64]?
  }

  /// The searches for a query, in the order of their results: names that were typed in full, names that begin with the
  /// query, other names, and then the last two again without the words for *and* in the query.
  private func searches(_ query: SearchQuery) throws(DatabaseError) -> [IndexSearch] {
    var searches: [IndexSearch] = []
    if let whole = query.wholeExpression {
      searches.append(try fewRowIDs(IndexSearch(query: query, table: "wholes", expression: whole)))
    }
    for query in [query, query.withoutAnd] {
      guard let query else { continue }
      let table = query.isByKeys ? "digits" : "words"
      let all = try fewRowIDs(
        IndexSearch(
          query: query, table: table, expression: query.expression(atBeginning: false)))
      if all.rowIDs?.isEmpty == true { continue }
      let beginning = IndexSearch(
        query: query, table: table, expression: query.expression(atBeginning: true))
      searches += [all.rowIDs == nil ? beginning : try fewRowIDs(beginning), all]
    }
    return searches
  }

  /// If a query matches at most this number of rows of the index, one search for all kinds reads them. Otherwise each
  /// kind is searched separately, and each search ends when it has found enough rows.
  private static let fewRowIDs = 500

  private func fewRowIDs(_ search: IndexSearch) throws(DatabaseError) -> IndexSearch {
    var rowIDs: [Int64] = []
    try self.search(search, 0..<Int64.max) { rowID throws(DatabaseError) in
      rowIDs.append(rowID)
      return rowIDs.count <= Self.fewRowIDs
    }
    var search = search
    search.rowIDs = rowIDs.count <= Self.fewRowIDs ? rowIDs : nil
    return search
  }

  /// Calls `found` with each row of the index that matches, in order, until `found` returns false.
  private func search(
    _ search: IndexSearch, _ rowIDs: Range<Int64>,
    _ found: (Int64) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    // There is no LIMIT, because rows of the index can be outdated, so that they lead to no result.
    try statement(
      """
      SELECT rowid FROM \(search.table) WHERE \(search.table) MATCH ?1 AND rowid >= ?2 AND rowid < ?3
      ORDER BY rowid
      """
    ).execute(
      .text(search.expression), .integer(rowIDs.lowerBound), .integer(rowIDs.upperBound)
    ) { row throws(DatabaseError) in try found(row.integer(0)) }
  }

  /// The artist, album, song and so on to which a row of the index belongs. Nil if it was removed, or was changed so
  /// that it does not match any more.
  private func hit(
    _ search: IndexSearch, _ kind: LibraryRow.Kind, at rowID: Int64
  ) throws(DatabaseError) -> LibraryRow? {
    let entry = try statement("SELECT entry FROM place WHERE id = ?1").integer(.integer(rowID))
    guard let entry, let row = try row(kind, entry) else { return nil }
    let isFound =
      search.table == "wholes"
      ? search.query.isWhole(FoldedName(row.title)) : search.query.matches(Self.names(row))
    return isFound ? row : nil
  }

  private static func names(_ row: LibraryRow) -> [FoldedName] {
    [row.title, row.artist, row.detail].compactMap { $0.map { FoldedName($0) } }
  }

  /// The row of the artist, album, song and so on with this id. Nil if the library does not contain it.
  public func row(_ kind: LibraryRow.Kind, _ id: Int64) throws(DatabaseError) -> LibraryRow? {
    let (source, column) =
      switch kind {
      case .artist: ("FROM person", "id")
      case .album: ("FROM album", "album.id")
      case .song: ("FROM track LEFT JOIN album ON album.id = track.album", "track.id")
      case .genre: ("FROM genre", "id")
      case .playlist: ("FROM playlist", "id")
      case .folder: ("FROM folder", "folder.id")
      case .problem: ("FROM file JOIN folder ON folder.id = file.folder", "file.id")
      }
    let segment = ListSegment(kind: kind, source: source)
    var result: LibraryRow?
    try statement("SELECT \(segment.columns) \(source) WHERE \(column) = ?1")
      .execute(.integer(id)) { row throws(DatabaseError) in
        result = RowReader.read(row, kind, present: presentVolumes)
        return false
      }
    return result
  }
}

extension WordKind {
  fileprivate init?(_ kind: LibraryRow.Kind) {
    switch kind {
    case .artist: self = .person
    case .album: self = .album
    case .song: self = .track
    case .playlist: self = .playlist
    case .folder: self = .folder
    case .genre, .problem: return nil
    }
  }
}

/// The rows that a search has found, without duplicates. The rows of each ``LibraryReader/IndexSearch`` are a group. In
/// each group, present rows come before absent rows.
private struct FoundRows {
  let limit: Int
  private(set) var rows: [LibraryRow] = []
  /// The absent rows of the current group.
  private var absent: [LibraryRow] = []
  private var ids: Set<Int64> = []

  init(limit: Int) { self.limit = limit }

  /// True if the search of a group has ended early, because of ``maximumAbsent``.
  private(set) var isCut = false
  /// After this number of absent rows, the search of the group ends, so that it does not take too long.
  private static let maximumAbsent = 50

  var isFull: Bool { rows.count >= limit || absent.count >= Self.maximumAbsent }

  mutating func add(_ row: LibraryRow) {
    guard !isFull, ids.insert(row.id).inserted else { return }
    if row.isAbsent { absent.append(row) } else { rows.append(row) }
  }

  mutating func endGroup() {
    isCut = isCut || absent.count >= Self.maximumAbsent
    rows += absent.prefix(limit - rows.count)
    absent = []
  }
}
