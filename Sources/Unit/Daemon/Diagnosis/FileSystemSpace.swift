internal import Files
internal import Glibc

/// The space on a file system.
struct FileSystemSpace {
  /// The number of bytes that users other than root can still write.
  var free: UInt64
  /// The size of the file system in bytes.
  var size: UInt64
  var isReadOnly: Bool

  init(free: UInt64, size: UInt64, isReadOnly: Bool = false) {
    self.free = free
    self.size = size
    self.isReadOnly = isReadOnly
  }

  /// The space on the file system of a path; nil if the file system does not answer.
  init?(_ path: String) {
    var space = statvfs()
    guard statvfs(FileName.cString(path), &space) == 0 else { return nil }
    let unit = UInt64(space.f_frsize)
    free = UInt64(space.f_bavail) * unit
    size = UInt64(space.f_blocks) * unit
    isReadOnly = space.f_flag & UInt(ST_RDONLY) != 0
  }
}
