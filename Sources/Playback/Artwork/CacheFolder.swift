internal import Files
internal import Glibc
internal import Threads

/// A call that the system refused.
struct CacheFailure: Error {
  let code: Int32
  let reason: String

  /// From `errno`.
  init(_ what: String, _ code: Int32 = errno) {
    self.code = code
    reason = "\(what): \(systemWords(code))"
  }
}

/// The folder on disk, by an open descriptor, and as long as it is open nobody else's.
///
/// Links are never followed here: what is served is a file that this folder has.
final class CacheFolder {
  let path: String
  let descriptor: Int32

  /// Opens the folder, and makes it if only it is missing.
  init(_ path: String) throws(CacheFailure) {
    self.path = path
    let name = FileName.cString(path)
    mkdir(name, 0o755)  // where that fails, so does the next line
    descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CacheFailure("cannot be opened") }
    // `deinit` closes it, also where this throws: all is set by now.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw CacheFailure(
        errno == EWOULDBLOCK ? "is in use by another process" : "cannot be locked")
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A child whose program has not begun yet has the descriptor too, and with it the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Whether the folder is what its path leads to, still.
  var isInPlace: Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptor, &opened) == 0 && stat(FileName.cString(path), &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  /// What is there under a name, itself and not what it leads to.
  func status(_ name: CacheName) -> stat? {
    var status = stat()
    return fstatat(descriptor, name.text, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// All bytes of a regular file of at most `limit` bytes.
  func read(_ name: CacheName, limit: Int) -> [UInt8]? {
    let file = openat(
      descriptor, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return BoundedFile.read(descriptor: file, atMost: limit)
  }

  /// True where nothing has that name afterwards.
  @discardableResult
  func remove(_ name: CacheName) -> Bool {
    unlinkat(descriptor, name.text, 0) == 0 || errno == ENOENT
  }

  /// Says when it was used last: seconds and nanoseconds, as the order survives in them.
  func stamp(_ name: CacheName, _ nanoseconds: Int64) {
    let time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    // Refused, only the order in which things go is another one.
    withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
      times.initialize(repeating: time)
      _ = utimensat(descriptor, name.text, times.baseAddress, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// Makes `link` lead to `target`. False where that cannot be, as on FAT.
  func makeLink(_ link: CacheName, to target: CacheName) -> Bool {
    remove(link) && symlinkat(target.text, descriptor, link.text) == 0
  }

  /// What a link leads to, if that is a picture of the cache.
  func target(of link: CacheName) -> CacheName? {
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      let count = readlinkat(descriptor, link.text, buffer.baseAddress!, buffer.count)
      return count < 0
        ? nil : FileName.text(buffer[..<count].map { UInt8(bitPattern: $0) })
    }
    guard let text, let name = CacheName(text), case .picture = name else { return nil }
    return name
  }
}
