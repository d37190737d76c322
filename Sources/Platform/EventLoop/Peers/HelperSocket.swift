internal import CSystemd
internal import Glibc

/// Connects to a helper of the image. A helper is a small program that reads one request and answers it.
public enum HelperSocket {
  /// Connects and sends the request. Returns a non-blocking descriptor. If this fails, returns nil, and `errno`
  /// contains the reason.
  /// - Parameter waits: true to wait while the helper cannot accept a further connection; false to fail immediately.
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
