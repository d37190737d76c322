internal import Files
public import LibraryModel
public import SQLite

// What is doubtful in tags and playlists.
extension LibraryReader {
  /// Reads all songs and all entries of playlists, so it takes some tenths of a second with 100 000 songs.
  public func doubts() throws(DatabaseError) -> LibraryDoubts {
    let labels = try labels()
    var parts: [LibraryDoubts.Part] = []
    for kind in LibraryDoubts.Kind.allCases { parts.append(try doubts(kind, labels)) }
    return LibraryDoubts(parts)
  }

  private func doubts(
    _ kind: LibraryDoubts.Kind, _ labels: [String: String]
  ) throws(DatabaseError) -> LibraryDoubts.Part {
    var part = LibraryDoubts.Part(kind)
    var folders: [Int64: FolderPath] = [:]
    func path(_ folder: Int64, _ name: [UInt8] = []) throws(DatabaseError) -> String {
      let path = try folderPath(folder, &folders, depth: 0)
      return (labels[path.volume] ?? path.volume) + "/" + FileName.text(path.path + name)
    }
    try statement(Self.question(kind)).execute { row throws(DatabaseError) in
      part.count += 1
      guard part.examples.count < LibraryDoubts.maximumExamples else { return true }
      let example: LibraryDoubts.Example
      switch kind {
      case .dividedAlbums:
        example = .init(name: row.text(1), detail: try path(row.integer(0)))
      case .songsWithoutTags: example = .init(name: try path(row.integer(0), row.bytes(1)))
      case .missingEntries: example = .init(name: row.text(0), detail: row.text(1))
      case .sortNames:
        example = .init(
          name: LibraryWriter.joined(row.text(0)), detail: row.text(1) + " / " + row.text(2))
      }
      part.examples.append(example)
      return true
    }
    return part
  }

  private static func question(_ kind: LibraryDoubts.Kind) -> String {
    switch kind {
    case .dividedAlbums:
      """
      SELECT grouping.folder, grouping.title FROM track JOIN grouping ON grouping.id = track.grouping
      WHERE grouping.title IS NOT NULL GROUP BY grouping.folder, grouping.title
      HAVING min(track.album) <> max(track.album)
      """
    case .songsWithoutTags:
      """
      SELECT file.folder, file.name FROM track JOIN grouping ON grouping.id = track.grouping
      JOIN file ON file.id = track.id & 0xFFFFFFFFFF
      WHERE track.artists IS NULL AND grouping.artists IS NULL AND grouping.title IS NULL
      """
    case .missingEntries:
      """
      SELECT coalesce(entry.title, entry.path), playlist.title
      FROM entry JOIN playlist ON playlist.id = entry.playlist WHERE entry.track IS NULL
      """
    case .sortNames:
      """
      SELECT artists, min(sortartist), max(sortartist) FROM grouping
      WHERE artists IS NOT NULL AND sortartist IS NOT NULL GROUP BY artists
      HAVING min(sortartist) <> max(sortartist)
      """
    }
  }

  /// The names of the volumes, by identity.
  private func labels() throws(DatabaseError) -> [String: String] {
    var labels: [String: String] = [:]
    try statement("SELECT identity, label FROM volume").execute { row throws(DatabaseError) in
      labels[row.text(0)] = row.text(1)
      return true
    }
    return labels
  }
}
