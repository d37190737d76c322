internal import Glibc

/// Replaces whole files. After a power cut at any moment, a file has its old contents or the new ones.
///
/// - Blocks: each call waits for the storage.
package enum ReplacedFile {
  /// The error number of the system call that failed.
  package struct Failure: Error, Equatable {
    /// The error number.
    package let code: Int32

    package init(code: Int32) { self.code = code }
  }

  /// Writes a new file beside the old one, and gives it the name of the old one. After an error the old file is
  /// unchanged.
  /// - Parameters:
  ///   - temporary: the name of the new file until it is complete. Only one thread may use it.
  ///   - isForAll: true if all users may read the file.
  package static func write(
    _ bytes: [UInt8], to name: String, in folder: String, temporary: String,
    isForAll: Bool = false
  ) throws(Failure) {
    let new = FileName.cString("\(folder)/\(temporary)")
    // What an earlier attempt has left must not be used. It can also be a link.
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
      // A part of a file would take space that the next attempt needs.
      unlink(new)
      throw Failure(code: code)
    }
    try synchronise(folder: folder)
  }

  /// Waits until the names in a folder are on the storage.
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
