/// One line of the daemon's log.
package struct LogLine: Hashable, Sendable {
  /// How much it matters, as syslog counts.
  package enum Severity: Int, Hashable, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning
    case notice
    case info
    case debug

    /// What matters more comes first.
    package static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// When, since the machine started: the wall clock may be unknown.
  package var at: Duration
  package var severity: Severity
  /// One line; may come from anywhere.
  package var text: String

  /// See the fields.
  package init(at: Duration, severity: Severity, text: String) {
    self.at = at
    self.severity = severity
    self.text = text
  }
}
