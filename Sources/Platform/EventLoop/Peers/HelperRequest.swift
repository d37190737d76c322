internal import CSystemd
internal import Glibc

/// One open request to a helper of the image. The helper sends its answer and closes the connection.
///
/// - Thread: the thread of the loop. No method blocks.
package final class HelperRequest {
  private let descriptor: Int32
  private let maximumBytes: Int
  private let onEnd: ([UInt8], _ isComplete: Bool) -> Void
  private var reading: DescriptorSource?
  private var timer: TimerSource?
  private var bytes: [UInt8] = []
  /// The part of the body that is not sent yet.
  private var body: ArraySlice<UInt8>

  /// Connects and sends a request. Returns nil if this is not possible. `errno` then contains the reason.
  ///
  /// - Parameters:
  ///   - body: bytes that follow the request. They are sent as fast as the helper reads them.
  ///   - maximumBytes: the answer is cut to this number of bytes.
  ///   - onEnd: called once, with the answer. The answer is not complete if the time limit has passed, or if it was
  ///     cut.
  package init?(
    _ loop: EventLoop, socket path: String, request: String, body: [UInt8] = [],
    maximumBytes: Int = 512, timeLimit: Duration,
    onEnd: @escaping ([UInt8], _ isComplete: Bool) -> Void
  ) {
    self.body = body[...]
    self.maximumBytes = maximumBytes
    self.onEnd = onEnd
    guard let descriptor = HelperSocket.open(path, request: request, waits: false) else {
      return nil
    }
    self.descriptor = descriptor
    reading = try? DescriptorSource(
      loop, descriptor: descriptor, events: body.isEmpty ? .readable : [.readable, .writable]
    ) { [weak self] _ in
      self?.sendBody()
      self?.read()
    }
    if reading == nil { return nil }
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.finish(false) }
    timer?.set(after: timeLimit)
  }

  deinit {
    reading?.cancel()
    timer?.cancel()
    close(descriptor)
  }

  private func sendBody() {
    guard !body.isEmpty else { return }
    let count = body.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    // A helper that refuses the request does not read the rest. Its answer can still be read.
    body = count > 0 ? body.dropFirst(count) : []
    if body.isEmpty { reading?.wait(for: .readable) }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return finish(count == 0) }
    bytes += buffer[..<min(count, maximumBytes - bytes.count)]
    if bytes.count == maximumBytes { finish(false) }
  }

  private func finish(_ isComplete: Bool) {
    reading?.cancel()
    timer?.cancel()
    onEnd(bytes, isComplete)
  }
}
