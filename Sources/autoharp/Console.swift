import Glibc

/// Plain lines on the standard streams, each in one piece.
enum Console {
  /// A line for whoever reads the output; false when nobody does any more.
  @discardableResult
  static func print(_ line: String) -> Bool { write(line + "\n", to: STDOUT_FILENO) }

  /// A line about something that went wrong.
  static func complain(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

  /// Text as it is; false when the stream is gone (a closed pipe).
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let written = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if written < 0 {
          if errno == EINTR { continue }
          return false
        }
        done += written
      }
      return true
    }
  }
}

/// How the program ends.
enum ExitStatus: Int32 {
  case success = 0
  /// Something was refused, is damaged, or is not as its header says.
  case trouble = 1
  case usage = 2
}
