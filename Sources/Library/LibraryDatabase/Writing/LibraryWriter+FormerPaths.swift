internal import SQLite

// The paths of files that are gone, so that queues and playlists find a file that was moved.
extension LibraryWriter {
  /// If a person renames the folders of a stick, all files of the stick are moved.
  static let maximumFormerPaths: Int64 = 20_000

  /// Notes the path of a file before the file is removed. The file may be found on another volume later.
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
    // A damaged database may have folders in a circle.
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
  /// The id of a path: the identity of a volume, and the names in a path.
  static func of(_ names: [[UInt8]], on volume: String) -> Int64 {
    of([Array(volume.utf8)] + names)
  }
}
