/// The severity of a fact or of the finding of a check.
package enum Grade: String, Hashable, Sendable {
  /// A fact without a judgement.
  case plain
  case good
  /// A remark: this is not an error, but it can explain a symptom.
  case note
  case bad
}
