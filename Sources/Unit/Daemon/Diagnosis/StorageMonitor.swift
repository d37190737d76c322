internal import Glibc
internal import NowPlaying
internal import Reports
internal import SystemClock

/// Reads the image's reports about the storage and about sticks, and detects changes. A change can happen at any time:
/// for example, a check of the storage can end while the unit plays.
///
/// The control thread calls all methods. The files are small and in memory, so a read does not wait.
final class StorageMonitor {
  /// The folder in which `mount-data` writes the file with its reports. Tests use another folder.
  static var standardFolder: String {
    getenv("AUTOHARP_STORAGE").map { String(cString: $0) } ?? "/run/data"
  }

  private static let limit = 8192

  private let folder: String
  private let sticks: StickReports
  /// A descriptor that is readable after a change. If the folders are missing, as on a machine that runs no image, the
  /// descriptor is never readable.
  let descriptor: Int32
  /// The notices about the storage of the unit in the order of the file, followed by the notices about sticks. Empty if
  /// there is nothing to report.
  private(set) var notices: [StorageNotice] = []
  /// The notices about sticks that no client has received, each with the time of its arrival.
  private var unseen: [(notice: StorageNotice, arrival: MonotonicInstant)] = []

  init(folder: String, sticks: StickReports = StickReports()) {
    self.folder = folder
    self.sticks = sticks
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    // The watch begins before the file is first read, so that no change is missed. A change of a file is a rename: a
    // new file gets the name of the old file.
    _ = inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO))
    _ = inotify_add_watch(descriptor, sticks.folder, UInt32(IN_MOVED_TO | IN_DELETE))
    notices = read()
    addUnseen(notices)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private func read() -> [StorageNotice] {
    StorageNotice.all(in: MachineReadings.read("\(folder)/notice", limit: Self.limit) ?? "")
      + sticks.notices
  }

  /// Reads the files again. Returns the new notices.
  func takeNew() -> [StorageNotice] {
    var events = [UInt8](repeating: 0, count: 4096)
    while Glibc.read(descriptor, &events, events.count) > 0 {}
    let old = notices
    notices = read()
    let new = notices.filter { !old.contains($0) }
    addUnseen(new)
    return new
  }

  /// Returns the notices about sticks that no client has received, and forgets them. Leaves out sticks that were
  /// removed in the meantime.
  func takeUnseen() -> [(notice: StorageNotice, arrival: MonotonicInstant)] {
    defer { unseen = [] }
    return unseen.filter { notices.contains($0.notice) }
  }

  private func addUnseen(_ new: [StorageNotice]) {
    let now = MonotonicInstant.now()
    unseen += new.filter(\.isAboutStick).map { ($0, now) }
  }
}
