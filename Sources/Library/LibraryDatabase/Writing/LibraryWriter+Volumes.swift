internal import NameKeys
public import SQLite

extension LibraryWriter {
  /// The volume with this identity. It is added if it is not known. Nil if the library has the largest
  /// number of volumes.
  ///
  /// - Parameters:
  ///   - identity: does not depend on the port and on the kernel's name of a stick.
  ///   - label: the name for people.
  public func volume(identity: String, label: String) throws(DatabaseError) -> Int64? {
    var found: (id: Int64, label: String)?
    var used: Set<Int64> = []
    try database.statement("SELECT id, identity, label FROM volume").execute {
      row throws(DatabaseError) in
      used.insert(row.integer(0))
      if row.text(1) == identity { found = (row.integer(0), row.text(2)) }
      return true
    }
    if let found, found.label == label { return found.id }
    noteChange()
    if let found {
      try database.statement("UPDATE volume SET label = ?2 WHERE id = ?1")
        .execute(.integer(found.id), .text(label))
      try renameRoot(of: found.id, label)
      return found.id
    }
    guard let id = (0..<Int64(Self.maximumVolumes)).first(where: { !used.contains($0) }) else {
      return nil
    }
    try database.statement(
      """
      INSERT INTO volume(id, identity, label, seen)
      VALUES(?1, ?2, ?3, (SELECT coalesce(max(seen), 0) + 1 FROM volume))
      """
    ).execute(.integer(id), .text(identity), .text(label))
    return id
  }

  /// Gives the folder of a volume itself another name. An album without a title has the name of the folder.
  private func renameRoot(of volume: Int64, _ shown: String) throws(DatabaseError) {
    guard let root = try statements.rootFolder.integer(.integer(volume)) else { return }
    let key = SortKey(FoldedName(shown), articles: Self.noArticles)
    try database.statement("UPDATE folder SET shown = ?2, sortkey = ?3 WHERE id = ?1")
      .execute(.integer(root), .text(Self.cut(shown)), .bytes(key.bytes))
    changedFolders.insert(root)
  }

  /// Each volume has a bit in a number of 63 bits.
  static let maximumVolumes = 62

  /// Notes that all files of a volume must be read again, also those that have stopped the program. Their tracks stay
  /// until then.
  public func markUnread(identity: String) throws(DatabaseError) {
    noteChange()
    try forgetStops(onVolume: identity)
    try database.statement(
      """
      UPDATE file SET state = -1
      WHERE state > 0 AND folder IN (
        SELECT folder.id FROM folder JOIN volume ON volume.id = folder.volume
        WHERE volume.identity = ?1)
      """
    ).execute(.text(identity))
  }

  /// Removes a volume with all that is in it. Commits several times.
  ///
  /// - Parameter continues: asked before each file. If it returns false, the files that are left stay.
  /// - Returns: true if the volume is gone.
  @discardableResult
  public func removeVolume(
    identity: String, continues: () -> Bool = { true }
  ) throws(DatabaseError) -> Bool {
    let found = try database.statement("SELECT id FROM volume WHERE identity = ?1")
      .integer(.text(identity))
    guard let id = found else { return true }
    notesFormerPaths = false
    defer { notesFormerPaths = true }
    if let root = try statements.rootFolder.integer(.integer(id)) {
      guard try removeContents(of: root, continues) else { return false }
      try removeFolder(root)
    }
    try forgetStops(onVolume: identity)
    try database.statement("DELETE FROM volume WHERE id = ?1").execute(.integer(id))
    noteChange()
    try commit()
    try begin()
    try finish()
    return true
  }

  private func removeContents(
    of folder: Int64, _ continues: () -> Bool
  ) throws(DatabaseError) -> Bool {
    for child in try folders(in: folder) {
      guard try removeContents(of: child.id, continues) else { return false }
      try removeFolder(child.id)
    }
    for file in try files(in: folder) {
      guard continues() else { return false }
      try removeFile(file.id)
      if isLarge {
        try commit()
        try begin()
      }
    }
    return true
  }
}
