/// The options for making thumbnails.
package struct CoverOptions: Sendable {
  /// Maximum size in bytes of the file of the thumbnails, with its journal.
  package var maximumBytes: Int
  /// The path of the program `autoharp-cover`. If nil, the program in the folder of the running program is used.
  package var decoder: String?

  package init(maximumBytes: Int = 16 << 20, decoder: String? = nil) {
    self.maximumBytes = maximumBytes
    self.decoder = decoder
  }
}
