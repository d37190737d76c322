internal import Glibc
internal import Reports

/// Reads what the image says about the storage, and notices changes: a check may end while the unit plays.
///
/// Control thread. Reads a small file in memory, which answers at once.
final class StorageMonitor {
  /// Where `mount-data` writes it. Tests name another folder.
  static var standardFolder: String {
    getenv("AUTOHARP_STORAGE").map { String(cString: $0) } ?? "/run/data"
  }

  private static let limit = 8192

  private let folder: String
  /// Readable after a change; -1 where the folder is missing, as on a machine that runs no image.
  let descriptor: Int32
  /// In the order of the file; empty where all is well.
  private(set) var notices: [StorageNotice] = []

  init(folder: String) {
    self.folder = folder
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    // Watched first, so that no change is missed. Each change is a file that is renamed into the folder.
    _ = inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO))
    notices = Self.read(folder)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func read(_ folder: String) -> [StorageNotice] {
    StorageNotice.all(in: MachineReadings.read("\(folder)/notice", limit: limit) ?? "")
  }

  /// Reads the file again. Returns what is new in it.
  func takeNew() -> [StorageNotice] {
    var events = [UInt8](repeating: 0, count: 4096)
    while Glibc.read(descriptor, &events, events.count) > 0 {}
    let old = notices
    notices = Self.read(folder)
    return notices.filter { !old.contains($0) }
  }
}

extension StorageNotice {
  /// With its identifier, for the log.
  var logLine: String { "\(identifier): \(sentence)" }
}
