internal import FileReading
internal import Files
internal import LibraryDatabase
internal import LibraryModel
internal import MusicFiles
internal import SQLite

// The start of the first scan of a volume.
extension VolumeScan {
  /// Adds the folders of the upper two levels, so that they can be opened within a second. A complete listing takes
  /// longer, because it examines each file. It follows, and also finds links to folders.
  /// - Parameter album: also reads files of the first folder, so that an album can be played soon.
  func readUpperFolders(_ root: Int64, volume: Int64, album: Bool) throws(DatabaseError) {
    var room = Self.maximumUpperFolders
    try addFolders(root, self.volume.path, volume, &room)
    try commit()
    for (number, folder) in try writer.orderedFolders(in: root).enumerated() {
      guard room > 0, continuesToEnd else { break }
      let path = self.volume.path + [UInt8(ascii: "/")] + folder.name
      try addFolders(folder.id, path, volume, &room)
      if number == 0, album, continuesToEnd {
        let inner = try writer.orderedFolders(in: folder.id).first
        try readEarly(
          path + (inner.map { [UInt8(ascii: "/")] + $0.name } ?? []), root, volume: volume,
          atMost: Self.maximumEarlyFiles)
      }
      if isCommitDue { try commit() }
    }
    try commit()
  }

  /// More than most albums have. A folder of photos has thousands of files.
  private static let maximumEarlyFiles = 30

  /// Adds the folders in a folder, without their contents.
  /// - Parameter room: how many more folders may be added.
  private func addFolders(
    _ folder: Int64, _ path: [UInt8], _ volume: Int64, _ room: inout Int
  ) throws(DatabaseError) {
    guard continues() else { return }
    willRead(.folder(path))
    guard let reader = FolderReader(bytes: path) else { return }
    var known: Set<[UInt8]> = []
    for stored in try writer.folders(in: folder) { known.insert(stored.name) }
    while room > 0, let name = reader.nextFolderBytes() {
      guard name.first != UInt8(ascii: "."), !isSystemFolder(name),
        !options.otherVolumes.contains(path + [UInt8(ascii: "/")] + name),
        known.insert(name).inserted
      else { continue }
      _ = try writer.addFolder(name, in: folder, volume: volume)
      room -= 1
    }
  }

  /// The complete listing finds the other folders.
  private static let maximumUpperFolders = 10_000
}
