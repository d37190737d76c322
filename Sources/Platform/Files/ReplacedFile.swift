internal import Glibc

/// Replaces whole files. After a power cut at any moment, a file contains either its old data or the new data.
///
/// - Blocks: each call waits for the storage.
package enum ReplacedFile {
  /// The error number of the system call that failed.
  package struct Failure: Error, Equatable {
    /// The error number.
    package let code: Int32

    package init(code: Int32) { self.code = code }
  }

  /// Writes a new file in the same folder, and renames it to `name`. If writing or renaming fails, the old file is
  /// unchanged.
  /// - Parameters:
  ///   - temporary: the name of the new file until it is complete. Two threads must not use the same name at the same
  ///     time.
  ///   - isForAll: true if all users are permitted to read the file.
  package static func write(
    _ bytes: [UInt8], to name: String, in folder: String, temporary: String,
    isForAll: Bool = false
  ) throws(Failure) {
    let new = FileName.cString("\(folder)/\(temporary)")
    // A file that an earlier attempt has left must not be used. It can also be a symbolic link.
    unlink(new)
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(new, flags, 0o644)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    var isStored = (!isForAll || fchmod(descriptor, 0o644) == 0) && store(bytes, descriptor)
    var code = errno
    if close(descriptor) != 0, isStored {
      isStored = false
      code = errno
    }
    if isStored, Glibc.rename(new, FileName.cString("\(folder)/\(name)")) != 0 {
      isStored = false
      code = errno
    }
    guard isStored else {
      // An incomplete file would take space that the next attempt needs.
      unlink(new)
      throw Failure(code: code)
    }
    try synchronise(folder: folder)
  }

  /// Waits until the storage has stored the names in a folder.
  package static func synchronise(folder: String) throws(Failure) {
    let descriptor = open(FileName.cString(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
  }

  private static func store(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let step = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      }
      if step < 0, errno == EINTR { continue }
      guard step > 0 else { return false }
      done += step
    }
    return fdatasync(descriptor) == 0
  }
}
