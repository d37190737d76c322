internal import Glibc

/// Watches of files whose changes are only signals: the owner reads the files again.
enum Inotify {
  /// Returns a descriptor without watches that does not block. Negative on an error.
  static func open() -> Int32 { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }

  /// Reads and drops all waiting events.
  static func drain(_ descriptor: Int32) {
    while withUnsafeTemporaryAllocation(
      byteCount: 4096, alignment: 8, { read(descriptor, $0.baseAddress, $0.count) }) > 0
    {}
  }
}
