internal import Glibc
package import NowPlaying
package import Reports
internal import Terminal

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
    let safe = TextWidth.sanitized(text)
    guard safe.utf8.count > maximumBytes else { return safe }
    var bytes = 0
    let fitting = safe.unicodeScalars.prefix { scalar in
      bytes += UTF8.width(scalar)
      return bytes <= maximumBytes
    }
    return String(fitting) + "…"
  }

  private static func toStandardError(_ line: String, isPlain: Bool) {
    // `<n>` is three bytes.
    var text = isPlain ? String(line.dropFirst(3)) : line
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
