/// How much the library keeps.
package struct LibraryLimits: Sendable {
  /// Maximum size of the database in the storage. Nil for no limit.
  package var databaseBytes: Int?

  /// Memberwise initializer.
  package init(databaseBytes: Int? = nil) { self.databaseBytes = databaseBytes }
}
