import Files
import Glibc
import LibraryDatabase
import LibraryModel
import LibraryScan
import NameKeys
import SQLite
import Threads

/// Updates the library from `folders`. Each folder is a volume.
func scan(_ folders: [String], _ database: String) throws -> Int32 {
  try makeFolder(database)
  do throws(DatabaseError) {
    return try scanOnce(folders, database)
  } catch {
    guard error.isOfContent else { throw error }
    reportError("the library is damaged and is created again: \(error.message)")
    LibraryFile.remove(in: database)
    return try scanOnce(folders, database)
  }
}

private func scanOnce(_ folders: [String], _ database: String) throws(DatabaseError) -> Int32 {
  let opened = try LibraryFile.open(in: database, key: articles.key)
  if let error = opened.repaired {
    reportError("the library was created again: \(error.message)")
  }
  let writer = try LibraryWriter(opened.database, articles: articles)
  var status: Int32 = 0
  for folder in folders {
    guard let path = absolutePath(folder) else {
      reportError("\(folder): \(String(cString: strerror(errno)))")
      status = 1
      continue
    }
    let name = path.split(separator: "/").last.map(String.init) ?? "/"
    let volume = LibraryVolume(
      identity: "path \(path)", label: name, path: FileName.bytes(path),
      storesLocalTime: fileSystem(of: path) == "vfat")
    let line = ProgressLine()
    let begin = MonotonicClock.seconds
    let result = try VolumeScan(volume, into: writer, report: line.show).run()
    line.remove()
    status = max(status, report(result, folder, MonotonicClock.seconds - begin))
  }
  return status
}

private func report(_ result: VolumeScan.Result, _ folder: String, _ duration: Double) -> Int32 {
  let tenths = Int((duration * 10).rounded())
  print(
    "\(folder): \(result.files) files, \(result.read) read, \(result.removed) removed, "
      + "\(tenths / 10).\(tenths % 10) s")
  if result.wasCut { reportError("\(folder) has more files or folders than the library reads") }
  switch result.ending {
  case .complete, .stopped: return 0
  case .empty: reportError("\(folder) has no files; nothing was removed from the library")
  case .lost: reportError("\(folder) can no longer be read; nothing was removed from the library")
  case .tooManyVolumes: reportError("the library has the largest number of volumes")
  }
  return 1
}

private func absolutePath(_ folder: String) -> String? {
  guard let resolved = realpath(FileName.cString(folder), nil) else { return nil }
  defer { free(resolved) }
  let length = strlen(resolved)
  return FileName.text(UnsafeRawBufferPointer(start: resolved, count: length))
}

/// The type of the file system that contains a folder, according to the kernel's list of mounts.
private func fileSystem(of path: String) -> String? {
  var found: (point: String, type: String)?
  for line in mounts().split(separator: "\n") {
    let words = line.split(separator: " ")
    guard words.count > 2 else { continue }
    // In this list, the kernel writes a space in a name as the octal number `\040`.
    let point = words[1].split(separator: "\\040", omittingEmptySubsequences: false)
      .joined(separator: " ")
    let isAbove = path == point || path.hasPrefix(point == "/" ? point : point + "/")
    if isAbove, point.utf8.count >= found?.point.utf8.count ?? 0 {
      found = (point, String(words[2]))
    }
  }
  return found?.type
}

/// Reads the kernel's list of mounts. The size of the list is not known in advance.
private func mounts() -> String {
  let file = open("/proc/self/mounts", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return "" }
  defer { close(file) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 4096)
  while bytes.count < 1 << 20 {
    let count = read(file, &part, part.count)
    guard count > 0 else { break }
    bytes += part.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Shows the progress in one line on a terminal.
private final class ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1
  private var last = 0.0

  func show(_ progress: VolumeScan.Progress) -> Bool {
    let now = MonotonicClock.seconds
    guard isShown, now - last > 0.1 else { return true }
    last = now
    writeError("\r\u{1B}[K\(progress.read) of \(progress.unread)")
    return true
  }

  func remove() { if isShown { writeError("\r\u{1B}[K") } }
}
