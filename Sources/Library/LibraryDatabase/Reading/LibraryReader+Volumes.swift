public import SQLite

extension LibraryReader {
  /// A volume that the library knows, with the number of its songs.
  public struct StoredVolume: Equatable, Sendable {
    /// The number of its bit in ``presentVolumes``.
    public let id: Int64
    /// Does not depend on the port and on the kernel's name of a stick.
    public let identity: String
    /// The name for people.
    public let label: String
    /// The id of its folder; 0 if it has none yet.
    public let folder: Int64
    /// The number of songs.
    public let songs: Int
    /// The numbers of files that cannot be played, by the word of the cause.
    public let problems: [String: Int]
  }

  /// All volumes that the library knows. Reads all files, so it takes some hundredths of a second with 100 000.
  public func volumes() throws(DatabaseError) -> [StoredVolume] {
    let songs = try numbers("SELECT volume, count(*) FROM track GROUP BY volume")
    var problems: [Int64: [String: Int]] = [:]
    try statement(
      """
      SELECT folder.volume, file.codec, count(*) FROM file JOIN folder ON folder.id = file.folder
      WHERE file.state = 3 GROUP BY folder.volume, file.codec
      """
    ).execute { row throws(DatabaseError) in
      problems[row.integer(0), default: [:]][row.text(1)] = Int(row.integer(2))
      return true
    }
    var volumes: [StoredVolume] = []
    let folders = try numbers("SELECT volume, id FROM folder WHERE parent = 0")
    try statement("SELECT id, identity, label FROM volume ORDER BY id").execute {
      row throws(DatabaseError) in
      let id = row.integer(0)
      volumes.append(
        StoredVolume(
          id: id, identity: row.text(1), label: row.text(2), folder: Int64(folders[id] ?? 0),
          songs: songs[id] ?? 0,
          problems: problems[id] ?? [:]))
      return true
    }
    return volumes
  }

  /// The numbers of the volumes' bits in ``presentVolumes``, by identity.
  public func volumeBits() throws(DatabaseError) -> [String: Int64] {
    var bits: [String: Int64] = [:]
    try statement("SELECT identity, id FROM volume").execute { row throws(DatabaseError) in
      bits[row.text(0)] = row.integer(1)
      return true
    }
    return bits
  }

  private func numbers(_ text: String) throws(DatabaseError) -> [Int64: Int] {
    var numbers: [Int64: Int] = [:]
    try statement(text).execute { row throws(DatabaseError) in
      numbers[row.integer(0)] = Int(row.integer(1))
      return true
    }
    return numbers
  }
}
