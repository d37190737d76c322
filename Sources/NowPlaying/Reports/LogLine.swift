/// One line of the daemon's log.
package struct LogLine: Hashable, Sendable {
  /// The severity. The raw values are the numbers of syslog.
  package enum Severity: Int, Hashable, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning
    case notice
    case info
    case debug

    /// A higher severity has a smaller value.
    package static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The time since the machine started. The wall-clock time is not used, because it can be unknown.
  package var at: Duration
  package var severity: Severity
  /// The text, without line breaks. Parts of the text can come from outside the head unit, for example from a phone.
  package var text: String

  package init(at: Duration, severity: Severity, text: String) {
    self.at = at
    self.severity = severity
    self.text = text
  }
}
