internal import Files
internal import Glibc
internal import Synchronization
internal import Threads

/// Reads the files of a folder one after the other, past the page cache, and measures how fast they arrive. Any thread
/// can read the results while ``run()`` works.
final class StickReading: Sendable {
  /// The results so far.
  struct Results: Sendable {
    var bytes = 0
    /// Files of which at least one byte was read.
    var files = 0
    /// The time that all reads took, in nanoseconds.
    var nanoseconds: Int64 = 0
    var slowest: (nanoseconds: Int64, file: String)?
    /// The number of files and folders that could not be read.
    var errorCount = 0
    /// The first of them, and the reasons.
    var errors: [(file: String, code: Int32)] = []
    /// The file of the present read, and its begin. Nil if no read is going on.
    var present: (file: String, since: Int64)?
    var isOver = false
  }

  private struct Shared {
    var results = Results()
    var isCancelled = false
  }

  private static let chunk = 128 << 10
  private static let maximumFileBytes = 8 << 20
  private static let maximumEntries = 4000
  private static let maximumDepth = 8
  static let maximumErrors = 5
  /// O_DIRECT, which Swift does not import.
  #if arch(arm64) || arch(arm)
    private static let direct: Int32 = 0o200000
  #else
    private static let direct: Int32 = 0o40000
  #endif

  private let folder: String
  private let nanoseconds: Int64
  private let shared = Mutex(Shared())
  let wakeUp = WakeUp()

  /// - Parameter time: the longest time for which files are read.
  init(_ folder: String, time: Duration) {
    self.folder = folder
    let (seconds, attoseconds) = time.components
    nanoseconds = min(max(seconds, 0), 3600) * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  var results: Results { shared.withLock { $0.results } }
  func cancel() { shared.withLock { $0.isCancelled = true } }

  /// Reads files until the time has passed, all files are read, or ``cancel()`` is called. Blocks as long as the medium
  /// does not answer. Signals ``wakeUp`` at the end.
  func run() {
    let end = MonotonicClock.nanoseconds + nanoseconds
    var memory: UnsafeMutableRawPointer?
    if posix_memalign(&memory, 4096, Self.chunk) == 0, let memory {
      defer { free(memory) }
      var entries = 0
      read(folder: "", depth: 0, &entries, memory, until: end)
    }
    shared.withLock {
      $0.results.isOver = true
      $0.results.present = nil
    }
    wakeUp.signal()
  }

  private func isDue(_ end: Int64) -> Bool {
    MonotonicClock.nanoseconds >= end || shared.withLock { $0.isCancelled }
  }

  private func begin(_ file: String) -> Int64 {
    let now = MonotonicClock.nanoseconds
    shared.withLock { $0.results.present = (file, now) }
    return now
  }

  private func fail(_ file: String, _ code: Int32) {
    shared.withLock {
      $0.results.errorCount += 1
      if $0.results.errors.count < Self.maximumErrors { $0.results.errors.append((file, code)) }
    }
  }

  /// Reads the files of a folder, and then those of its folders.
  /// - Parameter path: the path relative to the folder of the stick.
  private func read(
    folder path: String, depth: Int, _ entries: inout Int, _ memory: UnsafeMutableRawPointer,
    until end: Int64
  ) {
    _ = begin(path)
    let descriptor = open(
      FileName.cString("\(folder)/\(path)"), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return fail(path.isEmpty ? "/" : path, errno) }
    close(descriptor)
    guard let reader = FolderReader("\(folder)/\(path)") else { return fail(path, errno) }
    var folders: [String] = []
    while entries < Self.maximumEntries, !isDue(end), let name = reader.next() {
      if name.first == "." { continue }
      entries += 1
      let child = path.isEmpty ? name : "\(path)/\(name)"
      var status = stat()
      guard
        fstatat(reader.descriptor, FileName.cString(name), &status, AT_SYMLINK_NOFOLLOW) == 0
      else {
        fail(child, errno)
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: folders.append(child)
      case S_IFREG where status.st_size > 0: read(file: child, memory, until: end)
      default: break
      }
    }
    if reader.failure != 0 { fail(path.isEmpty ? "/" : path, reader.failure) }
    guard depth < Self.maximumDepth else { return }
    for child in folders where !isDue(end) {
      read(folder: child, depth: depth + 1, &entries, memory, until: end)
    }
  }

  private func read(file path: String, _ memory: UnsafeMutableRawPointer, until end: Int64) {
    let full = FileName.cString("\(folder)/\(path)")
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    _ = begin(path)
    let direct = open(full, flags | Self.direct)
    let file = direct >= 0 || errno != EINVAL ? direct : open(full, flags)
    guard file >= 0 else { return fail(path, errno) }
    defer { close(file) }
    var isDirect = direct >= 0
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    var done = 0
    while done < Self.maximumFileBytes, !isDue(end) {
      let since = begin(path)
      let count = Glibc.read(file, memory, Self.chunk)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EINVAL, isDirect {
        // The file system does not support reads past its cache.
        isDirect = false
        _ = fcntl(file, F_SETFL, flags)
        continue
      }
      guard count >= 0 else { return fail(path, errno) }
      if count == 0 { return }
      let time = MonotonicClock.nanoseconds - since
      shared.withLock {
        if done == 0 { $0.results.files += 1 }
        $0.results.bytes += count
        $0.results.nanoseconds += time
        if time > $0.results.slowest?.nanoseconds ?? 0 { $0.results.slowest = (time, path) }
        $0.results.present = nil
      }
      done += count
    }
  }
}
