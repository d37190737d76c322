internal import Files
public import LibraryModel
internal import NameKeys
public import SQLite

// Where files are.
extension LibraryReader {
  /// Files that cannot be played, in a fixed order, from the number `first` on. Stops before the answer needs
  /// more than `maximumBytes`.
  public func problems(
    first: Int, maximumBytes: Int
  ) throws(DatabaseError) -> [LibraryProblem] {
    var folders: [Int64: FolderPath] = [:]
    var problems: [LibraryProblem] = []
    var bytes = 0
    try statement(
      """
      SELECT folder, name, problem, codec FROM file WHERE state = 3 ORDER BY id LIMIT -1 OFFSET ?1
      """
    ).execute(.integer(first)) { row throws(DatabaseError) in
      let folder = try folderPath(row.integer(0), &folders, depth: 0)
      let problem = LibraryProblem(
        volume: folder.volume, path: folder.path + row.bytes(1), reason: row.text(2),
        cause: row.text(3))
      bytes += 160 + problem.path.count + min(problem.reason.utf8.count, 1024)
      guard bytes <= maximumBytes || problems.isEmpty else { return false }
      problems.append(problem)
      return true
    }
    return problems
  }

  struct FolderPath {
    var volume = ""
    /// The path below the volume, with a slash at the end; empty for the folder of the volume.
    var path: [UInt8] = []
  }

  func folderPath(
    _ id: Int64, _ known: inout [Int64: FolderPath], depth: Int
  ) throws(DatabaseError) -> FolderPath {
    if let path = known[id] { return path }
    // A damaged parent could lead in a circle.
    guard depth < 100 else { throw DatabaseError.damaged("folders are in a circle") }
    var found: (parent: Int64, name: [UInt8], volume: String)?
    try statement(
      """
      SELECT folder.parent, folder.name, volume.identity
      FROM folder JOIN volume ON volume.id = folder.volume WHERE folder.id = ?1
      """
    ).execute(.integer(id)) { row throws(DatabaseError) in
      found = (row.integer(0), row.bytes(1), row.text(2))
      return false
    }
    guard let found else { throw DatabaseError.damaged("a file is in no folder") }
    var folder = FolderPath(volume: found.volume)
    if found.parent != 0 {
      let above = try folderPath(found.parent, &known, depth: depth + 1)
      folder.path = above.path + found.name + [UInt8(ascii: "/")]
    }
    known[id] = folder
    return folder
  }

  // MARK: By path

  /// The folder of a volume itself.
  struct RootFolder {
    let id: Int64
    /// The number of the volume.
    let volume: Int64
  }

  /// The folders that were found in a question, by their paths. Nil for a path without a folder.
  typealias FoldersByPath = [[UInt8]: Int64?]

  func rootFolder(of volume: String) throws(DatabaseError) -> RootFolder? {
    var found: RootFolder?
    try statement(
      """
      SELECT folder.id, volume.id FROM folder JOIN volume ON volume.id = folder.volume
      WHERE folder.parent = 0 AND volume.identity = ?1
      """
    ).execute(.text(volume)) { row throws(DatabaseError) in
      found = RootFolder(id: row.integer(0), volume: row.integer(1))
      return false
    }
    return found
  }

  /// True if the volume with this number is present.
  func isPresent(_ volume: Int64) -> Bool {
    (0..<63).contains(volume) && presentVolumes & 1 << volume != 0
  }

  static func names(in path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/")).map { Array($0) }
  }

  /// The folder at the end of these names; `root` if there are none. Nil if there is no such folder.
  func folder(
    _ names: some Sequence<[UInt8]>, in root: Int64, _ known: inout FoldersByPath
  ) throws(DatabaseError) -> Int64? {
    var folder = root
    var path: [UInt8] = []
    for name in names {
      path += name + [UInt8(ascii: "/")]
      let next: Int64?
      if let found = known[path] {
        next = found
      } else {
        next = try statement(
          "SELECT id FROM folder WHERE parent = ?1 AND sortkey = ?2 AND name = ?3"
        ).integer(.integer(folder), .bytes(Self.sortKey(ofFile: name)), .bytes(name))
        known[path] = .some(next)
      }
      guard let next else { return nil }
      folder = next
    }
    return folder
  }

  /// The sort key of a file or folder. The indexes of their tables begin with it.
  static func sortKey(ofFile name: [UInt8]) -> [UInt8] {
    SortKey(FoldedName(FileName.text(name)), articles: LibraryWriter.noArticles).bytes
  }
}
