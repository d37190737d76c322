internal import Files
public import LibraryModel
public import NameKeys
public import SQLite

// The songs of a list in the order in which they play.
extension LibraryReader {
  /// The ids of the songs of all present volumes, folder by folder.
  public func tracksOfPresentVolumes() throws(DatabaseError) -> [Int64] {
    var volumes: [Int64] = []
    try statement("SELECT id, volume FROM folder WHERE parent = 0 ORDER BY sortkey, id").execute {
      row throws(DatabaseError) in
      if isPresent(row.integer(1)) { volumes.append(row.integer(0)) }
      return true
    }
    var found: [Int64] = []
    for folder in volumes { try collectByAlbum(folder, &found) }
    return found
  }

  /// Adds the songs of a folder, then the songs of the folders in it. In a folder, the songs are ordered by album, disc
  /// and number. The albums are in the order of their first files.
  private func collectByAlbum(
    _ folder: Int64, _ found: inout [Int64]
  ) throws(DatabaseError) {
    var albums: [Int64: [(id: Int64, disc: Int64, number: Int64)]] = [:]
    var order: [Int64] = []
    try statement(
      """
      SELECT track.id, coalesce(track.album, 0), max(track.disc, 1),
        CASE track.number WHEN 0 THEN 1 << 40 ELSE track.number END
      FROM file JOIN track ON track.id = file.id WHERE file.folder = ?1
      ORDER BY file.sortkey, file.id
      """
    ).execute(.integer(folder)) { row throws(DatabaseError) in
      let album = row.integer(1)
      if albums[album] == nil { order.append(album) }
      albums[album, default: []].append((row.integer(0), row.integer(2), row.integer(3)))
      return true
    }
    for album in order {
      let songs = albums[album] ?? []
      found += songs.indices.sorted {
        (songs[$0].disc, songs[$0].number, $0) < (songs[$1].disc, songs[$1].number, $1)
      }.map { songs[$0].id }
    }
    for inner in try ids(ListSegment.all(of: .folder(folder))[0]) {
      try collectByAlbum(inner, &found)
    }
  }

  /// The ids of the songs of a list, in the order in which they play. Absent songs are included. If a list contains an
  /// album twice, the songs of the album are added once.
  public func tracks(of node: LibraryNode) throws(DatabaseError) -> [Int64] {
    var found: [Int64] = []
    var albums: Set<Int64> = []
    try collect(node, &albums, &found)
    return found
  }

  /// The recursion is limited, because a folder has at most 64 levels of folders below it.
  private func collect(
    _ node: LibraryNode, _ albums: inout Set<Int64>, _ found: inout [Int64]
  ) throws(DatabaseError) {
    // The songs of a folder play before the songs of the folders in it.
    let segments = ListSegment.all(of: node)
    for segment in segments.filter({ $0.kind == .song }) + segments.filter({ $0.kind != .song }) {
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
    var ids: [Int64] = []
    try statement(
      """
      SELECT \(segment.idColumn) \(segment.plainSource ?? segment.source)
      ORDER BY \(segment.order())
      """
    ).execute(segment.values) { row throws(DatabaseError) in
      ids.append(row.integer(0))
      return true
    }
    return ids
  }

  /// The list in which a song plays that was chosen in no list: its album, or its folder if no tag names an album. Nil
  /// if the library does not contain the song.
  public func home(ofSong id: Int64) throws(DatabaseError) -> LibraryNode? {
    var home: LibraryNode?
    try statement(
      """
      SELECT track.album, grouping.title IS NULL, file.folder
      FROM track JOIN file ON file.id = track.id & 0xFFFFFFFFFF
      JOIN grouping ON grouping.id = track.grouping WHERE track.id = ?1
      """
    ).execute(.integer(id)) { row throws(DatabaseError) in
      let isLoose = row.integer(0) == 0 || row.integer(1) != 0
      home = isLoose ? .folder(row.integer(2)) : .album(row.integer(0))
      return false
    }
    return home
  }

  /// The ids of the songs that a search finds, at most 100.
  public func tracks(found query: SearchQuery) throws(DatabaseError) -> [Int64] {
    try find(query, limits: [(.song, Self.maximumFound)]).rows.map(\.id)
  }

  /// Maximum number of songs that a search adds to the queue. Each song is read from the database, which takes time.
  private static let maximumFound = 100

  /// The songs with these ids. An id without a song is left out. Stops before the songs need more than `maximumBytes`.
  ///
  /// - Returns: the songs, and the number of ids that were processed.
  public func tracks(
    _ ids: some Sequence<Int64>, maximumBytes: Int
  ) throws(DatabaseError) -> (tracks: [LibraryTrack], read: Int) {
    let song = try statement(
      """
      SELECT track.title, track.artists, grouping.title, track.milliseconds, file.folder, file.name,
        file.size, file.seconds, file.nanoseconds, track.disc, track.number
      FROM track JOIN file ON file.id = track.id & 0xFFFFFFFFFF
      LEFT JOIN grouping ON grouping.id = track.grouping WHERE track.id = ?1
      """)
    var folders: [Int64: FolderPath] = [:]
    var tracks: [LibraryTrack] = []
    var (bytes, read) = (0, 0)
    for id in ids {
      var track: LibraryTrack?
      var folder: Int64 = 0
      try song.execute(.integer(id)) { row throws(DatabaseError) in
        track = LibraryTrack(
          SongReference(volume: "", path: row.bytes(5)), title: row.text(0),
          artist: row.optionalText(1).map(LibraryWriter.joined), album: row.optionalText(2),
          milliseconds: row.integer(3),
          stamp: FileStamp(
            size: row.integer(6), seconds: row.integer(7), nanoseconds: row.integer(8)
          ).digest,
          numberInAlbum: UInt32(clamping: min(row.integer(9), 0xFFFF)) << 16
            | UInt32(clamping: min(row.integer(10), 0xFFFF)))
        folder = row.integer(4)
        return false
      }
      if var track {
        let path = try folderPath(folder, &folders, depth: 0)
        track.reference = SongReference(
          volume: path.volume, path: path.path + track.reference.path)
        bytes += Self.bytes(of: track)
        guard bytes <= maximumBytes || tracks.isEmpty else { break }
        tracks.append(track)
      }
      read += 1
    }
    return (tracks, read)
  }

  /// An upper bound for the size of a song on the wire.
  static func bytes(of track: LibraryTrack) -> Int {
    [track.title, track.artist ?? "", track.album ?? ""].reduce(64 + track.reference.path.count) {
      $0 + min($1.utf8.count, 1024)
    }
  }
}
