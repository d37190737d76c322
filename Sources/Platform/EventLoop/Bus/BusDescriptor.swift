internal import CSystemd
internal import Glibc

/// A file descriptor in a message. This object owns a duplicate of the descriptor, and closes the duplicate when it is
/// deallocated.
///
/// Can be used on any thread.
public final class BusDescriptor: Equatable, Sendable {
  /// The number of the duplicate. It is valid as long as this object exists.
  public let number: Int32

  /// Duplicates a descriptor. Nil if the process has no free descriptor.
  public init?(duplicating descriptor: Int32) {
    let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { return nil }
    self.number = number
  }

  private init(adopting descriptor: Int32) { number = descriptor }

  /// Creates both ends of a socket that keeps the bounds of packets.
  public static func packetPair() throws(SystemError) -> (BusDescriptor, BusDescriptor) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { throw SystemError("socketpair", errno) }
    return (BusDescriptor(adopting: pair[0]), BusDescriptor(adopting: pair[1]))
  }

  /// Creates a pipe. Reading from it does not block. Both ends are closed in programs that are started, and have
  /// numbers above 2.
  public static func pipe() throws(SystemError) -> (reading: BusDescriptor, writing: BusDescriptor)
  {
    var ends: [Int32] = [-1, -1]
    guard csd_pipe(&ends) == 0 else { throw SystemError("pipe2", errno) }
    let (reading, writing) = (
      BusDescriptor(duplicating: ends[0]), BusDescriptor(duplicating: ends[1])
    )
    let code = errno
    for end in ends { close(end) }
    guard let reading, let writing else { throw SystemError("pipe2", code) }
    return (reading, writing)
  }

  deinit { close(number) }

  /// True if both are the same object.
  public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
}

extension BusDescriptor {
  /// An answer of ``receive(into:)``.
  public enum Received: Equatable, Sendable {
    /// A packet with this number of bytes. If it fills the memory, it can have been longer.
    case packet(Int)
    /// No packet waits.
    case nothing
    /// The other side has closed the connection, and all its packets were received.
    case end
  }

  /// An answer of ``send(_:)`` and ``write(_:)``.
  public enum Sent: Equatable, Sendable {
    /// This number of bytes. A packet is sent whole.
    case bytes(Int)
    /// There is no space now.
    case full
    /// The other end is closed, or the descriptor is of another kind.
    case end
  }

  /// Sends a packet to a socket that keeps the bounds of packets. Does not block.
  public func send(_ packet: UnsafeRawBufferPointer) -> Sent {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return Self.sent(Glibc.send(number, packet.baseAddress, packet.count, flags))
  }

  /// Writes bytes into a pipe, as many as there is space for. Does not block after ``setNonBlocking()``. If the
  /// reading end is closed, the signal of the kernel (SIGPIPE) is taken back.
  public func write(_ bytes: UnsafeRawBufferPointer) -> Sent {
    var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let sent = Self.sent(Glibc.write(number, bytes.baseAddress, bytes.count))
    if sent == .end, sigismember(&pending, SIGPIPE) == 0 {
      var none = timespec()
      sigtimedwait(&pipe, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return sent
  }

  private static func sent(_ count: Int) -> Sent {
    if count >= 0 { return .bytes(count) }
    return errno == EAGAIN || errno == EINTR ? .full : .end
  }

  /// From now on, ``write(_:)`` does not wait for space.
  public func setNonBlocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  /// Takes the next packet from a socket that keeps the bounds of packets. Does not block. Packets can be empty.
  public func receive(into memory: UnsafeMutableRawBufferPointer) -> Received {
    let count = recv(number, memory.baseAddress, memory.count, Int32(MSG_DONTWAIT))
    if count > 0 { return .packet(count) }
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .nothing : .end }
    // `recv` returns 0 for an empty packet and at the end. Further packets can follow an empty packet.
    var state = pollfd(fd: number, events: Int16(0x2000 /* POLLRDHUP */), revents: 0)
    var waiting: Int32 = 0
    guard poll(&state, 1, 0) > 0, ioctl(number, UInt(FIONREAD), &waiting) < 0 || waiting == 0
    else { return .packet(0) }
    return .end
  }
}
