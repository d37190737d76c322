import AudioEngine
import Glibc
import Text
import Threads

/// The reason why a write to a standard stream failed.
enum OutputError: Error, Equatable {
  /// The reader has closed the stream, as `head` does. Further output and messages are useless.
  case readerClosed
  /// A part of the output is lost. The value is the `errno` value.
  case failed(Int32)
}

/// Writes whole lines to the standard streams.
enum StandardStreams {
  /// Opens a replacement for each standard stream that is closed when the program starts. Otherwise the next opened
  /// file would get the descriptor number of the stream, and messages would be written into this file. The replacement
  /// is opened so that output to it fails, like output to a closed stream.
  static func holdMissingStreams() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is the number of this stream.
      _ = open("/dev/null", mode)
    }
  }

  /// Writes a line to standard output.
  static func print(_ line: String) throws(OutputError) {
    try write(line + "\n", to: STDOUT_FILENO)
  }

  /// Writes an error line to standard error. If the write fails, the failure is ignored.
  static func printError(_ line: String) {
    try? write("autoharp: \(TextWidth.sanitized(line, limit: 2000))\n", to: STDERR_FILENO)
  }

  /// Reports that standard output failed. Prints nothing if the reader has closed the stream.
  static func printError(about error: OutputError) {
    if case .failed(let number) = error { printError("standard output: \(systemWords(number))") }
  }

  /// Writes text unchanged. Blocks until all text is written, even if the stream is non-blocking. Another process that
  /// shares the pipe or terminal can make it non-blocking.
  static func write(_ text: String, to descriptor: Int32) throws(OutputError) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let written = bytes[done...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if written >= 0 {
        done += written
        continue
      }
      switch errno {
      case EINTR:
        continue
      case EAGAIN:
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      case EPIPE:
        throw .readerClosed
      case let number:
        throw .failed(number)
      }
    }
  }

  /// False if the reader of the pipe, socket or terminal has closed it.
  static func hasReader(_ descriptor: Int32) -> Bool {
    // `poll` always reports errors and hang-ups, even if no event is requested.
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) <= 0 || entry.revents & Int16(POLLERR | POLLHUP) == 0
  }
}

/// The exit status of the program.
enum ExitStatus: Int32 {
  case success = 0
  /// The command failed: for example, no music was found, or a file was refused, is damaged or does not match its
  /// header.
  case failure = 1
  case usage = 2
  /// The daemon does not answer.
  case unreachable = 3
}
