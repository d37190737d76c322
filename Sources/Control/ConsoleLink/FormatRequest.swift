internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports

/// Requests a new file system on the storage from a helper of the image (`board/helpers/format-data.c`), and reads the
/// progress and the result.
final class FormatRequest {
  /// The result: a text that says what was done, or a refusal.
  typealias Ending = Result<String, Refusal>

  /// The maximum size of the answer in bytes. An answer has a few short lines.
  private static let limit = 16 << 10

  private let descriptor: Int32
  private var reading: DescriptorSource?
  private var bytes: [UInt8] = []
  private var received = 0
  private var ending: Ending?
  private let onProgress: (String) -> Void
  private let onEnd: (Ending) -> Void

  /// Connects and sends the request. Returns nil if the socket does not exist, or if this process has no permission to
  /// use it. `errno` then contains the reason.
  /// - Parameters:
  ///   - onProgress: called with the text of each step.
  ///   - onEnd: called once, with the result.
  init?(
    _ loop: EventLoop, socket path: String, isForced: Bool, onProgress: @escaping (String) -> Void,
    onEnd: @escaping (Ending) -> Void
  ) {
    self.onProgress = onProgress
    self.onEnd = onEnd
    let request = isForced ? "format force\n" : "format\n"
    guard let descriptor = HelperSocket.open(path, request: request, waits: true) else {
      return nil
    }
    self.descriptor = descriptor
    reading = try? DescriptorSource(loop, descriptor: descriptor) { [weak self] _ in self?.read() }
    if reading == nil { return nil }
  }

  deinit {
    reading?.cancel()
    close(descriptor)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    received += max(count, 0)
    guard count > 0, received <= Self.limit else { return finish() }
    bytes += buffer[..<count]
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      handle(String(decoding: bytes[..<end], as: UTF8.self))
      bytes.removeSubrange(...end)
    }
  }

  private func handle(_ line: String) {
    guard let answer = HelperAnswer(line: line[...]), !answer.text.isEmpty else { return }
    switch answer.kind {
    case .progress: onProgress(answer.text)
    case .done: ending = .success(answer.text)
    case .refused, .failed: ending = .failure(Self.refusal(answer.identifier, answer.text))
    }
  }

  /// Converts a line of the helper to a refusal, with a console command as the remedy. The helper itself cannot send
  /// this remedy, because it has no list of the console's commands.
  private static func refusal(_ reason: String, _ sentence: String) -> Refusal {
    let code = Refusal.Code.storage(reason)
    return Refusal(
      code, sentence,
      remedy: code == .storage("healthy")
        ? "'data format --force' erases the storage anyway" : nil)
  }

  private func finish() {
    reading?.cancel()
    onEnd(
      ending
        ?? .failure(
          Refusal(
            .storage("silent"), "The helper ended without an answer.", remedy: "'log' shows more")))
  }
}
