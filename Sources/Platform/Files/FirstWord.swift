internal import Glibc

/// The first word of a small file, for example of a file with one value below `/sys`.
package enum FirstWord {
  /// Returns the word; at most its first 64 bytes. Nil if the file cannot be read, is not a regular file, or is empty.
  ///
  /// Does not block: a named pipe is not read, and the kernel computes the content of a file below `/sys` at once.
  package static func of(_ path: String) -> String? {
    let file = open(FileName.cString(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { bytes in
      let count = read(file, bytes.baseAddress, bytes.count)
      guard count > 0 else { return nil }
      return String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
    }
  }
}
