package import SQLite

/// Writes the thumbnails, and limits the size of their file. The first change begins a transaction, and ``commit()``
/// ends it.
///
/// Used only on the scanning thread. Each call can write to the storage.
package final class CoverWriter {
  private let database: Database
  private let maximumPages: Int
  private let findCover: Statement
  private let setCover: Statement
  private let findPicture: Statement
  private let addPicture: Statement
  private let pageCount: Statement
  private let freePages: Statement
  private var isOpen = false
  /// Maximum number of pages that one thumbnail needs, for its bytes and for the B-trees.
  private static let pagesOfThumbnail = 12
  /// Number of thumbnails that are removed in one transaction. A longer transaction would make the journal large.
  private static let removedAtOnce = 32

  /// - Parameters:
  ///   - folder: the folder of the file. It must exist.
  ///   - maximumBytes: maximum size of the file with its journal.
  package init(in folder: String, maximumBytes: Int) throws(DatabaseError) {
    database = try CoverFile.open(in: folder, maximumBytes: maximumBytes)
    maximumPages = CoverFile.pages(maximumBytes)
    findCover = try database.statement(
      "SELECT stamp, picture FROM cover WHERE album = ?1 AND volume = ?2")
    setCover = try database.statement(
      "INSERT OR REPLACE INTO cover(album, volume, stamp, picture) VALUES(?1, ?2, ?3, ?4)")
    findPicture = try database.statement("SELECT 1 FROM picture WHERE id = ?1")
    addPicture = try database.statement(
      "INSERT OR REPLACE INTO picture(id, bytes) VALUES(?1, ?2)")
    pageCount = try database.statement("PRAGMA page_count")
    freePages = try database.statement("PRAGMA freelist_count")
  }

  // MARK: Transactions

  private func begin() throws(DatabaseError) {
    guard !isOpen else { return }
    try database.execute("BEGIN IMMEDIATE")
    isOpen = true
  }

  /// Ends the transaction. After a power cut, the file contains either all changes of the transaction or none of them.
  package func commit() throws(DatabaseError) {
    guard isOpen else { return }
    try database.execute("COMMIT")
    isOpen = false
  }

  /// Drops the changes since the last ``commit()``.
  package func rollBack() {
    if isOpen { try? database.execute("ROLLBACK") }
    isOpen = false
  }

  /// Moves the changes from the journal to the file.
  package func checkpoint() throws(DatabaseError) {
    try database.statement("PRAGMA wal_checkpoint(TRUNCATE)").execute()
  }

  // MARK: Albums

  /// Returns the id of a volume. Adds the volume if it is not known. After the call, the volume counts as seen later
  /// than all absent volumes.
  /// - Parameter present: the identities of all volumes that are present now.
  package func volume(_ identity: String, present: Set<String>) throws(DatabaseError) -> Int64 {
    var own: (id: Int64, seen: Int64)?
    var (latest, latestAbsent) = (Int64(0), Int64(0))
    try database.statement("SELECT id, identity, seen FROM volume").execute {
      row throws(DatabaseError) in
      let seen = min(max(row.integer(2), 0), 1 << 60)
      latest = max(latest, seen)
      if row.text(1) == identity {
        own = (row.integer(0), seen)
      } else if !present.contains(row.text(1)) {
        latestAbsent = max(latestAbsent, seen)
      }
      return true
    }
    // If the volume already counts as seen later than all absent volumes, nothing is written. So a start with the same
    // volumes writes nothing.
    if let own, own.seen > latestAbsent { return own.id }
    try begin()
    if let own {
      try database.statement("UPDATE volume SET seen = ?2 WHERE id = ?1")
        .execute(.integer(own.id), .integer(latest + 1))
      return own.id
    }
    try database.statement("INSERT INTO volume(identity, seen) VALUES(?1, ?2)")
      .execute(.text(identity), .integer(latest + 1))
    return database.lastRow
  }

  /// The stamp of an album's files at the time when they were examined. ``CoverPass`` computes the stamp. Nil if the
  /// album was not examined.
  package func stamp(ofAlbum album: Int64, volume: Int64) throws(DatabaseError) -> Int64? {
    try findCover.integer(.integer(album), .integer(volume))
  }

  /// Records the thumbnail of an album. `picture` is the id of the thumbnail, or 0 if the album has no thumbnail.
  package func set(
    _ picture: Int64, ofAlbum album: Int64, volume: Int64, stamp: Int64
  ) throws(DatabaseError) {
    try begin()
    var old: Int64 = 0
    try findCover.execute(.integer(album), .integer(volume)) { row throws(DatabaseError) in
      old = row.integer(1)
      return false
    }
    try setCover.execute(.integer(album), .integer(volume), .integer(stamp), .integer(picture))
    if old != picture { try removeUnused(old) }
  }

  /// True if the file contains the thumbnail of this picture.
  package func hasPicture(_ picture: Int64) throws(DatabaseError) -> Bool {
    try findPicture.integer(.integer(picture)) != nil
  }

  /// Adds a thumbnail. Call this only after ``makeRoom(present:)`` has returned true.
  package func add(_ thumbnail: [UInt8], of picture: Int64) throws(DatabaseError) {
    try begin()
    try addPicture.execute(.integer(picture), .bytes(thumbnail))
  }

  // MARK: Removing

  /// Makes sure that there is room for one more thumbnail. If necessary, removes thumbnails of absent volumes, first of
  /// the volume that was not seen for the longest time. Returns false if there is no room.
  package func makeRoom(present: Set<String>) throws(DatabaseError) -> Bool {
    while try usedPages() + Self.pagesOfThumbnail > maximumPages {
      guard let volume = try oldestVolume(except: present) else { return false }
      try commit()
      try begin()
      try remove("volume = ?1 LIMIT \(Self.removedAtOnce)", volume)
      let left = try database.statement("SELECT 1 FROM cover WHERE volume = ?1")
      if try left.integer(.integer(volume)) == nil { try removeVolume(volume) }
      try commit()
    }
    return true
  }

  private func usedPages() throws(DatabaseError) -> Int {
    let (all, free) = (try pageCount.integer() ?? 0, try freePages.integer() ?? 0)
    return Int(clamping: all - free)
  }

  private func oldestVolume(except present: Set<String>) throws(DatabaseError) -> Int64? {
    var oldest: Int64?
    try database.statement("SELECT id, identity FROM volume ORDER BY seen").execute {
      row throws(DatabaseError) in
      guard !present.contains(row.text(1)) else { return true }
      oldest = row.integer(0)
      return false
    }
    return oldest
  }

  /// Removes all thumbnails of a volume.
  package func remove(volume identity: String) throws(DatabaseError) {
    let found = try database.statement("SELECT id FROM volume WHERE identity = ?1")
      .integer(.text(identity))
    guard let id = found else { return }
    let left = try database.statement("SELECT 1 FROM cover WHERE volume = ?1")
    while try left.integer(.integer(id)) != nil {
      try begin()
      try remove("volume = ?1 LIMIT \(Self.removedAtOnce)", id)
      try commit()
    }
    try begin()
    try removeVolume(id)
    try commit()
  }

  /// Removes the rows and thumbnails of albums that a volume does not contain any more.
  /// - Parameter albums: the albums that the volume contains.
  package func removeOthers(than albums: Set<Int64>, volume: Int64) throws(DatabaseError) {
    var gone: [Int64] = []
    try database.statement("SELECT album FROM cover WHERE volume = ?1").execute(.integer(volume)) {
      row throws(DatabaseError) in
      if !albums.contains(row.integer(0)) { gone.append(row.integer(0)) }
      return true
    }
    for (number, album) in gone.enumerated() {
      try begin()
      try remove("volume = ?1 AND album = \(album)", volume)
      if number % Self.removedAtOnce == 0 { try commit() }
    }
    try commit()
  }

  private func removeVolume(_ id: Int64) throws(DatabaseError) {
    try database.statement("DELETE FROM volume WHERE id = ?1").execute(.integer(id))
  }

  /// Removes the rows of a volume for which the SQL condition is true, and the thumbnails that no other album uses.
  private func remove(_ condition: String, _ volume: Int64) throws(DatabaseError) {
    var found: [(album: Int64, picture: Int64)] = []
    try database.statement("SELECT album, picture FROM cover WHERE \(condition)")
      .execute(.integer(volume)) { row throws(DatabaseError) in
        found.append((row.integer(0), row.integer(1)))
        return true
      }
    let removeCover = try database.statement("DELETE FROM cover WHERE album = ?1 AND volume = ?2")
    for cover in found {
      try removeCover.execute(.integer(cover.album), .integer(volume))
      try removeUnused(cover.picture)
    }
  }

  /// Removes a thumbnail if no album uses it.
  private func removeUnused(_ picture: Int64) throws(DatabaseError) {
    guard picture != 0 else { return }
    try database.statement(
      """
      DELETE FROM picture WHERE id = ?1
        AND NOT EXISTS (SELECT 1 FROM cover WHERE picture <> 0 AND picture = ?1)
      """
    ).execute(.integer(picture))
  }
}
