/// How changes in watched folders are noticed.
package struct WatchOptions: Sendable {
  /// A volume is scanned again when no change was seen for this time.
  package var quiet: Duration
  /// A volume in which changes do not end is scanned again after this time.
  package var maximumDelay: Duration
  /// The number of folders that are watched in all volumes.
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
