public import LibraryModel
public import SQLite

// Where files are.
extension LibraryReader {
  /// Files that cannot be played, in a fixed order, from the number `first` on. Stops before the answer needs
  /// more than `maximumBytes`.
  public func problems(
    first: Int, maximumBytes: Int
  ) throws(DatabaseError) -> [LibraryProblem] {
    var folders: [Int64: FolderPlace] = [:]
    var problems: [LibraryProblem] = []
    var bytes = 0
    try statement(
      """
      SELECT folder, name, problem, codec FROM file WHERE state = 3 ORDER BY id LIMIT -1 OFFSET ?1
      """
    ).execute(.integer(first)) { row throws(DatabaseError) in
      let place = try folderPlace(row.integer(0), &folders, depth: 0)
      let problem = LibraryProblem(
        volume: place.volume, path: place.path + row.bytes(1), reason: row.text(2),
        cause: row.text(3))
      bytes += 160 + problem.path.count + min(problem.reason.utf8.count, 1024)
      guard bytes <= maximumBytes || problems.isEmpty else { return false }
      problems.append(problem)
      return true
    }
    return problems
  }

  struct FolderPlace {
    var volume = ""
    /// The path below the volume, with a slash at the end; empty for the folder of the volume.
    var path: [UInt8] = []
  }

  func folderPlace(
    _ id: Int64, _ known: inout [Int64: FolderPlace], depth: Int
  ) throws(DatabaseError) -> FolderPlace {
    if let place = known[id] { return place }
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
    var place = FolderPlace(volume: found.volume)
    if found.parent != 0 {
      let above = try folderPlace(found.parent, &known, depth: depth + 1)
      place.path = above.path + found.name + [UInt8(ascii: "/")]
    }
    known[id] = place
    return place
  }
}
