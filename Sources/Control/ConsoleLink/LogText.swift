internal import Reports

/// A line of the log as text.
enum LogText {
  /// With the time since the machine started in front, as the kernel's log has it, and a word where
  /// something is wrong.
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
