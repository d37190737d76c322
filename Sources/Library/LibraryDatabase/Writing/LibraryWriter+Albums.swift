internal import NameKeys
internal import SQLite

// Albums, and the lists of artists and genres, which depend on the albums.
extension LibraryWriter {
  /// Groups the tracks of changed folders into albums. Then updates changed albums, persons (artists) and genres.
  func decideAlbums() throws(DatabaseError) {
    for folder in changedFolders { try decideAlbums(of: folder) }
    changedFolders = []
    for album in changedAlbums { try count(album) }
    changedAlbums = []
    for person in changedPersons {
      var (albums, volumes) = try albums(statements.albumsOfPerson, person)
      var isListed = albums > 0
      try statements.furtherSongsOfPerson.execute(.integer(person)) { row throws(DatabaseError) in
        volumes |= row.integer(0)
        isListed = isListed || row.integer(1) != 0
        return true
      }
      try statements.setPersonCounts.execute(
        .integer(person), .integer(albums), .integer(volumes), .integer(isListed ? 1 : 0))
    }
    changedPersons = []
    for genre in changedGenres {
      let (albums, volumes) = try albums(statements.albumsOfGenre, genre)
      try statements.setGenreCounts.execute(.integer(genre), .integer(albums), .integer(volumes))
    }
    changedGenres = []
  }

  private func decideAlbums(of folder: Int64) throws(DatabaseError) {
    let groupings = try groupings(of: folder)
    var tracks: [AlbumGrouping.Track] = []
    var before: [Int64: Int64] = [:]
    var used: Set<Int64> = []
    var artists: Set<TextKey> = []
    try statements.tracksOfFolder.execute(.integer(folder)) { row throws(DatabaseError) in
      guard let tags = groupings[row.integer(3)] else { return true }
      used.insert(row.integer(3))
      tracks.append(
        AlbumGrouping.Track(id: row.integer(0), artists: row.optionalText(2), tags: tags))
      before[row.integer(0)] = row.integer(1)
      if let text = row.optionalText(2) { artists.insert(TextKey(text)) }
      return true
    }
    for name in artists.flatMap({ Self.names($0.text) }) { notePerson(name) }
    for grouping in groupings.keys where !used.contains(grouping) {
      try statements.removeGrouping.execute(.integer(grouping))
    }
    if tracks.isEmpty { return }
    let path = try path(of: folder)
    for album in AlbumGrouping.albums(of: tracks, folder: path.shown) {
      let id = try add(album, path.parts)
      changedAlbums.insert(id)
      let moved = album.tracks.filter { before[$0] != id }
      for track in moved {
        if let old = before[track], old != 0 { changedAlbums.insert(old) }
      }
      try setAlbum(of: moved, to: id)
    }
  }

  private func setAlbum(of tracks: [Int64], to album: Int64) throws(DatabaseError) {
    guard let first = tracks.min(), let last = tracks.max() else { return }
    // The tracks of a new folder have consecutive ids. One statement is faster than one for each track.
    if last - first == tracks.count - 1 {
      return try statements.setAlbum.execute(.integer(first), .integer(last), .integer(album))
    }
    for track in tracks {
      try statements.setAlbum.execute(.integer(track), .integer(track), .integer(album))
    }
  }

  /// The tags of a folder that determine the albums, keyed by the ids of their rows in the table `grouping`.
  private func groupings(of folder: Int64) throws(DatabaseError) -> [Int64: AlbumTags] {
    var groupings: [Int64: AlbumTags] = [:]
    try statements.groupingsOfFolder.execute(.integer(folder)) { row throws(DatabaseError) in
      var tags = AlbumTags()
      tags.title = row.optionalText(1)
      tags.artists = Self.names(row.optionalText(2))
      tags.release = row.optionalText(3)
      tags.isCompilation = row.integer(4) != 0
      tags.sortTitle = row.optionalText(5)
      tags.sortArtist = row.optionalText(6)
      groupings[row.integer(0)] = tags
      return true
    }
    return groupings
  }

  /// `shown` is the name of a folder, as the user sees it. `parts` contains the names of the folder and of the folders
  /// above it, and at the end the identity of the volume.
  private func path(
    of folder: Int64
  ) throws(DatabaseError) -> (shown: String, parts: [[UInt8]]) {
    var shown: String?
    var parts: [[UInt8]] = []
    var next = folder
    while next != 0 {
      let id = next
      next = 0
      try statements.folder.execute(.integer(id)) { row throws(DatabaseError) in
        next = row.integer(0)
        parts.append(next == 0 ? row.bytes(3) : row.bytes(1))
        if shown == nil { shown = row.text(2) }
        return false
      }
    }
    return (shown ?? "", parts)
  }

  /// The id of an album, which is added if it is not known.
  private func add(_ album: AlbumGrouping.Album, _ folder: [[UInt8]]) throws(DatabaseError) -> Int64
  {
    let title = FoldedName(album.title)
    var parts = ["album", title.text] + album.artists.map { FoldedName($0).text }
    if album.isVarious { parts.append("\0") }
    let origin = album.release.map { [Array($0.utf8)] } ?? folder
    let id = ContentID.of(parts.map { Array($0.utf8) } + [[0xFF]] + origin)
    let key = SortKey(album.sortTitle.map { FoldedName($0) } ?? title, articles: articles)
    let artist = album.artists.isEmpty ? nil : Self.cut(album.artists.joined(separator: ", "))
    if try statements.hasAlbum.integer(.integer(id)) != nil { return id }
    try statements.addAlbum.execute(
      .integer(id), .text(Self.cut(album.title)), .bytes(key.bytes), artist.map { .text($0) },
      .integer(album.isVarious ? 1 : 0), .integer(try arrival(of: album)))
    try addWords(.album, id, [album.title] + (artist.map { [$0] } ?? []))
    for name in album.artists {
      let sortName = album.artists.count == 1 ? album.sortArtist : nil
      let person = try person(name, sortName: sortName)
      try statements.addAlbumPerson.execute(.integer(id), .integer(person))
    }
    return id
  }

  /// The position of a new album in the order in which albums were added. If the folder of a known album was moved or
  /// copied, the album keeps its position.
  private func arrival(of album: AlbumGrouping.Album) throws(DatabaseError) -> Int64 {
    if let known = try arrivalOfSameSound(album) { return known }
    let number = (try meta("added") ?? 0) + 1
    try setMeta("added", number)
    return number
  }

  /// The position of a known album with the same sound: more than half of its tracks are in `album`, and more than half
  /// of the tracks of `album` are in the known album. So one common song is not enough. Nil if no known album has the
  /// same sound.
  private func arrivalOfSameSound(_ album: AlbumGrouping.Album) throws(DatabaseError) -> Int64? {
    let tracks = album.tracks.prefix(Self.comparedTracks)
    var found: [Int64: (same: Int, tracks: Int, added: Int64)] = [:]
    for (number, track) in tracks.enumerated() {
      // Most albums are new. So the comparison ends as soon as no known album can reach half of the tracks any more.
      let same = found.values.reduce(0) { max($0, $1.same) }
      if number == 3, same == 0 { return nil }
      if (same + tracks.count - number) * 2 <= tracks.count { return nil }
      var albums: Set<Int64> = []
      try statements.albumsOfSound.execute(.integer(track)) { row throws(DatabaseError) in
        guard albums.insert(row.integer(0)).inserted else { return true }
        var album = found[row.integer(0)] ?? (0, 0, 0)
        album = (album.same + 1, Int(row.integer(1)), row.integer(2))
        found[row.integer(0)] = album
        return true
      }
    }
    return found.values.filter {
      $0.same * 2 > tracks.count && $0.same * 2 > min($0.tracks, Self.comparedTracks)
    }.map(\.added).min()
  }

  /// Maximum number of tracks of an album that are compared.
  private static let comparedTracks = 100

  /// Counts the tracks of an album again. Removes the album if it has no tracks.
  private func count(_ album: Int64) throws(DatabaseError) {
    var (tracks, milliseconds, year, volumes) = (Int64(0), Int64(0), Int64(0), Int64(0))
    try statements.tracksOfAlbum.execute(.integer(album)) { row throws(DatabaseError) in
      tracks += row.integer(1)
      milliseconds += row.integer(2)
      volumes |= 1 << row.integer(0)
      let first = row.integer(3)
      if first != 0, year == 0 || first < year { year = first }
      return true
    }
    try collect(&changedPersons, statements.personsOfAlbum, album)
    try collect(&changedGenres, statements.genresOfAlbum, album)
    try statements.removeAlbumGenres.execute(.integer(album))
    guard tracks > 0 else {
      try statements.removeAlbumPersons.execute(.integer(album))
      try statements.removeAlbum.execute(.integer(album))
      unorderedWords += 1
      return
    }
    try addGenres(of: album)
    try statements.setAlbumCounts.execute(
      .integer(album), .integer(tracks), .integer(milliseconds), .integer(year), .integer(volumes))
  }

  private func addGenres(of album: Int64) throws(DatabaseError) {
    var names: Set<String> = []
    try statements.genresOfTracks.execute(.integer(album)) { row throws(DatabaseError) in
      names.formUnion(Self.names(row.text(0)))
      return true
    }
    for name in names {
      let genre = try genre(name)
      changedGenres.insert(genre)
      try statements.addAlbumGenre.execute(.integer(album), .integer(genre))
    }
  }

  private func collect(
    _ ids: inout Set<Int64>, _ statement: Statement, _ album: Int64
  ) throws(DatabaseError) {
    var found: Set<Int64> = []
    try statement.execute(.integer(album)) { row throws(DatabaseError) in
      found.insert(row.integer(0))
      return true
    }
    ids.formUnion(found)
  }

  /// The number of albums of a person or of a genre, and the bits of their volumes.
  private func albums(
    _ volumesOfAlbums: Statement, _ id: Int64
  ) throws(DatabaseError) -> (albums: Int64, volumes: Int64) {
    var (albums, volumes) = (Int64(0), Int64(0))
    try volumesOfAlbums.execute(.integer(id)) { row throws(DatabaseError) in
      albums += 1
      volumes |= row.integer(0)
      return true
    }
    return (albums, volumes)
  }

  /// Removes persons and genres without tracks. Call this at the end of a scan, after ``commit()``.
  func removeUnusedNames() throws(DatabaseError) {
    guard due.contains(.unusedNames) else { return }
    due.remove(.unusedNames)
    try database.execute(
      """
      DELETE FROM person WHERE listed = 0
        AND NOT EXISTS (SELECT 1 FROM credit WHERE credit.person = person.id);
      DELETE FROM genre WHERE albums = 0
      """)
    noteChange()
  }
}
