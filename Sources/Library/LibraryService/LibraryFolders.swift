/// The folders that the library writes.
package struct LibraryFolders: Equatable, Sendable {
  /// The folder of the database.
  package var database: String
  /// A folder in memory, for the name of the file that is being read. If the folder of the database cannot be written,
  /// the database is made here.
  package var runtime: String

  package init(database: String, runtime: String) {
    self.database = database
    self.runtime = runtime
  }

  /// Maximum size of a database in memory. It counts as memory of the process, and has some 30 000 songs.
  static let maximumBytesInMemory = 20 << 20
}
