internal import Files
internal import Glibc

/// A ``StateFolder`` on a file system.
struct DiskFolder: StateFolder {
  /// Maximum size in bytes of a file that ``putAside()`` renames. A larger file is removed, because it takes the space
  /// that the state needs. No state file is so large.
  private static let largestAside = 4 << 20

  let folder: String
  let name: String

  var path: String { "\(folder)/\(name)" }
  private var asidePath: String { path + ".damaged" }

  func open() throws(StateFailure) -> any StateFile {
    // Between opening and locking, another process can rename the file. In this case the new file at the path is
    // opened, with at most three attempts.
    for _ in 0..<3 {
      let file = try openOnce()
      if file.refusal != nil || file.isAtItsPath { return file }
    }
    throw StateFailure(operation: .lock, code: EBUSY)
  }

  private func openOnce() throws(StateFailure) -> DiskFile {
    // Without O_NONBLOCK, `open` of a pipe would block until a writer opens the pipe too.
    let common = O_CLOEXEC | O_NONBLOCK
    let writable = call { Glibc.open(FileName.cString(path), O_RDWR | O_CREAT | common, 0o644) }
    if writable >= 0 { return try DiskFile(writable, path: path, folder: folder, refusal: nil) }
    let failure = StateFailure(operation: .open, code: errno)
    let readable = call { Glibc.open(FileName.cString(path), O_RDONLY | common) }
    guard readable >= 0 else { throw failure }
    return try DiskFile(readable, path: path, folder: folder, refusal: .system(failure))
  }

  func putAside() throws(StateFailure) -> String? {
    var status = stat()
    guard lstat(FileName.cString(path), &status) == 0 else {
      throw StateFailure(operation: .putAside, code: errno)
    }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size > Self.largestAside {
      guard unlink(FileName.cString(path)) == 0 else {
        throw StateFailure(operation: .putAside, code: errno)
      }
      return nil
    }
    guard rename(FileName.cString(path), FileName.cString(asidePath)) == 0 else {
      throw StateFailure(operation: .putAside, code: errno)
    }
    return asidePath
  }
}

/// A ``StateFile`` on a file system. The file is locked while it is open.
final class DiskFile: StateFile {
  private let descriptor: Int32
  private let path: String
  private let folder: String
  private let status: stat
  private(set) var refusal: StateRefusal?

  /// Takes ownership of the descriptor, which is closed on deinitialization, also if this initializer throws.
  init(_ descriptor: Int32, path: String, folder: String, refusal: StateRefusal?)
    throws(StateFailure)
  {
    self.descriptor = descriptor
    self.path = path
    self.folder = folder
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    self.status = status
    self.refusal = refusal
    guard isKnown else { throw StateFailure(operation: .open, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StateFailure(operation: .useAsFile, code: EINVAL)
    }
    // The lock belongs to the open file and not to the process. When the process ends for any reason, the kernel closes
    // the file and releases the lock. The lock also detects a second store in the same process.
    if refusal == nil, call({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 {
      self.refusal =
        errno == EWOULDBLOCK
        ? .locked : .system(StateFailure(operation: .lock, code: errno))
    }
  }

  deinit { close(descriptor) }

  func size() throws(StateFailure) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw StateFailure(operation: .read, code: errno)
    }
    return Int(status.st_size)
  }

  func read(_ count: Int, at offset: Int) throws(StateFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let step = bytes.withUnsafeMutableBytes { buffer in
        call { pread(descriptor, buffer.baseAddress! + filled, count - filled, offset + filled) }
      }
      guard step >= 0 else { throw StateFailure(operation: .read, code: errno) }
      if step == 0 { break }
      filled += step
    }
    return Array(bytes.prefix(filled))
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(StateFailure) {
    var done = 0
    while done < bytes.count {
      let step = bytes.withUnsafeBytes { buffer in
        call {
          pwrite(descriptor, buffer.baseAddress! + done, bytes.count - done, offset + done)
        }
      }
      guard step > 0 else { throw StateFailure(operation: .write, code: errno) }
      done += step
    }
  }

  func synchronise(isNew: Bool) throws(StateFailure) {
    guard call({ isNew ? fsync(descriptor) : fdatasync(descriptor) }) == 0 else {
      throw StateFailure(operation: .write, code: errno)
    }
    guard isNew else { return }
    let directory = Glibc.open(FileName.cString(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw StateFailure(operation: .write, code: errno) }
    defer { close(directory) }
    guard call({ fsync(directory) }) == 0 else {
      throw StateFailure(operation: .write, code: errno)
    }
  }

  var isAtItsPath: Bool {
    var now = stat()
    return stat(FileName.cString(path), &now) == 0 && now.st_ino == status.st_ino
      && now.st_dev == status.st_dev
  }
}

/// Repeats a system call that a signal interrupted.
private func call<Result: SignedInteger>(_ body: () -> Result) -> Result {
  while true {
    let result = body()
    if result >= 0 || errno != EINTR { return result }
  }
}
