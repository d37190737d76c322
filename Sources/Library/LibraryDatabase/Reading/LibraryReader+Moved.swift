public import LibraryModel
public import SQLite

// Files that were moved.
extension LibraryReader {
  /// Where files are that were moved: their sound, or another quality of them, is in another file of a volume that is
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

  /// The song that has the sound of a file now. For a file that is gone also the song that is the same track of a
  /// release in MusicBrainz; a file of an absent volume comes back with its volume. Nil if the file is there, and
  /// if there is no such song.
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

  /// What identifies the content of a file.
  private struct FileIdentity {
    var audio: Int64?
    var releaseTrack: Int64?

    init(_ row: borrowing Row) {
      audio = row.optionalInteger(0)
      releaseTrack = row.optionalInteger(1)
    }
  }

  /// The identity of a file of a volume. Nil if there is no such file.
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

  /// The identity of a file that is gone.
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

  /// False if so many files claim to be this track of a release that it must be an error of their tags.
  private func isTrusted(_ releaseTrack: Int64) throws(DatabaseError) -> Bool {
    let count = try statement(
      "SELECT count(*) FROM (SELECT id FROM file WHERE releasetrack = ?1 LIMIT 5)"
    ).integer(.integer(releaseTrack))
    return (count ?? 0) < 5
  }

  /// The column by which a song is found again.
  private enum IdentityColumn: String {
    case sound = "audio"
    case releaseTrack = "releasetrack"
  }

  /// A song with this value on a volume that is present: before all others one on the same volume, and then one with
  /// the same name. Of a sound that many files have, for example silence, only some are examined.
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
