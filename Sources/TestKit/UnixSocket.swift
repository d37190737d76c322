internal import Foundation

/// Bare Unix sockets at a path, for what no library would do. Who gets one closes it.
public enum UnixSocket {
  /// One that is connected; nil where it may not.
  public static func connected(to path: String, datagrams: Bool = false) -> Int32? {
    made(path, datagrams, connect)
  }

  /// One that is at a path, and does not listen yet; nil where it may not.
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
