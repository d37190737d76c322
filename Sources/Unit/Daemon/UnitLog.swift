internal import Glibc
package import NowPlaying
package import Reports
internal import Text

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
  /// How long something that comes again and again is not told anew.
  package static let rateLimitInterval = Duration.seconds(10)

  /// What is told with ``repeated(_:_:_:at:)``: until when it is only counted, and how often it was.
  private var counted: [Repeated: (until: MonotonicInstant, times: Int)] = [:]
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

  /// What may come again and again, and would drive everything else out of the log.
  package enum Repeated {
    case ranDry, starved, fed, clientRefused, clientDropped
  }

  /// The first is told; more within ``rateLimitInterval`` are counted, and told with the next.
  package func repeated(
    _ level: LogLine.Severity, _ kind: Repeated, _ text: String, at now: MonotonicInstant
  ) {
    var times = 0
    if let known = counted[kind] {
      times = known.times
      if now < known.until {
        counted[kind]?.times += 1
        return
      }
    }
    counted[kind] = (now.advanced(by: Self.rateLimitInterval), 0)
    self(level, times == 0 ? text : "\(text) (and \(times) times more before)", at: now)
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
