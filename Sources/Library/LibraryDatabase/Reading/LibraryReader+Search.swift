public import LibraryModel
public import NameKeys
public import SQLite

extension LibraryReader {
  /// Searches for names.
  ///
  /// - Parameters:
  ///   - limits: number of rows of each kind.
  public func find(
    _ query: SearchQuery,
    limits: [(kind: LibraryRow.Kind, rows: Int)] = [
      (.artist, 3), (.album, 3), (.song, 6), (.playlist, 3), (.folder, 3),
    ]
  ) throws(DatabaseError) -> LibraryFindings {
    var findings = LibraryFindings()
    for (kind, limit) in limits {
      guard let words = WordKind(kind) else { continue }
      var rows: [LibraryRow] = []
      // Names that begin with the query come first.
      for atBeginning in [true, false] where rows.count <= limit {
        try find(query, words, kind, atBeginning: atBeginning, upTo: limit + 1, &rows)
      }
      if rows.count > limit { findings.more.insert(kind) }
      findings.rows += rows.prefix(limit)
    }
    return findings
  }

  private func find(
    _ query: SearchQuery, _ words: WordKind, _ kind: LibraryRow.Kind, atBeginning: Bool,
    upTo limit: Int, _ rows: inout [LibraryRow]
  ) throws(DatabaseError) {
    let table = query.isByKeys ? "digits" : "words"
    let index = try statement(
      """
      SELECT rowid FROM \(table) WHERE \(table) MATCH ?1 AND rowid >= ?2 AND rowid < ?3
      ORDER BY rowid
      """)
    let entry = try statement("SELECT entry FROM place WHERE id = ?1")
    let known = Set(rows.map(\.id))
    var found: [LibraryRow] = []
    // The index may have rows of entries that were changed or removed, so there is no LIMIT.
    try index.execute(
      .text(query.expression(atBeginning: atBeginning)), .integer(words.places.lowerBound),
      .integer(words.places.upperBound)
    ) { row throws(DatabaseError) in
      if let id = try entry.integer(.integer(row.integer(0))), !known.contains(id),
        !found.contains(where: { $0.id == id }), let hit = try self.row(kind, id),
        query.matches(Self.names(hit))
      {
        found.append(hit)
      }
      return rows.count + found.count < limit
    }
    rows += found
  }

  private static func names(_ row: LibraryRow) -> [FoldedName] {
    [row.title, row.artist, row.detail].compactMap { $0.map { FoldedName($0) } }
  }

  /// The row of an entry; nil if there is no such entry.
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
