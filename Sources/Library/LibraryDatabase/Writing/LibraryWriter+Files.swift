package import Files
internal import NameKeys
public import SQLite

// The rows of folders and files. They match the folders and files of the volumes.
extension LibraryWriter {
  /// A folder that the library knows.
  public struct StoredFolder: Sendable {
    /// The id of the folder.
    public let id: Int64
    /// The name, as bytes.
    public let name: [UInt8]
  }

  /// A file that the library knows.
  package struct StoredFile: Sendable {
    /// The id of the file.
    package let id: Int64
    /// The name, as bytes.
    package let name: [UInt8]
    /// The stamp that the file had when it was found.
    package let stamp: FileStamp
    /// False if the file must be read, for example because it has changed.
    package let isRead: Bool
    /// True if the file was never read.
    package let isNew: Bool
  }

  /// The folder of a volume itself, which is added if it is missing. `shown` is the name that the user sees.
  public func root(of volume: Int64, shown: String) throws(DatabaseError) -> Int64 {
    if let id = try statements.rootFolder.integer(.integer(volume)) { return id }
    return try add(name: [], shown: shown, parent: 0, volume: volume)
  }

  /// The folders in a folder.
  public func folders(in folder: Int64) throws(DatabaseError) -> [StoredFolder] {
    try folders(statements.childFolders, folder)
  }

  /// The folders in a folder, in the order in which lists show them.
  public func orderedFolders(in folder: Int64) throws(DatabaseError) -> [StoredFolder] {
    try folders(statements.orderedFolders, folder)
  }

  private func folders(
    _ statement: Statement, _ folder: Int64
  ) throws(DatabaseError) -> [StoredFolder] {
    var folders: [StoredFolder] = []
    try statement.execute(.integer(folder)) { row throws(DatabaseError) in
      folders.append(StoredFolder(id: row.integer(0), name: row.bytes(1)))
      return true
    }
    return folders
  }

  /// Adds a folder.
  public func addFolder(
    _ name: [UInt8], in parent: Int64, volume: Int64
  ) throws(DatabaseError) -> Int64 {
    try add(name: name, shown: FileName.text(name), parent: parent, volume: volume)
  }

  private func add(
    name: [UInt8], shown: String, parent: Int64, volume: Int64
  ) throws(DatabaseError) -> Int64 {
    noteChange()
    let folded = FoldedName(shown)
    try statements.addFolder.execute(
      .integer(volume), .integer(parent), .bytes(name),
      .bytes(SortKey(folded, articles: Self.noArticles).bytes), .text(Self.cut(shown)))
    let id = database.lastRow
    if parent != 0 { try addWords(.folder, id, [shown]) }
    return id
  }

  /// Removes a folder and its whole contents.
  public func removeFolder(_ id: Int64) throws(DatabaseError) {
    for folder in try folders(in: id) { try removeFolder(folder.id) }
    for file in try files(in: id) { try removeFile(file.id) }
    try statements.removeFolder.execute(.integer(id))
    unorderedWords += 1
    noteChange()
  }

  /// The files in a folder.
  package func files(in folder: Int64) throws(DatabaseError) -> [StoredFile] {
    try files(statements.files, folder)
  }

  /// The files in a folder that must be read.
  package func unreadFiles(in folder: Int64) throws(DatabaseError) -> [StoredFile] {
    try files(statements.unreadFiles, folder)
  }

  private func files(
    _ statement: Statement, _ folder: Int64
  ) throws(DatabaseError) -> [StoredFile] {
    var files: [StoredFile] = []
    try statement.execute(.integer(folder)) { row throws(DatabaseError) in
      let stamp = FileStamp(
        size: row.integer(2), seconds: row.integer(3), nanoseconds: row.integer(4))
      files.append(
        StoredFile(
          id: row.integer(0), name: row.bytes(1), stamp: stamp,
          isRead: row.integer(5) > 0, isNew: row.integer(5) == FileState.unread.rawValue))
      return true
    }
    return files
  }

  /// Adds a file that must be read.
  package func addFile(_ name: [UInt8], _ stamp: FileStamp, in folder: Int64) throws(DatabaseError)
  {
    noteChange()
    try statements.addFile.execute(
      .integer(folder), .bytes(name), .bytes(LibraryReader.sortKey(ofFile: name)),
      .integer(stamp.size),
      .integer(stamp.seconds), .integer(stamp.nanoseconds))
  }

  /// Records that a file has changed and must be read again. Its track is kept until the file is read.
  package func change(_ file: Int64, to stamp: FileStamp) throws(DatabaseError) {
    noteChange()
    try statements.changeFile.execute(
      .integer(file), .integer(stamp.size), .integer(stamp.seconds), .integer(stamp.nanoseconds))
  }

  /// Removes a file and its track.
  public func removeFile(_ id: Int64) throws(DatabaseError) {
    noteChange()
    try addFormerPath(of: id)
    try removeTracks(of: id)
    try removePlaylist(id)
    try statements.removeFile.execute(.integer(id))
  }

  static let noArticles = Articles([])
  /// Maximum length of a stored text in bytes. A longer text is cut.
  static let maximumTextBytes = 1024

  /// A text, cut between two Unicode scalars if it is too long.
  static func cut(_ text: String) -> String {
    guard text.utf8.count > maximumTextBytes else { return text }
    var end = text.startIndex
    var bytes = 0
    for character in text.unicodeScalars {
      bytes += UTF8.width(character)
      if bytes > maximumTextBytes { break }
      end = text.unicodeScalars.index(after: end)
    }
    return String(text[..<end])
  }
}

extension LibraryWriter {
  /// The id of the volume with this identity. The volume is added if it is not known. Nil if there are already
  /// ``maximumVolumes`` volumes.
  ///
  /// - Parameters:
  ///   - identity: the identity. For a stick, it depends neither on the port nor on the device name of the kernel.
  ///   - label: the name that the user sees.
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

  /// Changes the name of the folder of a volume itself. Its albums are grouped again, because an album without a title
  /// has the name of its folder.
  private func renameRoot(of volume: Int64, _ shown: String) throws(DatabaseError) {
    guard let root = try statements.rootFolder.integer(.integer(volume)) else { return }
    let key = SortKey(FoldedName(shown), articles: Self.noArticles)
    try database.statement("UPDATE folder SET shown = ?2, sortkey = ?3 WHERE id = ?1")
      .execute(.integer(root), .text(Self.cut(shown)), .bytes(key.bytes))
    changedFolders.insert(root)
  }

  /// Maximum number of volumes. Each volume needs a bit of an `Int64` that is not the sign bit.
  static let maximumVolumes = 62

  /// Records that all files of a volume must be read again, also excluded files (``HarmfulFile``). Their tracks are
  /// kept until they are read.
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

  /// Removes a volume and its whole contents, in several transactions.
  ///
  /// - Parameter continues: called before each file. If it returns false, the remaining files are kept.
  /// - Returns: true if the volume was removed completely.
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

/// A file that the program was reading when it crashed or was killed. Possibly the file is the cause.
package struct HarmfulFile: Hashable, Sendable {
  /// After this number of crashes or kills, the file is excluded. A single crash or kill can have another reason, such
  /// as little memory.
  private static let maximumStops = 2

  /// The identity of the volume.
  package let volume: String
  /// The path below the volume, with a slash at the beginning, as bytes.
  package let path: [UInt8]
  /// See `FileStamp.digest`. If the file has changed, it is read again.
  package let stamp: UInt32
  /// How often the program crashed or was killed while it read the file.
  package var stops: Int

  package init(volume: String, path: [UInt8], stamp: UInt32, stops: Int = 1) {
    self.volume = volume
    self.path = path
    self.stamp = stamp
    self.stops = stops
  }

  /// True if the file must not be read any more.
  package var isExcluded: Bool { stops >= Self.maximumStops }
}

// The harmful files. They are stored, so they are also known after the machine was started again.
extension LibraryWriter {
  /// Maximum number of stored records. If there are more, the oldest records are removed.
  private static let maximumHarmfulFiles = 1000

  /// Records that the program crashed or was killed while it read a file. Commits the change, and moves it from the
  /// journal to the database, because the program can also crash at the next file.
  package func noteStop(_ file: HarmfulFile) throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      try database.statement(
        """
        INSERT INTO harmful(volume, path, stamp, stops) VALUES(?1, ?2, ?3, 1)
        ON CONFLICT(volume, path) DO UPDATE SET
          stops = CASE WHEN stamp = excluded.stamp THEN min(stops, 99) + 1 ELSE 1 END,
          stamp = excluded.stamp
        """
      ).execute(.text(file.volume), .bytes(file.path), .integer(Int64(file.stamp)))
      try database.execute(
        """
        DELETE FROM harmful WHERE id NOT IN
          (SELECT id FROM harmful ORDER BY id DESC LIMIT \(Self.maximumHarmfulFiles))
        """)
      noteChange()
    }
    try checkpoint()
  }

  /// The harmful files, in the order in which they were first recorded.
  package func harmfulFiles() throws(DatabaseError) -> [HarmfulFile] {
    var files: [HarmfulFile] = []
    try database.statement("SELECT volume, path, stamp, stops FROM harmful ORDER BY id").execute {
      row throws(DatabaseError) in
      files.append(
        HarmfulFile(
          volume: row.text(0), path: row.bytes(1),
          stamp: UInt32(truncatingIfNeeded: row.integer(2)),
          stops: Int(clamping: row.integer(3))))
      return true
    }
    return files
  }

  /// Removes the record of a file, because the file was read to its end.
  package func forgetStops(of file: HarmfulFile) throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      try database.statement("DELETE FROM harmful WHERE volume = ?1 AND path = ?2")
        .execute(.text(file.volume), .bytes(file.path))
      noteChange()
    }
  }

  /// Removes the records of all files of a volume, which is read again or removed.
  func forgetStops(onVolume identity: String) throws(DatabaseError) {
    try database.statement("DELETE FROM harmful WHERE volume = ?1").execute(.text(identity))
  }
}
