public import LibraryModel

/// The playlists (*lists*) in the storage of the unit, and a summary of each playlist for menus.
///
/// - Thread: one thread at a time.
/// - Blocks: each call waits for the storage.
public struct PlaylistStore: Sendable {
  /// What a menu of playlists shows about one playlist.
  public struct Summary: Equatable, Sendable {
    /// The name of the playlist.
    public var name: PlaylistName
    /// Number of entries. Nil if the file cannot be read.
    public var count: Int?
    /// The identities of the volumes that contain the songs of the playlist. After ``maximumVolumes`` identities, one
    /// empty identity stands for all further volumes. It also stands for unknown volumes.
    public var volumes: Set<String> = []
    private static let maximumVolumes = 64

    public init(name: PlaylistName, count: Int?, volumes: Set<String> = []) {
      self.name = name
      self.count = count
      self.volumes = volumes
    }

    mutating func add(volume: String) {
      volumes.insert(volumes.count < Self.maximumVolumes ? volume : "")
    }
  }

  /// Summaries of all lists in the storage, and the marks of songs.
  public struct Index: Equatable, Sendable {
    /// The summaries of the lists, in order. The favourites are first, even if they have no file yet.
    public var lists = [Summary(name: .favourites, count: 0)]
    /// The marks of songs.
    public var songs = MarkedSongs()

    /// Creates an index that contains only the favourites, without entries.
    public init() {}
  }

  /// Maximum number of lists.
  public static let maximumLists = 200

  private let folder: PlaylistFolder
  /// The present index of the lists.
  public private(set) var index = Index()
  /// Names of playlist files in the folder that are not used, for example because their names are invalid.
  public private(set) var ignored: [String] = []
  /// Names of playlist files that the unit has written, but of which it cannot read some parts.
  public private(set) var damaged: [String] = []

  /// - Parameter folder: the folder of the files. It is created when the first list is saved.
  public init(folder: String) { self.folder = PlaylistFolder(path: folder) }

  /// Reads all lists. Call this before the other methods. If the folder cannot be read, the index contains only the
  /// favourites, without entries.
  public mutating func load() {
    let found = folder.names()
    ignored = found.ignored
    index = Index()
    damaged = found.names.filter { noteFile($0) == .damaged }.map(\.file)
    if folder.mayHave(.opinions), noteFile(.opinions) == .damaged {
      damaged.append(PlaylistName.opinions.file)
    }
  }

  /// Reads the file of a list, and updates the index. Returns nil if the file cannot be read.
  @discardableResult
  private mutating func noteFile(_ name: PlaylistName) -> OwnPlaylist.Reading? {
    var summary = Summary(name: name, count: 0)
    var reading: OwnPlaylist.Reading?
    index.songs.forget(name)
    do throws(PlaylistFailure) {
      reading = try folder.read(name) { entry in
        summary.count = (summary.count ?? 0) &+ 1
        summary.add(volume: entry.reference.volume)
        index.songs.add(entry, of: name)
      }
    } catch {
      summary.count = nil
    }
    note(summary)
    return reading
  }

  private mutating func note(_ name: PlaylistName, _ playlist: OwnPlaylist) {
    var summary = Summary(name: name, count: playlist.entries.count)
    index.songs.forget(name)
    for entry in playlist.entries {
      summary.add(volume: entry.reference.volume)
      index.songs.add(entry, of: name)
    }
    note(summary)
  }

  private mutating func note(_ summary: Summary) {
    let name = summary.name
    // The list of the opinions is internal. It is not in `index.lists`.
    if name == .opinions { return }
    index.lists.removeAll { $0.name == name }
    let next = index.lists.firstIndex { name < $0.name } ?? index.lists.count
    index.lists.insert(summary, at: next)
  }

  // MARK: Reading

  /// Returns the entries of a list.
  public func read(_ name: String) throws(PlaylistFailure) -> OwnPlaylist {
    try playlist(try known(name))
  }

  /// Returns the list with this ``PlaylistName/identity``.
  public func read(identity: Int64) throws(PlaylistFailure) -> (
    name: PlaylistName, list: OwnPlaylist
  ) {
    let names = index.lists.map(\.name) + [.opinions]
    guard let name = names.first(where: { $0.identity == identity }) else { throw .unknown("") }
    return (name, try playlist(name))
  }

  /// Reads a list. Throws if its file exists but cannot be read, so that adding a favourite does not overwrite the
  /// file.
  func playlist(_ name: PlaylistName) throws(PlaylistFailure) -> OwnPlaylist {
    // A reserved list has no file until the first song is added.
    if name.isReserved, !folder.mayHave(name) { return OwnPlaylist() }
    return try folder.read(name)
  }

  /// Returns the stored name of the list. Its capital and small letters can differ from `text`.
  private func known(_ text: String) throws(PlaylistFailure) -> PlaylistName {
    let name = try valid(text)
    guard let known = index.lists.first(where: { $0.name == name }) else { throw .unknown(text) }
    return known.name
  }

  private func valid(_ text: String) throws(PlaylistFailure) -> PlaylistName {
    guard let name = PlaylistName(text) else { throw .invalidName(text) }
    return name
  }

  private func free(_ name: PlaylistName) throws(PlaylistFailure) {
    // A file with this name can exist although it is not in the index. This file must not be replaced.
    if folder.mayHave(name) { throw .exists(name.text) }
    guard index.lists.count < Self.maximumLists else { throw .tooManyLists }
  }

  // MARK: Changes

  /// Saves a list. Throws if the name belongs to a list other than `replaced`.
  /// - Parameter replaced: the identity of the list that is replaced. Nil if no list must be replaced.
  public mutating func save(
    _ entries: [OwnPlaylist.Entry], as text: String, replacing replaced: Int64?
  ) throws(PlaylistFailure) {
    let name = try valid(text)
    guard entries.count <= OwnPlaylist.maximumEntries else { throw .tooManyEntries(text) }
    var playlist = OwnPlaylist(entries)
    if let old = index.lists.first(where: { $0.name == name })?.name {
      guard old.identity == replaced else { throw .exists(old.text) }
      playlist.isWhole = try self.playlist(old).isWhole
      try write(playlist, old)
    } else {
      try free(name)
      try write(playlist, name)
    }
  }

  /// Adds entries at the end of a list. Creates the list if no list has this name. Songs that the list already contains
  /// are not added again. If it contains all of them, it does not change, and the failure is `hasEntries`.
  /// - Parameter again: true to add all songs, unless the list is reserved.
  public mutating func add(
    _ entries: [OwnPlaylist.Entry], to text: String, again: Bool = false
  ) throws(PlaylistFailure) {
    let name = try valid(text)
    guard let old = index.lists.first(where: { $0.name == name })?.name else {
      return try save(entries, as: text, replacing: nil)
    }
    var playlist = try self.playlist(old)
    var new = entries
    if !again || old.isReserved {
      let present = Set(playlist.entries.map(\.reference.key))
      var keys = present
      new.removeAll {
        old.isReserved
          ? !keys.insert($0.reference.key).inserted : present.contains($0.reference.key)
      }
    }
    if new.isEmpty, !entries.isEmpty {
      let title = entries.count == 1 && !entries[0].title.isEmpty ? entries[0].title : nil
      throw .hasEntries(old.text, title, isReserved: old.isReserved)
    }
    playlist.entries += new
    guard playlist.entries.count <= OwnPlaylist.maximumEntries else {
      throw .tooManyEntries(old.text)
    }
    try write(playlist, old)
  }

  /// Removes an entry from a list.
  /// - Parameter entry: the identity of the entry, a value of ``OwnPlaylist/identities``.
  public mutating func remove(_ entry: Int64, from text: String) throws(PlaylistFailure) {
    let name = try known(text)
    var playlist = try self.playlist(name)
    guard let found = playlist.identities.firstIndex(of: entry) else { throw .unknownEntry }
    playlist.entries.remove(at: found)
    try write(playlist, name)
  }

  /// Replaces songs of a list, for example because their files were moved. The new entry gets the bookmark and the
  /// opinion of the old entry. If a song then occurs twice in a reserved list, its second entry is removed.
  /// - Parameters:
  ///   - songs: for each old song (key), its new entry (value).
  ///   - identity: the ``PlaylistName/identity`` of the list.
  public mutating func replace(
    _ songs: [SongReference: OwnPlaylist.Entry], in identity: Int64
  ) throws(PlaylistFailure) {
    var (name, list) = try read(identity: identity)
    var isChanged = false
    for index in list.entries.indices {
      let old = list.entries[index]
      guard var song = songs[old.reference] else { continue }
      (song.bookmark, song.opinion) = (old.bookmark, old.opinion)
      list.entries[index] = song
      isChanged = true
    }
    guard isChanged else { return }
    if name.isReserved {
      var keys: Set<UInt64> = []
      list.entries.removeAll { !keys.insert($0.reference.key).inserted }
    }
    try write(list, name)
  }

  /// Gives a list another name.
  public mutating func rename(_ text: String, to newText: String) throws(PlaylistFailure) {
    let old = try known(text)
    let new = try valid(newText)
    if let reserved = [old, new].first(where: \.isReserved) { throw .reserved(reserved.text) }
    // A new name that differs from the old name only by case is permitted.
    if old != new, let other = index.lists.first(where: { $0.name == new }) {
      throw .exists(other.name.text)
    }
    if old.text == new.text { return }
    if old != new, folder.mayHave(new) { throw .exists(new.text) }
    try folder.rename(old, to: new)
    index.lists.removeAll { $0.name == old }
    noteFile(new)
  }

  /// Removes a list.
  public mutating func delete(_ text: String) throws(PlaylistFailure) {
    let name = try known(text)
    if name.isReserved { throw .reserved(name.text) }
    try folder.remove(name)
    index.lists.removeAll { $0.name == name }
  }

  mutating func write(
    _ playlist: OwnPlaylist, _ name: PlaylistName
  ) throws(PlaylistFailure) {
    try folder.write(playlist, name)
    note(name, playlist)
  }
}

/// A change of the marks of a song by a user.
public enum SongMark: Equatable, Sendable {
  /// Adds the song to the favourites, or removes the song from them. The dislike of a new favourite is removed.
  case liked(Bool)
  /// Sets or removes the dislike. Shuffle leaves out disliked songs. A disliked song is removed from the favourites.
  case disliked(Bool)
  /// Sets the rating, 0 … ``SongOpinion/maximum``.
  case halfStars(UInt8)
  /// Sets the position of the bookmark. Nil removes the bookmark.
  case bookmark(SongTime?)
}

// The marks of songs. Each file is replaced as a whole, so after a power cut it contains either the old or the new
// marks. Some changes remove a mark in one file and add a mark in another file. The removal is written first, so a song
// is never a favourite and disliked at the same time.
extension PlaylistStore {
  /// Changes a mark of a song.
  public mutating func mark(
    _ entry: OwnPlaylist.Entry, _ mark: SongMark
  ) throws(PlaylistFailure) {
    switch mark {
    case .liked(let isLiked):
      guard isLiked else { return try remove(entry, from: .favourites) }
      try change(entry) { $0.isDisliked = false }
      guard !index.songs.favourites.contains(entry.reference.key) else { return }
      try add([entry], to: PlaylistName.favourites.text)
    case .disliked(let isDisliked):
      if isDisliked { try remove(entry, from: .favourites) }
      try change(entry) { $0.isDisliked = isDisliked }
    case .halfStars(let halfStars):
      try change(entry) { $0.halfStars = min(halfStars, SongOpinion.maximum) }
    case .bookmark(nil): try remove(entry, from: .bookmarks)
    case .bookmark(let time): try put(entry, at: time)
    }
  }

  private mutating func remove(
    _ entry: OwnPlaylist.Entry, from name: PlaylistName
  ) throws(PlaylistFailure) {
    var list = try playlist(name)
    let count = list.entries.count
    list.entries.removeAll { $0.reference == entry.reference }
    if list.entries.count < count { try write(list, name) }
  }

  /// Puts a bookmark before all other bookmarks, so that the latest bookmark is first.
  private mutating func put(
    _ entry: OwnPlaylist.Entry, at time: SongTime?
  ) throws(PlaylistFailure) {
    var list = try playlist(.bookmarks)
    list.entries.removeAll { $0.reference == entry.reference }
    guard list.entries.count < OwnPlaylist.maximumEntries else {
      throw .tooManyEntries(PlaylistName.bookmarks.text)
    }
    var entry = entry
    entry.bookmark = time
    list.entries.insert(entry, at: 0)
    try write(list, .bookmarks)
  }

  private mutating func change(
    _ entry: OwnPlaylist.Entry, _ change: (inout SongOpinion) -> Void
  ) throws(PlaylistFailure) {
    var list = try playlist(.opinions)
    let index = list.entries.firstIndex { $0.reference == entry.reference }
    var new = index.map { list.entries[$0] } ?? entry
    let old = new.opinion
    change(&new.opinion)
    guard new.opinion != old else { return }
    switch index {
    case let index? where new.opinion.isEmpty: list.entries.remove(at: index)
    case let index?: list.entries[index] = new
    case nil:
      guard list.entries.count < OwnPlaylist.maximumEntries else {
        throw .tooManyEntries(PlaylistName.opinions.text)
      }
      list.entries.append(new)
    }
    try write(list, .opinions)
  }
}
