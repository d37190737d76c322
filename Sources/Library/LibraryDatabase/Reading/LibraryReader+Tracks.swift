public import LibraryModel
public import NameKeys
public import SQLite

// The songs of a list in the order in which they play.
extension LibraryReader {
  /// The numbers of the songs of a list, in the order in which they play. Songs that are absent are
  /// part of it. An album that a list has twice counts once.
  public func tracks(of node: LibraryNode) throws(DatabaseError) -> [Int64] {
    var found: [Int64] = []
    var albums: Set<Int64> = []
    try collect(node, &albums, &found)
    return found
  }

  /// A folder has at most 64 levels below it, so the recursion is limited.
  private func collect(
    _ node: LibraryNode, _ albums: inout Set<Int64>, _ found: inout [Int64]
  ) throws(DatabaseError) {
    for segment in ListSegment.all(of: node) {
      switch segment.kind {
      case .song: found += try ids(segment).filter { $0 != 0 }
      case .problem: break
      case .artist, .album, .genre, .playlist, .folder:
        for id in try ids(segment) {
          if segment.kind == .album, !albums.insert(id).inserted { continue }
          guard let list = RowReference(kind: segment.kind, id: id).node else { continue }
          try collect(list, &albums, &found)
        }
      }
    }
  }

  private func ids(_ segment: ListSegment) throws(DatabaseError) -> [Int64] {
    let order = segment.keys.map { $0 + (segment.isDescending ? " DESC" : "") }
    var ids: [Int64] = []
    try statement(
      """
      SELECT \(segment.idColumn) \(segment.plainSource ?? segment.source)
      ORDER BY \(order.joined(separator: ", "))
      """
    ).execute(segment.values) { row throws(DatabaseError) in
      ids.append(row.integer(0))
      return true
    }
    return ids
  }

  /// The numbers of the songs that a search finds.
  public func tracks(found query: SearchQuery) throws(DatabaseError) -> [Int64] {
    try find(query, limits: [(.song, Self.maximumFound)]).rows.map(\.id)
  }

  /// Maximum number of songs of a search in the queue. Each hit is read from the database.
  private static let maximumFound = 100

  /// The songs with these numbers. A number without a song is left out. Stops before the songs need
  /// more than `maximumBytes`.
  ///
  /// - Returns: the songs, and how many of the numbers were read.
  public func tracks(
    _ ids: some Sequence<Int64>, maximumBytes: Int
  ) throws(DatabaseError) -> (tracks: [LibraryTrack], read: Int) {
    let song = try statement(
      """
      SELECT track.title, track.artists, album.title, track.milliseconds, file.folder, file.name
      FROM track JOIN file ON file.id = track.id & 0xFFFFFFFFFF
      LEFT JOIN album ON album.id = track.album WHERE track.id = ?1
      """)
    var folders: [Int64: FolderPlace] = [:]
    var tracks: [LibraryTrack] = []
    var (bytes, read) = (0, 0)
    for id in ids {
      var track: LibraryTrack?
      var folder: Int64 = 0
      try song.execute(.integer(id)) { row throws(DatabaseError) in
        track = LibraryTrack(
          volume: "", path: row.bytes(5), title: row.text(0),
          artist: row.optionalText(1).map(LibraryWriter.joined), album: row.optionalText(2),
          milliseconds: row.integer(3))
        folder = row.integer(4)
        return false
      }
      if var track {
        let place = try folderPlace(folder, &folders, depth: 0)
        track.volume = place.volume
        track.path = place.path + track.path
        bytes += Self.bytes(of: track)
        guard bytes <= maximumBytes || tracks.isEmpty else { break }
        tracks.append(track)
      }
      read += 1
    }
    return (tracks, read)
  }

  /// A little more than a song needs on the wire.
  private static func bytes(of track: LibraryTrack) -> Int {
    [track.title, track.artist ?? "", track.album ?? ""].reduce(64 + track.path.count) {
      $0 + min($1.utf8.count, 1024)
    }
  }

  private struct FolderPlace {
    var volume = ""
    /// The path below the volume, with a slash at the end; empty for the folder of the volume.
    var path: [UInt8] = []
  }

  private func folderPlace(
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
