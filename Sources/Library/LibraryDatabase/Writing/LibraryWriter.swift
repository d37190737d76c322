public import NameKeys
public import SQLite

/// Writes the results of a scan to the database. Make all changes in a transaction, between ``begin()`` and
/// ``commit()``.
///
/// Used only on the scanning thread. Each call can write to the storage.
public final class LibraryWriter {
  let database: Database
  let articles: Articles
  let statements: WriterStatements
  let words: WordIndexWriter
  /// A cache of the ids of rows that this transaction uses repeatedly.
  var known = KnownRows()
  /// False while a volume is removed from the library. Its files were not moved, so their paths are not stored.
  var notesFormerPaths = true
  /// The folders whose tracks must be grouped into albums again, because a track in them has changed.
  var changedFolders: Set<Int64> = []
  /// The albums with added or removed tracks. The next two sets contain the artists (persons) and the genres whose
  /// albums have changed.
  var changedAlbums: Set<Int64> = []
  var changedPersons: Set<Int64> = []
  var changedGenres: Set<Int64> = []
  /// A cache: for each volume, the number of entries in its playlists.
  var entryCounts: [Int64: Int] = [:]
  /// Maximum number of entries in all playlists of a volume together. It is needed, because a stick can contain any
  /// number of playlists.
  public internal(set) var maximumEntries = 100_000
  /// The number of changes to the index of words since ``orderWords()``: rows that were added, and rows whose entry was
  /// changed or removed.
  var unorderedWords: Int64
  /// The work that must be done at the end of a scan. It is saved in the database, because the process can be killed
  /// before the end of a scan.
  var due: DueWork
  /// True while a scan adds many files. Then the words of songs are not added one by one, because ``orderWords()`` adds
  /// all words at the end of the scan. Until then, a search finds artists, albums and folders, but not the new songs.
  public var isBulk = false
  /// True if the transaction contains a change.
  private var isChanged = false
  private var isOpen = false
  /// The number of transactions with a change.
  public private(set) var revision: Int64

  /// - Parameters:
  ///   - database: the result of ``LibraryFile/open(in:key:maximumBytes:)``.
  ///   - articles: the words that sorting ignores at the beginning of a name.
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

  /// Ends the transaction. After a power cut, the database contains either all changes of the transaction or none of
  /// them. A transaction without a change writes nothing.
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
    // The values that the transaction has set are not valid any more, so they are read again.
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

  /// Moves the changes from the journal to the database, and empties the journal. Call this after a scan, so that the
  /// next start needs to read less.
  public func checkpoint() throws(DatabaseError) {
    var frames: Int64 = 0
    try database.statement("PRAGMA wal_checkpoint(PASSIVE)").execute { row throws(DatabaseError) in
      frames = row.integer(1)
      return false
    }
    // An empty journal is not truncated, because truncating would write a new time of change to the storage.
    if frames > 0 { try database.statement("PRAGMA wal_checkpoint(TRUNCATE)").execute() }
  }

  /// Checks the whole database. See ``LibraryFile/check(_:)``.
  public func check() throws(DatabaseError) { try LibraryFile.check(database) }

  func noteChange() { isChanged = true }

  // MARK: Stored numbers

  func meta(_ name: String) throws(DatabaseError) -> Int64? {
    try Self.meta(name, statements)
  }

  private static func meta(
    _ name: String, _ statements: WriterStatements
  ) throws(DatabaseError) -> Int64? {
    let value = try statements.meta.integer(.text(name))
    // The limit prevents an overflow if the value is damaged.
    return value.map { min(max($0, 0), 1 << 60) }
  }

  func setMeta(_ name: String, _ value: Int64) throws(DatabaseError) {
    try statements.setMeta.execute(.text(name), .integer(value))
  }

  /// Does the work at the end of a scan. The caller commits.
  public func finish() throws(DatabaseError) {
    if mustFindEntries { try findEntries() }
    try removeUnusedNames()
    if try mustOrderWords { try orderWords() }
  }
}

/// A cache of the ids of rows that a transaction has used.
struct KnownRows {
  struct Grouping: Hashable {
    let folder: Int64
    let tags: AlbumTags
  }

  private(set) var persons: [TextKey: Int64] = [:]
  private(set) var genres: [TextKey: Int64] = [:]
  private var groupings: [Grouping: Int64] = [:]
  /// The folder and album tags that were used last. They are checked first, because consecutive tracks mostly have the
  /// same.
  private var last: (grouping: Grouping, id: Int64)?
  /// Maximum number of names in each cache. Usually, a transaction adds fewer names.
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
    // The limit is low, because album tags can be long.
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

  /// Tracks were removed, so persons or genres without tracks possibly exist.
  static let unusedNames = DueWork(rawValue: 1)
  /// Playlists or the files of their entries have changed.
  static let entries = DueWork(rawValue: 2)
  /// The words of some songs are not in the index yet.
  static let words = DueWork(rawValue: 4)
  static let all: DueWork = [.unusedNames, .entries]
}
