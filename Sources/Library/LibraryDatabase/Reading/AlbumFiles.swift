package import Files
package import SQLite

/// The files in one volume that can contain the cover of an album.
package struct AlbumFiles: Sendable {
  /// A file, with its path below the volume.
  package struct File: Equatable, Sendable {
    /// The path, with a slash at the beginning, as bytes.
    package let path: [UInt8]
    /// The stamp that the file had during the scan.
    package let stamp: FileStamp
  }

  /// The first tracks of the album, at most three.
  package var tracks: [File] = []
  /// The files that are not music and have short names, in the folder of the first track. If this folder contains one
  /// disc of the album, the array also contains such files of the parent folder.
  package var others: [File] = []
}

extension LibraryReader {
  /// Maximum number of tracks in ``AlbumFiles``. Each of them is read if an album has no picture, which takes time.
  private static let coverTracks = 3

  /// The id of a volume. Nil if the library does not know the volume.
  package func volume(_ identity: String) throws(DatabaseError) -> Int64? {
    try statement("SELECT id FROM volume WHERE identity = ?1").integer(.text(identity))
  }

  /// The albums with a track in a volume, in the order in which the scan found them. So albums in the same folder
  /// follow each other.
  package func albums(ofVolume volume: Int64) throws(DatabaseError) -> [Int64] {
    guard (0..<63).contains(volume) else { return [] }
    var albums: [Int64] = []
    try statement("SELECT id FROM album WHERE volumes & ?1 ORDER BY added, id")
      .execute(.integer(1 << volume)) { row throws(DatabaseError) in
        albums.append(row.integer(0))
        return true
      }
    return albums
  }

  /// The files of an album in a volume.
  /// - Parameters:
  ///   - maximumName: maximum length in bytes of the names in ``AlbumFiles/others``.
  ///   - known: a cache of folders.
  package func files(
    ofAlbum album: Int64, volume: Int64, maximumName: Int, known: inout KnownFolders
  ) throws(DatabaseError) -> AlbumFiles {
    var found: [(folder: Int64, name: [UInt8], stamp: FileStamp)] = []
    try statement(
      """
      SELECT file.folder, file.name, file.size, file.seconds, file.nanoseconds
      FROM track CROSS JOIN file ON file.id = track.id & 0xFFFFFFFFFF
      WHERE track.album = ?1 AND track.volume = ?2
      ORDER BY track.disc, track.number, file.sortkey, track.id LIMIT ?3
      """
    ).execute(.integer(album), .integer(volume), .integer(Self.coverTracks)) {
      row throws(DatabaseError) in
      found.append((row.integer(0), row.bytes(1), Self.stamp(row, from: 2)))
      return true
    }
    var files = AlbumFiles()
    for track in found {
      let folder = try folder(track.folder, maximumName, &known)
      files.tracks.append(
        AlbumFiles.File(path: folder.path + [UInt8(ascii: "/")] + track.name, stamp: track.stamp))
    }
    guard let first = found.first else { return files }
    let folder = try folder(first.folder, maximumName, &known)
    files.others = folder.others
    if LibraryWriter.isDisc(folder.name), folder.parent != 0 {
      files.others += try self.folder(folder.parent, maximumName, &known).others
    }
    return files
  }

  /// A cache of the folders that were used recently.
  package struct KnownFolders {
    fileprivate struct Folder {
      let parent: Int64
      let name: [UInt8]
      let path: [UInt8]
      let others: [AlbumFiles.File]
    }

    fileprivate var folders: [Int64: Folder] = [:]
    /// Maximum number of cached folders. A path has at most 64 folders.
    fileprivate static let maximum = 128

    /// Creates an empty cache.
    package init() {}
  }

  private func folder(
    _ id: Int64, _ maximumName: Int, _ known: inout KnownFolders
  ) throws(DatabaseError) -> KnownFolders.Folder {
    if let folder = known.folders[id] { return folder }
    var parent: Int64 = 0
    var name: [UInt8] = []
    try statement("SELECT parent, name FROM folder WHERE id = ?1").execute(.integer(id)) {
      row throws(DatabaseError) in
      (parent, name) = (row.integer(0), row.bytes(1))
      return false
    }
    let path = try path(of: id)
    var others: [AlbumFiles.File] = []
    try statement(
      """
      SELECT name, size, seconds, nanoseconds FROM file
      WHERE folder = ?1 AND state = \(FileState.other.rawValue) AND length(name) <= ?2 ORDER BY id
      """
    ).execute(.integer(id), .integer(maximumName)) { row throws(DatabaseError) in
      others.append(
        AlbumFiles.File(
          path: path + [UInt8(ascii: "/")] + row.bytes(0), stamp: Self.stamp(row, from: 1)))
      return true
    }
    if known.folders.count >= KnownFolders.maximum { known.folders = [:] }
    let folder = KnownFolders.Folder(parent: parent, name: name, path: path, others: others)
    known.folders[id] = folder
    return folder
  }

  /// The path of a folder below its volume, with a slash at the beginning. Empty for the folder of the volume itself.
  private func path(of folder: Int64) throws(DatabaseError) -> [UInt8] {
    var names: [[UInt8]] = []
    var next = folder
    // A damaged database can contain a cycle of folders, so the number of names is limited.
    while next != 0, names.count <= 128 {
      let id = next
      next = 0
      try statement("SELECT parent, name FROM folder WHERE id = ?1").execute(.integer(id)) {
        row throws(DatabaseError) in
        next = row.integer(0)
        if next != 0 { names.append(row.bytes(1)) }
        return false
      }
    }
    return names.reversed().flatMap { [UInt8(ascii: "/")] + $0 }
  }

  private static func stamp(_ row: borrowing Row, from column: Int32) -> FileStamp {
    FileStamp(
      size: row.integer(column), seconds: row.integer(column + 1),
      nanoseconds: row.integer(column + 2))
  }

  /// The album of a song. Nil if the song does not exist. 0 if the song has no album.
  package func album(ofSong song: Int64) throws(DatabaseError) -> Int64? {
    var album: Int64?
    try statement("SELECT coalesce(album, 0) FROM track WHERE id = ?1").execute(.integer(song)) {
      row throws(DatabaseError) in
      album = row.integer(0)
      return false
    }
    return album
  }

  /// True if the library contains this album.
  package func hasAlbum(_ album: Int64) throws(DatabaseError) -> Bool {
    try statement("SELECT 1 FROM album WHERE id = ?1").integer(.integer(album)) != nil
  }
}
