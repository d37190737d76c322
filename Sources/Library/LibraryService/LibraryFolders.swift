/// The folders to which the library writes.
package struct LibraryFolders: Equatable, Sendable {
  /// The folder of the database.
  package var database: String
  /// A folder in a memory file system. It contains the name of the file that is being read (``HarmfulFiles``). If the
  /// folder of the database cannot be written, the database is created here.
  package var runtime: String

  package init(database: String, runtime: String) {
    self.database = database
    self.runtime = runtime
  }

  /// Maximum size of a database in memory, in bytes. This memory counts as memory of the process. The size is enough
  /// for about 30 000 songs.
  static let maximumBytesInMemory = 20 << 20
}
