internal import Files
internal import NameKeys
public import SQLite

// Tracks, and the artists and genres in their tags.
extension LibraryWriter {
  /// A file that the scan has read.
  public struct ExaminedFile: Sendable {
    /// The id of the file.
    public var id: Int64
    /// The name of the file, as bytes.
    public var name: [UInt8]
    /// The folder of the album. This is the folder of the file, or its parent folder if the folder of the file contains
    /// one disc of an album.
    public var albumFolder: Int64
    /// The volume of the file.
    public var volume: Int64
    /// True if the file was never read before, so that it has no track.
    public var isNew: Bool

    public init(id: Int64, name: [UInt8], albumFolder: Int64, volume: Int64, isNew: Bool) {
      self.isNew = isNew
      self.id = id
      self.name = name
      self.albumFolder = albumFolder
      self.volume = volume
    }
  }

  /// True if this is the name of a folder with one disc of an album, such as `CD1`.
  public static func isDisc(_ name: [UInt8]) -> Bool {
    AlbumGrouping.isDisc(FileName.text(name))
  }

  /// Stores the track of a music file.
  public func setMusic(
    _ file: ExaminedFile, _ tags: TrackTags, _ facts: TrackFacts
  ) throws(DatabaseError) {
    noteChange()
    if !file.isNew { try removeTracks(of: file.id) }
    due.insert(.entries)
    try statements.setFile.execute(
      .integer(file.id), .integer(FileState.music.rawValue), facts.audio.map { .integer($0) },
      .text(facts.codec), .integer(facts.milliseconds), nil,
      tags.releaseTrack.map { .integer(ContentID.of("releasetrack", $0)) })
    let title = Self.cut(tags.title ?? FileName.withoutSuffix(file.name))
    let artists = Self.list(tags.artists)
    let genres = Self.list(tags.genres)
    let folded = FoldedName(title)
    let key = SortKey(tags.sortTitle.map { FoldedName($0) } ?? folded, articles: articles)
    let grouping = try grouping(tags.album, in: file.albumFolder)
    try statements.addTrack.execute(
      .integer(file.id), .integer(grouping), .text(title), .bytes(key.bytes),
      artists.map { .text($0) }, .integer(tags.disc), .integer(tags.number), .integer(tags.year),
      .integer(facts.milliseconds), .integer(file.volume), genres.map { .text($0) })
    for name in Self.names(artists) {
      let sortName = tags.artists.count == 1 ? tags.sortArtist : nil
      let person = try person(name, sortName: sortName)
      try statements.addCredit.execute(.integer(file.id), .integer(person))
    }
    if isBulk {
      unorderedWords += 1
      due.insert(.words)
    } else {
      try addWords(
        .track, file.id,
        [title] + [artists.map(Self.joined), tags.album.title].compactMap { $0 })
    }
    changedFolders.insert(file.albumFolder)
  }

  /// Records that a file is not music.
  public func setOther(_ file: Int64) throws(DatabaseError) {
    try setNoTrack(file, .other, nil)
  }

  /// Records that a file cannot be played, and the reason.
  ///
  /// - Parameter cause: a word for the kind of the reason. Files are counted by this word.
  public func setProblem(_ file: Int64, _ reason: String, cause: String) throws(DatabaseError) {
    try setNoTrack(file, .problem, Self.cut(reason), cause: cause)
  }

  private func setNoTrack(
    _ file: Int64, _ state: FileState, _ reason: String?, cause: String? = nil
  ) throws(DatabaseError) {
    noteChange()
    try removeTracks(of: file)
    try removePlaylist(file)
    try statements.setFile.execute(
      .integer(file), .integer(state.rawValue), nil, cause.map { .text($0) }, nil,
      reason.map { .text($0) }, nil)
  }

  func removeTracks(of file: Int64) throws(DatabaseError) {
    var tracks: [(id: Int64, album: Int64, folder: Int64, artists: String?)] = []
    try statements.tracksOfFile.execute(.integer(file)) { row throws(DatabaseError) in
      tracks.append((row.integer(0), row.integer(1), row.integer(2), row.optionalText(3)))
      return true
    }
    for track in tracks {
      for name in Self.names(track.artists) {
        let person = notePerson(name)
        try statements.removeCredit.execute(.integer(person), .integer(track.id))
      }
      try statements.removeTrack.execute(.integer(track.id))
      if track.album != 0 { changedAlbums.insert(track.album) }
      changedFolders.insert(track.folder)
      unorderedWords += 1
      due.formUnion([.unusedNames, .entries])
    }
  }

  private func grouping(_ tags: AlbumTags, in folder: Int64) throws(DatabaseError) -> Int64 {
    let key = KnownRows.Grouping(folder: folder, tags: tags)
    if let id = known.id(of: key) { return id }
    func text(_ value: String?) -> Value? { value.map { .text(Self.cut($0)) } }
    let artists = tags.artists.isEmpty ? nil : tags.artists.joined(separator: "\0")
    let values: [Value?] = [
      .integer(folder), text(tags.title), text(artists), text(tags.release),
      .integer(tags.isCompilation ? 1 : 0), text(tags.sortTitle), text(tags.sortArtist),
    ]
    var found: Int64?
    try statements.findGrouping.execute(values) { row throws(DatabaseError) in
      found = row.integer(0)
      return false
    }
    if found == nil {
      try statements.addGrouping.execute(values) { _ throws(DatabaseError) in true }
    }
    let id = found ?? database.lastRow
    known.add(key, id)
    return id
  }

  /// The id of the person (artist) with this name, who is added if not known. The first spelling of a name is shown.
  func person(_ name: String, sortName: String?) throws(DatabaseError) -> Int64 {
    if sortName == nil, let known = known.persons[TextKey(name)] { return known }
    let folded = FoldedName(name)
    let id = Self.personID(folded)
    known.addPerson(name, id)
    let plain = SortKey(folded, articles: articles)
    let key = sortName.map { SortKey(FoldedName($0), articles: articles) } ?? plain
    try statements.addPerson.execute(.integer(id), .text(Self.cut(name)), .bytes(key.bytes))
    if database.changedRows > 0 {
      try addWords(.person, id, [name])
    } else if key != plain {
      // The person was added by a track without a sort name. The first sort name is used.
      try statements.setSortKey.execute(.integer(id), .bytes(key.bytes), .bytes(plain.bytes))
    }
    return id
  }

  /// Notes that the albums or songs of a person have changed. Returns the id of the person.
  @discardableResult
  func notePerson(_ name: String) -> Int64 {
    let id = known.persons[TextKey(name)] ?? Self.personID(name)
    changedPersons.insert(id)
    return id
  }

  private static func personID(_ name: String) -> Int64 { personID(FoldedName(name)) }

  private static func personID(_ name: FoldedName) -> Int64 { ContentID.of("person", name.text) }

  /// Joins names to one text for a column, separated by NUL. If the text would be too long, the last names are left
  /// out. Nil if there are no names.
  private static func list(_ names: [String]) -> String? {
    if names.count == 1 { return cut(names[0]) }
    var names = names[...]
    while names.count > 1, names.joined(separator: "\0").utf8.count > maximumTextBytes {
      names.removeLast()
    }
    return names.isEmpty ? nil : cut(names.joined(separator: "\0"))
  }

  /// The names in a text of ``list(_:)``.
  static func names(_ list: String?) -> [String] {
    guard let list else { return [] }
    if !list.utf8.contains(0) { return list.isEmpty ? [] : [list] }
    return list.utf8.split(separator: 0).map { String(Substring($0)) }
  }

  /// The names in a text of ``list(_:)``, joined for display.
  static func joined(_ list: String) -> String {
    list.utf8.contains(0) ? names(list).joined(separator: ", ") : list
  }

  func genre(_ name: String) throws(DatabaseError) -> Int64 {
    if let known = known.genres[TextKey(name)] { return known }
    let folded = FoldedName(name)
    let id = ContentID.of("genre", folded.text)
    known.addGenre(name, id)
    let key = SortKey(folded, articles: Self.noArticles)
    try statements.addGenre.execute(.integer(id), .text(Self.cut(name)), .bytes(key.bytes))
    return id
  }
}

// The paths of removed files, by which queues and playlists find files that were moved.
extension LibraryWriter {
  /// Maximum number of stored paths. It is high, because renaming a folder moves all files in it.
  static let maximumFormerPaths: Int64 = 20_000

  /// Stores the path of a file before the file is removed. The file can appear with another path later.
  func addFormerPath(of file: Int64) throws(DatabaseError) {
    guard notesFormerPaths else { return }
    var found: (folder: Int64, name: [UInt8], audio: Int64?, releaseTrack: Int64?)?
    try statements.identityOfFile.execute(.integer(file)) { row throws(DatabaseError) in
      found = (row.integer(0), row.bytes(1), row.optionalInteger(2), row.optionalInteger(3))
      return false
    }
    guard let found else { return }
    let (volume, names) = try path(ofFolder: found.folder)
    try statements.addFormer.execute(
      .integer(ContentID.of(names + [found.name], on: volume)), found.audio.map { .integer($0) },
      found.releaseTrack.map { .integer($0) })
    try statements.removeFormer.execute(.integer(database.lastRow - Self.maximumFormerPaths))
  }

  /// The identity of the volume of a folder, and the names in the path of the folder.
  private func path(
    ofFolder folder: Int64
  ) throws(DatabaseError) -> (volume: String, names: [[UInt8]]) {
    var volume = ""
    var names: [[UInt8]] = []
    var next = folder
    // A damaged database can contain a cycle of folders, so the number of names is limited.
    while next != 0, names.count <= 128 {
      let id = next
      next = 0
      try statements.folder.execute(.integer(id)) { row throws(DatabaseError) in
        next = row.integer(0)
        volume = row.text(3)
        if next != 0 { names.append(row.bytes(1)) }
        return false
      }
    }
    return (volume, names.reversed())
  }
}

extension ContentID {
  /// The id for a path: computed from the identity of a volume and the names in the path.
  static func of(_ names: [[UInt8]], on volume: String) -> Int64 {
    of([Array(volume.utf8)] + names)
  }
}

// The order in which volumes were seen. Absent volumes are kept as long as there is room.
extension LibraryWriter {
  /// Records that these volumes were present since the start of the program, and that the other volumes were not.
  /// Writes nothing if this is already stored.
  public func noteSeen(_ identities: Set<String>) throws(DatabaseError) {
    var noted: [Int64] = []
    var others: [Int64] = []
    try database.statement("SELECT identity, seen FROM volume").execute {
      row throws(DatabaseError) in
      // The limit prevents an overflow if the number is damaged.
      let number = min(max(row.integer(1), 0), 1 << 60)
      if identities.contains(row.text(0)) { noted.append(number) } else { others.append(number) }
      return true
    }
    guard let first = noted.min(), let last = noted.max() else { return }
    if first == last, others.allSatisfy({ $0 < last }) { return }
    let number = (noted + others).reduce(0, max) + 1
    try transaction { () throws(DatabaseError) in
      let note = try database.statement("UPDATE volume SET seen = ?2 WHERE identity = ?1")
      for identity in identities { try note.execute(.text(identity), .integer(number)) }
    }
  }

  /// The absent volume that must be removed to make room. It is the volume that was not seen for the longest time. Nil
  /// if there is room, or if no volume is absent.
  public func surplusVolume(
    present: Set<String>, maximumVolumes: Int, maximumSongs: Int
  ) throws(DatabaseError) -> (identity: String, label: String)? {
    var count = 0
    var oldest: (identity: String, label: String)?
    try database.statement("SELECT identity, label FROM volume ORDER BY seen, id").execute {
      row throws(DatabaseError) in
      count += 1
      if oldest == nil, !present.contains(row.text(0)) { oldest = (row.text(0), row.text(1)) }
      return true
    }
    guard let oldest else { return nil }
    if count > maximumVolumes { return oldest }
    let songs = try database.statement("SELECT count(*) FROM track").integer() ?? 0
    return songs > maximumSongs ? oldest : nil
  }
}
