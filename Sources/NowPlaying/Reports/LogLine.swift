/// One line of the daemon's log.
package struct LogLine: Hashable, Sendable {
  /// The severity, with the numbers of syslog.
  package enum Severity: Int, Hashable, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning
    case notice
    case info
    case debug

    /// A more severe line has the smaller value.
    package static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// Time since the machine started, because the wall clock may be unknown.
  package var at: Duration
  package var severity: Severity
  /// One line. The text may come from any source, also from outside the unit.
  package var text: String

  package init(at: Duration, severity: Severity, text: String) {
    self.at = at
    self.severity = severity
    self.text = text
  }
}
