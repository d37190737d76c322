package import Reports
internal import SystemClock
internal import Text

/// Lines of a log, for a reply.
package struct LogReport: Equatable, Sendable {
  /// A line, and its severity if it is known.
  package struct Line: Equatable, Sendable {
    package var text: String
    package var severity: LogLine.Severity?

    package init(_ text: String, _ severity: LogLine.Severity? = nil) {
      self.text = text
      self.severity = severity
    }
  }

  /// A log of an earlier run.
  package struct Kept: Equatable, Sendable {
    /// The name of the file, such as `kernel.3`.
    package var name: String
    /// The time of the last change, in seconds since 1970. The clock was possibly wrong at that time.
    package var seconds: Int
    package var bytes: Int

    package init(name: String, seconds: Int, bytes: Int) {
      self.name = name
      self.seconds = seconds
      self.bytes = bytes
    }
  }

  /// The lines, oldest first.
  package var lines: [Line]
  /// True if all lines were read. False if a limit of time or size was reached, so older lines are missing.
  package var isComplete: Bool
  /// The present time on the scale of the lines. Nil for a kept log, whose lines are of an earlier run.
  package var now: Duration?
  /// The kept logs, newest first. The lines are those of the log at the index ``shown``.
  package var kept: [Kept] = []
  package var shown = 0

  package init(_ lines: [Line], isComplete: Bool = true) {
    self.lines = lines
    self.isComplete = isComplete
  }

  package func count(_ severity: LogLine.Severity) -> Int {
    lines.count { $0.severity == severity }
  }

  /// A line of the reply: how many lines, errors and warnings are above it.
  package var summary: String {
    var parts = [Self.words(lines.count, "line")]
    for (severity, word) in [(LogLine.Severity.error, "error"), (.warning, "warning")] {
      let number = count(severity)
      if number > 0 { parts.append(Self.words(number, word)) }
    }
    return parts.joined(separator: ", ") + "." + (isComplete ? "" : " Older lines are missing.")
  }

  private static func words(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  func lines(_ style: ReplyStyle) -> [String] {
    var rows: [String] = []
    if !kept.isEmpty {
      let width = (kept.map { TextWidth.columns(of: style.sanitized($0.name)) }.max() ?? 0) + 2
      for (index, log) in kept.enumerated() {
        let mark = index == shown ? ">" : " "
        let size = TextWidth.rightAligned("\((log.bytes + 1023) / 1024) KB", to: 7)
        rows.append(
          mark + TextWidth.rightAligned("\(index + 1)", to: 3) + "  "
            + TextWidth.padded(style.sanitized(log.name), to: min(width, 50))
            + ClockZone.utc.localTime(at: min(max(log.seconds, 0), LocalTime.latestSeconds)).minutes
            + size)
      }
      rows.append(
        style.strong(style.sanitized(kept.indices.contains(shown) ? kept[shown].name : "")))
    }
    for line in lines {
      let text = style.sanitized(line.text, limit: ReplyStyle.logLimit)
      rows.append(line.severity == .error ? style.paint(text, .bad) : text)
    }
    rows.append(style.faint(summary))
    // Without the present time, a reader does not know how old the lines are.
    if let now {
      let (seconds, attoseconds) = now.components
      rows.append(style.faint("now: \(seconds).\(attoseconds / 100_000_000_000_000_000) s"))
    }
    return rows
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("lines")
    json.beginArray()
    for line in lines { json.value(line.text) }
    json.endArray()
    json.member("errors", count(.error))
    json.member("warnings", count(.warning))
    json.member("isComplete", isComplete)
    if !kept.isEmpty {
      json.key("kept")
      json.beginArray()
      for log in kept {
        json.beginObject()
        json.member("name", log.name)
        json.member("seconds", log.seconds)
        json.member("bytes", log.bytes)
        json.endObject()
      }
      json.endArray()
      json.member("shown", shown + 1)
    }
    json.endObject()
  }
}
