internal import CSystemd
internal import Glibc

/// The connection to a helper of the image, which reads one request and answers it.
public enum HelperSocket {
  /// Connects and sends the request. Returns a descriptor that does not block. Nil if this is not possible; `errno`
  /// then has the reason.
  /// - Parameter waits: true to wait while the helper has no room for a further connection; false to fail at once.
  public static func open(_ path: String, request: String, waits: Bool) -> Int32? {
    var address = sockaddr_un()
    guard csd_unix_address(path, &address) == 1 else {
      errno = ENAMETOOLONG
      return nil
    }
    let descriptor = csd_stream_socket()
    if descriptor < 0 { return nil }
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, waits ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    let bytes = Array(request.utf8)
    let isSent =
      csd_connect(descriptor, &address) == 0
      && send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    guard isSent else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    return descriptor
  }
}
