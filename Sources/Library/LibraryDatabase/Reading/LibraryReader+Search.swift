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
    let all = try fewRowIDs(query, atBeginning: false)
    if let all, all.isEmpty { return findings }
    let beginning = all == nil ? nil : try fewRowIDs(query, atBeginning: true)
    for (kind, limit) in limits {
      guard let words = WordKind(kind) else { continue }
      var found = FoundRows(limit: limit + 1)
      // Rows whose names begin with the query come first.
      for (rowIDs, atBeginning) in [(beginning, true), (all, false)] where !found.isFull {
        let add = { (rowID: Int64) throws(DatabaseError) -> Bool in
          if let hit = try self.hit(query, kind, at: rowID) { found.add(hit) }
          return !found.isFull
        }
        if let rowIDs {
          for rowID in rowIDs where words.rowIDs.contains(rowID) {
            if try !add(rowID) { break }
          }
        } else {
          try search(query, words.rowIDs, atBeginning: atBeginning, add)
        }
        found.endGroup()
      }
      if found.isFull || found.isCut { findings.more.insert(kind) }
      findings.rows += found.rows.prefix(limit)
    }
    return findings
  }

  /// If a query matches at most this number of rows of the index, one search for all kinds reads them. Otherwise each
  /// kind is searched separately, and each search ends when it has found enough rows.
  private static let fewRowIDs = 500

  /// The rows of the index, of all kinds, that match a query. Nil if there are more than ``fewRowIDs``.
  private func fewRowIDs(
    _ query: SearchQuery, atBeginning: Bool
  ) throws(DatabaseError) -> [Int64]? {
    var rowIDs: [Int64] = []
    try search(query, 0..<Int64.max, atBeginning: atBeginning) { rowID throws(DatabaseError) in
      rowIDs.append(rowID)
      return rowIDs.count <= Self.fewRowIDs
    }
    return rowIDs.count <= Self.fewRowIDs ? rowIDs : nil
  }

  /// Calls `found` with each row of the index that matches a query, in order, until `found` returns false.
  private func search(
    _ query: SearchQuery, _ rowIDs: Range<Int64>, atBeginning: Bool,
    _ found: (Int64) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    let table = query.isByKeys ? "digits" : "words"
    // There is no LIMIT, because rows of the index can be outdated, so that they lead to no result.
    try statement(
      """
      SELECT rowid FROM \(table) WHERE \(table) MATCH ?1 AND rowid >= ?2 AND rowid < ?3
      ORDER BY rowid
      """
    ).execute(
      .text(query.expression(atBeginning: atBeginning)), .integer(rowIDs.lowerBound),
      .integer(rowIDs.upperBound)
    ) { row throws(DatabaseError) in try found(row.integer(0)) }
  }

  /// The artist, album, song and so on to which a row of the index belongs. Nil if it was removed, or was changed so
  /// that it does not match any more.
  private func hit(
    _ query: SearchQuery, _ kind: LibraryRow.Kind, at rowID: Int64
  ) throws(DatabaseError) -> LibraryRow? {
    let entry = try statement("SELECT entry FROM place WHERE id = ?1").integer(.integer(rowID))
    guard let entry, let row = try row(kind, entry), query.matches(Self.names(row)) else {
      return nil
    }
    return row
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

/// The rows that a search has found, without duplicates. Rows whose names begin with the query are the first group, and
/// all other rows are the second group. In each group, present rows come before absent rows.
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
