/// One question that is asked of the live system, and its answer (D1).
public struct Check: Hashable, Sendable, CustomStringConvertible {
  /// How bad it is.
  public enum Grade: String, Hashable, Sendable {
    case good = "ok"
    /// Not wrong, but worth knowing.
    case note
    case bad
  }

  /// What was looked at.
  public let subject: String
  /// How bad it is.
  public let grade: Grade
  /// What was found.
  public let finding: String
  /// What to do; nil where there is nothing to.
  public let remedy: String?

  init(_ subject: String, _ grade: Grade, _ finding: String, remedy: String? = nil) {
    self.subject = subject
    self.grade = grade
    self.finding = finding
    self.remedy = remedy
  }

  /// One line.
  public var description: String {
    "\(grade.rawValue)  \(subject): \(finding)" + (remedy.map { " → \($0)" } ?? "")
  }
}
