package import Control
internal import Glibc
package import NowPlaying
package import Reports
internal import Text

/// The daemon's log. It keeps the last lines in memory for the console, and writes lines to standard error, which leads
/// to the journal. Only the control thread uses the log.
package final class UnitLog {
  /// Maximum number of lines that are kept.
  package static let capacity = 500
  /// Maximum length of a line, in bytes. A line can contain a long file name.
  package static let maximumBytes = 2000

  /// The lowest severity of lines that are kept and written.
  package var level: LogLine.Severity
  /// The kept lines, oldest first.
  package private(set) var lines: [LogLine] = []
  /// The first text of each event that says that saved data was lost. `diagnose` shows them until the next start.
  private(set) var losses: [(event: LogEvent, text: String)] = []
  /// Minimum time between two lines of the same event, if the event is limited.
  package static let rateLimitInterval = Duration.seconds(10)

  /// Minimum time between two lines with the same reason about clients of the control socket.
  package static let clientInterval = Duration.seconds(60)

  private struct Limited: Hashable {
    let event: LogEvent
    let reason: String
  }

  /// The limited events, each with the end of its interval and the number of repetitions in this interval.
  private var counted: [Limited: (until: MonotonicInstant, times: Int)] = [:]
  private let outbox: UnitOutbox?
  private let write: (String) -> Void

  /// - Parameters:
  ///   - outbox: gets each line, for the clients. Nil if there are no clients.
  ///   - write: receives each line with its newline. By default, lines are written to standard error.
  package init(
    level: LogLine.Severity = .info, outbox: UnitOutbox? = nil, write: ((String) -> Void)? = nil
  ) {
    self.level = level
    self.outbox = outbox
    // The journal reads the severity from the number at the start of a line. Without a journal this number is left out,
    // because a reader does not need it.
    let hasJournal = getenv("JOURNAL_STREAM") != nil
    self.write = write ?? { Self.toStandardError($0, isPlain: !hasJournal) }
  }

  /// Logs a line. The line begins with the identifier of the event.
  package func callAsFunction(
    _ event: LogEvent, _ text: @autoclosure () -> String, at now: MonotonicInstant
  ) {
    if event.isLoss, !losses.contains(where: { $0.event == event }) {
      losses.append((event, Self.sanitized(text())))
    }
    add(event.severity, "\(event.rawValue): \(text())", at: now)
  }

  /// Logs a report of the image about the storage.
  package func callAsFunction(_ notice: StorageNotice, at now: MonotonicInstant) {
    add(.warning, "\(notice.identifier): \(notice.sentence)", at: now)
  }

  /// - Parameter text: evaluated only if the line is logged.
  private func add(
    _ level: LogLine.Severity, _ text: @autoclosure () -> String, at now: MonotonicInstant
  ) {
    guard level <= self.level else { return }
    let line = LogLine(at: now.sinceOrigin, severity: level, text: Self.sanitized(text()))
    if lines.count == Self.capacity { lines.removeFirst() }
    lines.append(line)
    write("<\(level.rawValue)>\(line.text)\n")
    outbox?.put(.line(line))
  }

  /// Logs an event that can repeat very often, so that its lines would replace all other lines. The first event is
  /// logged. Repetitions within `interval` are only counted, and the next line reports their number.
  /// - Parameter reason: events with different reasons are limited separately. There must be only a few different
  ///   reasons.
  package func limited(
    _ event: LogEvent, _ text: String, reason: String = "",
    interval: Duration = UnitLog.rateLimitInterval, at now: MonotonicInstant
  ) {
    let key = Limited(event: event, reason: reason)
    var times = 0
    if let known = counted[key] {
      times = known.times
      if now < known.until {
        counted[key]?.times += 1
        return
      }
    }
    counted[key] = (now.advanced(by: interval), 0)
    self(event, times == 0 ? text : "\(text) (and \(times) times before)", at: now)
  }

  /// Removes line breaks and similar characters. A tag can contain any characters, but a log entry must stay on one
  /// line.
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
    // The severity at the start of the line, `<n>`, has three bytes.
    var text = isPlain ? String(line.dropFirst(3)) : line
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
