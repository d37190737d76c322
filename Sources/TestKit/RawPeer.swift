internal import Foundation

/// A client of a Unix socket. It can send any bytes, and reads only when a test calls a method that reads.
public final class RawPeer {
  /// The client's end of the connection.
  public let descriptor: Int32

  /// Connects to a socket. Returns nil if the connection is refused.
  /// - Parameter authenticates: if true, the authentication of D-Bus is sent. The method does not wait for the answer.
  public init?(_ path: String, authenticates: Bool = true) {
    guard let descriptor = UnixSocket.connected(to: path) else { return nil }
    self.descriptor = descriptor
    if authenticates { send(Array("\0AUTH ANONYMOUS \r\nBEGIN\r\n".utf8)) }
  }

  deinit { close(descriptor) }

  /// Sends all bytes. Returns false if the other side has ended the connection, or accepts no byte for `milliseconds`.
  @discardableResult
  public func send(_ bytes: [UInt8], within milliseconds: Int32 = Int32(Hang.milliseconds)) -> Bool
  {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        )
      }
      if count > 0 {
        sent += count
        continue
      }
      guard errno == EAGAIN else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&entry, 1, milliseconds) > 0 else { return false }
    }
    return true
  }

  /// Receives the next bytes. Returns an empty array at the end of the connection, and nil if no bytes arrive in time.
  public func receive(within milliseconds: Int32 = Int32(Hang.milliseconds)) -> [UInt8]? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Reads until the other side ends the connection, ignores the bytes, and returns true. Returns false if nothing
  /// arrives for `milliseconds`.
  public func isEnded(within milliseconds: Int32 = Int32(Hang.milliseconds)) -> Bool {
    while let bytes = receive(within: milliseconds) {
      if bytes.isEmpty { return true }
    }
    return false
  }

  /// The bytes of a D-Bus call without arguments.
  public static func call(path: String, interface: String, member: String) -> [UInt8] {
    var fields: [UInt8] = []
    for (code, type, text) in [(1, "o", path), (2, "s", interface), (3, "s", member)] {
      fields += [UInt8](repeating: 0, count: (8 - fields.count % 8) % 8)
      fields += [UInt8(code), 1, Array(type.utf8)[0], 0, UInt8(text.utf8.count), 0, 0, 0]
      fields += Array(text.utf8) + [0]
    }
    var call: [UInt8] = [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(fields.count), 0, 0, 0]
    call += fields + [UInt8](repeating: 0, count: (8 - fields.count % 8) % 8)
    return call
  }
}
