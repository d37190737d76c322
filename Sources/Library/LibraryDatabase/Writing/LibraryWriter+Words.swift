internal import NameKeys
internal import SQLite

/// The kinds of entries in the index of words. The raw value determines the range ``rowIDs``.
enum WordKind: Int64, CaseIterable {
  case person = 1
  case album = 2
  case track = 3
  case playlist = 4
  case folder = 5

  /// The row ids of all entries of this kind in the index of words.
  var rowIDs: Range<Int64> { rawValue << 40..<(rawValue + 1) << 40 }
}

// The index of words.
extension LibraryWriter {
  /// Adds the words of an entry to the index. The first name must be the name of the entry itself, because a search
  /// first lists the entries whose own names begin with the query.
  func addWords(_ kind: WordKind, _ entry: Int64, _ names: [String]) throws(DatabaseError) {
    let rowID = try words.nextRowID(kind)
    try words.add(rowID, entry, names)
    unorderedWords += 1
  }

  /// True if so many entries are not in the order of their sort keys that the order of results would seem random.
  var mustOrderWords: Bool {
    get throws(DatabaseError) {
      if due.contains(.words) { return true }
      let rows = try database.statement("SELECT count(*) FROM place").integer() ?? 0
      return unorderedWords > 50 && unorderedWords > rows / 20
    }
  }

  /// Creates the index of words again, in the order of the sort keys. This takes some seconds for 100 000 tracks. Call
  /// this in a transaction.
  func orderWords() throws(DatabaseError) {
    try words.removeAll()
    for kind in WordKind.allCases {
      let ordered = try database.statement(Self.names(of: kind))
      try ordered.execute(row: { row throws(DatabaseError) in
        let names = [row.optionalText(1), row.optionalText(2), row.optionalText(3)]
        try words.add(
          try words.nextRowID(kind), row.integer(0), names.compactMap { $0.map(Self.joined) })
        return true
      })
    }
    unorderedWords = 0
    due.remove(.words)
    isBulk = false
    noteChange()
  }

  private static func names(of kind: WordKind) -> String {
    switch kind {
    case .person: "SELECT id, name, NULL, NULL FROM person ORDER BY sortkey, id"
    case .album: "SELECT id, title, artist, NULL FROM album ORDER BY sortkey, id"
    case .track:
      """
      SELECT track.id, track.title, track.artists, album.title FROM track
      LEFT JOIN album ON album.id = track.album ORDER BY track.sortkey, track.id
      """
    case .playlist: "SELECT id, title, NULL, NULL FROM playlist ORDER BY sortkey, id"
    case .folder:
      "SELECT id, shown, NULL, NULL FROM folder WHERE parent <> 0 ORDER BY sortkey, id"
    }
  }
}

/// Adds rows to the index of words.
final class WordIndexWriter {
  private let database: Database
  private let addText: Statement
  private let addDigits: Statement
  private let addWhole: Statement
  private let addEntry: Statement
  /// A cache of the words of names, because many songs have the same artist and album.
  private var known: [TextKey: SearchWords] = [:]
  private static let maximumKnown = 4000
  /// The next free row id of each kind that was used.
  private var next: [WordKind: Int64] = [:]

  init(_ database: Database) throws(DatabaseError) {
    self.database = database
    addText = try database.statement("INSERT INTO words(rowid, text) VALUES(?1, ?2)")
    addDigits = try database.statement("INSERT INTO digits(rowid, text) VALUES(?1, ?2)")
    addWhole = try database.statement("INSERT INTO wholes(rowid, text) VALUES(?1, ?2)")
    addEntry = try database.statement("INSERT INTO place(id, entry) VALUES(?1, ?2)")
  }

  func nextRowID(_ kind: WordKind) throws(DatabaseError) -> Int64 {
    let rowID: Int64
    if let known = next[kind] {
      rowID = known
    } else {
      let last = try database.statement("SELECT max(id) FROM place WHERE id >= ?1 AND id < ?2")
        .integer(.integer(kind.rowIDs.lowerBound), .integer(kind.rowIDs.upperBound))
      rowID = last.map { $0 &+ 1 } ?? kind.rowIDs.lowerBound
    }
    next[kind] = rowID + 1
    return rowID
  }

  func add(_ rowID: Int64, _ entry: Int64, _ names: [String]) throws(DatabaseError) {
    var (text, digits) = ("", "")
    for (number, name) in names.enumerated() {
      let words: SearchWords
      if number == 0 {
        // The first name is the name of the entry itself. It is not cached, because other entries seldom have the same
        // name.
        let folded = FoldedName(name)
        words = SearchWords(folded)
        try addWhole.execute(.integer(rowID), .text(SearchQuery.wholeIndexText(folded)))
      } else {
        words = self.words(of: name)
      }
      if number > 0 {
        text += " "
        digits += " "
      }
      text += words.indexText
      digits += words.indexDigits
    }
    try addText.execute(.integer(rowID), .text(text))
    try addDigits.execute(.integer(rowID), .text(digits))
    try addEntry.execute(.integer(rowID), .integer(entry))
  }

  private func words(of name: String) -> SearchWords {
    let key = TextKey(name)
    if let known = known[key] { return known }
    let words = SearchWords(FoldedName(name))
    if known.count >= Self.maximumKnown { known = [:] }
    known[key] = words
    return words
  }

  func removeAll() throws(DatabaseError) {
    try database.execute(
      """
      INSERT INTO words(words) VALUES('delete-all'); INSERT INTO digits(digits) VALUES('delete-all');
      INSERT INTO wholes(wholes) VALUES('delete-all'); DELETE FROM place
      """)
    next = [:]
  }

  /// Call this after a transaction was rolled back.
  func forgetRowIDs() { next = [:] }
}
