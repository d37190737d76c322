internal import Files
internal import Glibc

/// The files of the unit's playlists. Each file is replaced as a whole: after a power cut it is the old one or the new
/// one.
///
/// - Thread: one thread at a time.
/// - Blocks: each call waits for the storage.
struct PlaylistFolder {
  private static let temporary = ".new"
  private static let largestCopyNumber = 99

  let path: String

  /// The playlists with their names, in order. Of names that differ only by case, only the first is taken. `ignored`
  /// has the other files.
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
    // The order in a folder depends on the file system.
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

  /// False only if there is surely no file of this list.
  func mayHave(_ name: PlaylistName) -> Bool {
    access(FileName.cString("\(path)/\(name.file)"), F_OK) == 0
      || ![ENOENT, ENOTDIR].contains(errno)
  }

  func read(_ name: PlaylistName) throws(PlaylistFailure) -> OwnPlaylist {
    OwnPlaylist(decoding: try bytes(name))
  }

  /// Passes each entry to `body`, which needs less memory than a list.
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

  /// Replaces the file of a playlist. If the old file has parts that the unit does not know, it is copied first.
  func write(_ playlist: OwnPlaylist, _ name: PlaylistName) throws(PlaylistFailure) {
    let bytes = playlist.encoded()
    guard bytes.count <= OwnPlaylist.maximumBytes else { throw .tooManyEntries(name.text) }
    if !playlist.isWhole { try copy(name) }
    try write(bytes, name.file)
  }

  /// Copies a file to `NAME.m3u8.before-1`, or the next number.
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

  /// Makes the folder if it is not there.
  private func make() throws(PlaylistFailure) {
    guard mkdir(FileName.cString(path), 0o755) == 0 else {
      if errno == EEXIST { return }
      throw .unwritable(path, errno)
    }
    // The name of the new folder must be on the medium, too.
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

/// Why something was not done with a playlist.
public enum PlaylistFailure: Error, Equatable, Sendable {
  /// A file cannot have this name.
  case invalidName(String)
  /// Another list has this name.
  case exists(String)
  case unknown(String)
  /// The list of the favourites can neither be renamed nor removed.
  case reserved(String)
  /// The list has no such entry.
  case unknownEntry
  /// The list would have more entries than a list can have.
  case tooManyEntries(String)
  /// The unit has as many lists as it can have.
  case tooManyLists
  /// The file cannot be read, for this `errno`; 0 if it is too large, or no file.
  case unreadable(String, Int32)
  /// The folder cannot be written, for this `errno`.
  case unwritable(String, Int32)
}
