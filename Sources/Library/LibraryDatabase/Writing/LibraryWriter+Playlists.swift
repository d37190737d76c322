internal import Files
internal import NameKeys
public import PlaylistFiles
public import SQLite

// The playlists on a volume. An entry whose file is not found is kept, because the file can be added later.
extension LibraryWriter {
  /// Stores the playlist that a file contains. A playlist without a title gets the name of the file. Later,
  /// ``findEntries()`` finds the files of its entries.
  ///
  /// - Returns: false if the playlists of the volume would have more than ``maximumEntries`` entries. The playlist is
  ///   then not added.
  public func setPlaylist(
    _ file: ExaminedFile, _ list: M3UPlaylist
  ) throws(DatabaseError) -> Bool {
    noteChange()
    try removePlaylist(file.id)
    let entries = try entries(of: file.volume) + list.entries.count
    guard entries <= maximumEntries else { return false }
    entryCounts[file.volume] = entries
    if !file.isNew { try removeTracks(of: file.id) }
    try statements.setFile.execute(
      .integer(file.id), .integer(FileState.playlist.rawValue), nil, nil, nil, nil)
    let shown = Self.cut(list.title ?? FileName.withoutSuffix(file.name))
    let key = SortKey(FoldedName(shown), articles: Self.noArticles)
    try statements.addPlaylist.execute(
      .integer(file.id), .text(shown), .bytes(key.bytes), .integer(list.entries.count),
      .integer(file.volume))
    for (position, entry) in list.entries.enumerated() {
      try statements.addEntry.execute(
        .integer(file.id), .integer(position), .integer(entry.isRelative ? 1 : 0),
        .text(entry.path), Self.shownTitle(of: entry).map { .text($0) })
    }
    try addWords(.playlist, file.id, [shown])
    due.insert(.entries)
    return true
  }

  /// Number of entries in the playlists of a volume.
  private func entries(of volume: Int64) throws(DatabaseError) -> Int {
    if let known = entryCounts[volume] { return known }
    let count = try statements.entriesOfVolume.integer(.integer(volume)).map { Int($0) } ?? 0
    entryCounts[volume] = count
    return count
  }

  private static func shownTitle(of entry: M3UPlaylist.Entry) -> String? {
    if let title = entry.title, !title.isEmpty { return cut(title) }
    return names(in: entry.path).last.map { FileName.withoutSuffix(FileName.bytes($0)) }
  }

  /// The names in a path. The path is split by Unicode scalars, because a combining mark at the beginning of a name
  /// forms one `Character` with the slash.
  private static func names(in path: String) -> [String] {
    path.unicodeScalars.split(separator: "/").map { String($0) }
  }

  func removePlaylist(_ file: Int64) throws(DatabaseError) {
    var removed: (volume: Int64, entries: Int)?
    try statements.playlist.execute(.integer(file)) { row throws(DatabaseError) in
      removed = (row.integer(0), Int(row.integer(1)))
      return false
    }
    guard let removed else { return }
    try statements.removePlaylist.execute(.integer(file))
    entryCounts[removed.volume]? -= removed.entries
    try statements.removeEntries.execute(.integer(file))
    unorderedWords += 1
  }

  /// True if ``findEntries()`` must be called.
  var mustFindEntries: Bool { due.contains(.entries) }

  /// Finds the files of the entries of all playlists. Call this at the end of a scan.
  func findEntries() throws(DatabaseError) {
    due.remove(.entries)
    noteChange()
    var playlists: [(id: Int64, folder: Int64, volume: Int64)] = []
    try database.statement(
      """
      SELECT playlist.id, file.folder, playlist.volume
      FROM playlist JOIN file ON file.id = playlist.id ORDER BY playlist.volume
      """
    ).execute(row: { row throws(DatabaseError) in
      playlists.append((row.integer(0), row.integer(1), row.integer(2)))
      return true
    })
    var finder: (volume: Int64, finder: FileFinder)?
    for playlist in playlists {
      if finder?.volume != playlist.volume {
        let root = try statements.rootFolder.integer(.integer(playlist.volume)) ?? 0
        finder = (playlist.volume, try FileFinder(database, root: root))
      }
      if let finder { try findEntries(of: playlist.id, in: playlist.folder, finder.finder) }
    }
  }

  private func findEntries(
    of playlist: Int64, in folder: Int64, _ finder: FileFinder
  ) throws(DatabaseError) {
    var changed: [(position: Int64, track: Int64?)] = []
    try statements.entries.execute(.integer(playlist)) { row throws(DatabaseError) in
      let parts = Self.names(in: row.text(2))
      let found = try finder.find(parts, in: folder, isRelative: row.integer(1) != 0)
      let before = row.isNull(3) ? nil : row.integer(3)
      if found != before { changed.append((row.integer(0), found)) }
      return true
    }
    for entry in changed {
      noteChange()
      try statements.setEntry.execute(
        .integer(playlist), .integer(entry.position), entry.track.map { .integer($0) })
    }
  }
}

/// Finds music files of a volume by the names in a playlist.
///
/// Names are compared first with case, then without case, because FAT ignores case. Both comparisons ignore the Unicode
/// normal form, because Macs write names in NFD. A path that is absolute, or that is not found in the folder of the
/// playlist, often comes from another machine. For such a path, the longest part at its end that exists on the volume
/// is used.
private final class FileFinder {
  private let root: Int64
  private let folders: Statement
  private let files: Statement
  private let parent: Statement
  /// The ids of the folders or files in a folder, keyed by the hash values of their names. A hash value does not depend
  /// on the normal form. The names are not kept, because 100 000 names of 255 bytes need too much memory.
  private typealias Names = (exact: [Int: Int64], folded: [Int: Int64])
  /// A cache of the subfolders of folders, keyed by the id of the parent folder. It contains at most ``maximumKnown``
  /// folders.
  private var known: [Int64: Names] = [:]
  private var knownFiles: [Int64: Names] = [:]
  private static let maximumKnown = 200
  /// Maximum number of names in a path. Paths on real sticks have fewer names.
  private static let maximumParts = 64

  init(_ database: Database, root: Int64) throws(DatabaseError) {
    self.root = root
    folders = try database.statement("SELECT id, name FROM folder WHERE parent = ?1")
    files = try database.statement(
      "SELECT id, name FROM file JOIN track USING (id) WHERE folder = ?1")
    parent = try database.statement("SELECT parent FROM folder WHERE id = ?1")
  }

  func find(
    _ parts: [String], in folder: Int64, isRelative: Bool
  ) throws(DatabaseError) -> Int64? {
    if parts.count > Self.maximumParts { return nil }
    if isRelative, let found = try file(parts[...], in: folder) { return found }
    for first in parts.indices {
      if let found = try file(parts[first...], in: root) { return found }
    }
    return nil
  }

  private func file(
    _ parts: ArraySlice<String>, in folder: Int64
  ) throws(DatabaseError) -> Int64? {
    var folder = folder
    for part in parts.dropLast() {
      if part == ".." {
        let above = try parent.integer(.integer(folder)) ?? 0
        // The folder of the volume itself has no parent folder.
        if above == 0 { return nil }
        folder = above
      } else {
        guard let next = try id(part, in: folder, folders, &known) else { return nil }
        folder = next
      }
    }
    guard let name = parts.last else { return nil }
    return try id(name, in: folder, files, &knownFiles)
  }

  private func id(
    _ name: String, in folder: Int64, _ statement: Statement,
    _ known: inout [Int64: Names]
  ) throws(DatabaseError) -> Int64? {
    if known[folder] == nil {
      if known.count >= Self.maximumKnown { known = [:] }
      var (exact, folded): Names = ([:], [:])
      try statement.execute(.integer(folder)) { row throws(DatabaseError) in
        let name = row.bytes(1)
        let found = FileName.text(name)
        exact[found.hashValue] = row.integer(0)
        folded[found.lowercased().hashValue] = row.integer(0)
        // If the name of a file is not UTF-8, an old playlist contains the name with the same bytes. `M3UPlaylist.text`
        // decodes the name of the file and the name in the playlist in the same way.
        let old = M3UPlaylist.text(name)
        if old != found {
          let (hash, foldedHash) = (old.hashValue, old.lowercased().hashValue)
          exact[hash] = exact[hash] ?? row.integer(0)
          folded[foldedHash] = folded[foldedHash] ?? row.integer(0)
        }
        return true
      }
      known[folder] = (exact, folded)
    }
    return known[folder]?.exact[name.hashValue]
      ?? known[folder]?.folded[name.lowercased().hashValue]
  }
}
