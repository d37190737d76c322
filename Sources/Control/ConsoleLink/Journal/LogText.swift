internal import Reports

/// Formats a line of the log.
enum LogText {
  /// Formats a line. The line begins with the time since the machine started, as in the kernel's log. For errors and
  /// warnings, a word for the severity follows.
  static func line(_ line: LogLine) -> String {
    let (seconds, attoseconds) = line.at.components
    let milliseconds = String(attoseconds / 1_000_000_000_000_000)
    let zeros = String(repeating: "0", count: max(0, 3 - milliseconds.count))
    let word =
      switch line.severity {
      case .error: "error: "
      case .warning: "warning: "
      case .notice, .info, .debug: ""
      }
    return "[\(seconds).\(zeros)\(milliseconds)] \(word)\(line.text)"
  }
}
