internal import CSystemd
internal import Glibc
internal import Threads

/// Why nobody can be listened for at a path.
public enum SocketFileError: Error, Equatable, CustomStringConvertible {
  /// Somebody listens there.
  case inUse(path: String)
  /// Something is there that is no socket; it was left alone.
  case notASocket(path: String)
  /// A path may have 107 bytes, and at least one.
  case badPath(String)
  /// The system refused.
  case system(SystemError, path: String)

  /// In words.
  public var description: String {
    switch self {
    case .inUse(let path): "\(path): another process listens there"
    case .notASocket(let path): "\(path): exists, and is no socket"
    case .badPath(let path): "'\(path)': a socket's path has 1 to 107 bytes"
    case .system(let error, let path): "\(path): \(error)"
    }
  }
}

/// A listening Unix socket at a path, that goes away with this object.
///
/// Beside it lies `PATH.lock`, locked as long as this process lives and never removed. Without it,
/// two that start at once could both find the socket of a dead one, and the second remove the
/// first one's new one.
final class SocketFile {
  let descriptor: Int32
  private let path: String?
  private var lock: Int32 = -1
  private var identity: (device: UInt, file: UInt)?

  /// A socket that listens already, as the service manager gives it; it is this object's then, and
  /// its file the manager's.
  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    path = nil
  }

  /// - Parameter mode: who may connect; the umask changes nothing.
  init(path: String, mode: UInt32) throws(SocketFileError) {
    var address = sockaddr_un()
    guard !path.isEmpty, !path.utf8.contains(0), csd_unix_address(path, &address) == 1 else {
      throw .badPath(path)
    }
    self.path = path
    descriptor = csd_stream_socket()
    func refusal(_ call: String) -> SocketFileError {
      .system(SystemError(call, errno), path: path)
    }
    if descriptor < 0 { throw refusal("socket") }
    lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if lock < 0 { throw refusal("open \(path).lock") }
    if flock(lock, LOCK_EX | LOCK_NB) < 0 {
      throw errno == EWOULDBLOCK ? .inUse(path: path) : refusal("flock")
    }
    // Before there is a path, so that at no moment more may connect than shall.
    fchmod(descriptor, mode)
    if csd_bind(descriptor, &address) < 0 {
      if errno != EADDRINUSE { throw refusal("bind") }
      try Self.removeDead(path, &address)
      if csd_bind(descriptor, &address) < 0 { throw refusal("bind") }
    }
    var status = stat()
    if lstat(path, &status) == 0 { identity = (UInt(status.st_dev), UInt(status.st_ino)) }
    if chmod(path, mode) < 0 { throw refusal("chmod") }
    if listen(descriptor, SOMAXCONN) < 0 { throw refusal("listen") }
  }

  deinit {
    if let path, let identity {
      // Somebody may have put another there.
      var status = stat()
      if lstat(path, &status) == 0, UInt(status.st_dev) == identity.device,
        UInt(status.st_ino) == identity.file
      {
        unlink(path)
      }
    }
    if descriptor >= 0 { Glibc.close(descriptor) }
    if lock >= 0 { Glibc.close(lock) }
  }

  private static func removeDead(_ path: String, _ address: inout sockaddr_un)
    throws(SocketFileError)
  {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
    let probe = csd_stream_socket()
    if probe < 0 { throw .system(SystemError("socket", errno), path: path) }
    defer { Glibc.close(probe) }
    // Refused is what a socket says that nobody listens to any more; all else is somebody alive.
    if csd_connect(probe, &address) == 0 || errno != ECONNREFUSED { throw .inUse(path: path) }
    unlink(path)
  }
}
