internal import Glibc

/// Functions for inotify watches. The content of the events is not used: after any event, the owner of the watch reads
/// the watched files again.
enum Inotify {
  /// Opens a non-blocking inotify descriptor without watches. Returns a negative number on an error.
  static func open() -> Int32 { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }

  /// Reads and drops all waiting events.
  static func drain(_ descriptor: Int32) {
    while withUnsafeTemporaryAllocation(
      byteCount: 4096, alignment: 8, { read(descriptor, $0.baseAddress, $0.count) }) > 0
    {}
  }
}
