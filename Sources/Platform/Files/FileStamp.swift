package import Glibc

/// By what one tells, without reading a file, that it is still the same under its path.
package struct FileStamp: Hashable, Sendable {
  /// In bytes.
  package let size: Int64
  /// When its contents changed last: whole seconds since 1970, and nanoseconds above them.
  package let seconds: Int64
  package let nanoseconds: Int64

  /// From what the system says.
  package init(_ status: stat) {
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }
}
