internal import Files
internal import Glibc

/// The files of the unit's playlists. Each file is replaced as a whole: after a power cut, the folder contains either
/// the old file or the new file.
///
/// - Thread: one thread at a time.
/// - Blocks: each call waits for the storage.
struct PlaylistFolder {
  private static let temporary = ".new"
  private static let largestCopyNumber = 99

  let path: String

  /// The names of the playlists, in order. If names differ only by case, only the first file is used. `ignored`
  /// contains the names of the playlist files that are not used.
  func names() -> (names: [PlaylistName], ignored: [String]) {
    guard let folder = FolderReader(path) else { return ([], []) }
    var files: [String] = []
    while let name = folder.next() {
      if name.hasSuffix(PlaylistName.suffix), name != PlaylistName.opinions.file {
        files.append(name)
      }
    }
    var names: Set<PlaylistName> = []
    var ignored: [String] = []
    // The files are sorted, because their order in a folder depends on the file system.
    for file in files.sorted() {
      if let name = PlaylistName(file: file), names.count < PlaylistStore.maximumLists,
        names.insert(name).inserted
      {
        continue
      }
      ignored.append(file)
    }
    return (names.sorted(), ignored)
  }

  /// False if the playlist certainly has no file. True if the file exists, or if an error prevents the check.
  func mayHave(_ name: PlaylistName) -> Bool {
    access(FileName.cString("\(path)/\(name.file)"), F_OK) == 0
      || ![ENOENT, ENOTDIR].contains(errno)
  }

  func read(_ name: PlaylistName) throws(PlaylistFailure) -> OwnPlaylist {
    OwnPlaylist(decoding: try bytes(name))
  }

  /// Passes each entry of a playlist to `body`. This needs less memory than an array of all entries.
  func read(
    _ name: PlaylistName, _ body: (OwnPlaylist.Entry) -> Void
  ) throws(PlaylistFailure) -> OwnPlaylist.Reading {
    OwnPlaylist.read(try bytes(name), body)
  }

  private func bytes(_ name: PlaylistName) throws(PlaylistFailure) -> [UInt8] {
    errno = 0
    let bytes = BoundedFile.read("\(path)/\(name.file)", atMost: OwnPlaylist.maximumBytes)
    guard let bytes else { throw .unreadable(name.text, errno) }
    return bytes
  }

  /// Replaces the file of a playlist. An old file with parts that the unit cannot read is copied first.
  func write(_ playlist: OwnPlaylist, _ name: PlaylistName) throws(PlaylistFailure) {
    let bytes = playlist.encoded()
    guard bytes.count <= OwnPlaylist.maximumBytes else { throw .tooManyEntries(name.text) }
    if !playlist.isWhole { try copy(name) }
    try write(bytes, name.file)
  }

  /// Copies the file of a playlist to `NAME.m3u8.before-1`, or to the next number that is free.
  private func copy(_ name: PlaylistName) throws(PlaylistFailure) {
    let bytes = try bytes(name)
    for number in 1...Self.largestCopyNumber {
      let copy = "\(name.file).before-\(number)"
      if access(FileName.cString("\(path)/\(copy)"), F_OK) == 0 { continue }
      return try write(bytes, copy)
    }
    throw .unwritable(path, EEXIST)
  }

  private func write(_ bytes: [UInt8], _ file: String) throws(PlaylistFailure) {
    try make()
    do throws(ReplacedFile.Failure) {
      try ReplacedFile.write(bytes, to: file, in: path, temporary: Self.temporary)
    } catch {
      throw .unwritable(path, error.code)
    }
  }

  func rename(_ old: PlaylistName, to new: PlaylistName) throws(PlaylistFailure) {
    let paths = [old, new].map { FileName.cString("\(path)/\($0.file)") }
    guard Glibc.rename(paths[0], paths[1]) == 0 else { throw .unwritable(path, errno) }
    try synchronise()
  }

  func remove(_ name: PlaylistName) throws(PlaylistFailure) {
    guard unlink(FileName.cString("\(path)/\(name.file)")) == 0 else {
      throw .unwritable(path, errno)
    }
    try synchronise()
  }

  /// Creates the folder if it does not exist.
  private func make() throws(PlaylistFailure) {
    guard mkdir(FileName.cString(path), 0o755) == 0 else {
      if errno == EEXIST { return }
      throw .unwritable(path, errno)
    }
    // The entry of the new folder in its parent must be on the medium, too.
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try Self.synchronise(parent.isEmpty ? "/" : parent)
  }

  private func synchronise() throws(PlaylistFailure) { try Self.synchronise(path) }

  private static func synchronise(_ folder: String) throws(PlaylistFailure) {
    do throws(ReplacedFile.Failure) {
      try ReplacedFile.synchronise(folder: folder)
    } catch {
      throw .unwritable(folder, error.code)
    }
  }
}

/// The reason why an operation on a playlist failed.
public enum PlaylistFailure: Error, Equatable, Sendable {
  /// A file cannot have this name.
  case invalidName(String)
  /// Another playlist has this name.
  case exists(String)
  case unknown(String)
  /// The name belongs to a reserved list (favourites, bookmarks, opinions), which can be neither renamed nor removed.
  case reserved(String)
  /// The playlist does not contain the entry.
  case unknownEntry
  /// The playlist contains the songs already. The values are the name of the playlist, and the title of the song if it
  /// is only one. A reserved list never contains a song twice.
  case hasEntries(String, String?, isReserved: Bool)
  /// The playlist would have more than ``OwnPlaylist/maximumEntries`` entries, or its file would be too large.
  case tooManyEntries(String)
  /// The unit already has ``PlaylistStore/maximumLists`` lists.
  case tooManyLists
  /// The file cannot be read. The number is the `errno`; 0 if the file is too large or is not a regular file.
  case unreadable(String, Int32)
  /// The folder cannot be written. The number is the `errno`.
  case unwritable(String, Int32)
}
