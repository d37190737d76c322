internal import CSystemd
internal import Glibc

/// Forwards bytes from a peer's socket to sd-bus. sd-bus reads from a socket pair that this object
/// fills, and writes to the peer's socket directly.
///
/// The guard enforces two limits that sd-bus does not have: the length of a message
/// (``FrameScanner``) and the time for the authentication. sd-bus is called to read after each
/// chunk, so the socket pair never contains many bytes.
final class PeerGuard {
  /// The maximum number of bytes read in one turn, so that a fast peer does not delay other
  /// sources.
  private static let chunk = 4 << 10

  private unowned let bus: Bus
  private let socket: Int32
  /// The end of the socket pair that this object fills. Negative after it was closed.
  private var relay: Int32
  private var scanner: FrameScanner
  private var reading: DescriptorSource?
  private var authenticationTimer: TimerSource?

  /// Takes ownership of both descriptors.
  init(
    _ bus: Bus, _ loop: EventLoop, socket: Int32, relay: Int32, timeout: Duration,
    priority: EventPriority
  ) throws(SystemError) {
    self.bus = bus
    self.socket = socket
    self.relay = relay
    scanner = FrameScanner(limit: bus.limits.messageBytes)
    reading = try DescriptorSource(loop, descriptor: socket, priority: priority) {
      [weak self] _ in self?.read()
    }
    let timer = TimerSource(loop, accuracy: .milliseconds(100), priority: priority) {
      [weak bus] in bus?.drop(.neverAuthenticated)
    }
    timer.set(after: timeout)
    self.authenticationTimer = timer
  }

  deinit {
    cancel()
    Glibc.close(socket)
  }

  /// Ends the time limit, because the peer has authenticated.
  func accepted() {
    authenticationTimer?.cancel()
    authenticationTimer = nil
  }

  /// Ends the guard. Sources end before their descriptors are closed, because epoll identifies
  /// descriptors by their numbers.
  func cancel() {
    accepted()
    reading?.cancel()
    closeRelay()
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Closes the pair. sd-bus reads the remaining bytes and then the end of the stream.
  private func closeRelay() {
    guard relay >= 0 else { return }
    // While another thread starts a program, the new process briefly holds copies of all
    // descriptors. Closing alone would signal the end only after these copies are closed.
    shutdown(relay, Int32(SHUT_WR))
    Glibc.close(relay)
    relay = -1
  }

  private func read() {
    // The owner of the bus may release it in a handler.
    let bus = bus
    withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
      let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        reading?.cancel()
        closeRelay()
        return bus.process()
      }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      do throws(FrameScanner.Fault) {
        try scanner.scan(bytes)
      } catch {
        // The pair may contain complete messages from before the fault. They are lost when the
        // connection ends.
        return bus.drop(error == .oversized ? .oversizedMessage : .malformedMessage)
      }
      pass(bytes, to: bus)
    }
  }

  private func pass(_ bytes: UnsafeRawBufferPointer, to bus: Bus) {
    var bytes = bytes
    var isFull = false
    while bytes.count > 0, relay >= 0 {
      let count = send(relay, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      if count > 0 {
        bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        isFull = false
      } else if errno == EAGAIN, !isFull {
        isFull = true
      } else if errno != EINTR {
        // The pair is full and sd-bus does not read, because it waits until the peer reads the
        // authentication answers. A correct client never causes this.
        return bus.drop(.lost)
      }
      // This call may end the guard.
      bus.process()
    }
  }
}
