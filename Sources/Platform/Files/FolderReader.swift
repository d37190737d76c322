internal import Glibc

/// Reads the names in a folder one by one, in the order in which the file system returns them.
///
/// Only one thread at a time is permitted to use this object. A call blocks until the medium has delivered the data.
package final class FolderReader {
  private let directory: OpaquePointer
  /// The `errno` of the error that ended the reading. 0 if there was no error.
  package private(set) var failure: Int32 = 0

  /// Opens a folder. If `path` is relative, it is relative to the open folder `base`.
  /// - Returns: nil on an error, with `errno` set.
  package convenience init?(_ path: String, relativeTo base: Int32 = AT_FDCWD) {
    self.init(bytes: FileName.bytes(path), relativeTo: base)
  }

  /// Opens a folder whose path is given as bytes.
  /// - Returns: nil on an error, with `errno` set.
  package init?(bytes path: [UInt8], relativeTo base: Int32 = AT_FDCWD) {
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

  /// The descriptor of the folder. It is closed with this object.
  package var descriptor: Int32 { dirfd(directory) }

  /// The names in a folder that do not begin with a dot, sorted; at most `limit`. Empty if the folder cannot be read.
  package static func names(in folder: String, atMost limit: Int) -> [String] {
    guard let reader = FolderReader(folder) else { return [] }
    var names: [String] = []
    while names.count < limit, let name = reader.next() {
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the next name, also `.` and `..`. Returns nil at the end or after an error, see ``failure``.
  package func next() -> String? { nextEntry().map { FileName.text(entryName($0)) } }

  /// Returns the next name as ``next()`` does, as bytes.
  package func nextBytes() -> [UInt8]? { nextEntry().map { Array(entryName($0)) } }

  /// Returns the next name that belongs to a subfolder, as bytes. Does not access the subfolder itself. Symbolic links
  /// are left out. If the file system does not report the types of its entries, all names are left out.
  package func nextFolderBytes() -> [UInt8]? {
    while let entry = nextEntry() {
      if entry.pointee.d_type == UInt8(DT_DIR) { return Array(entryName(entry)) }
    }
    return nil
  }

  private func nextEntry() -> UnsafeMutablePointer<dirent>? {
    errno = 0
    guard let entry = readdir(directory) else {
      failure = errno
      return nil
    }
    return entry
  }
}

/// The name of a directory entry. The limit of its length comes from `d_reclen` and not from the declaration of
/// `d_name`, because on FAT a name of 255 characters can take 765 bytes.
func entryName(_ entry: UnsafeMutablePointer<dirent>) -> UnsafeRawBufferPointer {
  let start = MemoryLayout<dirent>.offset(of: \.d_name)!
  let name = UnsafeRawPointer(entry) + start
  let limit = Int(entry.pointee.d_reclen) - start
  return UnsafeRawBufferPointer(
    start: name, count: strnlen(name.assumingMemoryBound(to: CChar.self), limit))
}
