internal import Glibc

/// The names in a folder, one after the other, as the medium has them.
///
/// One thread at a time; blocks as long as the medium takes.
package final class FolderReader {
  private let directory: OpaquePointer
  /// `errno` of what kept the folder from being read to its end; 0 where nothing did.
  package private(set) var failure: Int32 = 0

  /// Opens a folder; `path` may be relative to the open folder `base`.
  /// - Returns: nil with `errno` set.
  package init?(_ path: String, relativeTo base: Int32 = AT_FDCWD) {
    let descriptor = openat(base, FileName.cString(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard let directory = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    self.directory = directory
  }

  deinit { closedir(directory) }

  /// The next name, `.` and `..` among them; nil at the end, or when the medium failed.
  package func next() -> String? {
    errno = 0
    guard let entry = readdir(directory) else {
      failure = errno
      return nil
    }
    return FileName.text(entryName(entry))
  }
}

/// The name of a folder's entry. As long as the entry says and not as `d_name` is declared: on
/// FAT, 255 characters of a name can be 765 bytes.
func entryName(_ entry: UnsafeMutablePointer<dirent>) -> UnsafeRawBufferPointer {
  let start = MemoryLayout<dirent>.offset(of: \.d_name)!
  let name = UnsafeRawPointer(entry) + start
  let limit = Int(entry.pointee.d_reclen) - start
  return UnsafeRawBufferPointer(
    start: name, count: strnlen(name.assumingMemoryBound(to: CChar.self), limit))
}
