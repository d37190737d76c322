internal import Files
internal import LibraryDatabase
internal import LibraryModel
internal import MusicFiles
internal import SQLite

// The start of the first scan of a volume.
extension VolumeScan {
  /// Adds the folders of the upper two levels, so that they can be opened within a second. A complete listing takes
  /// longer, because it examines each file. It follows, and also finds links to folders.
  func addUpperFolders(_ root: Int64, volume: Int64) throws(DatabaseError) {
    for folder in try addFolders(root, self.volume.path, volume) {
      if isCommitDue { break }
      _ = try addFolders(folder.id, folder.path, volume)
    }
    try commit()
  }

  /// Reads files of the first folder on the second level, or on the first one, so that an album can be played soon.
  func readFirstAlbum(_ root: Int64, volume: Int64) throws(DatabaseError) {
    guard continues(), let upper = try writer.orderedFolders(in: root).first else { return }
    var path = self.volume.path + [UInt8(ascii: "/")] + upper.name
    if let lower = try writer.orderedFolders(in: upper.id).first {
      path += [UInt8(ascii: "/")] + lower.name
    }
    try readEarly(path, root, volume: volume, atMost: Self.maximumEarlyFiles)
  }

  /// More than most albums have. A folder of photos has thousands of files.
  private static let maximumEarlyFiles = 30

  /// Adds the folders in a folder, without their contents.
  private func addFolders(
    _ folder: Int64, _ path: [UInt8], _ volume: Int64
  ) throws(DatabaseError) -> [(id: Int64, path: [UInt8])] {
    guard continues() else { return [] }
    willRead(path)
    guard let reader = FolderReader(bytes: path) else { return [] }
    var known: [[UInt8]: Int64] = [:]
    for stored in try writer.folders(in: folder) { known[stored.name] = stored.id }
    var found: [(id: Int64, path: [UInt8])] = []
    while found.count < Self.maximumUpperFolders, let name = reader.nextFolderBytes() {
      let child = path + [UInt8(ascii: "/")] + name
      guard name.first != UInt8(ascii: "."), !isSystemFolder(name),
        !options.otherVolumes.contains(child)
      else { continue }
      let id: Int64
      if let stored = known[name] {
        id = stored
      } else {
        id = try writer.addFolder(name, in: folder, volume: volume)
      }
      found.append((id, child))
    }
    return found
  }

  /// More folders are found by the complete listing only.
  private static let maximumUpperFolders = 10_000
}
