internal import Foundation

/// Plain Unix sockets, for tests that use a socket in a way that no library supports. The caller closes the descriptor.
public enum UnixSocket {
  /// Returns a socket that is connected to a path; nil if it cannot be connected.
  public static func connected(to path: String) -> Int32? {
    made(path, false, connect)
  }

  /// Returns a socket that is bound to a path and does not listen yet; nil if it cannot be bound.
  public static func bound(to path: String, datagrams: Bool = false) -> Int32? {
    made(path, datagrams, bind)
  }

  private static func made(
    _ path: String, _ datagrams: Bool,
    _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32? {
    let kind = datagrams ? SOCK_DGRAM : SOCK_STREAM
    let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
