internal import Glibc
internal import Threads

/// The right to listen at a path: a lock on the file `PATH.lock`. The file contains the number of the process that
/// holds the lock.
///
/// The file is in the same folder as the socket, and is never removed. Without the lock, two processes that start at
/// the same time could both find the socket of an ended process. The second process could then remove the new socket of
/// the first process. Taking the lock does not block.
public final class SocketLock {
  private let descriptor: Int32

  /// - Parameter path: the path of the socket.
  public init(socket path: String) throws(SocketFileError) {
    _ = try SocketFile.address(of: path)
    let file = path + ".lock"
    func refusal(_ call: String) -> SocketFileError {
      .system(SystemError(call, errno), path: path)
    }
    descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { throw refusal("open \(file)") }
    if flock(descriptor, LOCK_EX | LOCK_NB) < 0 {
      throw errno == EWOULDBLOCK
        ? .locked(path: path, holder: Self.holder(descriptor)) : refusal("flock")
    }
    // The number is used only in error messages, so it does not matter if it cannot be written.
    let number = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, number, number.count, 0) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A child process has a copy of the descriptor until it starts its program. Without `LOCK_UN`, the lock would last
    // until this copy is closed too.
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }

  /// The process that holds the lock, such as `process 812 (autoharp)`. Nil if the file contains no process number.
  private static func holder(_ descriptor: Int32) -> String? {
    guard let number = text(descriptor).flatMap({ Int32($0) }), number > 0 else { return nil }
    let file = open("/proc/\(number)/comm", O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { Glibc.close(file) } }
    return "process \(number)" + (text(file).map { " (\($0))" } ?? "")
  }

  /// The first line of a short file.
  private static func text(_ descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self)
  }
}
