public import LibraryModel
public import SQLite

// Files that are at another place now.
extension LibraryReader {
  /// Where files are that are not at their places any more: their sound is at another place of a volume that is
  /// present.
  ///
  /// - Parameters:
  ///   - paths: the paths of the files below the volume.
  ///   - volume: the identity of the volume.
  ///   - maximumBytes: stops before the answer needs more.
  public func moved(
    _ paths: [[UInt8]], on volume: String, maximumBytes: Int
  ) throws(DatabaseError) -> MovedFiles {
    let root = try rootFolder(of: volume)
    var known = FoldersByPath()
    var (moved, bytes) = (MovedFiles(), 0)
    for (place, path) in paths.enumerated() {
      if let song = try newSong(of: path, on: volume, root, &known),
        let track = try tracks([song], maximumBytes: .max).tracks.first
      {
        bytes += Self.bytes(of: track)
        guard bytes <= maximumBytes || moved.files.isEmpty else { break }
        moved.files.append(MovedFiles.File(place: place, track: track))
      }
      moved.examined += 1
    }
    return moved
  }

  /// The song that has the sound of a file now. Nil if the file is at its place, and if no song has the sound.
  private func newSong(
    of path: [UInt8], on volume: String, _ root: RootFolder?, _ known: inout FoldersByPath
  ) throws(DatabaseError) -> Int64? {
    let names = Self.names(in: path)
    guard let name = names.last else { return nil }
    var audio: Int64?
    if let root {
      audio = try sound(of: names, in: root.id, &known)
      if audio != nil, isPresent(root.volume) { return nil }
    }
    if audio == nil {
      audio = try statement("SELECT audio FROM former WHERE place = ?1")
        .integer(.integer(ContentID.of(names, on: volume)))
    }
    guard let audio, audio != 0 else { return nil }
    return try song(ofSound: audio, name: name, volume: volume)
  }

  /// The sound of a file of a volume; 0 if it is not known. Nil if there is no such file.
  private func sound(
    of names: [[UInt8]], in root: Int64, _ known: inout FoldersByPath
  ) throws(DatabaseError) -> Int64? {
    guard let name = names.last, let folder = try folder(names.dropLast(), in: root, &known) else {
      return nil
    }
    return try statement(
      """
      SELECT coalesce(audio, 0) FROM file WHERE folder = ?1 AND sortkey = ?2 AND name = ?3
      """
    ).integer(.integer(folder), .bytes(Self.sortKey(ofFile: name)), .bytes(name))
  }

  /// A song with this sound on a volume that is present: before all others one on the same volume, and then one with
  /// the same name. Of a sound that many files have, for example silence, only some are examined.
  private func song(
    ofSound audio: Int64, name: [UInt8], volume: String
  ) throws(DatabaseError) -> Int64? {
    var song: Int64?
    try statement(
      """
      SELECT track.id, folder.volume FROM (
        SELECT id, folder, name FROM file WHERE audio = ?1 LIMIT 64) AS same
      CROSS JOIN track ON track.id = same.id CROSS JOIN folder ON folder.id = same.folder
      CROSS JOIN volume ON volume.id = folder.volume
      ORDER BY volume.identity = ?2 DESC, same.name = ?3 DESC, same.id
      """
    ).execute(.integer(audio), .text(volume), .bytes(name)) { row throws(DatabaseError) in
      guard isPresent(row.integer(1)) else { return true }
      song = row.integer(0)
      return false
    }
    return song
  }
}
