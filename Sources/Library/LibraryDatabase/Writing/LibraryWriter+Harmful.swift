package import SQLite

/// A file that was being read when the program was stopped.
package struct HarmfulFile: Hashable, Sendable {
  /// A program may also be stopped for another reason, for example because memory is short. So one stop is not enough.
  private static let maximumStops = 2

  /// The identity of the volume.
  package let volume: String
  /// The path below the volume, with a slash at the beginning, as bytes.
  package let path: [UInt8]
  /// See `FileStamp.digest`. A file that has changed gets another chance.
  package let stamp: UInt32
  /// How many programs were stopped while they read the file.
  package var stops: Int

  package init(volume: String, path: [UInt8], stamp: UInt32, stops: Int = 1) {
    self.volume = volume
    self.path = path
    self.stamp = stamp
    self.stops = stops
  }

  /// True if the file is not read any more.
  package var isExcluded: Bool { stops >= Self.maximumStops }
}

// Files that have stopped the program. What is known about them survives a start of the machine.
extension LibraryWriter {
  /// More files are not stored. The oldest are forgotten.
  private static let maximumHarmfulFiles = 1000

  /// Notes that a program was stopped while it read a file. Commits, and moves the change from the journal to the
  /// database, because the next file may stop the program, too.
  package func noteStop(_ file: HarmfulFile) throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      try database.statement(
        """
        INSERT INTO harmful(volume, path, stamp, stops) VALUES(?1, ?2, ?3, 1)
        ON CONFLICT(volume, path) DO UPDATE SET
          stops = CASE WHEN stamp = excluded.stamp THEN min(stops, 99) + 1 ELSE 1 END,
          stamp = excluded.stamp
        """
      ).execute(.text(file.volume), .bytes(file.path), .integer(Int64(file.stamp)))
      try database.execute(
        """
        DELETE FROM harmful WHERE id NOT IN
          (SELECT id FROM harmful ORDER BY id DESC LIMIT \(Self.maximumHarmfulFiles))
        """)
      noteChange()
    }
    try checkpoint()
  }

  /// The files that have stopped programs, in the order of their first stop.
  package func harmfulFiles() throws(DatabaseError) -> [HarmfulFile] {
    var files: [HarmfulFile] = []
    try database.statement("SELECT volume, path, stamp, stops FROM harmful ORDER BY id").execute {
      row throws(DatabaseError) in
      files.append(
        HarmfulFile(
          volume: row.text(0), path: row.bytes(1),
          stamp: UInt32(truncatingIfNeeded: row.integer(2)),
          stops: Int(clamping: row.integer(3))))
      return true
    }
    return files
  }

  /// Forgets a file, because it was read to its end.
  package func forgetStops(of file: HarmfulFile) throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      try database.statement("DELETE FROM harmful WHERE volume = ?1 AND path = ?2")
        .execute(.text(file.volume), .bytes(file.path))
      noteChange()
    }
  }

  /// Forgets the files of a volume, because all its files are read again, or because it is removed.
  func forgetStops(onVolume identity: String) throws(DatabaseError) {
    try database.statement("DELETE FROM harmful WHERE volume = ?1").execute(.text(identity))
  }
}
