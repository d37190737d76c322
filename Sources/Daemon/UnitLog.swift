internal import Glibc
package import NowPlaying
package import Reports

/// What the daemon has to say: the last lines in memory for the console, and all that is worth it to
/// standard error, which is the journal's. Control thread.
package final class UnitLog {
  /// How many lines are kept.
  package static let capacity = 500
  /// Bytes of a line: a file's name may be long.
  package static let maximumBytes = 2000

  /// What is less is neither kept nor written.
  package var level: LogLine.Severity
  /// The oldest first.
  package private(set) var lines: [LogLine] = []
  /// Told of each line.
  package var onLine: ((LogLine) -> Void)?
  private let write: (String) -> Void

  /// - Parameter write: where lines go, each with its newline; standard error by default.
  package init(level: LogLine.Severity = .info, write: ((String) -> Void)? = nil) {
    self.level = level
    // The journal takes a level in front; people would only see a number.
    let hasJournal = getenv("JOURNAL_STREAM") != nil
    self.write = write ?? { Self.toStandardError($0, isPlain: !hasJournal) }
  }

  package func callAsFunction(_ level: LogLine.Severity, _ text: String, at now: MonotonicInstant) {
    guard level <= self.level else { return }
    let line = LogLine(at: now.sinceOrigin, severity: level, text: Self.harmless(text))
    if lines.count == Self.capacity { lines.removeFirst() }
    lines.append(line)
    write("<\(level.rawValue)>\(line.text)\n")
    onLine?(line)
  }

  /// A tag may hold anything; a line of a log is one line.
  private static func harmless(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      bytes += String(scalar).utf8.count
      if bytes > maximumBytes {
        result.append("…")
        break
      }
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      let isReordering =
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      result.append(isControl || isReordering ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  private static func toStandardError(_ line: String, isPlain: Bool) {
    // `<n>` is three bytes.
    var text = isPlain ? String(line.dropFirst(3)) : line
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
