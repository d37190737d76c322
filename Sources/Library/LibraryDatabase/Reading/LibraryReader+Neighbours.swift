internal import Files
public import LibraryModel
public import SQLite

// The next and the previous list, and the rows that belong to a file.
extension LibraryReader {
  /// The list after or before a list, for example the next album. Skips lists that cannot be played now. Nil if there
  /// is no further list.
  ///
  /// - Parameter parent: the list from which `node` was opened; its order is used. If `parent` does not contain `node`,
  ///   the order of the list of all rows of this kind is used, for example of all albums. For a folder, the order in
  ///   its volume is used.
  public func neighbour(
    of node: LibraryNode, in parent: LibraryNode?, isNext: Bool
  ) throws(DatabaseError) -> LibraryNode? {
    guard let row = node.row else { return nil }
    if row.kind == .folder { return try neighbour(ofFolder: row.id, isNext: isNext) }
    for list in [parent, Self.list(of: row.kind)].compactMap({ $0 }) {
      for segment in ListSegment.all(of: list) where segment.kind == row.kind {
        guard let keys = try keys(of: row.id, in: segment) else { continue }
        return try playable(segment, after: keys, isNext: isNext)?.node
      }
    }
    return nil
  }

  /// The list of all rows of a kind.
  private static func list(of kind: LibraryRow.Kind) -> LibraryNode? {
    switch kind {
    case .artist: .artists
    case .album: .albums
    case .genre: .genres
    case .playlist: .playlists
    case .song: .songs
    case .folder, .problem: nil
    }
  }

  /// The values of ``ListSegment/keys`` in the row with this id. Nil if the segment does not contain the row.
  private func keys(of id: Int64, in segment: ListSegment) throws(DatabaseError) -> [Value]? {
    var found: [Value]?
    try statement(
      """
      SELECT \(segment.keys.joined(separator: ", ")) \(segment.source)
      AND \(segment.idColumn) = ?\(segment.values.count + 1)
      """
    ).execute(segment.values + [.integer(id)]) { row throws(DatabaseError) in
      found = segment.keyValues(row)
      return false
    }
    return found
  }

  private func playable(
    _ segment: ListSegment, after keys: [Value], isNext: Bool
  ) throws(DatabaseError) -> LibraryRow? {
    var keys = keys
    while true {
      let rows = try rows(segment, nil, after: keys, isBackward: !isNext, limit: 100)
      if let found = rows.first(where: { $0.row.isPlayable }) { return found.row }
      guard let last = rows.last else { return nil }
      keys = last.keys
    }
  }

  /// The next or previous folder with songs, in the order in which the folders of a volume play.
  private func neighbour(
    ofFolder id: Int64, isNext: Bool
  ) throws(DatabaseError) -> LibraryNode? {
    var folder = id
    for _ in 0..<100 {
      guard let parent = try parent(of: folder), parent != 0 else { return nil }
      let segment = ListSegment.all(of: .folder(parent))[0]
      guard var keys = try keys(of: folder, in: segment) else { return nil }
      while true {
        let rows = try rows(segment, nil, after: keys, isBackward: !isNext, limit: 100)
        for row in rows where row.row.isPlayable {
          if try hasSongs(row.row.id, depth: 0) { return .folder(row.row.id) }
        }
        guard let last = rows.last else { break }
        keys = last.keys
      }
      folder = parent
    }
    return nil
  }

  private func parent(of folder: Int64) throws(DatabaseError) -> Int64? {
    try statement("SELECT parent FROM folder WHERE id = ?1").integer(.integer(folder))
  }

  private func hasSongs(_ folder: Int64, depth: Int) throws(DatabaseError) -> Bool {
    let song = try statement(
      "SELECT 1 FROM file JOIN track ON track.id = file.id WHERE file.folder = ?1 LIMIT 1")
    if try song.integer(.integer(folder)) != nil { return true }
    guard depth < 100 else { return false }
    var inner: [Int64] = []
    try statement("SELECT id FROM folder WHERE parent = ?1").execute(.integer(folder)) {
      row throws(DatabaseError) in
      inner.append(row.integer(0))
      return true
    }
    for folder in inner where try hasSongs(folder, depth: depth + 1) { return true }
    return false
  }

  /// The folder, the song and the album of a file. Empty if the library does not know the folder of the file.
  public func entries(
    ofFile path: [UInt8], on volume: String
  ) throws(DatabaseError) -> [RowReference] {
    let names = Self.names(in: path)
    var known = FoldersByPath()
    guard let name = names.last, let root = try rootFolder(of: volume),
      let folder = try folder(names.dropLast(), in: root.id, &known)
    else { return [] }
    var entries = [RowReference(kind: .folder, id: folder)]
    try statement(
      """
      SELECT track.id, track.album FROM file JOIN track ON track.id = file.id
      WHERE file.folder = ?1 AND file.sortkey = ?2 AND file.name = ?3
      """
    ).execute(.integer(folder), .bytes(Self.sortKey(ofFile: name)), .bytes(name)) {
      row throws(DatabaseError) in
      entries.append(RowReference(kind: .song, id: row.integer(0)))
      let album = row.integer(1)
      if album != 0 { entries.append(RowReference(kind: .album, id: album)) }
      return false
    }
    return entries
  }
}
