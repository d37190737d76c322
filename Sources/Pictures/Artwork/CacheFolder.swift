internal import FileReading
internal import Files
internal import Glibc
internal import Threads

/// The reason why a picture cannot be stored.
enum CacheFailure: Error {
  /// The cache cannot be used. The value is the reason, with the system's text.
  case cache(String)
  /// The picture cannot be read.
  case picture(CoverFault)

  /// Creates the failure of a system call, with the text for `code`. The default of `code` is `errno`.
  init(_ what: String, _ code: Int32 = errno) {
    self = .cache("\(what): \(systemWords(code))")
  }
}

/// The folder of the cache on disk. As long as this object exists, a descriptor keeps the folder open, and a lock
/// prevents other processes from using it as a cache.
///
/// Symbolic links in the folder are never followed, so only files of this folder are used.
final class CacheFolder {
  let path: String
  let descriptor: Int32

  /// Opens the folder. Creates the folder if it does not exist, but not its parent folders.
  init(_ path: String) throws(CacheFailure) {
    self.path = path
    let name = FileName.cString(path)
    mkdir(name, 0o755)  // `open` shows whether the folder exists now
    descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CacheFailure("cannot be opened") }
    // All properties are set now. So `deinit` closes the descriptor even if this initialiser throws.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw CacheFailure(
        errno == EWOULDBLOCK ? "is in use by another process" : "cannot be locked")
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Between `fork` and `exec`, a child process also has the descriptor and would keep the lock after `close`. So the
    // lock is released explicitly.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// True if the path still leads to this folder.
  var isAtItsPath: Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptor, &opened) == 0 && stat(FileName.cString(path), &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  func path(of name: CacheName) -> String { path + "/" + name.text }

  /// The status of the file with this name. For a symbolic link, this is the status of the link itself. Nil if there is
  /// no such file.
  func status(_ name: CacheName) -> stat? {
    var status = stat()
    return fstatat(descriptor, name.text, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Opens a picture in the folder. Nil if the file is not a regular file or cannot be opened.
  func picture(_ name: CacheName) -> PictureStream? {
    let descriptor = openat(descriptor, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard let file = try? FileByteSource(descriptor: descriptor) else { return nil }
    return PictureStream(file, in: .ownFile)
  }

  /// Removes a file or link. Returns true if the name does not exist afterwards.
  @discardableResult
  func remove(_ name: CacheName) -> Bool {
    unlinkat(descriptor, name.text, 0) == 0 || errno == ENOENT
  }

  /// Sets the modification time of a file to the time of its last use. The nanoseconds preserve the order of several
  /// uses within one second.
  func stamp(_ name: CacheName, _ nanoseconds: Int64) {
    let time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    // An error affects only the order in which files are removed.
    withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
      times.initialize(repeating: time)
      _ = utimensat(descriptor, name.text, times.baseAddress, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// Creates a symbolic link from `link` to `target`. Returns false if this is not possible, for example on FAT.
  func makeLink(_ link: CacheName, to target: CacheName) -> Bool {
    remove(link) && symlinkat(target.text, descriptor, link.text) == 0
  }

  /// The target of a link. Nil if the target is not a picture of the cache.
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
