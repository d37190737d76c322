public import NameKeys
public import SQLite

/// Writes what a scan finds. All changes belong to a transaction: ``begin()`` … ``commit()``.
///
/// Used on the thread of the scan only. Each call may write to the storage.
public final class LibraryWriter {
  let database: Database
  let articles: Articles
  let statements: WriterStatements
  let words: WordIndexWriter
  /// The rows of this transaction that are used again and again.
  var known = KnownRows()
  /// False while a volume is forgotten. Its files were not moved.
  var notesFormerPaths = true
  /// The folders whose albums must be decided again, because a track in them has changed.
  var changedFolders: Set<Int64> = []
  /// The albums that have got or lost tracks, and the persons and genres whose albums have changed.
  var changedAlbums: Set<Int64> = []
  var changedPersons: Set<Int64> = []
  var changedGenres: Set<Int64> = []
  /// Number of entries in the playlists of each volume, as far as it was needed.
  var entryCounts: [Int64: Int] = [:]
  /// Maximum number of entries in the playlists of a volume. A stick may have any number of playlists.
  public internal(set) var maximumEntries = 100_000
  /// Number of rows of the index of words that were added, or whose entry was changed or removed, since the index was
  /// in order.
  var unorderedWords: Int64
  /// What the end of a scan must do. It is saved, because the process may be killed before.
  var due: DueWork
  /// True while many files are new. Then the words of songs are added all at once by ``orderWords()``, and not twice.
  /// Artists, albums and folders are found at once.
  public var isBulk = false
  /// True if something was changed in the transaction.
  private var isChanged = false
  private var isOpen = false
  /// Counts the transactions that changed something.
  public private(set) var revision: Int64

  /// - Parameters:
  ///   - database: opened with ``LibraryFile/open(in:key:)``.
  ///   - articles: the words that do not count at the beginning of a name.
  public init(_ database: Database, articles: Articles) throws(DatabaseError) {
    self.database = database
    self.articles = articles
    statements = try WriterStatements(database)
    words = try WordIndexWriter(database)
    revision = try Self.meta("revision", statements) ?? 0
    unorderedWords = try Self.meta("unordered", statements) ?? 0
    due = DueWork(rawValue: try Self.meta("due", statements) ?? 0)
  }

  /// Begins a transaction.
  public func begin() throws(DatabaseError) {
    try database.execute("BEGIN IMMEDIATE")
    isOpen = true
    isChanged = false
  }

  /// Ends the transaction. After a power cut, the changes of this transaction are there completely, or not at all. A
  /// transaction without a change writes nothing.
  public func commit() throws(DatabaseError) {
    try decideAlbums()
    if isChanged {
      revision += 1
      try setMeta("revision", revision)
      try setMeta("unordered", unorderedWords)
      try setMeta("due", due.rawValue)
    }
    try database.execute("COMMIT")
    isOpen = false
    known = KnownRows()
  }

  /// True if the transaction needs so much memory that it must be committed.
  public var isLarge: Bool {
    changedFolders.count + changedAlbums.count + changedPersons.count + changedGenres.count > 20_000
  }

  /// Drops the changes since ``begin()``.
  public func rollBack() {
    changedFolders = []
    changedAlbums = []
    changedPersons = []
    changedGenres = []
    entryCounts = [:]
    words.forgetRowIDs()
    known = KnownRows()
    if isOpen { try? database.execute("ROLLBACK") }
    isOpen = false
    isBulk = false
    // The numbers of the transaction are gone with it.
    revision = (try? Self.meta("revision", statements)) ?? revision
    unorderedWords = (try? Self.meta("unordered", statements)) ?? unorderedWords
    due = .all
  }

  /// Executes `body` in a transaction. If `body` throws, its changes are dropped.
  public func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    do {
      try begin()
      try body()
      try commit()
    } catch {
      rollBack()
      throw error
    }
  }

  /// Moves the changes from the journal to the database, and empties the journal. Call this when a scan has ended, so
  /// that the next start has less to read.
  public func checkpoint() throws(DatabaseError) {
    var frames: Int64 = 0
    try database.statement("PRAGMA wal_checkpoint(PASSIVE)").execute { row throws(DatabaseError) in
      frames = row.integer(1)
      return false
    }
    // The journal would get a new time also if it is empty, and that is a write to the storage.
    if frames > 0 { try database.statement("PRAGMA wal_checkpoint(TRUNCATE)").execute() }
  }

  /// Examines the whole database. See ``LibraryFile/check(_:)``.
  public func check() throws(DatabaseError) { try LibraryFile.check(database) }

  func noteChange() { isChanged = true }

  // MARK: Numbers that survive

  func meta(_ name: String) throws(DatabaseError) -> Int64? {
    try Self.meta(name, statements)
  }

  private static func meta(
    _ name: String, _ statements: WriterStatements
  ) throws(DatabaseError) -> Int64? {
    let value = try statements.meta.integer(.text(name))
    // A damaged value must not overflow.
    return value.map { min(max($0, 0), 1 << 60) }
  }

  func setMeta(_ name: String, _ value: Int64) throws(DatabaseError) {
    try statements.setMeta.execute(.text(name), .integer(value))
  }

  /// Does the work that a scan does at its end. The caller commits.
  public func finish() throws(DatabaseError) {
    if mustFindEntries { try findEntries() }
    try removeUnusedNames()
    if try mustOrderWords { try orderWords() }
  }
}

/// The ids of rows that a transaction has used.
struct KnownRows {
  struct Grouping: Hashable {
    let folder: Int64
    let tags: AlbumTags
  }

  private(set) var persons: [TextKey: Int64] = [:]
  private(set) var genres: [TextKey: Int64] = [:]
  private var groupings: [Grouping: Int64] = [:]
  /// The grouping before. Consecutive tracks mostly have the same.
  private var last: (grouping: Grouping, id: Int64)?
  /// More names than a collection of common size has in one transaction.
  private static let maximum = 4000

  mutating func addPerson(_ name: String, _ id: Int64) { Self.add(name, id, &persons) }

  mutating func addGenre(_ name: String, _ id: Int64) { Self.add(name, id, &genres) }

  mutating func id(of grouping: Grouping) -> Int64? {
    if let last, last.grouping == grouping { return last.id }
    guard let id = groupings[grouping] else { return nil }
    last = (grouping, id)
    return id
  }

  mutating func add(_ grouping: Grouping, _ id: Int64) {
    last = (grouping, id)
    // The tags of a grouping may be long.
    if groupings.count >= 64 { groupings = [:] }
    groupings[grouping] = id
  }

  private static func add(_ name: String, _ id: Int64, _ known: inout [TextKey: Int64]) {
    if known.count >= maximum { known = [:] }
    known[TextKey(name)] = id
  }
}

/// Work that a scan does at its end.
struct DueWork: OptionSet {
  let rawValue: Int64

  /// Tracks were removed, so that a person or a genre may have none.
  static let unusedNames = DueWork(rawValue: 1)
  /// Playlists or the files of their entries have changed.
  static let entries = DueWork(rawValue: 2)
  /// Songs have no words.
  static let words = DueWork(rawValue: 4)
  static let all: DueWork = [.unusedNames, .entries]
}
