internal import Files
internal import Glibc

/// The space on a file system.
struct FileSystemSpace {
  /// The number of bytes that users other than root can still write.
  var free: UInt64
  /// The size of the file system in bytes.
  var size: UInt64
  var isReadOnly: Bool
  /// The number of files that can still be created. Nil if the file system has no such limit.
  var freeFiles: UInt64?

  init(free: UInt64, size: UInt64, isReadOnly: Bool = false, freeFiles: UInt64? = nil) {
    self.free = free
    self.size = size
    self.freeFiles = freeFiles
    self.isReadOnly = isReadOnly
  }

  /// The space on the file system of a path; nil if the file system does not answer.
  init?(_ path: String) {
    var space = statvfs()
    guard statvfs(FileName.cString(path), &space) == 0 else { return nil }
    let unit = UInt64(space.f_frsize)
    free = UInt64(space.f_bavail) * unit
    size = UInt64(space.f_blocks) * unit
    freeFiles = space.f_files > 0 ? UInt64(space.f_favail) : nil
    isReadOnly = space.f_flag & UInt(ST_RDONLY) != 0
  }
}
