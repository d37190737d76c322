/// How thumbnails are made.
package struct CoverOptions: Sendable {
  /// Maximum size of the file of the thumbnails with its journal.
  package var maximumBytes: Int
  /// The path of `autoharp-cover`. Nil for the program in the folder of the running program.
  package var decoder: String?

  package init(maximumBytes: Int = 16 << 20, decoder: String? = nil) {
    self.maximumBytes = maximumBytes
    self.decoder = decoder
  }
}
