/// The options for watching folders.
package struct WatchOptions: Sendable {
  /// After a change, a volume is scanned again when no further change has followed for this time.
  package var quiet: Duration
  /// If the changes in a volume do not end, the volume is scanned again after this time.
  package var maximumDelay: Duration
  /// Maximum number of watched folders in all volumes together.
  package var maximumFolders: Int

  package init(
    quiet: Duration = .seconds(2), maximumDelay: Duration = .seconds(30),
    maximumFolders: Int = 4096
  ) {
    self.quiet = quiet
    self.maximumDelay = maximumDelay
    self.maximumFolders = maximumFolders
  }
}
