/// The result of one check of the running system (D1).
public struct Check: Hashable, Sendable, CustomStringConvertible {
  /// The severity of the finding.
  public enum Grade: String, Hashable, Sendable {
    case good = "ok"
    /// Not an error, but worth knowing.
    case note
    case bad
  }

  /// What was found, as an identifier for programs. It stays the same when the words change.
  public let code: String
  /// The subject of the check.
  public let subject: String
  /// The severity of the finding.
  public let grade: Grade
  /// What was found.
  public let finding: String
  /// What to do; nil if nothing needs to be done.
  public let remedy: String?

  init(
    _ code: String, _ subject: String, _ grade: Grade, _ finding: String, remedy: String? = nil
  ) {
    self.code = code
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
