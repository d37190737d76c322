internal import Files
public import LibraryModel
internal import NameKeys
public import SQLite

// Files that cannot be played, and folders by path.
extension LibraryReader {
  /// Files that cannot be played, in a fixed order. Leaves out the first `first` files, and stops before the answer
  /// needs more than `maximumBytes`.
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
    /// The path below the volume, with a slash at the end. Empty for the folder of the volume itself.
    var path: [UInt8] = []
  }

  func folderPath(
    _ id: Int64, _ known: inout [Int64: FolderPath], depth: Int
  ) throws(DatabaseError) -> FolderPath {
    if let path = known[id] { return path }
    // A damaged database can contain a cycle of folders.
    guard depth < 100 else { throw DatabaseError.damaged("the folders contain a cycle") }
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
    guard let found else { throw DatabaseError.damaged("a parent folder is missing") }
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
    /// The id of the volume.
    let volume: Int64
  }

  /// A cache for one question: the folder of each path that was searched. Nil if no folder has this path.
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

  /// True if the volume with this id is present.
  func isPresent(_ volume: Int64) -> Bool {
    (0..<63).contains(volume) && presentVolumes & 1 << volume != 0
  }

  static func names(in path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/")).map { Array($0) }
  }

  /// The folder to which these names lead, beginning at `root`. Nil if this folder does not exist.
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

  /// The sort key of a file or folder. Queries by name compare the sort key too, because the indexes contain the sort
  /// key and not the name.
  static func sortKey(ofFile name: [UInt8]) -> [UInt8] {
    SortKey(FoldedName(FileName.text(name)), articles: LibraryWriter.noArticles).bytes
  }
}

// Files that were moved.
extension LibraryReader {
  /// Finds files that were moved. For each path without a present file, finds a present file with the same sound, or of
  /// the same track in another quality.
  ///
  /// - Parameters:
  ///   - paths: the paths of the files below the volume.
  ///   - volume: the identity of the volume.
  ///   - maximumBytes: maximum size of the answer. The method stops before the answer gets larger.
  public func moved(
    _ paths: [[UInt8]], on volume: String, maximumBytes: Int
  ) throws(DatabaseError) -> MovedFiles {
    let root = try rootFolder(of: volume)
    var known = FoldersByPath()
    var (moved, bytes) = (MovedFiles(), 0)
    for (index, path) in paths.enumerated() {
      if let song = try newSong(of: path, on: volume, root, &known),
        let track = try tracks([song], maximumBytes: .max).tracks.first
      {
        bytes += Self.bytes(of: track)
        guard bytes <= maximumBytes || moved.files.isEmpty else { break }
        moved.files.append(MovedFiles.File(index: index, track: track))
      }
      moved.examined += 1
    }
    return moved
  }

  /// The song that replaces a file. Nil if the file is present, or if no song replaces it. If the volume of the file is
  /// absent, only a song with the same sound is used, because the file comes back with its volume. If the file was
  /// removed, a song that is the same track of a release in MusicBrainz is used as well.
  private func newSong(
    of path: [UInt8], on volume: String, _ root: RootFolder?, _ known: inout FoldersByPath
  ) throws(DatabaseError) -> Int64? {
    let names = Self.names(in: path)
    guard let name = names.last else { return nil }
    if let root, let absent = try identity(of: names, in: root.id, &known) {
      guard !isPresent(root.volume), let audio = absent.audio else { return nil }
      return try song(.sound, audio, name: name, volume: volume)
    }
    guard let gone = try formerIdentity(of: names, on: volume) else { return nil }
    if let audio = gone.audio, let song = try song(.sound, audio, name: name, volume: volume) {
      return song
    }
    guard let track = gone.releaseTrack, try isTrusted(track) else { return nil }
    return try song(.releaseTrack, track, name: name, volume: volume)
  }

  /// The values that identify the content of a file.
  private struct FileIdentity {
    var audio: Int64?
    var releaseTrack: Int64?

    init(_ row: borrowing Row) {
      audio = row.optionalInteger(0)
      releaseTrack = row.optionalInteger(1)
    }
  }

  /// The identity of a file of a volume. Nil if the library does not know the file.
  private func identity(
    of names: [[UInt8]], in root: Int64, _ known: inout FoldersByPath
  ) throws(DatabaseError) -> FileIdentity? {
    guard let name = names.last, let folder = try folder(names.dropLast(), in: root, &known) else {
      return nil
    }
    var identity: FileIdentity?
    try statement(
      "SELECT audio, releasetrack FROM file WHERE folder = ?1 AND sortkey = ?2 AND name = ?3"
    ).execute(.integer(folder), .bytes(Self.sortKey(ofFile: name)), .bytes(name)) {
      row throws(DatabaseError) in
      identity = FileIdentity(row)
      return false
    }
    return identity
  }

  /// The identity of a removed file. Nil if it is not stored.
  private func formerIdentity(
    of names: [[UInt8]], on volume: String
  ) throws(DatabaseError) -> FileIdentity? {
    var identity: FileIdentity?
    try statement("SELECT audio, releasetrack FROM former WHERE place = ?1")
      .execute(.integer(ContentID.of(names, on: volume))) { row throws(DatabaseError) in
        identity = FileIdentity(row)
        return false
      }
    return identity
  }

  /// False if five or more files name this track of a release in their tags. Then the tags are probably wrong.
  private func isTrusted(_ releaseTrack: Int64) throws(DatabaseError) -> Bool {
    let count = try statement(
      "SELECT count(*) FROM (SELECT id FROM file WHERE releasetrack = ?1 LIMIT 5)"
    ).integer(.integer(releaseTrack))
    return (count ?? 0) < 5
  }

  /// The column of `file` by which a song is found.
  private enum IdentityColumn: String {
    case sound = "audio"
    case releaseTrack = "releasetrack"
  }

  /// A song on a present volume whose file has the value `value` in `column`. A song on the same volume is preferred,
  /// then a song whose file has the same name. Only 64 files are examined, because many files can have the same value,
  /// for example all files with only silence.
  private func song(
    _ column: IdentityColumn, _ value: Int64, name: [UInt8], volume: String
  ) throws(DatabaseError) -> Int64? {
    var song: Int64?
    try statement(
      """
      SELECT track.id, folder.volume FROM (
        SELECT id, folder, name FROM file WHERE \(column.rawValue) = ?1 LIMIT 64) AS same
      CROSS JOIN track ON track.id = same.id CROSS JOIN folder ON folder.id = same.folder
      CROSS JOIN volume ON volume.id = folder.volume
      ORDER BY volume.identity = ?2 DESC, same.name = ?3 DESC, same.id
      """
    ).execute(.integer(value), .text(volume), .bytes(name)) { row throws(DatabaseError) in
      guard isPresent(row.integer(1)) else { return true }
      song = row.integer(0)
      return false
    }
    return song
  }
}
