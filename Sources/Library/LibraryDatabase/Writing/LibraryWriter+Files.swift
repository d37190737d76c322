package import Files
internal import NameKeys
public import SQLite

// Folders and files, as the storage has them.
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
    /// The stamp with which the file was found.
    package let stamp: FileStamp
    /// False if the file must be read.
    package let isRead: Bool
    /// True if the file was never read.
    package let isNew: Bool
  }

  /// The folder of a volume itself. It is added if it is missing. `shown` is its name for people.
  public func root(of volume: Int64, shown: String) throws(DatabaseError) -> Int64 {
    if let id = try statements.rootFolder.integer(.integer(volume)) { return id }
    return try add(name: [], shown: shown, parent: 0, volume: volume)
  }

  /// The folders in a folder.
  public func folders(in folder: Int64) throws(DatabaseError) -> [StoredFolder] {
    try folders(statements.childFolders, folder)
  }

  /// The folders in a folder, in the order in which people see them.
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

  /// Removes a folder with all that is in it.
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

  /// Notes that a file has changed and must be read again. Its track stays until then.
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
  /// Longer texts are cut.
  static let maximumTextBytes = 1024

  /// The text, cut at a character.
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
