import AudioEngine
import Glibc
import Text
import Threads

/// Why a standard stream takes no more.
enum OutputError: Error, Equatable {
  /// Nobody reads on, as after `| head`: nothing is left to do, and nobody is left to be told.
  case readerGone
  /// Something is lost; the errno says why.
  case failed(Int32)
}

/// Plain lines on the standard streams, each in one piece.
enum StandardStreams {
  /// Stands in for standard streams that the program was started without. Otherwise the next file
  /// that is opened would become one, and lines meant for people would end up in it. What is
  /// written to such a stream fails, as it would have.
  static func holdMissingStreams() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", mode)
    }
  }

  /// A line for whoever reads the output.
  static func print(_ line: String) throws(OutputError) {
    try write(line + "\n", to: STDOUT_FILENO)
  }

  /// A line about something that went wrong. There is no one to tell if that goes wrong too.
  static func complain(_ line: String) {
    try? write("autoharp: \(TextWidth.sanitized(line, limit: 2000))\n", to: STDERR_FILENO)
  }

  /// Says why standard output is not what it should be.
  static func complain(about error: OutputError) {
    if case .failed(let number) = error { complain("standard output: \(systemWords(number))") }
  }

  /// Text as it is. Waits for a reader that is slow, also where the stream is not one to wait by
  /// itself: whoever shares a pipe or a terminal may have made it so.
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
        throw .readerGone
      case let number:
        throw .failed(number)
      }
    }
  }

  /// False once what is written to a pipe, a socket or a terminal can reach nobody any more.
  static func hasReader(_ descriptor: Int32) -> Bool {
    // Without being asked for, `poll` tells of errors and of the other end's going.
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) <= 0 || entry.revents & Int16(POLLERR | POLLHUP) == 0
  }
}

/// How the program ends.
enum ExitStatus: Int32 {
  case success = 0
  /// Something was refused, is damaged, or is not as its header says; or there was nothing.
  case trouble = 1
  case usage = 2
  /// The daemon does not answer.
  case unreachable = 3
}
