internal import Glibc

/// Reads whole files of limited size. A call blocks until the medium has delivered the file.
package enum BoundedFile {
  /// The bytes of a file. Nil if the file cannot be read, is not a regular file, or is larger than `limit`.
  package static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
    // Without O_NONBLOCK, opening a named pipe would block.
    let file = open(FileName.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return read(descriptor: file, atMost: limit)
  }

  /// The bytes of an open file, read from its current position, which must be the start. Nil for the same reasons as in
  /// ``read(_:atMost:)``.
  package static func read(descriptor file: Int32, atMost limit: Int) -> [UInt8]? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      filled += count
    }
    return bytes
  }
}
