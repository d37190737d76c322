internal import MusicFiles
internal import Reports
internal import SystemClock

// The lines of the log about files that cannot be played.
extension MusicFolders {
  /// Maximum number of unplayable files that get a line of their own in the log.
  private static let loggedLimit = 20

  func logUnplayable() {
    // The files of a volume are logged once while it is mounted, because the log keeps few lines.
    let isNew = volumes.takeNewPaths()
    let files = unplayable.stored.filter { isNew($0.path) }
    for file in files.prefix(Self.loggedLimit) {
      log(.musicUnplayable, "\(file.path): \(file.reason)", at: .now())
    }
    // The files that are not stored have no path, so they count as new.
    let rest = unplayable.count - unplayable.stored.count + files.count - Self.loggedLimit
    if !files.isEmpty, rest > 0 { log(.musicUnplayable, "\(rest) more files", at: .now()) }
    for line in volumes.takeLines() { log(line.event, line.text, at: .now()) }
  }
}
