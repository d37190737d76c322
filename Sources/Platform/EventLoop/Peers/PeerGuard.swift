internal import CSystemd
internal import Glibc

/// Checks the bytes from a peer's socket and passes them on to sd-bus. sd-bus reads them from a socket pair that this
/// object fills. sd-bus writes to the peer's socket directly.
///
/// The guard enforces three limits that sd-bus does not have: the length of a message (``FrameScanner``), the number of
/// messages per second, and the time for the authentication. After each chunk, sd-bus reads the socket pair. So the
/// pair never contains many bytes.
final class PeerGuard {
  /// The maximum number of bytes that are read in one turn. Because of this limit, a fast peer does not delay other
  /// sources.
  private static let chunk = 1 << 10

  private unowned let bus: Bus
  private let socket: Int32
  /// The end of the socket pair into which this object writes. Negative after this end was closed.
  private var relay: Int32
  private var scanner: FrameScanner
  private var reading: DescriptorSource?
  private var pace: CallPace
  /// Reads again after a pause.
  private var pause: TimerSource?
  private var authenticationTimer: TimerSource?

  /// Takes ownership of both descriptors.
  init(
    _ bus: Bus, _ loop: EventLoop, socket: Int32, relay: Int32, pace: CallPace, timeout: Duration,
    priority: EventPriority
  ) throws(SystemError) {
    self.bus = bus
    self.socket = socket
    self.relay = relay
    self.pace = pace
    scanner = FrameScanner(limit: bus.limits.receivedBytes)
    reading = try DescriptorSource(loop, descriptor: socket, priority: priority) {
      [weak self] _ in self?.read()
    }
    pause = TimerSource(loop, priority: priority) { [weak self] in self?.reading?.isEnabled = true }
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

  /// The number of bytes of the incomplete message that have arrived so far.
  var partialBytes: Int { scanner.partialBytes }

  /// Removes and returns the size of the oldest message that sd-bus has not handled yet. Nil if there is no such
  /// message. sd-bus handles messages in the order of their arrival. ``Bus`` calls this method for each message.
  func takeMessageSize() -> Int? { scanner.takeSize() }

  /// Stops the timer of the authentication, because the peer has authenticated.
  func accepted() {
    authenticationTimer?.cancel()
    authenticationTimer = nil
  }

  /// Ends the guard. The source ends before its descriptor is closed, because epoll identifies a descriptor by its
  /// number, and the number can be reused.
  func cancel() {
    accepted()
    reading?.cancel()
    pause?.cancel()
    closeRelay()
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Closes this object's end of the pair. sd-bus then reads the remaining bytes and the end of the stream.
  private func closeRelay() {
    guard relay >= 0 else { return }
    // While another thread starts a program, the new process briefly holds copies of all descriptors. If the descriptor
    // were only closed, sd-bus would see the end of the stream only after these copies are closed.
    shutdown(relay, Int32(SHUT_WR))
    Glibc.close(relay)
    relay = -1
  }

  private func read() {
    // The owner of the bus can release the bus in a handler, so this method keeps a reference to the bus.
    let bus = bus
    withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
      let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        reading?.cancel()
        closeRelay()
        bus.process()
        return
      }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      let messages: Int
      do throws(FrameScanner.Fault) {
        messages = try scanner.scan(bytes)
      } catch {
        // The pair can still contain complete messages that arrived before the fault. These messages are lost when the
        // connection ends.
        return bus.drop(error == .oversized ? .oversizedMessage : .malformedMessage)
      }
      pass(bytes, to: bus)
      // sd-bus discards an invalid message silently, for example a message that announces descriptors. All messages
      // were handled, so a size that is left belongs to a message that sd-bus has discarded.
      if bus.process(), bus.isReady, scanner.hasSizes { return bus.drop(.malformedMessage) }
      bus.settleBudget()
      keepPace(after: messages)
    }
  }

  /// Does not read a peer that sends too many messages until they fit into its pace. So such a peer does not delay
  /// others: it waits itself.
  private func keepPace(after messages: Int) {
    let wait = pace.wait(after: messages, at: .nanoseconds(EventClock.monotonic.now))
    guard wait > .zero, relay >= 0 else { return }
    reading?.isEnabled = false
    pause?.set(after: wait)
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
        // The pair is full, and sd-bus does not read from it. The reason is that sd-bus waits until the peer reads the
        // answers of the authentication. A correct client always reads these answers.
        return bus.drop(.lost)
      }
      // If this call ends the guard, `relay` becomes negative, and the loop ends.
      bus.process()
    }
  }
}
