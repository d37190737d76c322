internal import CSystemd
internal import Glibc

/// Stands between a peer's socket and sd-bus, which reads from a pair of sockets that this fills,
/// and writes to the peer's itself.
///
/// It bounds what sd-bus does not: the length of a message (``FrameScanner``) and the time until a
/// peer has said who it is. sd-bus is made to read after each piece, so little is ever in the pair.
final class PeerGuard {
  /// At once, so that one who floods lets others in.
  private static let chunk = 4 << 10

  private unowned let bus: Bus
  private let socket: Int32
  private var feed: Int32
  private var scanner: FrameScanner
  private var reading: DescriptorSource?
  private var patience: TimerSource?

  /// Takes over both descriptors.
  init(
    _ bus: Bus, _ loop: EventLoop, socket: Int32, feed: Int32, patience: Duration,
    priority: EventPriority
  ) throws(SystemError) {
    self.bus = bus
    self.socket = socket
    self.feed = feed
    scanner = FrameScanner(limit: bus.limits.messageBytes)
    reading = try DescriptorSource(loop, descriptor: socket, priority: priority) {
      [weak self] _ in self?.read()
    }
    let timer = TimerSource(loop, accuracy: .milliseconds(100), priority: priority) {
      [weak bus] in bus?.drop(.neverAuthenticated)
    }
    timer.set(after: patience)
    self.patience = timer
  }

  deinit {
    cancel()
    Glibc.close(socket)
  }

  /// The peer has said who it is.
  func accepted() {
    patience?.cancel()
    patience = nil
  }

  /// Ends it. Sources go before their descriptors: epoll knows those by their numbers.
  func cancel() {
    accepted()
    reading?.cancel()
    endFeed()
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// sd-bus reads what is there, and then that it is the end.
  private func endFeed() {
    guard feed >= 0 else { return }
    // A program that another thread starts holds copies of all descriptors for a moment, and closing
    // alone would be no end until it has let go of them.
    shutdown(feed, Int32(SHUT_WR))
    Glibc.close(feed)
    feed = -1
  }

  private func read() {
    // Its owner may let go of it in a handler.
    let bus = bus
    withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
      let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        reading?.cancel()
        endFeed()
        return bus.process()
      }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      do throws(FrameScanner.Fault) {
        try scanner.scan(bytes)
      } catch {
        // What came before it is whole and in the pair, and is lost with the peer.
        return bus.drop(error == .oversized ? .oversizedMessage : .malformedMessage)
      }
      pass(bytes, to: bus)
    }
  }

  private func pass(_ bytes: UnsafeRawBufferPointer, to bus: Bus) {
    var bytes = bytes
    var isFull = false
    while bytes.count > 0, feed >= 0 {
      let count = send(feed, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      if count > 0 {
        bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        isFull = false
      } else if errno == EAGAIN, !isFull {
        isFull = true
      } else if errno != EINTR {
        // Full, and sd-bus does not read on: it waits for the peer to take what it answered while
        // authenticating. Nobody honest gets there.
        return bus.drop(.lost)
      }
      // May end this.
      bus.process()
    }
  }
}
