package import Glibc

/// Identifies the state of a file. If the stamp of a path has changed, the file was changed or replaced.
package struct FileStamp: Hashable, Sendable {
  /// Size in bytes.
  package let size: Int64
  /// Modification time: seconds since 1970, and `nanoseconds` within the second.
  package let seconds: Int64
  package let nanoseconds: Int64

  /// Creates a stamp from stored values.
  package init(size: Int64, seconds: Int64, nanoseconds: Int64) {
    self.size = size
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates the stamp from the result of `stat`.
  package init(_ status: stat) {
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }

  /// A short form of the stamp, which is the same in each run. It does not depend on the time zone: FAT stores local
  /// time, so the modification time of a file changes with the zone. The result is never 0, so 0 can stand for an
  /// unknown stamp.
  package var digest: UInt32 {
    var hash = StableHash()
    hash.add(size)
    // Time zones differ by a multiple of 15 minutes, so the remainder is the same in all zones.
    hash.add((seconds % 900 + 900) % 900)
    hash.add(nanoseconds)
    return max(1, UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32))
  }
}
