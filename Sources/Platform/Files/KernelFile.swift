internal import Glibc

/// Reads small files whose size is not known before, such as the files of the kernel and the reports of the image.
package enum KernelFile {
  /// The bytes of a file, at most `limit`. Nil if the file cannot be opened. Does not wait for a named pipe.
  /// - Parameter followsLinks: false if a symbolic link at this path must not be followed.
  package static func bytes(
    _ path: String, atMost limit: Int, followsLinks: Bool = true
  ) -> [UInt8]? {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
    let file = open(FileName.cString(path), flags)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: min(limit, 4096))
    while bytes.count < limit {
      let count = read(file, &part, min(part.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    return bytes
  }
}
