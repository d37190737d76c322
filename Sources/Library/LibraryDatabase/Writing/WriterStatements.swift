internal import SQLite

/// The compiled statements of a ``LibraryWriter``. All their texts are in this file, so that they are easy to compare
/// with ``LibrarySchema``.
struct WriterStatements {
  let meta: Statement
  let setMeta: Statement
  let rootFolder: Statement
  let addFolder: Statement
  let childFolders: Statement
  let orderedFolders: Statement
  let removeFolder: Statement
  let files: Statement
  let addFile: Statement
  let changeFile: Statement
  let setFile: Statement
  let removeFile: Statement
  let identityOfFile: Statement
  let addFormer: Statement
  let removeFormer: Statement
  let unreadFiles: Statement
  let tracksOfFile: Statement
  let removeTrack: Statement
  let removeCredit: Statement
  let addTrack: Statement
  let findGrouping: Statement
  let addGrouping: Statement
  let removeGrouping: Statement
  let groupingsOfFolder: Statement
  let addCredit: Statement
  let addPerson: Statement
  let setSortKey: Statement
  let addGenre: Statement
  let tracksOfFolder: Statement
  let folder: Statement
  let setAlbum: Statement
  let hasAlbum: Statement
  let addAlbum: Statement
  let addAlbumPerson: Statement
  let tracksOfAlbum: Statement
  let personsOfAlbum: Statement
  let genresOfAlbum: Statement
  let removeAlbumPersons: Statement
  let removeAlbumGenres: Statement
  let genresOfTracks: Statement
  let addAlbumGenre: Statement
  let setAlbumCounts: Statement
  let removeAlbum: Statement
  let albumsOfPerson: Statement
  let furtherSongsOfPerson: Statement
  let setPersonCounts: Statement
  let albumsOfGenre: Statement
  let setGenreCounts: Statement
  let addPlaylist: Statement
  let playlist: Statement
  let entriesOfVolume: Statement
  let removePlaylist: Statement
  let addEntry: Statement
  let removeEntries: Statement
  let entries: Statement
  let setEntry: Statement
  let albumsOfSound: Statement

  init(_ database: Database) throws(DatabaseError) {
    func compiled(_ text: String) throws(DatabaseError) -> Statement {
      try database.statement(text)
    }
    meta = try compiled("SELECT value FROM meta WHERE name = ?1")
    setMeta = try compiled("INSERT OR REPLACE INTO meta(name, value) VALUES(?1, ?2)")
    rootFolder = try compiled("SELECT id FROM folder WHERE parent = 0 AND volume = ?1")
    addFolder = try compiled(
      "INSERT INTO folder(volume, parent, name, sortkey, shown) VALUES(?1, ?2, ?3, ?4, ?5)")
    childFolders = try compiled("SELECT id, name FROM folder WHERE parent = ?1")
    orderedFolders = try compiled(
      "SELECT id, name FROM folder WHERE parent = ?1 ORDER BY sortkey, id")
    removeFolder = try compiled("DELETE FROM folder WHERE id = ?1")
    files = try compiled(
      "SELECT id, name, size, seconds, nanoseconds, state FROM file WHERE folder = ?1")
    addFile = try compiled(
      """
      INSERT INTO file(folder, name, sortkey, size, seconds, nanoseconds, state)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0)
      """)
    changeFile = try compiled(
      "UPDATE file SET size = ?2, seconds = ?3, nanoseconds = ?4, state = -1 WHERE id = ?1")
    setFile = try compiled(
      """
      UPDATE file SET state = ?2, audio = ?3, codec = ?4, milliseconds = ?5, problem = ?6, releasetrack = ?7
      WHERE id = ?1
      """)
    removeFile = try compiled("DELETE FROM file WHERE id = ?1")
    identityOfFile = try compiled(
      """
      SELECT folder, name, audio, releasetrack FROM file
      WHERE id = ?1 AND (audio IS NOT NULL OR releasetrack IS NOT NULL)
      """)
    addFormer = try compiled(
      "INSERT OR REPLACE INTO former(place, audio, releasetrack) VALUES(?1, ?2, ?3)")
    removeFormer = try compiled("DELETE FROM former WHERE id <= ?1")
    unreadFiles = try compiled(
      """
      SELECT id, name, size, seconds, nanoseconds, state FROM file
      WHERE state <= 0 AND folder = ?1 ORDER BY id
      """)
    tracksOfFile = try compiled(
      """
      SELECT track.id, track.album, grouping.folder, track.artists FROM track
      JOIN grouping ON grouping.id = track.grouping WHERE track.id = ?1
      """)
    removeTrack = try compiled("DELETE FROM track WHERE id = ?1")
    removeCredit = try compiled("DELETE FROM credit WHERE person = ?1 AND track = ?2")
    addTrack = try compiled(
      """
      INSERT INTO track(
        id, grouping, title, sortkey, artists, disc, number, year, milliseconds, volume, genres)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """)
    findGrouping = try compiled(
      """
      SELECT id FROM grouping WHERE folder = ?1 AND title IS ?2 AND artists IS ?3
      AND release IS ?4 AND compilation = ?5 AND sorttitle IS ?6 AND sortartist IS ?7
      """)
    addGrouping = try compiled(
      """
      INSERT INTO grouping(folder, title, artists, release, compilation, sorttitle, sortartist)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    removeGrouping = try compiled("DELETE FROM grouping WHERE id = ?1")
    groupingsOfFolder = try compiled(
      """
      SELECT id, title, artists, release, compilation, sorttitle, sortartist
      FROM grouping WHERE folder = ?1
      """)
    addCredit = try compiled("INSERT OR IGNORE INTO credit(track, person) VALUES(?1, ?2)")
    addPerson = try compiled(
      """
      INSERT OR IGNORE INTO person(id, name, sortkey, albums, listed, volumes)
      VALUES(?1, ?2, ?3, 0, 0, 0)
      """)
    setSortKey = try compiled("UPDATE person SET sortkey = ?2 WHERE id = ?1 AND sortkey = ?3")
    addGenre = try compiled(
      "INSERT OR IGNORE INTO genre(id, name, sortkey, albums, volumes) VALUES(?1, ?2, ?3, 0, 0)")
    tracksOfFolder = try compiled(
      """
      SELECT track.id, track.album, track.artists, track.grouping
      FROM file CROSS JOIN track ON track.id = file.id
      WHERE file.folder IN (SELECT ?1 UNION ALL SELECT id FROM folder WHERE parent = ?1)
      """)
    folder = try compiled(
      """
      SELECT folder.parent, folder.name, folder.shown, volume.identity
      FROM folder JOIN volume ON volume.id = folder.volume WHERE folder.id = ?1
      """)
    setAlbum = try compiled("UPDATE track SET album = ?3 WHERE id BETWEEN ?1 AND ?2")
    hasAlbum = try compiled("SELECT 1 FROM album WHERE id = ?1")
    addAlbum = try compiled(
      """
      INSERT INTO album(
        id, title, sortkey, artist, various, added, year, tracks, milliseconds, volumes)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0, 0, 0, 0)
      """)
    addAlbumPerson = try compiled(
      "INSERT OR IGNORE INTO album_person(album, person) VALUES(?1, ?2)")
    tracksOfAlbum = try compiled(
      """
      SELECT volume, count(*), sum(milliseconds), coalesce(min(nullif(year, 0)), 0)
      FROM track WHERE album = ?1 GROUP BY volume
      """)
    personsOfAlbum = try compiled("SELECT person FROM album_person WHERE album = ?1")
    genresOfAlbum = try compiled("SELECT genre FROM album_genre WHERE album = ?1")
    removeAlbumPersons = try compiled("DELETE FROM album_person WHERE album = ?1")
    removeAlbumGenres = try compiled("DELETE FROM album_genre WHERE album = ?1")
    genresOfTracks = try compiled(
      "SELECT DISTINCT genres FROM track WHERE album = ?1 AND genres IS NOT NULL")
    addAlbumGenre = try compiled("INSERT OR IGNORE INTO album_genre(album, genre) VALUES(?1, ?2)")
    setAlbumCounts = try compiled(
      """
      UPDATE album SET tracks = ?2, milliseconds = ?3, year = ?4, volumes = ?5 WHERE id = ?1
      """)
    albumsOfPerson = try compiled(
      """
      SELECT album.volumes FROM album_person JOIN album ON album.id = album_person.album
      WHERE album_person.person = ?1
      """)
    // The songs that are on no album of the person. The second column is 1 if no tag says whose album it is.
    furtherSongsOfPerson = try compiled(
      """
      SELECT 1 << track.volume, max(grouping.artists IS NULL AND grouping.compilation = 0)
      FROM credit CROSS JOIN track ON track.id = credit.track
      CROSS JOIN grouping ON grouping.id = track.grouping
      WHERE credit.person = ?1 AND NOT EXISTS (
        SELECT 1 FROM album_person
        WHERE album_person.album = track.album AND album_person.person = ?1)
      GROUP BY track.volume
      """)
    setPersonCounts = try compiled(
      """
      UPDATE person SET albums = ?2, volumes = ?3, listed = ?4
      WHERE id = ?1 AND (albums <> ?2 OR volumes <> ?3 OR listed <> ?4)
      """)
    albumsOfGenre = try compiled(
      """
      SELECT album.volumes FROM album_genre JOIN album ON album.id = album_genre.album
      WHERE album_genre.genre = ?1
      """)
    setGenreCounts = try compiled(
      """
      UPDATE genre SET albums = ?2, volumes = ?3
      WHERE id = ?1 AND (albums <> ?2 OR volumes <> ?3)
      """)
    // Only eight other files are compared. A sound that more files have, for example silence, does not identify an
    // album.
    albumsOfSound = try compiled(
      """
      SELECT album.id, album.tracks, album.added FROM (
        SELECT other.id FROM file CROSS JOIN file AS other ON other.audio = file.audio
        WHERE file.id = ?1 AND other.id <> ?1 LIMIT 8) AS same
      CROSS JOIN track ON track.id = same.id CROSS JOIN album ON album.id = track.album
      """)
    addPlaylist = try compiled(
      "INSERT INTO playlist(id, title, sortkey, entries, volume) VALUES(?1, ?2, ?3, ?4, ?5)")
    playlist = try compiled("SELECT volume, entries FROM playlist WHERE id = ?1")
    entriesOfVolume = try compiled("SELECT sum(entries) FROM playlist WHERE volume = ?1")
    removePlaylist = try compiled("DELETE FROM playlist WHERE id = ?1")
    addEntry = try compiled(
      "INSERT INTO entry(playlist, position, relative, path, title) VALUES(?1, ?2, ?3, ?4, ?5)")
    removeEntries = try compiled("DELETE FROM entry WHERE playlist = ?1")
    entries = try compiled(
      "SELECT position, relative, path, track FROM entry WHERE playlist = ?1")
    setEntry = try compiled("UPDATE entry SET track = ?3 WHERE playlist = ?1 AND position = ?2")
    removeAlbum = try compiled("DELETE FROM album WHERE id = ?1")
  }
}
