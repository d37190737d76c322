internal import CSystemd
internal import Glibc
internal import Threads

/// The reason why a path cannot be used for a listening socket.
public enum SocketFileError: Error, Equatable, CustomStringConvertible {
  /// Another process listens at this path, without a lock.
  case inUse(path: String)
  /// Another process holds the ``SocketLock`` of this path. `holder` names the process, if it is known.
  case locked(path: String, holder: String?)
  /// The path exists and is not a socket. The file was not changed.
  case notASocket(path: String)
  /// The path is empty or longer than 107 bytes.
  case badPath(String)
  /// A system call failed.
  case system(SystemError, path: String)

  /// Text for people and logs.
  public var description: String {
    switch self {
    case .inUse(let path): "\(path): another process listens on this socket"
    case .locked(let path, let holder): "\(path): \(holder ?? "another process") uses this socket"
    case .notASocket(let path): "\(path): exists but is not a socket"
    case .badPath(let path): "'\(path)': the path of a socket has 1 to 107 bytes"
    case .system(let error, let path): "\(path): \(error)"
    }
  }
}

/// A listening Unix socket at a path. The socket file is removed when this object is deallocated.
final class SocketFile {
  let descriptor: Int32
  private let path: String?
  private var lock: SocketLock?
  private var identity: (device: UInt, file: UInt)?

  /// Adopts a listening socket from the service manager. This object owns the descriptor. The manager owns the socket
  /// file, so this object does not remove the file.
  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    path = nil
  }

  /// - Parameter mode: the permission bits of the socket. These bits decide which users can connect. The umask does not
  ///   apply.
  /// - Parameter lock: the lock of this path. If it is nil, this object takes the lock.
  init(path: String, mode: UInt32, lock: SocketLock? = nil) throws(SocketFileError) {
    var address = try Self.address(of: path)
    self.path = path
    descriptor = csd_stream_socket()
    func refusal(_ call: String) -> SocketFileError {
      .system(SystemError(call, errno), path: path)
    }
    if descriptor < 0 { throw refusal("socket") }
    if let lock { self.lock = lock } else { self.lock = try SocketLock(socket: path) }
    // The permissions are set before the path exists, so that they are never wider than `mode`.
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

  /// Removes the path of the socket, so that no further process can connect.
  func removePath() {
    guard let path, let identity else { return }
    // If another process has replaced the socket file meanwhile, the new file is not removed.
    var status = stat()
    if lstat(path, &status) == 0, UInt(status.st_dev) == identity.device,
      UInt(status.st_ino) == identity.file
    {
      unlink(path)
    }
  }

  deinit {
    removePath()
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// The address of a path of 1 to 107 bytes.
  static func address(of path: String) throws(SocketFileError) -> sockaddr_un {
    var address = sockaddr_un()
    guard !path.isEmpty, !path.utf8.contains(0), csd_unix_address(path, &address) == 1 else {
      throw .badPath(path)
    }
    return address
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
    // ECONNREFUSED means that no process listens. Any other result counts as a listening process.
    if csd_connect(probe, &address) == 0 || errno != ECONNREFUSED { throw .inUse(path: path) }
    unlink(path)
  }
}
