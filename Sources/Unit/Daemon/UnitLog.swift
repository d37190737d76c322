internal import Glibc
package import NowPlaying
package import Reports
internal import Text

/// The daemon's log. Keeps the last lines in memory for the console, and writes lines to standard
/// error, which is the journal. Control thread.
package final class UnitLog {
  /// Maximum number of lines that are kept.
  package static let capacity = 500
  /// Maximum bytes of a line. The name of a file may be long.
  package static let maximumBytes = 2000

  /// Less severe lines are neither kept nor written.
  package var level: LogLine.Severity
  /// The kept lines, oldest first.
  package private(set) var lines: [LogLine] = []
  /// Minimum time between two lines of an event that is limited.
  package static let rateLimitInterval = Duration.seconds(10)

  /// Per event: until when repetitions are only counted, and how many there were.
  private var counted: [LogEvent: (until: MonotonicInstant, times: Int)] = [:]
  /// Called with each line.
  package var onLine: ((LogLine) -> Void)?
  private let write: (String) -> Void

  /// - Parameter write: gets each line with its newline; standard error by default.
  package init(level: LogLine.Severity = .info, write: ((String) -> Void)? = nil) {
    self.level = level
    // The journal reads a severity at the start of a line. People would only see a number.
    let hasJournal = getenv("JOURNAL_STREAM") != nil
    self.write = write ?? { Self.toStandardError($0, isPlain: !hasJournal) }
  }

  /// Logs a line, which begins with the identifier of the event.
  package func callAsFunction(_ event: LogEvent, _ text: String, at now: MonotonicInstant) {
    add(event.severity, "\(event.rawValue): \(text)", at: now)
  }

  /// Logs a message of the image about its storage.
  package func callAsFunction(_ notice: StorageNotice, at now: MonotonicInstant) {
    add(.warning, "\(notice.identifier): \(notice.sentence)", at: now)
  }

  private func add(_ level: LogLine.Severity, _ text: String, at now: MonotonicInstant) {
    guard level <= self.level else { return }
    let line = LogLine(at: now.sinceOrigin, severity: level, text: Self.sanitized(text))
    if lines.count == Self.capacity { lines.removeFirst() }
    lines.append(line)
    write("<\(level.rawValue)>\(line.text)\n")
    onLine?(line)
  }

  /// Logs the first line of an event that may repeat so often that it would displace all others.
  /// Repetitions within ``rateLimitInterval`` are counted, and the next line reports their number.
  package func limited(_ event: LogEvent, _ text: String, at now: MonotonicInstant) {
    var times = 0
    if let known = counted[event] {
      times = known.times
      if now < known.until {
        counted[event]?.times += 1
        return
      }
    }
    counted[event] = (now.advanced(by: Self.rateLimitInterval), 0)
    self(event, times == 0 ? text : "\(text) (and \(times) times before)", at: now)
  }

  /// A tag may contain any characters; a line of the log must stay one line.
  private static func sanitized(_ text: String) -> String {
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
    // The severity, `<n>`, takes three bytes.
    var text = isPlain ? String(line.dropFirst(3)) : line
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
