/// The result of one check of the running system (D1).
public struct Check: Hashable, Sendable, CustomStringConvertible {
  /// The severity of the finding.
  public enum Grade: String, Hashable, Sendable {
    case good = "ok"
    /// A remark: this is not an error, but it can explain a symptom.
    case note
    case bad
  }

  /// The finding as an identifier for programs. The identifier stays the same when the words of the finding change.
  public let code: String
  /// The checked part, for example a session or a surface.
  public let subject: String
  /// The severity of the finding.
  public let grade: Grade
  /// The finding in words.
  public let finding: String
  /// The remedy; nil if nothing needs to be done.
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

  /// The result as one line of text.
  public var description: String {
    "\(grade.rawValue)  \(subject): \(finding)" + (remedy.map { " → \($0)" } ?? "")
  }
}
