internal import LibraryModel
internal import NameKeys
internal import SQLite

/// Rows of one kind in one order. A list consists of one to three segments.
struct ListSegment {
  let kind: LibraryRow.Kind
  /// The part of a query from `FROM` on, with a `WHERE` condition.
  let source: String
  /// A source with the same rows, but without the tables that are needed only for ``columns``. SQLite would search
  /// these tables for each row that is counted. Nil if ``source`` has no such tables.
  var plainSource: String?
  /// The values of `?1`, `?2` and so on in the source.
  var values: [Value] = []
  /// The columns that determine the order. Their values together are different for each row.
  var keys = ["sortkey", "id"]
  var isDescending = false
  /// True for the entries of a playlist. The song of such an entry can be missing.
  var isOfPlaylist = false

  /// True if the list has letters as headings.
  var isAlphabetical: Bool { keys[0].hasSuffix("sortkey") }

  /// The terms after `ORDER BY`.
  func order(isBackward: Bool = false) -> String {
    keys.map { $0 + (isDescending != isBackward ? " DESC" : "") }.joined(separator: ", ")
  }

  /// The values of ``keys`` in a row of a result. `first` is the column of the first key.
  func keyValues(_ row: borrowing Row, from first: Int32 = 0) -> [Value] {
    var values: [Value] = []
    for index in keys.indices {
      let column = first + Int32(index)
      values.append(
        keys[index].hasSuffix("sortkey")
          ? .bytes(row.bytes(column)) : .integer(row.integer(column)))
    }
    return values
  }

  /// The terms after `SELECT`: the columns for a ``LibraryRow``, in the order in which ``RowReader`` reads them.
  var columns: String {
    switch kind {
    case .artist: "id, name, NULL, NULL, 0, albums, 0, 0, 0, 0, volumes"
    case .album:
      "album.id, title, artist, NULL, various, tracks, milliseconds, 0, 0, year, album.volumes"
    case .song where isOfPlaylist:
      """
      coalesce(track.id | (\(Self.earlierRows) << \(SongRowID.songBits)), 0),
      coalesce(track.title, entry.title, entry.path), track.artists, album.title, 0, 0,
      coalesce(track.milliseconds, 0), 0, 0, coalesce(track.year, 0),
      coalesce(1 << track.volume, 0)
      """
    case .song:
      """
      track.id, track.title, track.artists, album.title, 0, 0, track.milliseconds, track.disc,
      track.number, track.year, 1 << track.volume
      """
    case .playlist: "id, title, NULL, NULL, 0, entries, 0, 0, 0, 0, 1 << volume"
    case .genre: "id, name, NULL, NULL, 0, albums, 0, 0, 0, 0, volumes"
    case .folder: "folder.id, folder.shown, NULL, NULL, 0, 0, 0, 0, 0, 0, 1 << folder.volume"
    case .problem:
      "file.id, file.name, NULL, file.problem, 0, 0, 0, 0, 0, 0, 1 << folder.volume"
    }
  }

  /// The number of earlier entries of the playlist with the same song.
  private static let earlierRows = """
    (SELECT count(*) FROM entry AS earlier WHERE earlier.playlist = entry.playlist
      AND earlier.track = entry.track AND earlier.position < entry.position)
    """

  /// The column with the id of the artist, album, song and so on of a row. If a playlist contains a song several times,
  /// these rows have the same value here. In ``columns`` their ids are different.
  var idColumn: String {
    switch kind {
    case .artist, .genre, .playlist: "id"
    case .album: "album.id"
    case .song: isOfPlaylist ? "coalesce(track.id, 0)" : "track.id"
    case .folder: "folder.id"
    case .problem: "file.id"
    }
  }

  /// Each song with its album.
  private static let songs = "FROM track LEFT JOIN album ON album.id = track.album"

  /// The segments of a node, in order.
  static func all(of node: LibraryNode) -> [ListSegment] {
    switch node {
    case .artists:
      [ListSegment(kind: .artist, source: "FROM person WHERE listed > 0")]
    case .albums:
      [
        ListSegment(
          kind: .album, source: "FROM album WHERE 1", keys: ["album.sortkey", "album.id"])
      ]
    case .recentAlbums:
      [
        ListSegment(
          kind: .album, source: "FROM album WHERE 1", keys: ["album.added", "album.id"],
          isDescending: true)
      ]
    case .songs:
      [
        ListSegment(
          kind: .song, source: "\(songs) WHERE 1", plainSource: "FROM track WHERE 1",
          keys: ["track.sortkey", "track.id"])
      ]
    case .genres:
      [ListSegment(kind: .genre, source: "FROM genre WHERE albums > 0")]
    case .playlists: [ListSegment(kind: .playlist, source: "FROM playlist WHERE 1")]
    case .playlist(let id):
      [
        ListSegment(
          kind: .song,
          source: """
            FROM entry LEFT JOIN track ON track.id = entry.track
            LEFT JOIN album ON album.id = track.album WHERE entry.playlist = ?1
            """,
          values: [.integer(id)], keys: ["entry.position"], isOfPlaylist: true)
      ]
    // The daemon stores the unit's own lists, so the library returns no rows for them.
    case .own: [ListSegment(kind: .song, source: "\(songs) WHERE 0", keys: ["track.id"])]
    case .volumes: [folders(in: 0)]
    case .artist(let id): albumsAndSongs(of: id)
    case .album(let id):
      [
        ListSegment(
          kind: .song,
          source: "\(songs) JOIN file ON file.id = track.id & 0xFFFFFFFFFF WHERE track.album = ?1",
          values: [.integer(id)],
          keys: ["track.disc", "track.number", "file.sortkey", "track.id"])
      ]
    case .genre(let id):
      [
        ListSegment(
          kind: .album,
          source: "FROM album_genre JOIN album ON album.id = album_genre.album WHERE genre = ?1",
          values: [.integer(id)], keys: ["album.sortkey", "album.id"])
      ]
    case .folder(let id): [folders(in: id), files(in: id, .song), files(in: id, .problem)]
    case .songsBelow(let id): [songs(below: id)]
    }
  }

  private static func albumsAndSongs(of person: Int64) -> [ListSegment] {
    [
      ListSegment(
        kind: .album,
        source: "FROM album_person JOIN album ON album.id = album_person.album WHERE person = ?1",
        values: [.integer(person)], keys: ["album.year", "album.sortkey", "album.id"]),
      ListSegment(
        kind: .song,
        source: """
          FROM credit JOIN track ON track.id = credit.track
          LEFT JOIN album ON album.id = track.album
          WHERE credit.person = ?1 AND NOT EXISTS (
            SELECT 1 FROM album_person
            WHERE album_person.album = track.album AND album_person.person = ?1)
          """,
        values: [.integer(person)], keys: ["track.sortkey", "track.id"]),
    ]
  }

  private static func folders(in parent: Int64) -> ListSegment {
    ListSegment(
      kind: .folder, source: "FROM folder WHERE parent = ?1", values: [.integer(parent)],
      keys: ["folder.sortkey", "folder.id"])
  }

  private static func files(in folder: Int64, _ kind: LibraryRow.Kind) -> ListSegment {
    let source =
      kind == .song
      ? """
      FROM file JOIN track ON track.id = file.id LEFT JOIN album ON album.id = track.album
      WHERE file.folder = ?1
      """
      : "FROM file JOIN folder ON folder.id = file.folder WHERE file.folder = ?1 AND file.state = 3"
    return ListSegment(
      kind: kind, source: source, values: [.integer(folder)], keys: ["file.sortkey", "file.id"])
  }

  /// The songs of a folder, then the songs of each folder in it.
  ///
  /// Because of the descending order by level, SQLite reads the folders in a folder before the next folder on the same
  /// level. So the folders are numbered in the order in which they play. A damaged database can contain a cycle of
  /// folders, so the number of folders is limited.
  private static func songs(below folder: Int64) -> ListSegment {
    let tracks = """
      FROM (
        WITH RECURSIVE tree(id, level, sortkey) AS (
          SELECT ?1, 0, x''
          UNION ALL
          SELECT folder.id, tree.level + 1, folder.sortkey
          FROM tree JOIN folder ON folder.parent = tree.id WHERE tree.level < \(maximumLevels)
          ORDER BY 2 DESC, 3, 1 LIMIT \(maximumFolders))
        SELECT id, row_number() OVER () AS position FROM tree) AS below
      JOIN file ON file.folder = below.id JOIN track ON track.id = file.id
      """
    return ListSegment(
      kind: .song, source: "\(tracks) LEFT JOIN album ON album.id = track.album WHERE 1",
      plainSource: "\(tracks) WHERE 1", values: [.integer(folder)],
      keys: ["below.position", "file.sortkey", "file.id"])
  }

  /// Maximum number of levels of folders. A scan reads at most this number.
  private static let maximumLevels = 64

  /// Maximum number of folders of one list of songs.
  private static let maximumFolders = 100_000

  /// ``plainSource`` or ``source``, limited to the rows whose first key is in the range.
  func counted(in range: KeyRange?) -> (source: String, values: [Value]) {
    limited(plainSource ?? source, to: range)
  }

  /// ``source``, limited to the rows whose first key is in the range.
  func limited(to range: KeyRange?) -> (source: String, values: [Value]) {
    limited(source, to: range)
  }

  private func limited(
    _ source: String, to range: KeyRange?
  ) -> (source: String, values: [Value]) {
    guard let range else { return (source, values) }
    let number = values.count
    return (
      "\(source) AND \(keys[0]) >= ?\(number + 1) AND \(keys[0]) < ?\(number + 2)",
      values + [.bytes(range.lower), .bytes(range.upper)]
    )
  }
}
