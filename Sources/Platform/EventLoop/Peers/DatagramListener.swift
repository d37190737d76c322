internal import CSystemd
internal import Glibc

/// A Unix datagram socket at a path. It receives messages and sends no answers. The socket file is
/// removed when this object is deallocated.
public final class DatagramListener {
  private let path: String
  private let descriptor: Int32
  private let longest: Int
  private let onMessage: (_ bytes: UnsafeRawBufferPointer, _ length: Int) -> Void
  private var readable: DescriptorSource?

  /// Listens at a path. Before it listens, it removes any file at this path. Use a folder in which
  /// only the owner of the folder can create files.
  /// - Parameters:
  ///   - mode: the permission bits of the socket. They decide who may send. The umask of the
  ///     process can remove some of these bits.
  ///   - longest: the maximum number of bytes that are kept of each message.
  ///   - onMessage: called on the loop's thread for each message, with its kept bytes and its full
  ///     length.
  public init(
    _ loop: EventLoop, path: String, mode: UInt32, longest: Int,
    onMessage: @escaping (_ bytes: UnsafeRawBufferPointer, _ length: Int) -> Void
  ) throws(SystemError) {
    self.path = path
    self.longest = longest
    self.onMessage = onMessage
    descriptor = csd_datagram_socket()
    guard descriptor >= 0 else { throw SystemError("socket", errno) }
    do throws(SystemError) {
      try Self.bind(descriptor, path, mode)
      readable = try DescriptorSource(loop, descriptor: descriptor) { [weak self] _ in
        self?.read()
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit {
    readable?.cancel()
    close(descriptor)
    unlink(path)
  }

  private static func bind(_ descriptor: Int32, _ path: String, _ mode: UInt32) throws(SystemError)
  {
    var address = sockaddr_un()
    guard csd_unix_address(path, &address) == 1 else {
      throw SystemError("bind \(path)", ENAMETOOLONG)
    }
    unlink(path)
    // The permissions are set before the path exists, so that they are never wider than `mode`.
    fchmod(descriptor, mode)
    guard csd_bind(descriptor, &address) == 0 else { throw SystemError("bind \(path)", errno) }
  }

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: longest, alignment: 16) { room in
      // At most 64 messages are read in one turn, so that a fast sender does not delay other
      // sources.
      for _ in 0..<64 {
        let length = recv(descriptor, room.baseAddress, room.count, Int32(MSG_TRUNC))
        guard length >= 0 else { return }
        onMessage(UnsafeRawBufferPointer(rebasing: room[..<min(length, longest)]), length)
      }
    }
  }
}
